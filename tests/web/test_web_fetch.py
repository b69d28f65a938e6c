"""What a fetch gives back, and what it says when there is nothing to give."""

from __future__ import annotations

import gzip
import socket
import threading

import loopback
import pytest
from loopback import RESET, Loopback, chunks, page, redirect, reply, zipped

from pytest_jweval.errors import AddressRefused, PageError
from pytest_jweval.web.fetch import Fetched, Fetcher
from pytest_jweval.web.guard import Guard

VERSE = "<p>En el principio era el Verbo</p>"


@pytest.fixture
def server():
    with Loopback() as server:
        yield server


def fetcher(**options):
    options = {"retries": 0, "timeout": 5, **options}
    return Fetcher(Guard(private_hosts=["127.0.0.1", "pages.test", "other.test"]), **options)


def refused(url, **options):
    """The one line that a fetch ends with."""
    with pytest.raises(PageError) as caught:
        fetcher(**options).fetch(url)
    said = str(caught.value)
    assert said.startswith(url)
    assert len(said.splitlines()) == 1
    return said.removeprefix(url).strip()


def test_a_page_is_given_as_it_came(server):
    url = server.at("/verse", page(VERSE, ETag='"1"', **{"Last-Modified": "Sat, 30 May 2026 10:00:00 GMT"}))
    assert fetcher().fetch(url) == Fetched(
        url=url,
        final_url=url,
        status=200,
        content_type="text/html; charset=utf-8",
        etag='"1"',
        last_modified="Sat, 30 May 2026 10:00:00 GMT",
        body=VERSE.encode(),
        redirects=(),
    )


def test_a_request_says_who_asks_and_nothing_else(server):
    server.at("/verse?a=%C3%BC%20b", page(VERSE))
    fetcher().fetch(server.url + "/verse?a=ü b")
    [asked] = server.requests
    assert asked.method == "GET"
    assert asked.target == "/verse?a=%C3%BC%20b"
    assert asked.headers == {
        "host": f"127.0.0.1:{server.port}",
        "user-agent": "pytest-jweval/0.1.0 (citation check)",
        "accept": "text/html, application/xhtml+xml, text/plain;q=0.9, */*;q=0.1",
        "accept-encoding": "gzip, deflate",
        "connection": "close",
    }


def test_the_user_agent_can_be_another(server):
    fetcher(user_agent="parish library").fetch(server.at("/", page(VERSE)))
    assert server.requests[0].headers["user-agent"] == "parish library"


def test_the_name_that_was_asked_for_is_told_to_the_server_though_its_address_is_called(server, monkeypatch):
    loopback.names(monkeypatch, {"pages.test": "127.0.0.1"})
    server.at("/", page(VERSE))
    fetcher().fetch(server.url_of("PAGES.test") + "/#part")
    assert server.requests[0].headers["host"] == f"pages.test:{server.port}"
    assert server.targets == ["/"]


@pytest.mark.parametrize("status", [200, 201, 203, 204, 299, 404, 410])
def test_what_says_something_about_a_page_is_given_back(server, status):
    assert fetcher().fetch(server.at("/", page("" if status == 204 else VERSE, status))).status == status


@pytest.mark.parametrize("status", [404, 410])
def test_of_a_page_that_is_gone_only_that_is_known(server, status):
    broken = reply(status, b"%PDF", **{"Content-Type": "application/pdf", "Content-Encoding": "br"})
    fetched = fetcher().fetch(server.at("/", broken))
    assert (fetched.status, fetched.body, fetched.unchanged) == (status, b"", False)


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (400, "answered HTTP 400: that is no page"),
        (401, "answered HTTP 401: it wants a login"),
        (402, "answered HTTP 402: it wants to be paid"),
        (403, "answered HTTP 403: it doesn't want to be read by programs; keep a snapshot instead"),
        (405, "answered HTTP 405: that is no page"),
        (407, "answered HTTP 407: a proxy stands in the way"),
        (418, "answered HTTP 418: that is no page"),
        (429, "answered HTTP 429: it is asked too often; lower ini jweval_host_rate"),
        (451, "answered HTTP 451: it may not be shown here for legal reasons"),
        (500, "answered HTTP 500: its server is out of order; try again later"),
        (502, "answered HTTP 502: its server is out of order; try again later"),
        (503, "answered HTTP 503: its server is out of order; try again later"),
        (504, "answered HTTP 504: its server is out of order; try again later"),
        (599, "answered HTTP 599: its server is out of order; try again later"),
        (300, "answered HTTP 300: that is no page"),
        (305, "answered HTTP 305: that is no page"),
        (304, "answered HTTP 304, though it was not asked whether it has changed"),
        (999, "answered HTTP 999: its server is out of order"),
    ],
)
def test_any_other_status_is_an_error_that_says_what_to_do(server, status, advice):
    assert refused(server.at("/", page(VERSE, status))).startswith(advice)


