"""A desk that is closed again, and a real HTTP server on loopback."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from pytest_jweval.agents import Desk


@pytest.fixture
def desk() -> Iterator[Callable[[float], Desk]]:
    """`desk(seconds)`: a desk with this limit."""
    desks: list[Desk] = []

    def make(seconds: float = 10) -> Desk:
        desks.append(Desk(seconds))
        return desks[-1]

    yield make
    for made in desks:
        made.close()


@dataclass
class Endpoint:
    """What the server will answer, and what it was asked."""

    url: str
    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0
    asked: list[Any] = field(default_factory=list)
    connections: set[Any] = field(default_factory=set)

    def answers(self, body: Any, status: int = 200, **headers: str) -> Endpoint:
        self.body = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        self.status, self.headers = status, headers
        return self


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Without these two each answer waits 40 ms for the client's acknowledgement.
        wbufsize = -1
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            told.connections.add(self.client_address)
            length = int(self.headers["content-length"])
            told.asked.append(
                {"type": self.headers["content-type"], "input": json.loads(self.rfile.read(length))}
            )
            time.sleep(told.delay)
            self.send_response(told.status)
            self.send_header("content-length", str(len(told.body)))
            for name, value in told.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(told.body)

        def log_message(self, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *args: Any) -> None:
            pass  # a client that gave up is part of some tests

    with Server(("127.0.0.1", 0), Handler) as server:
        told = Endpoint(f"http://127.0.0.1:{server.server_port}/ask")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield told
        server.shutdown()
