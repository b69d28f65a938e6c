"""Bytes of a page as text, as a browser reads them."""

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_jweval.web.charset import decoded

LOVED = "<p>amó – €"


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("utf-8", "utf-8"),
        ("UTF8", "utf-8"),
        ('"utf-8"', "utf-8"),
        ("'utf-8'", "utf-8"),
        ("iso-8859-1", "cp1252"),
        ("latin1", "cp1252"),
        ("us-ascii", "cp1252"),
        ("windows-1252", "cp1252"),
        ("iso-8859-15", "iso8859-15"),
        ("utf-16", "utf-16-le"),
        ("utf-16le", "utf-16-le"),
        ("utf-16be", "utf-16-be"),
    ],
)
def test_the_header_names_the_charset(label, codec):
    text = LOVED.replace(" –", "") if codec == "iso8859-15" else LOVED
    assert decoded(text.encode(codec), f"text/html; Charset = {label}; boundary=x") == text


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("windows-1251", "cp1251", "Бог"),
        ("koi8-r", "koi8-r", "Бог"),
        ("shift_jis", "cp932", "神①"),
        ("x-sjis", "cp932", "神"),
        ("euc-jp", "euc_jp", "神"),
        ("iso-2022-jp", "iso2022_jp", "神"),
        ("gb2312", "gb18030", "神镕"),
        ("gbk", "gb18030", "神"),
        ("big5", "big5hkscs", "神"),
        ("euc-kr", "cp949", "하나님"),
        ("ks_c_5601-1987", "cp949", "하나님"),
        ("tis-620", "cp874", "พระ"),
        ("iso-8859-9", "cp1254", "Tanrı"),
        ("iso-8859-7", "iso8859-7", "θεός"),
        ("macintosh", "mac-roman", "amó"),
    ],
)
def test_charsets_of_the_world(label, codec, text):
    page = f"<meta charset={label}>{text}"
    assert decoded(page.encode(codec)) == page
    assert decoded(text.encode(codec), f"text/html; charset={label}") == text


@pytest.mark.parametrize(
    ("mark", "codec"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ],
)
@pytest.mark.parametrize("content_type", [None, "text/html", "text/html; charset=koi8-r"])
def test_a_byte_order_mark_says_more_than_any_label(mark, codec, content_type):
    assert decoded(mark + LOVED.encode(codec), content_type) == LOVED


@pytest.mark.parametrize(
    "meta",
    [
        "<meta charset=windows-1252>",
        '<META name=x CharSet = "Windows-1252" />',
        "<meta/charset='latin1'>",
        '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">',
        "<meta content='text/html;charset=latin-1' http-equiv=content-type>",
        "<meta charset=no-such-thing><meta charset=latin1>",
        "<!-- <meta charset=utf-8> --><meta charset=latin1>",
        "<meta name=description content='charset=utf-8'><meta charset=latin1>",
    ],
)
def test_the_page_itself_names_its_charset(meta):
    page = meta + LOVED
    assert decoded(page.encode("cp1252")) == page
    assert decoded(page.encode("cp1252"), "text/html") == page
    assert decoded(page.encode("cp1252"), "text/html; charset=no-such-thing") == page


def test_the_header_is_believed_before_the_page():
    page = f"<meta charset=latin1>{LOVED}"
    assert decoded(page.encode(), "text/html; charset=utf-8") == page


def test_a_page_that_says_utf_16_in_ascii_is_utf_8():
    page = f"<meta charset=utf-16>{LOVED}"
    assert decoded(page.encode()) == page


def test_browsers_look_for_a_charset_in_1024_bytes():
    near, far = (f"{' ' * room}<meta charset=koi8-r>é" for room in (1000, 1010))
    assert decoded(near.encode()) == near.encode().decode("koi8-r")
    assert decoded(far.encode()) == far


@pytest.mark.parametrize(
    "label",
    ["no-such-thing", "", "utf-7", "base64", "rot13", "idna", "unicode_escape", "zlib", "utf-32", "x" * 5000],
)
@pytest.mark.parametrize("text", ["<p>amó", "+AGE-"])
def test_charsets_that_no_browser_knows_are_passed_over(label, text):
    page = f"<meta charset='{label}'>{text}"
    assert decoded(page.encode(), f"text/html; charset={label}") == page


def test_what_is_no_utf_8_is_the_charset_of_the_old_web():
    assert decoded(b"<p>am\xf3 \x96 \x80") == LOVED
    assert decoded("<p>amó".encode()) == "<p>amó"


@pytest.mark.parametrize(
    ("html", "content_type", "text"),
    [
        (b"a\xffb", "text/html; charset=utf-8", "a\ufffdb"),
        (b"a\x81b", None, "a\ufffdb"),
        (b"a\0b\0c", "text/html; charset=utf-16", "ab\ufffd"),
        (b"\xff\xfea\0b", None, "a\ufffd"),
        (b"", None, ""),
        (b"", "text/html; charset=utf-16", ""),
        (codecs.BOM_UTF8, None, ""),
    ],
)
def test_bytes_that_a_charset_does_not_know_are_marked(html, content_type, text):
    assert decoded(html, content_type) == text


@settings(max_examples=300, derandomize=True)
@given(html=st.binary(), content_type=st.none() | st.text())
def test_any_bytes_are_some_text(html, content_type):
    assert isinstance(decoded(html, content_type), str)
    assert isinstance(decoded(b"<meta charset=" + html, f"charset={content_type}"), str)


@settings(max_examples=300, derandomize=True)
@given(text=st.text().filter(lambda text: not text.startswith("\ufeff")))
def test_utf_8_is_what_pages_are_in(text):
    assert decoded(text.encode(), "text/html; charset=utf-8") == text
