"""Which URLs name the same page, and what is fetched for one."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_jweval.web.urls import page_url, same_page

PIECES = [
    *("http://", "https://", "HTTP://", "ftp://", "/", "//", "?", "#", "@", ":", ":80", ":443", ":0443"),
    *("example.org", "EXAMPLE.org", "例え.jp", "ｅｘ.org", "℀", "＃", "[::1]", "a", "Ä", "ß", " ", "\n", "."),
    *("..", "/.", "/..", "%2e", "%2E%2e", "%", "%2", "%41", "%C3%A9", "é", "+", "=", "&", "\ud800", "ſ"),
    *("user:80", ":8080", "%%34", "\\", "'", "[", "]", "xn--", "İ", "。"),
]

urls = st.one_of(
    st.text(),
    st.lists(st.sampled_from(PIECES), max_size=8).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=8).map(lambda pieces: "http://example.org" + "".join(pieces)),
)


@pytest.mark.parametrize(
    ("url", "fetched"),
    [
        ("https://example.org/a#b", "https://example.org/a"),
        ("https://example.org/a#", "https://example.org/a"),
        ("https://example.org#b?c", "https://example.org"),
        ("https://example.org:443/a", "https://example.org/a"),
        ("http://example.org:80", "http://example.org"),
        ("http://example.org:/", "http://example.org/"),
        ("http://[::1]:80/", "http://[::1]/"),
        ("http://me:80@example.org:80/", "http://me:80@example.org/"),
        (" https://example.org/a\n", "https://example.org/a"),
    ],
)
def test_fragment_and_default_port_are_not_fetched(url, fetched):
    assert page_url(url) == fetched


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/es/juan-3",
        "https://example.org/",
        "https://example.org",
        "HTTPS://Example.ORG/A/../b/?q=1&&r=%7e",
        "https://example.org/Génesis/1?versión=«RV»",
        "https://例え.jp/",
        "http://example.org:443/",
        "https://example.org:80/",
        "http://example.org:0/",
        "http://example.org:800/",
        "http://[::80]/",
        "http://example.org/:80",
        "http://me:80@example.org/",
        "ftp://example.org/a#b",
        "mailto:me@example.org#b",
        "../a#b",
        "C:\\pages\\a.html#b",
        "http://example.org:80:80/#b",
        "http:///a#b",
        "",
    ],
)
def test_everything_else_is_fetched_as_it_is(url):
    assert page_url(url) == url


SAME = [
    ("https://example.org/a", "HTTPS://Example.ORG/a"),
    ("https://example.org/a", "https://example.org:443/a"),
    ("https://example.org/a", "https://example.org:0443/a"),
    ("https://example.org/a", "https://example.org/a#part"),
    ("https://example.org/a", "https://example.org/a/"),
    ("https://example.org/a?b", "https://example.org/a/?b"),
    ("https://example.org", "https://example.org/"),
    ("https://example.org", "https://example.org?"),
    ("https://example.org", "https://example.org/./a/.."),
    ("https://example.org/a", "https://example.org/b/../a"),
    ("https://example.org/a", "https://example.org/../../a"),
    ("https://example.org/a", "https://example.org/b/%2E%2e/%61"),
    ("https://example.org/~a", "https://example.org/%7Ea"),
    ("https://example.org/%2F", "https://example.org/%2f"),
    ("https://example.org/Génesis", "https://example.org/G%C3%A9nesis"),
    ("https://example.org/?q=é", "https://example.org/?q=%c3%a9"),
    ("https://example.org/a b", "https://example.org/a%20b"),
    ("https://example.org/100%", "https://example.org/100%25"),
    ("https://例え.jp/a", "https://xn--r8jz45g.jp/a"),
    ("https://MÜNCHEN.de", "https://xn--mnchen-3ya.de"),
    ("https://例え。jp", "https://例え.jp"),
    ("https://example.org/a", " https://example.org/a\n"),
    ("http://example.org:8080/", "http://example.org:08080"),
    ("ftp://example.org/a", "ftp://example.org/a "),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_urls_of_one_page(one, other):
    assert same_page(one) == same_page(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.org/a", "http://example.org/a"),
        ("https://example.org/a", "https://www.example.org/a"),
        ("https://example.org/a", "https://example.org/A"),
        ("https://example.org/a", "https://example.org/a?b"),
        ("https://example.org/?a=1&b=2", "https://example.org/?b=2&a=1"),
        ("https://example.org/a/b", "https://example.org/a%2Fb"),
        ("https://example.org/a/b", "https://example.org/a//b"),
        ("https://example.org/?a=b/", "https://example.org/?a=b"),
        ("https://example.org/?a+b", "https://example.org/?a%2Bb"),
        ("https://example.org:80/", "https://example.org/"),
        ("http://example.org:0/", "http://example.org/"),
        ("http://me@example.org/", "http://example.org/"),
        ("http://a＃b.org/", "http://a/"),
        ("ftp://example.org/a", "ftp://example.org/a/"),
        ("example.org", "https://example.org"),
    ],
)
def test_urls_of_two_pages(one, other):
    assert same_page(one) != same_page(other)


def test_a_key_can_be_read():
    assert (
        same_page("HTTP://Example.org:80/%7ea/./Génesis/?q=ñ#x")
        == "http://example.org/~a/G%C3%A9nesis?q=%C3%B1"
    )


@settings(max_examples=1500, derandomize=True)
@given(url=urls)
@example("http://a＃b/c")
@example("http://example.org/%%341")
def test_a_key_is_its_own_key_and_that_of_what_is_fetched(url):
    assert same_page(same_page(url)) == same_page(url)
    assert same_page(page_url(url)) == same_page(url)
    assert page_url(page_url(url)) == page_url(url)


@pytest.mark.parametrize("part", ["ä", "a.", "%61", "/..", "/a", "@", ":1", "x" * 64, "&a=1"])
def test_long_urls_take_no_longer(part):
    for url in ("http://" + part * 100_000, "http://example.org/" + part * 100_000, part * 100_000):
        assert same_page(page_url(url)) == same_page(url)