@pytest.mark.parametrize(
    "kind", ["text/html", "TEXT/HTML ; charset=x", "application/xhtml+xml", "text/plain", ""]
)
def test_what_can_be_read_as_a_page_is_read(server, kind):
    assert fetcher().fetch(server.at("/", page(VERSE, **{"Content-Type": kind}))).body == VERSE.encode()


def test_without_a_content_type_it_is_read_as_a_page(server):
    fetched = fetcher().fetch(server.at("/", reply(200, VERSE.encode())))
    assert (fetched.body, fetched.content_type) == (VERSE.encode(), None)


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        ("application/pdf", "is a PDF, not a page that can be read (application/pdf)"),
        ("Image/PNG; x=y", "is an image, not a page that can be read (image/png)"),
        ("audio/mpeg", "is a sound,"),
        ("video/mp4", "is a film,"),
        ("application/json", "is another kind of file, not a page that can be read (application/json)"),
        ("x" * 300, "is another kind of file,"),
    ],
)
def test_another_kind_of_file_is_named(server, kind, named):
    said = refused(server.at("/", reply(200, b"%PDF-1.7", **{"Content-Type": kind})))
    assert said.startswith(named)
    assert len(said) < 150


def test_validators_are_sent_and_an_unchanged_page_is_told(server):
    url = server.at("/", reply(304, ETag='"2"'))
    fetched = fetcher().fetch(url, etag='W/"1"', last_modified="Sat, 30 May 2026 10:00:00 GMT")
    assert fetched.unchanged
    assert (fetched.status, fetched.body, fetched.etag, fetched.final_url) == (304, b"", '"2"', url)
    headers = server.requests[0].headers
    assert headers["if-none-match"] == 'W/"1"'
    assert headers["if-modified-since"] == "Sat, 30 May 2026 10:00:00 GMT"


@pytest.mark.parametrize("etag", ["", None])
def test_what_is_empty_is_no_validator(server, etag):
    assert not fetcher().fetch(server.at("/", page(VERSE)), etag=etag, last_modified=etag).unchanged
    assert not {"if-none-match", "if-modified-since"} & server.requests[0].headers.keys()


@pytest.mark.parametrize("etag", ['"a"\r\nEvil: yes', '"a\0"', '"–"', '"\ud800"'])
def test_a_validator_that_is_no_header_is_not_sent(server, etag):
    url = server.at("/", page(VERSE))
    with pytest.raises(PageError, match="can't be asked for with these headers: "):
        fetcher().fetch(url, etag=etag)
    assert server.requests == []


def test_validators_go_to_no_other_page(server):
    url = server.at("/a", redirect("/b"))
    server.at("/b", page(VERSE, ETag='"b"', **{"Last-Modified": "Sat, 30 May 2026 10:00:00 GMT"}))
    fetched = fetcher().fetch(url, etag='"a"')
    assert [asked.headers.get("if-none-match") for asked in server.requests] == ['"a"', None]
    assert (fetched.etag, fetched.last_modified) == (None, None)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "location", ["/b", "b", "?/../b", "./x/../b", "//127.0.0.1:{port}/b", "{url}/b#part", " /b "]
)
def test_a_redirect_is_followed(server, status, location):
    url = server.at("/a", redirect(location.format(port=server.port, url=server.url), status))
    server.at("/b", page(VERSE))
    server.at("/a?/../b", page(VERSE))
    fetched = fetcher().fetch(url)
    assert fetched.body == VERSE.encode()
    assert fetched.url == url
    assert fetched.redirects == (fetched.final_url,)
    assert fetched.final_url == server.url + server.targets[-1]


