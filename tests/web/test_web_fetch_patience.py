"""How long a fetch waits for an answer and between two tries, and that it ends when it is closed."""

from __future__ import annotations

import itertools
import threading
import time
import tracemalloc
import zlib
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import loopback
import pytest
from loopback import RESET, Loopback, chunks, page, redirect, reply

from pytest_jweval.errors import PageError
from pytest_jweval.web.fetch import Fetcher
from pytest_jweval.web.guard import Guard

NOW = datetime(2026, 5, 30, 10, 0, tzinfo=UTC)
GOOD = page("here")


@pytest.fixture
def server():
    with Loopback() as server:
        yield server


class Waits(list[float]):
    """Sleeps for nobody, and remembers for how long."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.fixture
def waits():
    return Waits()


@pytest.fixture
def fetcher(waits):
    return Fetcher(Guard(private_hosts=["127.0.0.1"]), sleep=waits, clock=NOW.timestamp, timeout=5)


def quick(seconds: float, **options) -> Fetcher:
    return Fetcher(Guard(private_hosts=["127.0.0.1"]), timeout=seconds, retries=0, **options)


PASSING = {
    "429": reply(429),
    "502": reply(502),
    "503": reply(503),
    "504": reply(504),
    "hangs up": [],
    "breaks off": [RESET],
    "hangs up in the headers": [b"HTTP/1.1 200 OK\r\nContent"],
    "hangs up in the body": reply(200, b"half", **{"Content-Length": "100"}),
}


@pytest.mark.parametrize("fault", PASSING)
def test_what_may_pass_is_asked_for_again(server, fetcher, waits, fault):
    url = server.at("/", PASSING[fault], PASSING[fault], PASSING[fault], GOOD)
    assert fetcher.fetch(url).body == b"here"
    assert len(server.requests) == 4
    assert [0 <= wait <= longest for wait, longest in zip(waits, [1, 2, 4], strict=True)] == [True] * 3


@pytest.mark.parametrize("fault", PASSING)
def test_what_doesnt_pass_is_given_up_after_four_tries(server, fetcher, waits, fault):
    with pytest.raises(PageError, match=r"^http://127.0.0.1:\d+/ .* \(4 tries\)$"):
        fetcher.fetch(server.at("/", PASSING[fault]))
    assert len(server.requests) == 4
    assert len(waits) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 405, 451, 500, 501, 505])
def test_what_will_not_pass_is_asked_for_once(server, fetcher, waits, status):
    with pytest.raises(PageError):
        fetcher.fetch(server.at("/", reply(status), GOOD))
    assert (len(server.requests), waits) == (1, [])


@pytest.mark.parametrize(
    "answer", [page("x", **{"Content-Encoding": "br"}), b"no http at all\r\n\r\n", redirect("/")]
)
def test_an_answer_that_is_wrong_in_itself_is_asked_for_once(server, fetcher, waits, answer):
    with pytest.raises(PageError):
        fetcher.fetch(server.at("/", answer, GOOD))
    assert (len(server.requests), waits) == (1, [])


def test_two_that_fail_together_dont_come_back_together(server, fetcher, waits):
    for number in range(10):
        fetcher.fetch(server.at(f"/{number}", reply(503), GOOD))
    assert len(set(waits)) == 10


@pytest.mark.parametrize(
    ("retry_after", "seconds"),
    [
        ("0", 0),
        ("7", 7),
        ("30", 30),
        (format_datetime(NOW + timedelta(seconds=12), usegmt=True), 12),
        ((NOW + timedelta(seconds=12)).strftime("%A, %d-%b-%y %H:%M:%S GMT"), 12),
        ((NOW + timedelta(seconds=12)).strftime("%a %b %d %H:%M:%S %Y"), 12),
        (format_datetime(NOW - timedelta(days=400), usegmt=True), 0),
    ],
)
@pytest.mark.parametrize("status", [429, 503])
def test_the_server_says_how_long_to_wait(server, fetcher, waits, status, retry_after, seconds):
    assert fetcher.fetch(server.at("/", reply(status, **{"Retry-After": retry_after}), GOOD)).body == b"here"
    assert waits == [seconds]


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="Windows keeps one time zone")
def test_a_date_without_a_zone_is_not_meant_as_ours(server, fetcher, waits, monkeypatch):
    later = (NOW + timedelta(seconds=12)).strftime("%a %b %d %H:%M:%S %Y")
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "XYZ+5")
        time.tzset()
        fetcher.fetch(server.at("/", reply(503, **{"Retry-After": later}), GOOD))
    time.tzset()
    assert waits == [12]


@pytest.mark.parametrize("retry_after", ["", "soon", "-5", "٣", "Sat, 99 May 2026 10:00:00 GMT", "x" * 5000])
def test_a_wait_that_makes_no_sense_is_our_own(server, fetcher, waits, retry_after):
    answer = reply(503, **{"Retry-After": retry_after.encode().decode("latin-1")})
    assert fetcher.fetch(server.at("/", answer, GOOD)).body == b"here"
    assert 0 <= waits[0] <= 1


@pytest.mark.parametrize(
    ("retry_after", "said"),
    [
        ("31", "it asks to wait 31 s"),
        ("3600", "it asks to wait 3600 s"),
        (format_datetime(NOW + timedelta(days=1), usegmt=True), "it asks to wait 86400 s"),
        ("9" * 400, "it asks to wait "),
    ],
)
def test_nobody_waits_for_longer_than_half_a_minute(server, fetcher, waits, retry_after, said):
    with pytest.raises(PageError, match=f"answered HTTP 429: .*; {said}"):
        fetcher.fetch(server.at("/", reply(429, **{"Retry-After": retry_after}), GOOD))
    assert waits == []


def test_all_waits_of_a_page_together_are_bounded(server, fetcher, waits):
    busy = reply(503, **{"Retry-After": "20"})
    with pytest.raises(PageError, match="it asks to wait 20 s"):
        fetcher.fetch(server.at("/", busy, busy, GOOD))
    assert waits == [20]


def test_a_redirect_that_fails_is_begun_again_from_the_start(server, fetcher):
    url = server.at("/a", redirect("/b"))
    server.at("/b", reply(503), GOOD)
    assert fetcher.fetch(url).redirects == (server.url + "/b",)
    assert server.targets == ["/a", "/b", "/a", "/b"]


SLOW = {
    "silence": lambda _: [60.0],
    "one byte of headers at a time": lambda _: (
        piece for byte in b"HTTP/1.1 200 OK\r\nX: " + b"x" * 10_000 for piece in (bytes([byte]), 0.05)
    ),
    "one byte of body at a time": lambda _: itertools.chain(
        [b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"], itertools.cycle([b"x", 0.05])
    ),
    "one chunk at a time": lambda _: (
        piece for chunk in chunks(itertools.repeat(b"x")) for piece in (chunk, 0.05)
    ),
    "hints without end": lambda _: itertools.cycle([b"HTTP/1.1 103 Early Hints\r\n\r\n", 0.05]),
    "redirects": lambda request: [0.2, redirect(f"/{'x' * len(request.target)}")],
}


@pytest.mark.parametrize("kind", SLOW)
def test_a_slow_answer_ends_at_the_deadline_however_it_is_drawn_out(server, kind):
    for length in range(1, 8):
        server.at("/" + "x" * (length - 1), SLOW[kind])
    began = time.monotonic()
    with pytest.raises(PageError, match=r"gave no whole answer within 0\.5 s$"):
        quick(0.5).fetch(server.url + "/")
    assert time.monotonic() - began < 2


def test_a_handshake_that_never_ends_ends_at_the_deadline(server):
    began = time.monotonic()
    with pytest.raises(PageError, match=r"gave no whole answer within 0\.5 s$"):
        quick(0.5).fetch(server.url.replace("http:", "https:"))
    assert time.monotonic() - began < 2


def test_an_answer_without_end_stops_at_the_limit(server):
    url = server.at("/", lambda _: chunks(itertools.repeat(b"more " * 1000)))
    with pytest.raises(PageError, match="is too long: more than 1 MiB"):
        quick(20, max_bytes=1024**2).fetch(url)


def test_an_endless_stream_of_nothing_stops_too(server):
    """Empty blocks of a compressed stream give no bytes, however many they are."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    start, empty = packer.compress(b"") + packer.flush(zlib.Z_FULL_FLUSH), b"\0\0\0\xff\xff" * 5000
    pieces = itertools.chain([start], itertools.repeat(empty))
    url = server.at("/", lambda _: chunks(pieces, **{"Content-Encoding": "gzip"}))
    with pytest.raises(
        PageError, match="sends too much: more than 3,145,728 bytes with all that is around it"
    ):
        quick(20, max_bytes=1024**2).fetch(url)


