"""Pages fetched once a run, kept as snapshots, and compared with what was kept before."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback, page, redirect, reply

from pytest_jweval.errors import AddressRefused, PageError
from pytest_jweval.web.kept import KeptPages
from pytest_jweval.web.live import LivePages
from pytest_jweval.web.opening import Opening
from pytest_jweval.web.snapshots import Snapshots


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


def opening(tmp_path: Path, **settings: Any) -> Opening:
    return Opening(
        root=tmp_path / "snapshots",
        shown="snapshots",
        private_hosts=("127.0.0.1",),
        host_rate=1000,
        folder=tmp_path / "run",
        **settings,
    )


def live(tmp_path: Path, **settings: Any) -> closing[LivePages]:
    pages = opening(tmp_path, **{"live": True, **settings}).open()
    assert isinstance(pages, LivePages)
    return closing(pages)


def test_without_live_nothing_is_fetched(tmp_path: Path, server: Loopback) -> None:
    url = server.at("/a", page("<p>One"))
    pages = opening(tmp_path).open()
    assert isinstance(pages, KeptPages)
    assert pages.page(url) is None
    assert server.targets == []


def test_a_live_page_is_what_the_server_says_now(tmp_path: Path, server: Loopback) -> None:
    url = server.at("/a", page("<p>For God so <b>loved</b> the world"))
    with live(tmp_path) as pages:
        found = pages.page(url)
    assert found.text.shown == "For God so loved the world"
    assert found.live
    assert found.where == url
    assert found.gone is None
    assert not (tmp_path / "snapshots").exists()


def test_a_page_is_fetched_once_however_often_it_is_asked_for(tmp_path: Path, server: Loopback) -> None:
    url = server.at("/a", page("<p>One"))
    with live(tmp_path) as pages:
        assert {pages.page(f"{url}#{part}").text.shown for part in ("", "x", "y")} == {"One"}
    with live(tmp_path) as another_process:
        assert another_process.page(url).text.shown == "One"
    assert server.targets == ["/a"]


def test_an_outage_is_told_to_all_without_asking_again(tmp_path: Path, server: Loopback) -> None:
    url = server.at("/a", reply(403))
    for _ in range(2):
        with live(tmp_path) as pages, pytest.raises(PageError, match="HTTP 403"):
            pages.page(url)
    assert server.targets == ["/a"]


def test_what_is_expected_is_fetched_ahead(tmp_path: Path, server: Loopback) -> None:
    urls = [server.at(f"/{number}", page(f"<p>page {number}")) for number in range(20)]
    with live(tmp_path) as pages:
        coming = pages.expect([*urls, *urls])
        assert [coming[url].result(10).text.shown for url in urls] == [f"page {n}" for n in range(20)]
        assert pages.page(urls[3]).text.shown == "page 3"
    assert sorted(server.targets) == sorted(f"/{number}" for number in range(20))


@pytest.mark.parametrize("status", [404, 410])
def test_a_page_that_is_not_there_any_more_is_gone(tmp_path: Path, server: Loopback, status: int) -> None:
    url = server.at("/a", reply(status))
    with live(tmp_path, use="refresh") as pages:
        assert pages.page(url).gone == f"answered HTTP {status}"
    assert not Snapshots(tmp_path / "snapshots").has(url)


def test_a_page_that_says_it_is_not_there_is_gone_and_not_kept(tmp_path: Path, server: Loopback) -> None:
    html = "<title>Page not found</title><h1>Page not found</h1><p>Try the search."
    url = server.at("/a", page(html))
    with live(tmp_path, use="refresh") as pages:
        assert "says of itself that it isn't there" in str(pages.page(url).gone)
    assert not Snapshots(tmp_path / "snapshots").has(url)


def test_a_redirect_to_the_home_page_is_gone(tmp_path: Path, server: Loopback) -> None:
    url = server.at("/old/page", redirect("/"))
    server.at("/", page("<p>Welcome"))
    with live(tmp_path) as pages:
        assert "redirects to the home page" in str(pages.page(url).gone)


def test_a_redirect_to_a_host_that_no_case_names_is_refused(tmp_path: Path, server: Loopback) -> None:
    url = server.at("/a", redirect("http://elsewhere.example/b"))
    with live(tmp_path) as pages, pytest.raises(PageError, match="no case names the host elsewhere.example"):
        pages.page(url)


def test_a_private_address_is_refused_without_a_word_in_ini(tmp_path: Path, server: Loopback) -> None:
    url = server.at("/a", page("secret"))
    pages = Opening(root=tmp_path / "snapshots", live=True, folder=tmp_path / "run").open()
    with closing(pages), pytest.raises(PageError, match="jweval_private_hosts"):
        pages.page(url)
    assert server.targets == []
    assert issubclass(AddressRefused, PageError)


def test_missing_fetches_and_keeps_only_what_there_is_no_snapshot_of(
    tmp_path: Path, server: Loopback
) -> None:
    old, new = server.at("/old", page("<p>now")), server.at("/new", page("<p>new <script>x</script>"))
    path = Snapshots(tmp_path / "snapshots").path(old)
    path.parent.mkdir()
    path.write_text("<p>then", encoding="utf-8")
    with live(tmp_path, live=False, use="missing") as pages:
        assert (pages.page(old).text.shown, pages.page(old).live) == ("then", False)
        assert (pages.page(new).text.shown, pages.page(new).live) == ("new", True)
    assert server.targets == ["/new"]
    snapshots = Snapshots(tmp_path / "snapshots")
    assert "script" not in str(snapshots.read(new))
    meta = snapshots.meta(new)
    assert meta is not None
    assert meta.url == new
    assert meta.status == 200
    assert path.read_text(encoding="utf-8") == "<p>then"


def test_refresh_keeps_what_is_there_now_and_remembers_what_was(tmp_path: Path, server: Loopback) -> None:
    url = server.at("/a", page("<p>then", ETag='"1"'), page("<p>now", ETag='"2"'))
    with live(tmp_path, use="refresh") as pages:
        assert pages.page(url).text.shown == "then"
        assert pages.kept(url).text.shown == "then"  # type: ignore[union-attr]  # just kept
    second = opening(tmp_path, use="refresh")
    with closing(Opening(**{**_settings(second), "folder": tmp_path / "run2"}).open()) as again:
        now, then = again.page(url), again.kept(url)
    assert now is not None
    assert then is not None
    assert (now.text.shown, then.text.shown) == ("now", "then")
    assert server.requests[1].headers["if-none-match"] == '"1"'
    meta = Snapshots(tmp_path / "snapshots").meta(url)
    assert meta is not None
    assert meta.etag == '"2"'


def _settings(opening: Opening) -> dict[str, Any]:
    return {name: getattr(opening, name) for name in opening.__slots__}


def test_a_page_that_did_not_change_is_not_sent_again(tmp_path: Path, server: Loopback) -> None:
    url = server.at("/a", page("<p>the same", ETag='"1"'), reply(304))
    with live(tmp_path, use="refresh") as pages:
        pages.page(url)
    before = Snapshots(tmp_path / "snapshots").path(url).read_bytes()
    with closing(Opening(**{**_settings(opening(tmp_path, live=True)), "folder": None}).open()) as pages:
        found = pages.page(url)
    assert found is not None
    assert (found.text.shown, found.live, found.gone) == ("the same", True, None)
    assert server.requests[1].headers["if-none-match"] == '"1"'
    assert Snapshots(tmp_path / "snapshots").path(url).read_bytes() == before


def test_a_snapshot_that_was_edited_is_no_ground_to_ask_whether_it_changed(
    tmp_path: Path, server: Loopback
) -> None:
    url = server.at("/a", page("<p>the same", ETag='"1"'))
    with live(tmp_path, use="refresh") as pages:
        pages.page(url)
    Snapshots(tmp_path / "snapshots").path(url).write_text("<p>edited", encoding="utf-8")
    with closing(Opening(**{**_settings(opening(tmp_path, live=True)), "folder": None}).open()) as pages:
        found = pages.page(url)
    assert found is not None
    assert found.text.shown == "the same"
    assert "if-none-match" not in server.requests[1].headers


def test_a_folder_that_cannot_be_written_is_an_error_that_says_so(tmp_path: Path, server: Loopback) -> None:
    url = server.at("/a", page("<p>One"))
    (tmp_path / "snapshots").write_text("a file", encoding="utf-8")
    with live(tmp_path, use="refresh") as pages, pytest.raises(PageError, match="can't be"):
        pages.page(url)


def test_closing_gives_up_what_is_on_its_way(tmp_path: Path, server: Loopback) -> None:
    url = server.at("/a", [b"HTTP/1.1 200 OK\r\n", 30.0])
    with live(tmp_path) as pages:
        coming = pages.expect([url])[url]
    with pytest.raises(PageError):
        coming.result(5)


@pytest.mark.parametrize("begun", [b"", b"<p>half a pa"])
def test_a_page_that_was_given_up_leaves_its_snapshot_as_it_was(
    tmp_path: Path, server: Loopback, begun: bytes
) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"  # its end is when the server hangs up
    url = server.at("/a", [head + begun, 30.0])
    path = Snapshots(tmp_path / "snapshots").path(url)
    path.parent.mkdir()
    path.write_text("<p>whole", encoding="utf-8")
    with live(tmp_path, use="refresh") as pages:
        coming = pages.expect([url])[url]
        while not server.targets:
            time.sleep(0.01)
        time.sleep(0.2)
    with pytest.raises(PageError):
        coming.result(5)
    assert path.read_text(encoding="utf-8") == "<p>whole"


@pytest.mark.parametrize("answer", [page(""), page("<title>x</title>"), reply(204), reply(202)])
def test_a_page_without_text_is_gone_and_not_kept(tmp_path: Path, server: Loopback, answer: bytes) -> None:
    url = server.at("/a", answer)
    with live(tmp_path, use="refresh") as pages:
        assert pages.page(url).gone == "has no text that a reader could see"
    assert not Snapshots(tmp_path / "snapshots").has(url)


def test_a_plain_text_is_no_html(tmp_path: Path, server: Loopback) -> None:
    text = reply(200, b"if a <within 30 days then b> c", **{"Content-Type": "text/plain; charset=utf-8"})
    url = server.at("/a", text)
    with live(tmp_path) as pages:
        assert pages.page(url).text.shown == "if a <within 30 days then b> c"


def test_what_was_given_up_is_no_outage_to_the_others(tmp_path: Path, server: Loopback) -> None:
    url = server.at("/a", [b"HTTP/1.1 200 OK\r\n", 30.0], page("<p>One"))
    with live(tmp_path) as pages:
        pages.expect([url])
        while not server.targets:
            time.sleep(0.01)
    with live(tmp_path) as another_process:
        assert another_process.page(url).text.shown == "One"


def test_finishing_waits_for_what_is_on_its_way(tmp_path: Path, server: Loopback) -> None:
    url = server.at("/a", [0.3, page("<p>One")])
    with live(tmp_path) as pages:
        coming = pages.expect([url])[url]
        pages.finish()
    assert coming.result(0).text.shown == "One"


def test_pages_without_a_folder_leave_nothing_behind(tmp_path: Path, server: Loopback) -> None:
    url = server.at("/a", page("<p>One"))
    pages = Opening(root=tmp_path / "s", live=True, private_hosts=("127.0.0.1",), host_rate=1000).open()
    with closing(pages):
        assert pages.page(url) is not None
        assert isinstance(pages, LivePages)
        folder = pages.folder
        assert any(folder.iterdir())
    assert not folder.exists()