@pytest.mark.parametrize("location", ["/día", "/d\xeda".encode("latin-1").decode("latin-1")])
def test_a_redirect_may_have_letters_that_no_url_has(server, location):
    url = server.at("/a", redirect(location.encode().decode("latin-1")))
    server.at("/d%C3%ADa", page(VERSE))
    assert fetcher().fetch(url).final_url == server.url + "/d%C3%ADa"


def test_five_redirects_are_followed_and_a_sixth_is_not(server):
    for number in range(6):
        server.at(f"/{number}", redirect(f"/{number + 1}"))
    server.at("/6", page(VERSE))
    assert fetcher().fetch(server.url + "/1").redirects == tuple(f"{server.url}/{n}" for n in range(2, 7))
    said = refused(server.url + "/0")
    assert said == f", which redirects to {server.url}/5, redirects more than 5 times"


@pytest.mark.parametrize("circle", [["/a"], ["/b", "/a"], ["/b", "/c", "/b"], ["#x"], [""]])
def test_a_circle_is_seen_at_once(server, circle):
    for here, there in zip(["/a", *circle], circle, strict=False):
        server.at(here, redirect(there))
    said = refused(server.url + "/a")
    assert "redirects in a circle; it may insist on a cookie" in said or "doesn't say where to" in said
    assert len(server.requests) <= 3


@pytest.mark.parametrize(
    "answer",
    [reply(302), redirect(""), redirect("  "), b"HTTP/1.1 302 X\r\nLocation: /a\r\nLocation: /b\r\n\r\n"],
    ids=["none", "empty", "blank", "two"],
)
def test_a_redirect_to_nowhere_says_so(server, answer):
    assert refused(server.at("/", answer)) == "answered HTTP 302, a redirect that doesn't say where to"


@pytest.mark.parametrize("location", ["http://[", "http://a:b/", "http://256.1.1.1/", "//\x01/"])
def test_a_redirect_to_what_is_no_url_says_so(server, location):
    assert "is no" in refused(server.at("/", redirect(location)))


def test_the_words_of_a_redirect_cant_steer_a_terminal(server):
    said = refused(server.at("/", redirect("http://[\x1b[31m\u202e".encode().decode("latin-1"))))
    assert "\x1b" not in said and "\u202e" not in said


def test_a_redirect_to_another_host_asks_that_host(server, monkeypatch):
    loopback.names(monkeypatch, {"pages.test": "127.0.0.1", "other.test": "127.0.0.1"})
    server.at("/a", redirect(server.url_of("other.test") + "/b"))
    server.at("/b", page(VERSE))
    assert fetcher().fetch(server.url_of("pages.test") + "/a").final_url == server.url_of("other.test") + "/b"
    assert [asked.headers["host"] for asked in server.requests] == [
        f"pages.test:{server.port}",
        f"other.test:{server.port}",
    ]


def test_nothing_that_a_server_sets_is_sent_back(server):
    url = server.at("/a", reply(302, Location="/b", **{"Set-Cookie": "a=b", "Authorization": "x"}))
    server.at("/b", page(VERSE, **{"Set-Cookie": "c=d"}))
    asking = fetcher()
    asking.fetch(url)
    asking.fetch(url)
    assert not any({"cookie", "authorization", "referer"} & asked.headers.keys() for asked in server.requests)


