"""What a server's answer is good for: a page, a word about it, the way to another, or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_jweval.errors import PageError
from pytest_jweval.texts import excerpt, printable
from pytest_jweval.web.decoding import decoded_body
from pytest_jweval.web.faults import refusal

if TYPE_CHECKING:
    import httpcore
    import httpx

NOT_MODIFIED = 304
_GONE = frozenset({404, 410})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS = 5

_PAGES = frozenset({"text/html", "application/xhtml+xml", "text/plain", ""})
_OTHERS = {"application/pdf": "a PDF", "image": "an image", "audio": "a sound", "video": "a film"}


@dataclass(frozen=True, slots=True)
class Reply:
    """Only a page has a body: a server's words about one that is gone or moved decide nothing."""

    status: int
    headers: "httpx.Headers"
    body: bytes = b""

    @property
    def is_redirect(self) -> bool:
        return self.status in _REDIRECTS


def read_reply(response: "httpcore.Response", most_bytes: int, now: float, *, conditional: bool) -> Reply:
    """Raises a `PageError` if nothing can be known of the page from it."""
    import httpx

    status, headers = response.status, httpx.Headers(response.headers)
    if 200 <= status < 300:
        _check_page(headers.get("content-type", ""))
        encoding = headers.get("content-encoding", "")
        return Reply(status, headers, decoded_body(response.iter_stream(), encoding, most_bytes))
    if status == NOT_MODIFIED and not conditional:
        raise PageError("answered HTTP 304, though it was not asked whether it has changed")
    if status not in {NOT_MODIFIED, *_GONE, *_REDIRECTS}:
        raise refusal(status, headers.get("retry-after"), now)
    return Reply(status, headers)


def _check_page(content_type: str) -> None:
    kind = content_type.partition(";")[0].strip().lower()
    if kind not in _PAGES:
        what = _OTHERS.get(kind) or _OTHERS.get(kind.partition("/")[0]) or "another kind of file"
        raise PageError(f"is {what}, not a page that can be read ({excerpt(printable(kind), 60)})")


def next_hop(url: "httpx.URL", reply: Reply, hops: Sequence[str]) -> str:
    """Where a redirect leads. ``hops`` are the URLs so far."""
    import httpx

    places = set(reply.headers.get_list("location"))
    place = places.pop().strip() if len(places) == 1 else ""
    if not place:
        raise PageError(f"answered HTTP {reply.status}, a redirect that doesn't say where to")
    try:
        target = url.join(place).copy_with(fragment=None)
    except (httpx.InvalidURL, ValueError):
        raise PageError(f"redirects to what is no URL: {excerpt(printable(place), 80)!r}") from None
    if url.scheme == "https" and target.scheme == "http":
        raise PageError("redirects from https to http, where anybody on the way could change the page")
    if str(target) in {str(httpx.URL(hop).copy_with(fragment=None)) for hop in hops}:
        raise PageError("redirects in a circle; it may insist on a cookie")
    if len(hops) > _MOST_REDIRECTS:
        raise PageError(f"redirects more than {_MOST_REDIRECTS} times")
    return str(target)
