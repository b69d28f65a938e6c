"""HTML as the text that a reader sees."""

from dataclasses import dataclass

from pytest_jweval.web.charset import decoded
from pytest_jweval.web.markup import plain
from pytest_jweval.web.wording import alike, comparable, place_of, without_unseen

__all__ = ["PageText", "comparable", "read_text", "says", "visible_text"]


@dataclass(frozen=True, slots=True)
class PageText:
    """A page's words twice, in the same order: as shown, to be quoted, and folded, to be compared."""

    shown: str
    folded: str


def visible_text(html: str | bytes) -> str:
    """What a reader sees of a page, in the form that phrases are compared in."""
    return read_text(html).folded


def read_text(html: str | bytes, content_type: str | None = None) -> PageText:
    source = decoded(html, content_type) if isinstance(html, bytes) else html
    shown = " ".join(without_unseen(_parsed(plain(source))).split())
    return PageText(shown, alike(shown))


def says(text: PageText, phrase: str) -> bool:
    """Whether the phrase stands there, as whole words where its script sets words apart."""
    return place_of(comparable(phrase), text.folded) >= 0


def _parsed(source: str) -> str:
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(_utf8(source))
    if tree.root is None or "hidden" in tree.root.attributes:
        return ""
    for node in reversed(tree.css("[hidden]")):  # inner ones first: an outer one takes them along
        node.decompose()
    return tree.root.text()


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:  # halves of characters
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
