"""The fast reading of a page is the same as a slow walk from node to node."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from pytest_jweval.web.hiding import UNSEEN
from pytest_jweval.web.markup import BLOCKS
from pytest_jweval.web.text import comparable, read_text

PIECES = [
    *("a", "B", "é", " ", "\n", "&nbsp;", "&amp;", "&lt;", "<", ">", "=", '"', "'", "/", "-", "!", "1", "x < y", "a&b"),
    *("<p>", "</p>", "<P CLASS=a>", "<div>", "</div>", "<div a='<p>'>", '<div a="<br>" hidden>', "<br>", "<br/>", "<hr>"),
    *("<b>", "</b>", "<i>", "</i>", "<span>", "</span>", "<a href=/x>", '<a href="/x?a=1&b=2">', "</a>", "<wbr>", "<sup>", "</sup>"),
    *("<font color=red>", "</font>", "<code>", "</code>", "<nobr>", "</nobr>", "<my-word>", "</my-word>", "<x/>"),
    *("<ul>", "</ul>", "<li>", "</li>", "<dl>", "<dt>", "<dd>", "</dl>", "<h1>", "</h1>", "<h2>", "<pre>", "</pre>"),
    *("<table>", "</table>", "<tr>", "</tr>", "<td>", "</td>", "<th>", "<caption>", "</caption>", "<tbody>", "<col>"),
    *("<select>", "</select>", "<option>", "</option>", "<optgroup>", "<button>", "</button>", "<form>", "</form>", "<input value=v>"),
    *("<div hidden>", "<span hidden=''>", "<p HIDDEN>", "<b hidden>", "<i aria-hidden=true>", "<i aria-hidden='false'>"),
    *("<p style=display:none>", "<div style='color:red; DISPLAY : none !important'>", "<p style='display:block'>"),
    *("<p title=hidden>", "<p data-hidden=1>", "<p class='hidden' id=display>", "<p title=it's>", "<p a=b/>", "<p a=>", "<p =x>"),
    *("<script>", "</script>", "<script src=x></script>", "<script>a<b</script>", "<style>", "</style>", "<script><!--<script></script>-->"),
    *("<!--", "-->", "--!>", "<!-- c -->", "<!-->", "<!--->", "<!x>", "<?x>", "</>", "</ x>", "<!DOCTYPE html>"),
    *("<template>", "</template>", "<noscript>", "</noscript>", "<title>", "</title>", "<textarea>", "</textarea>", "<iframe>", "</iframe>"),
    *("<video>", "</video>", "<object>", "</object>", "<ruby>", "<rt>", "<rp>", "</rp>", "</ruby>", "<body hidden>", "</body>", "</html>", "<html>", "<html hidden>"),
    *("<head>", "</head>", "<details>", "<summary>", "</details>", "<img alt=x>", "<img/>", "<marquee>", "</marquee>"),
]  # fmt: skip

DRAWING = [
    *("a", "B", " ", "&amp;", "<p>", "</p>", "<b>", "</b>", "<b hidden>", "<!-- c -->", "<div hidden>", "</div>", "<table>"),
    *("<svg>", "</svg>", "<svg hidden>", "<path d=''/>", "<desc>", "</desc>", "<desc/>", "<g>", "</g>", "<g hidden/>", "<text>"),
    *("</text>", "<math>", "</math>", "<mi>", "</mi>", "<title/>", "<title>t</title>", "<style/>", "<style>s</style>", "<script/>"),
    *("<foreignObject>", "</foreignObject>", "<use href=x/>", "<a/>"),
]  # fmt: skip


soup = st.one_of(st.lists(st.sampled_from(pieces), max_size=14) for pieces in (PIECES, DRAWING)).map("".join)


@settings(max_examples=20000, derandomize=True, deadline=None)
@given(html=soup)
def test_the_fast_reading_is_that_of_a_slow_walk(html: str) -> None:
    fast, slow = read_text(html).folded, comparable("".join(walked(html)))
    assert fast.replace(" ", "") == slow.replace(" ", ""), html
    assert "<table" in html or gaps(slow) <= gaps(fast), html


def gaps(text: str) -> set[int]:
    lengths = [len(word) for word in text.split()]
    return {sum(lengths[:n]) for n in range(1, len(lengths))}


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
    attributes = node.attributes
    style = attributes.get("style") or ""
    return (
        node.tag in UNSEEN
        or "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or re.search(r"display\s*:\s*none", style, re.IGNORECASE) is not None
    )
