"""HTML as the text that a reader sees."""

import pytest

import pytest_jweval.web
from pytest_jweval.web.hiding import names
from pytest_jweval.web.text import PageText, read_text, says, visible_text

BLOCKS = names(
    """
    address article aside blockquote button center details dialog dir div dl dt dd fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hgroup li listing main menu nav ol optgroup option p pre search
    section select summary ul
    """
)
INLINE = names(
    """
    a abbr b bdi bdo cite code del dfn em font i ins kbd label mark q s small span strong sub sup u var x-y
    """
)
UNSEEN = names(
    """
    audio canvas datalist iframe noembed noframes noscript object rp script style template textarea title
    video
    """
)


def test_the_public_name_is_the_folded_text():
    assert pytest_jweval.web.visible_text("<p>Porque Dios&nbsp;AMÓ") == "porque dios amó"
    with pytest.raises(AttributeError, match="no attribute 'invisible_text'"):
        _ = pytest_jweval.web.invisible_text


def test_what_is_shown_keeps_its_case_and_its_quotation_marks():
    page = read_text("<h1>Juan 3:16</h1>\n<p>«Porque <b>Dios</b>\n  amó…»</p>")
    assert page == PageText("Juan 3:16 «Porque Dios amó…»", 'juan 3:16 "porque dios amó..."')


@pytest.mark.parametrize("tag", sorted(BLOCKS))
def test_blocks_set_words_apart(tag):
    assert visible_text(f"a<{tag}>b</{tag}>c") == "a b c"
    assert visible_text(f"a<{tag.upper()} CLASS='x'\n>b</{tag.upper()} >c") == "a b c"


@pytest.mark.parametrize("tag", sorted(INLINE))
def test_what_runs_along_in_a_line_does_not(tag):
    assert visible_text(f"a<{tag}>m</{tag}>ó") == "amó"
    assert visible_text(f'<{tag} title="<p>">a</{tag}>m<{tag}>ó') == "amó"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("a<br>b<br/>c<BR clear=all>d", "a b c d"),
        ("a<hr>b", "a b"),
        ("a<wbr>b<img src=x alt='not this'>c<input value=v>d", "abcd"),
        ("<table><caption>a</caption><tr><th>b<td>c</td></tr><tr><td>d</table>e", "a b c d e"),
        ("<dl><dt>a<dd>b<dd>c</dl>d", "a b c d"),
        ("<p>a<p>b<li>c<li>d", "a b c d"),
        ("a<p hidden>x<div>b</div>c", "a b c"),
        ("<div>a<p hidden>x</div>b", "a b"),
        ("a<!-- x -->m<!---->ó", "amó"),
        ("a<script>x</script>m<style>x</style>ó", "amó"),
        ("<pre>a\n\n  b\tc</pre>", "a b c"),
        ("a < b > c <3 <- & &c; a&b", "a < b > c <3 <- & &c; a&b"),
        ("<<!-- -->b>&am<!-- -->p;", "<b>&amp;"),
        ("fish &amp; chips &#233; &#xE9; &eacute; &nosuch;", "fish & chips é é é &nosuch;"),
        ("&#0;&#xD800;&#x110000;", "\ufffd\ufffd\ufffd"),
        ("a\0b", "ab"),
        ("half \ud83d a \ude00", "half \ufffd a \ufffd"),
        ("whole \ud83d\ude00", "whole 😀"),
        ("<svg><text>map</text><desc>x</desc><title>x</title></svg>", "map"),
        ("<svg><title/><path d='M0'/></svg>a<title>x</title>b", "ab"),
        ("<svg><text><![CDATA[a < b]]></text></svg>", "a < b"),
        ("<script src=x /><script>x</script>a", "a"),
        ("<script><!-- w('<script>x</script>x') --></script>a", "a"),
        ("<script>if (a<b) '</p>' // <!--\n</script>a", "a"),
        ("<select><option>uno<option selected>dos</select>", "uno dos"),
        ("<noscript><div></noscript>a", "a"),
        ("<a title='>x' href=\"<p>'>\">a</a><a title=it's>b</a>", "ab"),
        ("<ruby>神<rp>(</rp><rt>かみ</rt><rp>)</rp></ruby>", "神かみ"),
        ("<xmp>a", "a"),
        ("<p title='x", ""),
        ("a</", "a</"),
        ("a<!x>b<?x>c</ x>d</>e", "abcde"),
        ("", ""),
        (" \n\t&nbsp;", ""),
        ("plain words", "plain words"),
        ("<!doctype html><html><head><title>x</title></head><body>a</body></html>b", "a b"),
    ],
)
def test_the_words_of_a_page(html, text):
    assert visible_text(html) == text