def test_a_bomb_on_the_wire_takes_little_memory(server):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join(packer.compress(b"\0" * 1024**2) for _ in range(500)) + packer.flush()
    url = server.at("/", reply(200, bomb, **{"Content-Type": "text/html", "Content-Encoding": "gzip"}))
    tracemalloc.start()
    try:
        with pytest.raises(PageError, match="is too long: more than 10 MiB"):
            quick(20).fetch(url)
        assert tracemalloc.get_traced_memory()[1] < 60 * 1024**2
    finally:
        tracemalloc.stop()


def test_the_pause_is_held_for_as_long_as_a_request_takes(server):
    events: list[str] = []

    @contextmanager
    def pause(host):
        events.append(f"enter {host}")
        yield
        events.append(f"leave after {len(server.requests)}")

    url = server.at("/a", redirect("/b"))
    server.at("/b", GOOD)
    quick(5, pause=pause).fetch(url)
    assert events == ["enter 127.0.0.1", "leave after 1", "enter 127.0.0.1", "leave after 2"]


def test_the_pause_is_left_when_a_request_fails_and_before_the_next_try(server):
    held: list[str] = []

    @contextmanager
    def pause(host):
        held.append(host)
        try:
            yield
        finally:
            held.remove(host)

    fetcher = Fetcher(
        Guard(private_hosts=["127.0.0.1"]),
        pause=pause,
        sleep=lambda _: held.append("slept in it") if held else None,
    )
    with pytest.raises(PageError):
        fetcher.fetch(server.at("/", [RESET]))
    assert held == []


