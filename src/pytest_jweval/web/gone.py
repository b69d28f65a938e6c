"""Whether a page has gone, although something was sent in its place."""

import re
from html import unescape
from urllib.parse import SplitResult, urlsplit

from pytest_jweval.texts import excerpt, printable
from pytest_jweval.web.markup import plain
from pytest_jweval.web.notices import gone_words, soft_404
from pytest_jweval.web.text import read_text

_HEADINGS = 3
_LONGEST_HEAD = 100_000

_COMMENT = re.compile(r"<!--(?:.*?-->|.*)", re.DOTALL)
_TITLE = re.compile(r"<title\b[^>]{0,200}>([^<]*)", re.IGNORECASE)

_INDEX = re.compile(r"(?:index|default|home)(?:\.(?:html?|php|aspx?|jsp))?")


def why_gone(status: int, asked: str, final_url: str, html: str) -> str | None:
    """The reason in words that go on behind the URL, or ``None`` if the page seems to be there."""
    if status in (404, 410):
        return f"answered HTTP {status}"
    if reason := _led_away(urlsplit(asked), urlsplit(final_url)):
        return f"{reason} {excerpt(printable(final_url), 200)}"
    notice = soft_404(_title(html), _headings(html), read_text(html).shown)
    return f"says of itself that it isn't there: {excerpt(printable(notice), 80)!r}" if notice else None


def _led_away(asked: SplitResult, final: SplitResult) -> str | None:
    if asked[1:4] == final[1:4]:
        return None
    if _is_home(final) and not _is_home(asked):
        return "redirects to the home page"
    if _names_an_error(final) and not _names_an_error(asked):
        return "redirects to the error page"
    return None


def _is_home(url: SplitResult) -> bool:
    """``/``, ``/es/``, ``/pt-br/``, ``/en/index.html``. With a query it may be any page."""
    steps = [step for step in url.path.casefold().split("/") if step]
    if steps and _INDEX.fullmatch(steps[-1]):
        steps.pop()
    language = re.split("[-_]", steps[0])[0] if steps else ""
    return not url.query and (not steps or (len(steps) == 1 and language in gone_words().languages))


def _names_an_error(url: SplitResult) -> bool:
    last = url.path.casefold().rstrip("/").rpartition("/")[2]
    return last.partition(".")[0] in gone_words().addresses


def _title(html: str) -> str:
    found = _TITLE.search(_COMMENT.sub("", html[:_LONGEST_HEAD]))
    return unescape(found[1]) if found else ""


def _headings(html: str) -> list[str]:
    from selectolax.lexbor import LexborHTMLParser

    page = LexborHTMLParser(plain(html).encode("utf-8", "surrogatepass"))
    for node in reversed(page.css("[hidden]")):
        node.decompose()
    return [heading.text() for heading in page.css("h1, h2")[:_HEADINGS]]
