"""What the live mode may contact: known hosts on public addresses.

A name is nothing to go by, since its owner decides what it means, and may decide anew between two
questions. So the address is looked at when a connection is made, and that one address is connected to.
"""

import socket
import threading
from collections.abc import Collection, Iterable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from pytest_jweval.errors import AddressRefused, PageError
from pytest_jweval.texts import excerpt, printable
from pytest_jweval.web.addresses import special_kind

if TYPE_CHECKING:
    import httpx

SocketAddress = tuple[socket.AddressFamily, tuple[Any, ...]]


class Guard:
    """``hosts`` are the only ones that may be contacted, unless they are ``None``; ``private_hosts`` are
    those whose address doesn't matter. What it says when it refuses is meant to stand behind the URL."""

    def __init__(self, hosts: Collection[str] | None = None, private_hosts: Collection[str] = ()) -> None:
        self._hosts = None if hosts is None else {_canonical(host) for host in hosts}
        self._private_hosts = {_canonical(host) for host in private_hosts}

    def allow(self, urls: Iterable[str]) -> None:
        """Their hosts may be contacted from now on."""
        for url in urls:
            # What is no URL has no host; whoever fetches it will be told why.
            if self._hosts is not None and (parsed := _parsed(url)) and parsed.host:
                self._hosts.add(_canonical(parsed.host))

    def admitted(self, url: str) -> "httpx.URL":
        """The URL as it is to be asked for, if its form and its host are no reason to refuse it."""
        parsed = _parsed(url)
        if parsed is None:
            raise AddressRefused("is refused: it is no URL that can be read")
        if parsed.scheme not in ("http", "https"):
            raise AddressRefused("is refused: only http:// and https:// pages are fetched")
        if parsed.userinfo:
            raise AddressRefused("is refused: it has a user name in it")
        if not parsed.host:
            raise AddressRefused("is refused: it names no host")
        if "%" in parsed.host:
            raise AddressRefused(f"is refused: {_shown(parsed.host)} is no name of a host")
        if parsed.port is not None and not 0 < parsed.port < 65536:
            raise AddressRefused(f"is refused: there is no port {parsed.port}")
        if self._hosts is not None and _canonical(parsed.host) not in self._hosts:
            host = _shown(parsed.host)
            raise AddressRefused(
                f"is refused: no case names the host {host} (ini jweval_live_hosts allows it)"
            )
        return parsed.copy_with(fragment=None)

    def addresses(self, host: str, port: int, seconds: float) -> list[SocketAddress]:
        """Where the host is at this moment; refused as a whole if only one of its addresses isn't public."""
        found = _resolved(host, port, seconds)
        if _canonical(host) not in self._private_hosts:
            for _, address in found:
                self._check(host, str(address[0]))
        return found

    def _check(self, host: str, address: str) -> None:
        if kind := special_kind(address):
            at = address if host == address else f"{address} of {_shown(host)}"
            raise AddressRefused(
                f"is refused: the address {at} is {kind} (ini jweval_private_hosts allows it)"
            )


def _parsed(url: str) -> "httpx.URL | None":
    import httpx

    try:
        return httpx.URL(url)
    except (httpx.InvalidURL, ValueError):
        return None


def _canonical(host: str) -> str:
    """One form for ``Example.org.`` and ``example.org``, for ``[::1]`` and ``::1``, and for the two forms of
    a name that isn't ASCII."""
    bare = host.strip("[]")
    parsed = _parsed(f"//[{bare}]" if ":" in bare else f"//{bare}")
    return (parsed.raw_host.decode("ascii") if parsed else bare.casefold()).removesuffix(".")


def _shown(host: str) -> str:
    return excerpt(printable(host), 80)


def _resolved(host: str, port: int, seconds: float) -> list[SocketAddress]:
    """``getaddrinfo`` has no timeout of its own; when it takes too long it is left alone on its thread."""
    answer: Future[list[SocketAddress]] = Future()

    def look_up() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
            answer.set_result([(family, address) for family, *_, address in found])
        except BaseException as error:  # noqa: BLE001  # whatever it is, it belongs to who asked
            answer.set_exception(error)

    threading.Thread(target=look_up, name="jweval-name", daemon=True).start()
    try:
        return answer.result(seconds)
    except UnicodeError:  # a label that is empty or longer than names can be
        raise PageError(f"has no host that can be looked up: {_shown(host)}") from None
