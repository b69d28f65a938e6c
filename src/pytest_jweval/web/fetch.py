"""A page as it is on the web at this moment, asked for politely and within bounds."""

import re
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_jweval import __version__
from pytest_jweval.errors import PageError
from pytest_jweval.patience import Patience
from pytest_jweval.texts import excerpt, printable
from pytest_jweval.web.deadline import Deadline
from pytest_jweval.web.decoding import ACCEPTED
from pytest_jweval.web.faults import Passing, told_plainly
from pytest_jweval.web.guard import Guard
from pytest_jweval.web.lines import OpenLines
from pytest_jweval.web.replies import NOT_MODIFIED, Reply, next_hop, read_reply

if TYPE_CHECKING:
    import httpx

    from pytest_jweval.web.transport import Call

USER_AGENT = f"pytest-jweval/{__version__} (citation check)"

_HEADERS = {
    "Accept": "text/html, application/xhtml+xml, text/plain;q=0.9, */*;q=0.1",
    "Accept-Encoding": ACCEPTED,
    "Connection": "close",
}

Pause = Callable[[str], AbstractContextManager[object]]


@dataclass(frozen=True, slots=True)
class Fetched:
    """``redirects`` are the URLs it led to, one after the other; the last is ``final_url``. ``etag`` and
    ``last_modified`` are those of ``url`` itself, so that a page which was found elsewhere has none."""

    url: str
    final_url: str
    status: int
    content_type: str | None
    etag: str | None
    last_modified: str | None
    body: bytes
    redirects: tuple[str, ...] = ()

    @property
    def unchanged(self) -> bool:
        """It is still as it was when it had the validators that were asked with; there is no body."""
        return self.status == NOT_MODIFIED


class Fetcher:
    """For all threads of a process. ``pause`` is entered with the name of a host for as long as a request
    to it takes; ``timeout`` is for a page with all its redirects, but without that pause."""

    def __init__(
        self,
        guard: Guard,
        *,
        timeout: float = 20.0,
        max_bytes: int = 10 * 1024**2,
        retries: int = 3,
        user_agent: str = USER_AGENT,
        pause: Pause = nullcontext,
        sleep: Callable[[float], object] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.guard = guard
        self._timeout = timeout
        self._max_bytes = max_bytes
        self._retries = retries
        self._headers = {**_HEADERS, "User-Agent": user_agent}
        self._pause = pause
        self._lines = OpenLines()
        self._sleep = self._lines.closed.wait if sleep is None else sleep
        self._clock = clock

    def fetch(self, url: str, *, etag: str | None = None, last_modified: str | None = None) -> Fetched:
        """A page, or that it is unchanged or gone (404, 410). What says nothing about it is a `PageError`."""
        asked = {"If-None-Match": etag, "If-Modified-Since": last_modified}
        validators = {name: value for name, value in asked.items() if value}
        patience = Patience(self._retries, self._sleep, PageError)
        while not self._lines.closed.is_set():
            try:
                return self._attempt(url, validators)
            except Passing as fault:
                patience.wait(fault, fault.wait)
        raise PageError(f"{_shown(url)} is not fetched: its fetcher was closed")

    def close(self) -> None:
        """Nothing is fetched any more. Who waits for an answer is told so at once."""
        self._lines.close()

    def _attempt(self, url: str, validators: Mapping[str, str]) -> Fetched:
        from pytest_jweval.web.transport import Call

        # No honest page is twice as long with its wrapping, and an endless one may be of nothing else.
        call = Call(self.guard, self._lines, Deadline(self._timeout), 2 * self._max_bytes + 1024**2)
        hops = [url]
        try:
            while True:
                target = self.guard.admitted(hops[-1])
                # Validators are for the page that they came from, not for one that it leads to.
                reply = self._asked(target, validators if len(hops) == 1 else {}, call)
                if not reply.is_redirect:
                    return _fetched(hops, reply)
                hops.append(next_hop(target, reply, hops))
        except PageError as error:
            error.args = (f"{_told(hops)} {error}",)
            raise

    def _asked(self, url: "httpx.URL", validators: Mapping[str, str], call: "Call") -> Reply:
        from pytest_jweval.web.transport import exchange

        headers = {**self._headers, **validators}
        with ExitStack() as polite:
            with call.deadline.stopped():
                polite.enter_context(self._pause(url.host))
            with told_plainly(self._timeout), exchange(url, headers, call) as response:
                return read_reply(response, self._max_bytes, self._clock(), conditional=bool(validators))


def _fetched(hops: list[str], reply: Reply) -> Fetched:
    own = len(hops) == 1
    return Fetched(
        url=hops[0],
        final_url=hops[-1],
        status=reply.status,
        content_type=reply.headers.get("content-type"),
        etag=reply.headers.get("etag") if own else None,
        last_modified=reply.headers.get("last-modified") if own else None,
        body=reply.body,
        redirects=tuple(hops[1:]),
    )


def _told(hops: list[str]) -> str:
    first, last = _shown(hops[0]), _shown(hops[-1])
    return first if len(hops) == 1 else f"{first}, which redirects to {last},"


def _shown(url: str) -> str:
    """Without what may be a password."""
    return excerpt(printable(re.sub("//[^/?#]*@", "//", url, count=1)), 200)