def test_waiting_for_ones_turn_is_no_delay_of_the_servers(server):
    @contextmanager
    def pause(host):
        time.sleep(0.6)
        yield

    url = server.at("/a", redirect("/b"))
    server.at("/b", GOOD)
    assert quick(0.5, pause=pause).fetch(url).body == b"here"


def test_a_fault_of_the_pause_is_no_fault_of_the_page(server):
    def pause(host):
        raise TimeoutError("held by another process")

    with pytest.raises(TimeoutError, match="held by another process"):
        quick(5, pause=pause).fetch(server.at("/", GOOD))


@pytest.mark.parametrize("moment", ["look-up", "connect", "read", "wait"])
def test_ctrl_c_passes_through(server, monkeypatch, moment):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    places = {
        "look-up": "socket.getaddrinfo",
        "connect": "socket.socket.connect",
        "read": "pytest_jweval.web.transport._BoundedStream.read",
        "wait": "pytest_jweval.patience.Patience.wait",
    }
    url = server.at("/", reply(503))
    with monkeypatch.context() as patch:
        patch.setattr(places[moment], interrupted)
        fetcher = Fetcher(Guard(private_hosts=["127.0.0.1"]))
        with pytest.raises(KeyboardInterrupt):
            fetcher.fetch(url)


def test_after_it_was_closed_nothing_is_fetched(server, monkeypatch):
    fetcher = quick(5)
    url = server.at("/", GOOD)
    fetcher.fetch(url)
    fetcher.close()
    fetcher.close()
    tried = loopback.connections(monkeypatch)
    with pytest.raises(PageError, match="is not fetched: its fetcher was closed"):
        fetcher.fetch(url)
    assert tried == []


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_closing_wakes_who_waits_for_an_answer(server, scheme):
    url = server.at("/", [60.0]).replace("http", scheme)
    ends_when_closed(Fetcher(Guard(private_hosts=["127.0.0.1"])), url)


def test_closing_wakes_who_waits_for_the_next_try(server):
    url = server.at("/", reply(503, **{"Retry-After": "25"}))
    ends_when_closed(Fetcher(Guard(private_hosts=["127.0.0.1"])), url)


def ends_when_closed(fetcher: Fetcher, url: str) -> None:
    said: list[str] = []

    def fetch() -> None:
        with pytest.raises(PageError) as caught:
            fetcher.fetch(url)
        said.append(str(caught.value))

    thread = threading.Thread(target=fetch)
    thread.start()
    time.sleep(0.3)
    fetcher.close()
    thread.join(3)
    assert not thread.is_alive()
    assert said == [f"{url} is not fetched: its fetcher was closed"]
