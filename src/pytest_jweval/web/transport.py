"""One request on one connection, which goes where the guard has looked, and is over when its time is up.

No connection is used twice: what one page's server has said or set can't reach another request, and a
page is asked for once a run anyway. There are no proxies and no cookies, because nobody adds any.
"""

import socket
import ssl
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import httpcore
import httpx

from pytest_jweval.errors import PageError
from pytest_jweval.web.deadline import Deadline
from pytest_jweval.web.guard import Guard, SocketAddress
from pytest_jweval.web.lines import OpenLines


@dataclass(frozen=True, slots=True)
class Call:
    """What all of a page's connections have in common. ``most_bytes`` counts everything that comes in on
    one of them, headers and wrapping as well."""

    guard: Guard
    lines: OpenLines
    deadline: Deadline
    most_bytes: int


@contextmanager
def exchange(url: httpx.URL, headers: Mapping[str, str], call: Call) -> Iterator[httpcore.Response]:
    """The answer, with its body still to come."""
    target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
    sent = [
        (b"Host", url.netloc),
        *((name.encode(), value.encode("latin-1")) for name, value in headers.items()),
    ]
    # A context of its own, because httpcore writes to it while other threads may read.
    tls = httpx.create_ssl_context() if url.scheme == "https" else None
    backend = _GuardedBackend(call)
    try:
        with (
            httpcore.HTTPConnection(target.origin, ssl_context=tls, network_backend=backend) as connection,
            connection.stream("GET", target, headers=sent) as response,
        ):
            yield response
    except httpcore.RemoteProtocolError as error:
        if backend.hung_up:
            raise ConnectionResetError("it hung up before its answer was whole") from None
        raise PageError(f"gave an answer that is no HTTP: {error}") from None


class _GuardedBackend(httpcore.NetworkBackend):
    """Opens one line. It can't do Unix sockets, as the class above it can't."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._stream: _BoundedStream | None = None

    @property
    def hung_up(self) -> bool:
        return self._stream is not None and self._stream.ended

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002  # the deadline decides
        local_address: str | None = None,  # noqa: ARG002  # none is ever asked for
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,  # noqa: ARG002  # nor are options
    ) -> httpcore.NetworkStream:
        addresses = self._call.guard.addresses(host, port, self._call.deadline.left())
        self._stream = _BoundedStream(_connected(addresses, self._call), self._call)
        return self._stream


def _connected(addresses: list[SocketAddress], call: Call) -> socket.socket:
    """To the first that answers. Each has its share of the time: a dead one must leave some to the others."""
    failure = OSError("its host has no address")
    for place, (family, address) in enumerate(addresses):
        try:
            share = call.deadline.left() / (len(addresses) - place)
            return _line(family, address, share, call.lines)
        except OSError as error:
            failure = error
    raise failure


def _line(
    family: socket.AddressFamily, address: tuple[object, ...], seconds: float, lines: OpenLines
) -> socket.socket:
    line = socket.socket(family, socket.SOCK_STREAM)
    try:
        lines.add(line)
        line.settimeout(seconds)
        line.connect(address)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        lines.end(line)
        raise
    return line


class _BoundedStream(httpcore.NetworkStream):
    """Each step may take what is left of the whole time; the timeouts that httpcore hands in are per step."""

    def __init__(self, line: socket.socket, call: Call) -> None:
        self.ended = False
        self._line = line
        self._call = call
        self._came = 0

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002  # see above
        self._line.settimeout(self._call.deadline.left())
        data = self._line.recv(max_bytes)
        self.ended = not data
        if self.ended and self._call.lines.closed.is_set():
            # Hung up by us. A body without a length would seem to be whole.
            raise PageError("is not fetched: its fetcher was closed")
        self._came += len(data)
        if self._came > self._call.most_bytes:
            raise PageError(
                f"sends too much: more than {self._call.most_bytes:,} bytes with all that is around it"
            )
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002  # see above
        while buffer:
            self._line.settimeout(self._call.deadline.left())
            buffer = buffer[self._line.send(buffer) :]

    def close(self) -> None:
        self._call.lines.end(self._line)

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002  # see above
    ) -> httpcore.NetworkStream:
        # Certificates have no dot at the end of a name, though a URL may.
        name = (server_hostname or "").removesuffix(".")
        self._call.lines.remove(self._line)
        try:
            self._line.settimeout(self._call.deadline.left())
            self._line = ssl_context.wrap_socket(
                self._line, server_hostname=name, do_handshake_on_connect=False
            )
            self._call.lines.add(self._line)
            self._line.do_handshake()
        except BaseException:
            self.close()
            raise
        return self
