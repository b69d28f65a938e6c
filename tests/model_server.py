"""A server on loopback that speaks the languages of models: Ollama's, Anthropic's and OpenAI's, faults too.

::

    with ModelServer("first", {"verdict": "pass"}, status(429, "busy", **{"Retry-After": "1"})) as server:
        Ollama(host=server.url).reply(…)                     # "first"
        Claude(base_url=server.url).reply(…, schema=…)       # the mapping, as the input of the tool
        OpenAI(base_url=server.url + "/v1").reply(…)         # HTTP 429
        assert server.asked[0].path == "/api/chat"
        assert server.asked[1].body["tools"]

Replies are given in order, whatever the language; the last one for good. A reply is

- a text or a mapping, which is a structured reply: each language has its own form for it,
- a function of the `Asked` that gives a reply,
- ``cut(reply)`` or ``refusal(text)``: the model stopped early, or refused,
- a fault: ``status(500, "…")``, ``raw(b"<html>")``, ``half()``, ``hang_up()``, ``slow(seconds, reply)``.

``models`` are those that Ollama has pulled; ``embed`` makes a vector of a text; ``failing`` has faults for
paths such as ``/api/embed`` or ``/api/tags``; every answer takes ``latency`` seconds, so that a test or a
benchmark can see what overlaps.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

TOKENS_IN, TOKENS_OUT = 11, 7
"""What every reply says that it has cost."""


@dataclass(frozen=True)
class Asked:
    path: str
    body: Any
    headers: Mapping[str, str]
    """By name in lower case."""


@dataclass(frozen=True)
class Fault:
    """What goes over the line instead of a reply. A ``message`` is put as the language puts its errors;
    ``length`` is what the header says, if that is a lie."""

    status: int = 200
    body: bytes = b""
    message: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    length: int | None = None
    hangs_up: bool = False


@dataclass(frozen=True)
class Stopped:
    """A reply that ended early: ``cut`` by a limit of tokens, or a ``refusal``."""

    why: str
    said: str | Mapping[str, Any]


@dataclass(frozen=True)
class Slow:
    seconds: float
    reply: Any


@dataclass(frozen=True)
class _Made:
    answer: Any


Script = str | Mapping[str, Any] | Fault | Stopped | Slow | Callable[[Asked], Any]


def status(code: int, message: str = "scripted", **headers: str) -> Fault:
    return Fault(code, message=message, headers={"Content-Type": "application/json", **headers})


def raw(body: bytes, content_type: str = "application/json") -> Fault:
    return Fault(body=body, headers={"Content-Type": content_type})


def half() -> Fault:
    body = b'{"message": {"role": "assistant", "content": "half of'
    return Fault(body=body, headers={"Content-Type": "application/json"}, length=500)


def hang_up() -> Fault:
    return Fault(hangs_up=True)


def cut(said: str | Mapping[str, Any]) -> Stopped:
    return Stopped("cut", said)


def refusal(said: str) -> Stopped:
    return Stopped("refusal", said)


def slow(seconds: float, reply: Script = "late") -> Slow:
    return Slow(seconds, reply)


def hashed(text: str) -> list[float]:
    """Eight numbers that are always the same for a text, and mean nothing."""
    return [byte / 255 for byte in sha256(text.encode("utf-8", "surrogatepass")).digest()[:8]]


class ModelServer:
    """Use it as a context manager."""

    def __init__(
        self,
        *script: Script,
        models: Sequence[str] = ("llama3.1:8b",),
        embed: Callable[[str], Sequence[float]] = hashed,
        latency: float = 0.0,
    ) -> None:
        self.asked: list[Asked] = []
        self.models = list(models)
        self.embed = embed
        self.latency = latency
        self.failing: dict[str, Fault | Slow] = {}
        self.over = threading.Event()
        self._script = list(script)
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def says(self, *script: Script) -> None:
        """What is answered from now on."""
        with self._lock:
            self._script = list(script)

    def next_reply(self) -> Any:
        with self._lock:
            if not self._script:
                return status(500, "the script is empty")
            return self._script.pop(0) if len(self._script) > 1 else self._script[0]

    def __enter__(self) -> Self:
        self._http = _Http(self)
        # A short poll, because shutting down waits for it.
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self._http.shutdown()
        self._thread.join(10)
        self._http.server_close()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, server: ModelServer) -> None:
        self.model_server = server
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that gives up is part of many tests."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # one packet an answer: header and body apart cost 40 ms with Nagle's algorithm
    disable_nagle_algorithm = True
    timeout = 10
    server: _Http

    def do_GET(self) -> None:
        self._answer(None)

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("content-length", 0)))
        self._answer(json.loads(data))

    def _answer(self, body: Any) -> None:
        models = self.server.model_server
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.path.partition("?")[0], body, headers)
        models.asked.append(asked)
        if models.latency:
            models.over.wait(models.latency)
        if fixed := _FIXED.get(asked.path):
            said = models.failing.get(asked.path, lambda _: _Made(fixed(asked, models)))
        elif asked.path in _LANGUAGES:
            said = models.next_reply()
        else:
            said = status(404, f"nothing at {asked.path}")
        self._say(said, asked)

    def _say(self, reply: Any, asked: Asked) -> None:
        while callable(reply) or isinstance(reply, Slow):
            if callable(reply):
                reply = reply(asked)
            else:
                self.server.model_server.over.wait(reply.seconds)
                reply = reply.reply
        if isinstance(reply, Fault):
            self._send(reply, asked)
            return
        if not isinstance(reply, _Made):
            said, why = (reply.said, reply.why) if isinstance(reply, Stopped) else (reply, "")
            reply = _Made(_LANGUAGES[asked.path](asked, said, why))
        self._send(raw(json.dumps(reply.answer).encode()), asked)

    def _send(self, answer: Fault, asked: Asked) -> None:
        if answer.hangs_up:
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        body = answer.body if answer.message is None else _error(asked, answer.message)
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if answer.length is None else answer.length))
        self.end_headers()
        self.wfile.write(body)
        if answer.length is not None:
            self.close_connection = True

    def log_message(self, *_: Any) -> None:
        """Silence."""


def _error(asked: Asked, message: str) -> bytes:
    """Ollama says its errors as a text, the others in an object."""
    own = message if asked.path.startswith("/api/") else {"type": "scripted_error", "message": message}
    return json.dumps({"error": own}).encode()


def _text(said: Any) -> str:
    return said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)


def _ollama(asked: Asked, said: Any, stopped: str) -> Any:
    return {
        "model": asked.body["model"],
        "message": {"role": "assistant", "content": _text(said)},
        "done": True,
        "done_reason": "length" if stopped == "cut" else "stop",
        "prompt_eval_count": TOKENS_IN,
        "eval_count": TOKENS_OUT,
    }


def _anthropic(asked: Asked, said: Any, stopped: str) -> Any:
    forced = asked.body.get("tool_choice", {}).get("name")
    if forced and not isinstance(said, str):
        content = [{"type": "tool_use", "id": "toolu_1", "name": forced, "input": said}]
    else:
        content = [{"type": "text", "text": _text(said)}] if said else []
    reason = {"cut": "max_tokens", "refusal": "refusal", "": "tool_use" if forced else "end_turn"}[stopped]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": asked.body["model"],
        "content": content,
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": {"input_tokens": TOKENS_IN, "output_tokens": TOKENS_OUT},
    }


def _openai(asked: Asked, said: Any, stopped: str) -> Any:
    refused = stopped == "refusal"
    message = {"role": "assistant", "content": None if refused else _text(said)}
    if refused:
        message["refusal"] = said
    choice = {"index": 0, "message": message, "finish_reason": "length" if stopped == "cut" else "stop"}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": asked.body["model"],
        "choices": [choice],
        "usage": {
            "prompt_tokens": TOKENS_IN,
            "completion_tokens": TOKENS_OUT,
            "total_tokens": TOKENS_IN + TOKENS_OUT,
        },
    }


def _texts(asked: Asked) -> list[str]:
    given = asked.body["input"]
    return [given] if isinstance(given, str) else list(given)


def _ollama_vectors(asked: Asked, models: ModelServer) -> Any:
    vectors = [list(models.embed(text)) for text in _texts(asked)]
    return {"model": asked.body["model"], "embeddings": vectors, "prompt_eval_count": TOKENS_IN}


def _openai_vectors(asked: Asked, models: ModelServer) -> Any:
    data = [
        {"object": "embedding", "index": place, "embedding": list(models.embed(text))}
        for place, text in enumerate(_texts(asked))
    ]
    usage = {"prompt_tokens": TOKENS_IN, "total_tokens": TOKENS_IN}
    return {"object": "list", "data": data, "model": asked.body["model"], "usage": usage}


def _pulled(_: Asked, models: ModelServer) -> Any:
    return {"models": [{"name": name, "model": name} for name in models.models]}


_LANGUAGES: dict[str, Callable[[Asked, Any, str], Any]] = {
    "/api/chat": _ollama,
    "/v1/messages": _anthropic,
    "/v1/chat/completions": _openai,
}
_FIXED: dict[str, Callable[[Asked, ModelServer], Any]] = {
    "/api/tags": _pulled,
    "/api/embed": _ollama_vectors,
    "/v1/embeddings": _openai_vectors,
}