@pytest.mark.parametrize(
    "attributes",
    [
        "hidden",
        "HIDDEN",
        'hidden=""',
        "hidden=until-found",
        "class=x hidden id=y",
        'class="x"hidden',
        "aria-hidden=true",
        "aria-hidden='TRUE'",
        'style="display:none"',
        'style="color: red; DISPLAY :\n none"',
        "style='display:none!important;display:block'",
        "style='display: block; display: none ! important'",
        "style=display:none",
        "style='display&colon;none'",
        "style='display:/* for now */none'",
        "style='display:none' style='display:block'",
        "data-x=1 / style = 'display:none'",
    ],
)
def test_hidden_parts_are_not_read(attributes):
    assert visible_text(f"a <div {attributes}>x <p>x</p> <b hidden>x</b></div> b") == "a b"
    assert visible_text(f"a<span {attributes}>x</span>b") == "ab"


@pytest.mark.parametrize(
    "attributes",
    [
        "title=hidden",
        "title='a hidden b'",
        "data-hidden",
        "hidden-not",
        "aria-hidden=false",
        "aria-hidden",
        "title='display:none'",
        "style='display:block'",
        "style='display:none;display:block'",
        "style='display:none;display:block !important'",
        "style='/* display:none */'",
        "style='x-display:none'",
        "style='display:inline' style='display:none'",
        'title="x>" class="hidden"',
    ],
)
def test_parts_that_only_look_hidden_are_read(attributes):
    assert visible_text(f"a <div {attributes}>x</div> b") == "a x b"


@pytest.mark.parametrize("tag", sorted(UNSEEN))
def test_what_browsers_show_nothing_of_is_not_read(tag):
    assert visible_text(f"a <{tag}>x</{tag}> b") == "a b"
    assert visible_text(f"a <{tag.upper()} class=x>x</{tag.upper()}\n> b") == "a b"


@pytest.mark.parametrize("root", ["<html hidden>", "<html aria-hidden=true><body>", "<body hidden>"])
def test_a_page_may_be_hidden_as_a_whole(root):
    assert read_text(f"{root}a<p>b") == PageText("", "")


def test_bytes_are_read_in_their_charset():
    assert visible_text("<p>amó".encode()) == "amó"
    assert visible_text("<meta charset=latin-1><p>amó".encode("latin-1")) == "amó"
    assert read_text("<p>amó".encode("utf-16-le"), "text/html; charset=utf-16").shown == "amó"


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("the only son of God", "the only Son"),
        ("John 3:16", "john 3:16"),
        ("in 21 days", "21 days"),
        ("person, son", "son"),
        ("«son»", "son"),
        ("a man-made thing", "man"),
        ("a (b) c", "(b)"),
        ("a(b)c", "(b)"),
        ("wait...now", "..."),
        ("神は世を愛された", "世を愛"),
        ("第3章", "3"),
        ("พระเจ้าทรงรักโลก", "ทรงรัก"),
        ("ព្រះទ្រង់ស្រឡាញ់", "ទ្រង់"),
        ("ဘုရားသခင်သည်", "သခင်"),
        ("ພຣະເຈົ້າຮັກໂລກ", "ຮັກ"),
        ("राम आया", "राम"),
    ],
)
def test_a_phrase_stands_there_as_whole_words(text, phrase):
    assert says(read_text(text), phrase)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("a person", "son"),
        ("sonnets", "son"),
        ("John 3:16", "John 3:1"),
        ("John 13:16", "3:16"),
        ("in 21 days", "1 day"),
        ("in 21 days", "1 days"),
        ("papá", "papa"),
        ("x\u030c", "x"),
        ("रामायण", "राम"),
        ("a b", "ab"),
        ("ab", "a b"),
        ("anything", ""),
        ("anything", " \u200b\n"),
        ("", "anything"),
    ],
)
def test_a_phrase_does_not_stand_there_in_parts_of_words(text, phrase):
    assert not says(read_text(text), phrase)


def test_a_later_place_may_be_whole_words_where_an_earlier_one_is_not():
    assert says(read_text("persons, person, son."), "son")
    assert says(read_text("aaa aa a"), "a")
