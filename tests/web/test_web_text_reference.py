"""The fast reading of a page is the same as a slow walk from node to node."""

import re
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from pytest_jweval.web.hiding import UNSEEN
from pytest_jweval.web.markup import BLOCKS
from pytest_jweval.web.text import comparable, read_text

SOUP = [
    *("a", "B", "é", " ", "\n", "&nbsp;", "&amp;", "&lt;", "<", ">", "=", '"', "'", "/", "-", "!", "x < y"),
    *("<p>", "</p>", "<P CLASS=a>", "<div>", "</div>", "<div a='<p>'>", '<div a="<br>" hidden>', "<br>"),
    *("<b>", "</b>", "<i>", "</i>", "<span>", "</span>", "<a href=/x>", '<a href="/x?a=1&b=2">', "</a>"),
    *("<hr>", "<br/>", "<wbr>", "<sup>", "</sup>", "<font color=red>", "</font>", "<code>", "</code>"),
    *("<nobr>", "</nobr>", "<my-word>", "</my-word>", "<x/>", "<ul>", "</ul>", "<li>", "</li>", "<dl>"),
    *("<dt>", "<dd>", "</dl>", "<h1>", "</h1>", "<h2>", "<pre>", "</pre>", "<table>", "</table>", "<tr>"),
    *("</tr>", "<td>", "</td>", "<th>", "<caption>", "</caption>", "<tbody>", "<col>", "<select>"),
    *("</select>", "<option>", "</option>", "<optgroup>", "<button>", "</button>", "<form>", "</form>"),
    *("<input value=v>", "<div hidden>", "<span hidden=''>", "<p HIDDEN>", "<b hidden>", "<html hidden>"),
    *("<i aria-hidden=true>", "<i aria-hidden='false'>", "<p style=display:none>", "<p title=hidden>"),
    *("<div style='color:red; DISPLAY : none !important'>", "<p style='display:block'>", "<p title=it's>"),
    *("<p data-hidden=1>", "<p class='hidden' id=display>", "<p a=b/>", "<p a=>", "<p =x>", "<p a=b c"),
    *("<script>", "</script>", "<script src=x></script>", "<script src=x />", "<script>a<b</script>"),
    *("<script><!--<script></script>-->", "<style>", "</style>", "<template>", "</template>", "<noscript>"),
    *("<!--", "-->", "--!>", "<!-- c -->", "<!-->", "<!--->", "<!x>", "<?x>", "</>", "</ x>", "a&b", "1"),
    *("</noscript>", "<title>", "</title>", "<title/>", "<textarea>", "</textarea>", "<iframe>"),
    *("</iframe>", "<video>", "</video>", "<object>", "</object>", "<ruby>", "<rt>", "<rp>", "</rp>"),
    *("</ruby>", "<!DOCTYPE html>", "<body hidden>", "</body>", "</html>", "<html>", "<head>", "</head>"),
    *("<details>", "<summary>", "</details>", "<img alt=x>", "<img/>", "<marquee>", "</marquee>"),
]
DRAWING = [
    *("a", "B", " ", "&amp;", "<p>", "</p>", "<b>", "</b>", "<b hidden>", "<!-- c -->", "<div hidden>"),
    *("</div>", "<table>", "<svg>", "</svg>", "<svg hidden>", "<path d=''/>", "<desc>", "</desc>", "<desc/>"),
    *("<g>", "</g>", "<g hidden/>", "<text>", "</text>", "<math>", "</math>", "<mi>", "</mi>", "<title/>"),
    *("<title>t</title>", "<style/>", "<style>s</style>", "<script/>", "<foreignObject>", "<use href=x/>"),
    *("</foreignObject>", "<a/>"),
]

soup = (
    st.sampled_from([SOUP, DRAWING])
    .flatmap(lambda it: st.lists(st.sampled_from(it), max_size=14))
    .map("".join)
)

INLINE = ["<b>{}</b>", "<i lang=es>{}</i>", "<a href='/a?b=<p>'>{}</a>", "<sup>{}</sup>", "<my-w>{}</my-w>"]
BLOCK = ["<div class=a>{}</div>", "<p>{}</p>", "<ul><li>{}<li>{}</ul>", "<table><tr><td>{}<td>{}</table>"]
OUT = ["<b hidden>{}</b>", "<i style='display: none'>{}</i>", "<!-- {} -->", "<template>{}</template>"]

LETTERS = ["am", "ó", "&ntilde;", "DIOS", " ", "\n", "<wbr>", "<br>", "<img alt='x y'>"]


def nested(forms: list[str], inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(lambda form, *parts: form.format(*parts), st.sampled_from(forms), inner, inner)


words = st.lists(st.sampled_from(LETTERS), max_size=3).map("".join)
inline = st.lists(words | nested(INLINE + OUT, words | nested(INLINE + OUT, words)), max_size=3).map("".join)
blocks = inline | nested(BLOCK, inline | nested(BLOCK, inline))


@settings(max_examples=1500, derandomize=True, deadline=None)
@given(html=soup)
def test_of_whatever_a_parser_can_make_sense_the_same_words_are_read(html: str) -> None:
    fast, slow = read_text(html).folded, comparable("".join(walked(html)))
    assert fast.replace(" ", "") == slow.replace(" ", ""), html
    # What stands in a table, but in no cell, a parser moves in front of it: there the words may touch.
    assert "<table" in html or gaps(slow) <= gaps(fast), html


@settings(max_examples=500, derandomize=True, deadline=None)
@given(html=st.lists(blocks, max_size=4).map("".join))
def test_of_well_formed_pages_the_same_words_are_read_with_the_same_gaps(html: str) -> None:
    assert read_text(html).folded == comparable("".join(walked(html))), html


def gaps(text: str) -> set[int]:
    """How many letters stand before each."""
    lengths = [len(word) for word in text.split()]
    return {sum(lengths[:number]) for number in range(1, len(lengths))}


def walked(html: str) -> Iterator[str]:
    root = LexborHTMLParser(html, scripting=True).root
    return _walked(root) if root and not _unseen(root) else iter(())


def _walked(node: LexborNode) -> Iterator[str]:
    for child in node.iter(include_text=True):
        if child.is_text_node:
            yield child.text_content or ""
        elif child.is_element_node and not _unseen(child):
            gap = " " if child.tag in BLOCKS else ""
            yield gap
            yield from _walked(child)
            yield gap


def _unseen(node: LexborNode) -> bool:
    attributes: dict[str, Any] = node.attributes
    return (
        node.tag in UNSEEN
        or "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or re.search(r"display\s*:\s*none", attributes.get("style") or "", re.IGNORECASE) is not None
    )
