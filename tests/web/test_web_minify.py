"""A minified page says the same, links to the same, and has nothing else."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from pytest_jweval.web.minify import minified
from pytest_jweval.web.text import visible_text

PAGE = """<!DOCTYPE html>
<?xml version="1.0"?><!-- made by hand -->
<html lang="es" class="js" data-build="5e">
<head>
  <title>Juan 3:16 – una   página</title>
  <meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">
  <meta name="keywords" content="amor">
  <link rel="stylesheet" href="/style.css"><style>p { color: red }</style>
  <script>track("<p>una visita</p>")</script>
</head>
<body onload="start()" style="margin: 0">
  <noscript>Active JavaScript</noscript><template><p>plantilla</p></template>
  <h1 id="v16" class="title">Juan 3:16</h1>
  <p style="color: red" data-verse="16">Porque de tal <b>ma</b><i>nera</i> amó Dios al&nbsp;mundo,<!-- no -->
     que ha dado a su <a href="/glosario?a=1&amp;b=2#hijo" class="x" onclick="go()" target="_blank">Hijo</a>
     unigénito.</p>
  <p hidden>escondido</p><p aria-hidden="true">mudo</p><p style="margin:0; DISPLAY : none">apagado</p>
  <ul><li>uno<li>dos</ul><img src="x.png" alt="una imagen"><iframe src="//ads.example"></iframe>
  <pre>
    Dios   es
    amor</pre>