@pytest.mark.parametrize(
    ("answer", "body"),
    [
        (zipped(VERSE), VERSE),
        (b"HTTP/1.0 200 OK\r\n\r\n" + VERSE.encode(), VERSE),
        (b"HTTP/1.1 200 OK\r\n\r\n" + VERSE.encode(), VERSE),
        (b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "ok"),
        (list(chunks([b"a", b"b" * 70_000, b"c"])), "a" + "b" * 70_000 + "c"),
        (list(chunks([gzip.compress(b"ab")], **{"Content-Encoding": "gzip"})), "ab"),
        (page(VERSE, **{"Content-Type": "text/html; charset=klingon"}), VERSE),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more", "ok"),
        ([b"HTTP/1.1 200 OK\r\nContent-Le", 0.01, b"ngth: 2\r\n\r", 0.01, b"\no", 0.01, b"k"], "ok"),
    ],
    ids=["gzip", "1.0", "to the end", "hints", "chunks", "gzip chunks", "charset", "too much", "dribbled"],
)
def test_a_page_may_come_in_many_ways(server, answer, body):
    assert fetcher().fetch(server.at("/", answer)).body == body.encode()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ([], "can't be reached: it hung up before its answer was whole"),
        ([RESET], "can't be reached: "),
        ([b"HTTP/1.1 200 OK\r\n"], "can't be reached: it hung up before its answer was whole"),
        ([b"HTTP/1.1 200 OK\r\n", RESET], "can't be reached: "),
        (
            reply(200, b"half", **{"Content-Length": "8"}),
            "can't be reached: it hung up before its answer was whole",
        ),
        (reply(200, b"5\r\nab", **{"Transfer-Encoding": "chunked"}), "can't be reached: it hung up before"),
        (b"SSH-2.0-OpenSSH\r\n\r\n\r\n", "gave an answer that is no HTTP: "),
        (b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "gave an answer that is no HTTP: "),
        (reply(200, b"zz\r\n", **{"Transfer-Encoding": "chunked"}), "gave an answer that is no HTTP: "),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000, "gave an answer that is no HTTP: "),
        (page(VERSE, **{"Content-Encoding": "gzip"}), "can't be read: its gzip encoding is broken"),
        (page(VERSE, **{"Content-Encoding": "br"}), "is encoded as 'br', though only one of gzip, deflate"),
        (page("x" * 101), "is too long: more than 100 bytes"),
        (lambda _: chunks([b"more"] * 100), "is too long: more than 100 bytes"),
        (zipped("x" * 200_000), "is too long: more than 100 bytes"),
    ],
)
def test_an_answer_that_isnt_whole_and_sound_says_so(server, answer, said):
    assert refused(server.at("/", answer), max_bytes=100).startswith(said)


def test_a_connection_that_is_refused_says_so():
    assert refused(f"http://127.0.0.1:{unused_port()}/").startswith("can't be reached: ")


def unused_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "Name or service not known"),
        (socket.gaierror(socket.EAI_AGAIN, "Temporary failure"), "Temporary failure"),
    ],
)
def test_a_host_that_no_name_server_knows_says_so(monkeypatch, fault, said):
    loopback.names(monkeypatch, {"pages.test": fault})
    assert refused("http://pages.test/") == f"has a host whose address can't be found: {said}"


def test_a_host_without_any_address_says_so(monkeypatch):
    loopback.names(monkeypatch, {"pages.test": []})
    assert refused("http://pages.test/") == "can't be reached: its host has no address"


def test_a_dead_address_leaves_time_for_the_others(server, monkeypatch):
    loopback.names(monkeypatch, {"pages.test": ["127.0.0.9", "::1", "127.0.0.1"]})
    server.at("/", page(VERSE))
    assert fetcher().fetch(server.url_of("pages.test") + "/").body == VERSE.encode()


@pytest.mark.parametrize("url", ["http://me:pa55@127.0.0.1/?q", "https://me:pa55@pages.test/"])
def test_no_password_is_shown(url):
    with pytest.raises(AddressRefused) as caught:
        fetcher().fetch(url)
    assert "pa55" not in str(caught.value)
    assert str(caught.value).startswith(url.replace("me:pa55@", ""))


@pytest.mark.parametrize("tail", ["x" * 5000, "\u202ea b", "\x1b[31m", "\ud800", "a\nb", "日本" * 500])
def test_a_long_or_strange_url_is_shown_in_one_short_line(tail):
    with pytest.raises(PageError) as caught:
        fetcher().fetch(f"http://127.0.0.1:{unused_port()}/{tail}")
    said = str(caught.value)
    assert said.isprintable()
    assert len(said) < 400


def test_many_threads_share_a_fetcher(server):
    asking = fetcher()
    urls = [server.at(f"/{number}", page(f"page {number}")) for number in range(40)]
    bodies: dict[str, bytes] = {}
    threads = [
        threading.Thread(target=lambda url=url: bodies.update({url: asking.fetch(url).body})) for url in urls
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert bodies == {url: f"page {number}".encode() for number, url in enumerate(urls)}
