"""A web server on loopback that does what it is told, faults included.

::

    with Loopback() as server:
        server.at("/verse", page("<p>In the beginning was the Word.</p>"))
        server.at("/moved", redirect("/verse"))
        server.at("/busy", reply(503, **{"Retry-After": "2"}), page("now"))  # one after the other
        server.at("/slow", [b"HTTP/1.1 200 OK\r\n", 0.5, b"\r\nlate"])  # a number is a pause
        server.at("/dropped", [b"HTTP/1.1 200 OK\r\nContent-Le", RESET])
        server.at("/endless", lambda request: chunks(itertools.repeat(b"more ")))
        httpx.get(server.url + "/verse")
        assert server.targets == ["/verse"]

A reply is bytes, a list of pieces, or a function of the `Request` that gives either. When a reply is at its
end the connection is closed, as all of these say in their headers. `names` gives hosts an address in this
process only, and `connections` notes every connection that is tried.
"""

from __future__ import annotations

import gzip
import socket
import ssl
import struct
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import pytest

RESET = object()
"""A piece: the connection is broken off instead of closed."""

Piece = bytes | float | object
Reply = bytes | Iterable[Piece] | Callable[["Request"], Any]


@dataclass(frozen=True)
class Request:
    method: str
    target: str
    headers: Mapping[str, str]
    """By name in lower case."""


@dataclass
class Loopback:
    """Use it as a context manager. With ``tls`` it speaks HTTPS."""

    tls: ssl.SSLContext | None = None
    requests: list[Request] = field(default_factory=list)
    _replies: dict[str, list[Reply]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _over: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def at(self, target: str, *replies: Reply) -> str:
        """What is answered at this target, one after the other; the last for good. Gives its URL."""
        self._replies[target] = list(replies)
        return self.url + target

    @property
    def targets(self) -> list[str]:
        """What was asked for, in order."""
        return [request.target for request in self.requests]

    @property
    def port(self) -> int:
        return int(self._listening.getsockname()[1])

    @property
    def url(self) -> str:
        return self.url_of("127.0.0.1")

    def url_of(self, host: str) -> str:
        """The same server by another name, for `names`."""
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}"

    def __enter__(self) -> Self:
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        # A thread that waits for a connection isn't woken by closing its socket.
        with socket.socket() as waking:
            waking.connect(("127.0.0.1", self.port))
        for thread in self._threads:
            thread.join(10)
        self._listening.close()

    def _start(self, work: Callable[..., None], *args: Any) -> None:
        thread = threading.Thread(target=work, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._over.is_set():
            line, _ = self._listening.accept()
            self._start(self._serve, line)

    def _serve(self, line: socket.socket) -> None:
        with line:
            line.settimeout(10)
            try:
                if self.tls:
                    line = self.tls.wrap_socket(line, server_side=True)
                with line:
                    if request := _read(line):
                        self._answer(line, request)
            except OSError:
                pass  # a client that gives up is part of many tests

    def _answer(self, line: socket.socket, request: Request) -> None:
        with self._lock:
            self.requests.append(request)
            scripted = self._replies.get(request.target, [reply(404)])
            said = scripted.pop(0) if len(scripted) > 1 else scripted[0]
        said = said(request) if callable(said) else said
        for piece in [said] if isinstance(said, bytes) else said:
            if piece is RESET:
                at_once = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
                return
            if isinstance(piece, bytes):
                line.sendall(piece)
            elif isinstance(piece, int | float) and self._over.wait(piece):
                return
        line.shutdown(socket.SHUT_WR)
        while line.recv(4096):  # closing with something unread would break it off
            pass


def _read(line: socket.socket) -> Request | None:
    raw = b""
    while b"\r\n\r\n" not in raw:
        more = line.recv(65536)
        if not more:
            return None
        raw += more
    first, *rest = raw.decode("latin-1").split("\r\n\r\n", 1)[0].split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = dict(each.split(": ", 1) for each in rest)
    return Request(method, target, {name.lower(): value for name, value in headers.items()})


def reply(status: int = 200, body: bytes = b"", /, **headers: str) -> bytes:
    """A whole answer. Its length is said unless a header says otherwise."""
    said = {"Connection": "close", "Content-Length": str(len(body)), **headers}
    lines = [f"HTTP/1.1 {status} Scripted", *(f"{name}: {value}" for name, value in said.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def page(html: str, status: int = 200, /, **headers: str) -> bytes:
    return reply(status, html.encode(), **{"Content-Type": "text/html; charset=utf-8", **headers})


def redirect(location: str, status: int = 302) -> bytes:
    return reply(status, Location=location)


def zipped(html: str) -> bytes:
    return reply(
        200, gzip.compress(html.encode()), **{"Content-Type": "text/html", "Content-Encoding": "gzip"}
    )


def chunks(pieces: Iterable[bytes], /, **headers: str) -> Iterator[bytes]:
    """An answer in chunks, as many as there are."""
    said = {"Connection": "close", "Content-Type": "text/html", "Transfer-Encoding": "chunked", **headers}
    lines = ["HTTP/1.1 200 Scripted", *(f"{name}: {value}" for name, value in said.items()), "", ""]
    yield "\r\n".join(lines).encode("latin-1")
    for piece in pieces:
        yield b"%x\r\n%b\r\n" % (len(piece), piece)
    yield b"0\r\n\r\n"


def names(monkeypatch: pytest.MonkeyPatch, known: Mapping[str, Any]) -> list[str]:
    """Only these hosts have addresses now: one, a list, or a function that is called for each question.

    An `OSError` among them is raised. Gives the list of hosts that were asked for.
    """
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        found = known.get(host, socket.gaierror(socket.EAI_NONAME, "Name or service not known"))
        found = found() if callable(found) else found
        if isinstance(found, OSError):
            raise found
        return [_answer(address, port) for address in ([found] if isinstance(found, str) else found)]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


def _answer(address: str, port: int) -> tuple[Any, ...]:
    stream = (socket.SOCK_STREAM, socket.IPPROTO_TCP, "")
    if ":" in address:
        return (socket.AF_INET6, *stream, (address, port, 0, 0))
    return (socket.AF_INET, *stream, (address, port))


def connections(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The address of every connection that this process tries from now on."""
    tried: list[Any] = []

    def noting(connect: Callable[..., Any]) -> Callable[..., Any]:
        def noted(line: socket.socket, address: Any) -> Any:
            tried.append(address)
            return connect(line, address)

        return noted

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, noting(getattr(socket.socket, name)))
    return tried
