"""What a URL must be like, and which hosts may be contacted."""

from __future__ import annotations

import socket
import threading
import time

import loopback
import pytest

from pytest_jweval.errors import AddressRefused, PageError
from pytest_jweval.web.guard import Guard


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", "only http:// and https://"),
        ("example.org/page", "only http:// and https://"),
        ("//example.org/page", "only http:// and https://"),
        ("ftp://example.org/", "only http:// and https://"),
        ("file:///etc/passwd", "only http:// and https://"),
        ("gopher://example.org:70/_x", "only http:// and https://"),
        ("javascript:alert(1)", "only http:// and https://"),
        ("data:text/html,hi", "only http:// and https://"),
        ("http+unix://%2Fvar%2Frun%2Fdocker.sock/info", "only http:// and https://"),
        ("http://", "names no host"),
        ("http:/example.org", "names no host"),
        ("https:///page", "names no host"),
        ("http://:80/", "names no host"),
        ("http://exam ple.org/", "exam%20ple.org is no name of a host"),
        ("http://127%2e0%2e0%2e1/", "is no name of a host"),
        ("http://[fe80::1%25lo]/", "is no name of a host"),
        ("http://me:secret@example.org/", "has a user name"),
        ("http://example.org@127.0.0.1/", "has a user name"),
        ("http://example.org\\@127.0.0.1/", "has a user name"),
        ("http://example.org:0/", "there is no port 0"),
        ("http://example.org:65536/", "there is no port 65536"),
        ("http://example.org:-1/", "there is no port -1"),
        ("http://example.org:8a/", "no URL that can be read"),
        ("http://exam\nple.org/", "no URL that can be read"),
        ("http://exam\0ple.org/", "no URL that can be read"),
        ("http://[::1/", "no URL that can be read"),
        ("http://[example.org]/", "no URL that can be read"),
        ("http://256.1.1.1/", "no URL that can be read"),
        ("http://" + "x" * 70_000, "no URL that can be read"),
        ("C:\\pages\\verse.html", "only http:// and https://"),
    ],
)
def test_a_url_of_another_form_is_refused(url, reason):
    with pytest.raises(AddressRefused) as caught:
        Guard().admitted(url)
    assert reason in str(caught.value)
    assert "secret" not in str(caught.value)


def test_what_is_admitted_is_the_url_without_its_fragment():
    assert str(Guard().admitted("HTTPS://Example.ORG:443/a?b=c#d")) == "https://example.org/a?b=c"


def test_without_a_list_every_host_is_known():
    assert Guard().admitted("https://anything.example/").host == "anything.example"


@pytest.mark.parametrize(
    "listed", ["bücher.example", "BÜCHER.example.", "xn--bcher-kva.example", "bücher。example"]
)
@pytest.mark.parametrize(
    "asked", ["bücher.example", "Bücher.EXAMPLE", "xn--bcher-kva.example.", "bücher．example"]
)
def test_a_host_is_the_same_in_all_its_forms(listed, asked):
    assert Guard([listed]).admitted(f"http://{asked}/page").path == "/page"


@pytest.mark.parametrize("asked", ["[::1]", "[::1]:8080"])
@pytest.mark.parametrize("listed", ["::1", "[::1]"])
def test_an_ipv6_host_may_be_listed_with_and_without_brackets(listed, asked):
    assert Guard([listed]).admitted(f"http://{asked}/").host == "::1"


@pytest.mark.parametrize(
    "host", ["evil.example", "example.org.evil.example", "www.example.org", "xexample.org", "example.or"]
)
def test_a_host_that_is_not_listed_is_refused_with_the_key_that_opens(host):
    with pytest.raises(AddressRefused) as caught:
        Guard(["example.org"]).admitted(f"https://{host}/page")
    assert str(caught.value) == f"is refused: no case names the host {host} (ini jweval_live_hosts allows it)"


def test_an_empty_list_allows_nothing_but_what_is_allowed_later():
    guard = Guard([])
    with pytest.raises(AddressRefused):
        guard.admitted("https://example.org/a")
    guard.allow(["https://Example.org./b", "no url", "", "http://[", "http://exam\nple.org"])
    assert guard.admitted("https://example.org/a").host == "example.org"
    with pytest.raises(AddressRefused):
        guard.admitted("https://other.example/a")


def test_a_guard_without_a_list_stays_open_when_hosts_are_allowed():
    guard = Guard()
    guard.allow(["https://example.org/"])
    assert guard.admitted("https://other.example/").host == "other.example"


def test_a_host_is_where_its_names_lead(monkeypatch):
    loopback.names(monkeypatch, {"example.org": ["93.184.216.34", "2606:4700::1"]})
    assert Guard().addresses("example.org", 443, 5) == [
        (socket.AF_INET, ("93.184.216.34", 443)),
        (socket.AF_INET6, ("2606:4700::1", 443, 0, 0)),
    ]


@pytest.mark.parametrize(
    "found", [["93.184.216.34", "127.0.0.1"], ["10.0.0.1", "93.184.216.34"], ["93.184.216.34", "::1"]]
)
def test_one_private_address_among_public_ones_is_enough_to_refuse(monkeypatch, found):
    loopback.names(monkeypatch, {"example.org": found})
    with pytest.raises(
        AddressRefused, match=r"of example\.org is (loopback|private) \(ini jweval_private_hosts"
    ):
        Guard().addresses("example.org", 80, 5)


def test_a_private_host_is_let_through_and_no_other(monkeypatch):
    loopback.names(monkeypatch, {"pages.test": "10.0.0.1", "other.test": "10.0.0.1"})
    guard = Guard(private_hosts=["Pages.test."])
    assert guard.addresses("pages.test", 80, 5) == [(socket.AF_INET, ("10.0.0.1", 80))]
    with pytest.raises(AddressRefused):
        guard.addresses("other.test", 80, 5)


def test_a_literal_address_is_named_once(monkeypatch):
    loopback.names(monkeypatch, {"10.0.0.1": "10.0.0.1"})
    with pytest.raises(AddressRefused) as caught:
        Guard().addresses("10.0.0.1", 80, 5)
    assert str(caught.value) == (
        "is refused: the address 10.0.0.1 is private (ini jweval_private_hosts allows it)"
    )


@pytest.mark.parametrize("host", ["a..example", ".example", "x" * 64 + ".example"])
def test_a_name_that_cant_be_one_is_a_page_error(host):
    with pytest.raises(PageError, match="has no host that can be looked up: "):
        Guard().addresses(host, 80, 5)


def test_names_that_nobody_answers_are_left_alone_in_time(monkeypatch):
    over = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: over.wait(10) and [])
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        Guard().addresses("slow.example", 80, 0.1)
    assert time.monotonic() - began < 2
    over.set()