</body>
</html>
"""
HIDDEN = ["escondido", "mudo", "apagado"]
NOISE = [
    *(
        "<script",
        "<style",
        "track",
        "link",
        "iframe",
        "img",
        "noscript",
        "<template",
        "plantilla",
        "JavaScript",
    ),
    *(
        "<!-- ",
        "<?",
        "keywords",
        "iso-8859-1",
        "class",
        "data-",
        "onclick",
        "onload",
        "target",
        "color",
        "id=",
    ),
]


def links(html):
    return [node.attributes["href"] or "" for node in LexborHTMLParser(html).css("a[href]")]


def assert_is_the_same_page(html):
    smaller = minified(html)
    assert visible_text(smaller) == visible_text(html)
    assert minified(smaller) == smaller


TITLE = "<title>Juan 3:16 – una página</title>"
LINK = '<a href="/glosario?a=1&amp;b=2#hijo">Hijo</a>'


def test_a_minified_page_looks_like_this():
    assert minified(PAGE).splitlines() == [
        '<!DOCTYPE html> <html lang="es"> <head><meta charset="utf-8"> ' + TITLE + " </head>",
        "<body> <h1>Juan 3:16</h1>",
        "<p>Porque de tal <b>ma</b><i>nera</i> amó Dios al&nbsp;mundo, que ha dado a su "
        + LINK
        + " unigénito.</p>",
        '<p hidden="">escondido</p>',
        '<p aria-hidden="true">mudo</p>',
        '<p style="margin:0; DISPLAY : none">apagado</p>',
        "<ul><li>uno<li>dos</ul>",
        "<pre> Dios es amor</pre>",
        "</body>",
        "</html>",
    ]


def test_a_minified_page_says_the_same():
    assert_is_the_same_page(PAGE)
    text = visible_text(minified(PAGE))
    assert "porque de tal manera amó dios al mundo, que ha dado a su hijo unigénito." in text
    assert not any(word in text for word in HIDDEN)


def test_what_is_hidden_stays_and_stays_hidden():
    assert all(word in minified(PAGE) for word in HIDDEN)


@pytest.mark.parametrize("noise", NOISE)
def test_noise_goes(noise):
    assert noise in PAGE
    assert noise not in minified(PAGE)


def test_links_and_the_title_stay():
    assert links(minified(PAGE)) == links(PAGE) == ["/glosario?a=1&b=2#hijo"]
    assert TITLE in minified(PAGE)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("<a href='juan-3' class=x>", '<a href="juan-3">'),
        ("<A HREF=/es/juan-3/ >", '<a href="/es/juan-3/">'),
        ("<a href=?a=1&copy=2>", '<a href="?a=1&copy=2">'),
        ("<a href=\"?a=1&amp;copy=2&#x26;b='c'\">", "<a href=\"?a=1&amp;copy=2&#x26;b='c'\">"),
        ("<a href='say \"a > b\"'>", '<a href="say &quot;a > b&quot;">'),
        ("<a href='one' href='two'>", '<a href="one">'),
        ("<a href>", '<a href="">'),
        ("<a\nhref =\n'one\n  two'\n>", '<a href="one two">'),
        ("<base href='https://example.org/es/' target=_top>", '<base href="https://example.org/es/">'),
    ],
)
def test_a_link_leads_where_it_led(written, kept):
    html = f"<p>uno {written}dos</a>"
    assert kept in minified(html)
    if "\n" not in written:  # line ends in a link don't count
        assert links(minified(html)) == links(html)


@pytest.mark.parametrize(
    "declared",
    [
        "",
        '<meta charset="latin1">',
        "<META CHARSET=utf-16>",
        '<meta http-equiv="content-type" content="text/html; charset=windows-1252">',
        '<meta charset="latin1"><meta charset="koi8-r">',
    ],
)
def test_the_page_says_utf_8_and_nothing_else(declared):
    smaller = minified(f"<html><head>{declared}<title>día</title></head><body><p>amó</p></body></html>")
    assert re.findall("<meta[^>]*>", smaller) == ['<meta charset="utf-8">']
    assert smaller.index("<meta") < 1024


ODD = [
    "",
    " \n",
    "Dios es amor",
    "Dios < amor & paz > guerra",
    "<p>uno<p>dos",
    "<p>uno<table>dos<tr><td>tres</table>cuatro",
    "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 3.2//EN'><p>uno<table><tr><td>dos</table>",
    "<frameset><frame src=x><noframes>sin marcos</noframes></frameset>",
    "<b><p>uno</b>dos</p>tres",
    "<a href=1>uno<div><a href=2>dos</a>tres</div>cuatro</a>",
    "<a href=1><table><td><a href=2>uno</table>dos",
    "<form><div></form><form>uno",
    "<table><form><tr><td><input>uno</form></table>",
    "<plaintext>uno<p>dos",
    "<xmp><b>uno</b>  dos</xmp>tres",
    "<xmp>uno<p>dos</xmp>",
    "<listing>\n\nuno</listing>",
    "<pre>\n\n uno\n dos</pre>",
    "<textarea>\n\n<p>uno</textarea>",
    "<select><option>uno<option>dos<p>tres</select>",
    "<svg><style><p>uno</p></style><text>dos</text></svg>",
    "<svg><title><p>uno</title><desc>dos</desc><foreignObject><div>tres</foreignObject></svg>",
    "<math><mi><p>uno<mtext><table><mglyph><style><img src=x></style>",
    "<noscript><p>uno</noscript>dos",
    "<body><noscript>uno<p>dos</noscript>tres",
    "<title>uno <p> dos</title>tres",
    "<body hidden>uno",
    "<html aria-hidden=true><body>uno",
    "uno<!-- -->dos<!---->tres<!--> <p>cuatro",
    "uno<![CDATA[dos]]><?pi tres?></nope>cuatro",
    "am&oacute; am&#243; am&#xF3; &nbsp;&lt;p&gt;&amp;amp; &copy &notit;",
    "am\u00ado\u200bres ve\u00adces  \u2003\u2028\x85fin\ufeff",
    "\ufeff<p>uno",
    "a\x00b&#0;c&#13;d\r\ne\x0cf\x1fg",
    "<p title='<p>' data-x=\"<!-- \">uno</p>",
    "<a href='x <p> y\n z'>uno</a>",
    "<script>if (a < b) document.write('<p>uno</p>')</script>dos",
    "<script><!-- <script> </script> --></script>uno",
    "<style></p>uno</style>dos",
    "</p></br></div>uno</body>dos</html>tres<!-- -->",
    "<br/><hr>uno<wbr>dos<sup>3</sup><ruby>漢<rp>(</rp><rt>kan</rt></ruby>",
    "<head><p>uno</head><title>dos</title>",
    "<template>uno<template>dos</template></template>tres",
    "<object>uno<p>dos</object>tres<video>cuatro</video><canvas>cinco</canvas>",
    "<p style='display:none !important'>uno</p><p style='displaynone'>dos</p><p style>tres</p>",
    "<details><summary>uno</summary>dos</details><dialog>tres</dialog>",
    "<h1>uno<h2>dos</h1>tres",
    "<li>uno<ul><li>dos</li>tres<dd>cuatro<dt>cinco",
    "<nobr>uno<nobr>dos<b><i></b>tres</i>",
    "<button>uno<button>dos<p>tres",
    "神は世を愛された<p>הללויה <bdo dir=rtl>אמן</bdo>",
]


@pytest.mark.parametrize("html", ODD)
def test_odd_pages_say_the_same_too(html):
    assert_is_the_same_page(html)


WORDS = st.sampled_from(
    ["Dios", "amó ", " al\n mundo", "3:16", "神", "&amp;", "&nbsp;", "&#xF3;", "a\u00adm", "<", "\t", "́"]
)
VOID = st.sampled_from(
    [
        "<br>",
        "<hr>",
        "<img alt=x>",
        "<wbr>",
        "<input value=x>",
        "<!-- x -->",
        "<!--",
        "-->",
        "<meta charset=x>",
        "</p>",
        "</b>",
    ]
)
TAGS = st.sampled_from(
    [
        *(
            "p",
            "div",
            "b",
            "i",
            "a",
            "span",
            "ul",
            "li",
            "table",
            "tr",
            "td",
            "th",
            "h1",
            "h2",
            "section",
            "pre",
        ),
        *("textarea", "title", "style", "script", "template", "noscript", "svg", "math", "form", "select"),
        *("option", "button", "details", "blockquote", "dl", "dd", "sup", "ruby", "iframe", "object", "xmp"),
        *("head", "body", "html", "caption"),
    ]
)
ATTRIBUTES = st.sampled_from(
    [
        "",
        "",
        "",
        " hidden",
        ' class="a b"',
        " aria-hidden=true",
        " style='display: none'",
        " style=x",
        " href=/x",
        " onclick='<p>'",
    ]
)


def element(children):
    written = st.tuples(TAGS, ATTRIBUTES, children, st.booleans())
    return written.map(lambda of: f"<{of[0]}{of[1]}>{of[2]}" + (f"</{of[0]}>" if of[3] else ""))


PAGES = st.recursive(
    WORDS | VOID, lambda inner: element(inner) | st.lists(inner, max_size=4).map("".join), max_leaves=25
)


@settings(max_examples=400, derandomize=True, deadline=None)
@given(PAGES)
def test_any_page_says_the_same_and_settles(html):
    assert_is_the_same_page(html)


WELL_NESTED = st.recursive(
    st.sampled_from(["Dios", " amó ", "3:16", "<br>", "<img src=x>", "<!-- x -->", "<script>x</script>"]),
    lambda inner: st.tuples(
        st.sampled_from(["div", "section", "span", "ul", "b"]), ATTRIBUTES, inner, inner
    ).map(lambda of: f"<{of[0]}{of[1]}>{of[2]}{of[3]}</{of[0]}>"),
    max_leaves=20,
)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(WELL_NESTED)
def test_an_ordinary_page_is_never_given_back_as_it_came(html):
    smaller = minified(html)
    assert smaller.startswith('<meta charset="utf-8">')
    assert not re.search("<!--|<script|<img|class=|onclick=|style=x", smaller)


@pytest.mark.parametrize(
    "html",
    [
        "<xmp class=x><img alt=uno></xmp>",
        "<select hidden>uno<input>dos</select>tres",
        "<svg><template><p>uno</template></svg>dos",
    ],
)
def test_a_page_that_would_say_something_else_is_kept_as_it_came(html):
    assert minified(html) == html
    assert_is_the_same_page(html)


@pytest.mark.parametrize(
    "html", ["uno &am<!-- -->p; dos", "uno <<!-- -->b> dos", "uno <<i></i>/b> dos", "&#x4<img>1;"]
)
def test_what_no_markup_keeps_apart_stays_apart(html):
    assert_is_the_same_page(html)
    assert minified(html) != html


@pytest.mark.parametrize(
    "html", ["<div>" * 100_000 + "uno", "<!--" * 100_000, "<" * 100_000, "<a href='" * 50_000]
)
def test_a_hostile_page_settles_soon(html):
    began = time.monotonic()
    assert_is_the_same_page(html)
    assert time.monotonic() - began < 20  # it takes less than one; what it must not take is minutes


def test_half_a_character_and_a_byte_order_mark_do_no_harm():
    assert minified("\ufeff<!doctype html><p>un\udc80o") == (
        '<!doctype html><meta charset="utf-8"><p>un\udc80o\n'
    )
