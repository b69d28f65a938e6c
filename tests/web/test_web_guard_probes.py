"""Attempts to reach what isn't public. None of them may so much as try to connect."""

from __future__ import annotations

import itertools
import socket
from ipaddress import IPv4Address

import loopback
import pytest
from loopback import Loopback, page, redirect, reply

from pytest_jweval.errors import AddressRefused, PageError
from pytest_jweval.web.fetch import Fetcher
from pytest_jweval.web.guard import Guard

PUBLIC = "93.184.216.34"


def _notations(address: str) -> list[str]:
    """Ways to write one IPv4 address that some reader somewhere understands."""
    a, b, c, d = address.split(".")
    number = int(IPv4Address(address))
    return [
        address,
        f"{address}.",
        str(number),
        hex(number),
        hex(number).upper(),
        oct(number).replace("0o", "0"),
        f"{a}.{b}.{int(c) * 256 + int(d)}",
        f"{a}.{int(b) * 65536 + int(c) * 256 + int(d)}",
        ".".join(hex(int(part)) for part in (a, b, c, d)),
        ".".join(f"0{int(part):o}" for part in (a, b, c, d)),
        f"{int(a):#x}.{int(b):#o}".replace("0o", "0") + f".{c}.{d}",
        address.replace(".", "。"),
        address.replace(".", "．"),
        address.replace(".", "｡"),
        "".join(chr(ord(char) + 0xFEE0) if char.isdigit() else char for char in address),
        address.replace("1", "①"),
        address.replace(".", "%2e"),
        f"{address}%00.example.org",
        f"[::ffff:{address}]",
        f"[::{address}]",
        f"[64:ff9b::{address}]",
        f"[64:ff9b:1::{address}]",
        f"[::ffff:0:{address}]",
        f"[2002:{number >> 16:x}:{number & 0xFFFF:x}::1]",
        f"[2600::5efe:{address}]",
    ]


NOTATIONS = [
    notation
    for address in ("127.0.0.1", "10.0.0.1", "192.168.1.1", "169.254.169.254", "100.100.100.200")
    for notation in _notations(address)
]
OTHERS = [
    *("0", "0.0.0.0", "00", "0x0", "127.1", "127.0.1", "255.255.255.255", "224.0.0.1", "192.0.0.192"),
    *(
        "198.18.0.1",
        "192.0.2.1",
        "198.51.100.1",
        "203.0.113.1",
        "172.16.0.1",
        "172.31.255.254",
        "168.63.129.16",
    ),
    *("[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[fd00:ec2::254]", "[fc00::1]", "[fe80::1]"),
    *("[fe80::1%25lo]", "[::1%251]", "[fec0::1]", "[ff02::1]", "[2001:db8::1]", "[2001::1]", "[100::1]"),
    *("localhost", "LOCALHOST", "LocalHost", "localhost.", "ⓛocalhost", "localhost%00", "ip6-localhost"),
    *("metadata.google.internal", "printer.local", "user@127.0.0.1", "127.0.0.1:80@example.org"),
]


@pytest.fixture
def tried(monkeypatch):
    return loopback.connections(monkeypatch)


@pytest.fixture
def fetcher():
    return Fetcher(Guard(), retries=0, timeout=5)


def numbers_only(*args, **options):
    """`socket.getaddrinfo` without asking any name server, so that no probe leaves this machine."""
    return _getaddrinfo(*args, **{**options, "flags": socket.AI_NUMERICHOST})


_getaddrinfo = socket.getaddrinfo


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("host", NOTATIONS + OTHERS)
def test_no_notation_of_a_private_address_is_connected_to(monkeypatch, tried, fetcher, scheme, host):
    local = {"localhost", "localhost.", "ip6-localhost", "metadata.google.internal", "printer.local"}
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda name, port, **options: numbers_only("127.0.0.1" if name in local else name, port, **options),
    )
    with pytest.raises(PageError) as caught:
        fetcher.fetch(f"{scheme}://{host}/latest/meta-data/")
    assert tried == []
    assert len(str(caught.value).splitlines()) == 1


UNDERSTOOD = [
    "2130706433",
    "0x7f000001",
    "017700000001",
    "127.1",
    "127.0.1",
    "0",
    "127。0。0。1",
    "[::1]",
    "0x7f.1",
]


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="Windows reads fewer notations")
@pytest.mark.parametrize("host", UNDERSTOOD)
def test_a_notation_that_the_system_understands_is_refused_for_its_address(tried, fetcher, host):
    with pytest.raises(AddressRefused, match=r"the address \S+( of \S+)? is (loopback|unspecified) "):
        fetcher.fetch(f"http://{host}/")
    assert tried == []


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "0.0.0.0", "10.1.2.3", "172.20.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1"),
        *("192.0.0.192", "100.100.100.200", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
        *(
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "2002:a9fe:a9fe::1",
            "fd00:ec2::254",
        ),
        *("fe80::1", "fec0::1", "ff02::1", "2001::1", "2001:db8::1", "64:ff9b:1::1", "::ffff:0:7f00:1"),
    ],
)
@pytest.mark.parametrize(
    "others", [[], [PUBLIC], [PUBLIC, "2606:4700::1"]], ids=["alone", "last", "behind two"]
)
def test_a_name_that_leads_to_a_private_address_is_not_connected_to(
    monkeypatch, tried, fetcher, address, others
):
    asked = loopback.names(monkeypatch, {"pages.example": [*others, address]})
    with pytest.raises(AddressRefused, match="of pages.example is "):
        fetcher.fetch("http://pages.example/")
    assert tried == []
    assert asked == ["pages.example"]


@pytest.mark.parametrize(
    "location",
    [
        *(
            "http://127.0.0.2/",
            "http://2130706434/",
            "http://[::1]/",
            "http://0/",
            "//169.254.169.254/latest",
        ),
        *("http://inside.example/", "https://inside.example/", "http://mixed.example/", "file:///etc/passwd"),
        *(
            "gopher://inside.example/",
            "http://me:pw@inside.example/",
            "http://localhost:22/",
            "ftp://inside.example/",
        ),
        *(
            "http://unknown.example:99999/",
            "javascript:alert(1)",
            "data:text/html,hi",
        ),
    ],
)
def test_a_redirect_to_a_private_address_is_not_followed(monkeypatch, location):
    known = {
        "inside.example": "10.0.0.1",
        "mixed.example": [PUBLIC, "10.0.0.1"],
        "pages.example": "127.0.0.1",
    }
    numbers = ("127.0.0.2", "2130706434", "::1", "0", "169.254.169.254", "localhost")
    with Loopback() as server:
        fetcher = Fetcher(Guard(private_hosts=["pages.example"]), retries=0)
        url = server.url_of("pages.example") + "/moved"
        server.at("/moved", redirect(location))
        loopback.names(monkeypatch, {**known, **dict.fromkeys(numbers, "127.0.0.2")})
        tried = loopback.connections(monkeypatch)
        with pytest.raises(PageError) as caught:
            fetcher.fetch(url)
        assert tried == [("127.0.0.1", server.port)]
        assert str(caught.value).startswith(url)
        assert "pw" not in str(caught.value)


def test_a_redirect_to_a_host_that_no_case_names_is_not_followed(monkeypatch):
    with Loopback() as server:
        loopback.names(monkeypatch, {"pages.example": "127.0.0.1", "other.example": PUBLIC})
        tried = loopback.connections(monkeypatch)
        server.at("/moved", redirect("https://other.example/page"))
        fetcher = Fetcher(Guard(["pages.example"], ["pages.example"]))
        url = server.url_of("pages.example") + "/moved"
        with pytest.raises(AddressRefused) as caught:
            fetcher.fetch(url)
        assert tried == [("127.0.0.1", server.port)]
        assert str(caught.value) == (
            f"{url}, which redirects to https://other.example/page, is refused: no case names the host "
            "other.example (ini jweval_live_hosts allows it)"
        )


@pytest.mark.parametrize("trial", range(100))
def test_an_answer_that_changes_after_it_was_looked_at_changes_nothing(monkeypatch, trial):
    """The first answer of the name server is harmless, every later one is private; or the other way about."""
    first, then = ("127.0.0.1", "127.0.0.2") if trial % 2 else ("127.0.0.2", "127.0.0.1")
    answers = itertools.chain([first], itertools.repeat(then))
    monkeypatch.setattr("pytest_jweval.web.guard.special_kind", _second_is_special)
    with Loopback() as server:
        server.at("/", page("here"))
        asked = loopback.names(monkeypatch, {"rebinding.example": lambda: next(answers)})
        tried = loopback.connections(monkeypatch)
        fetcher = Fetcher(Guard(), retries=0)
        url = server.url_of("rebinding.example") + "/"
        if trial % 2:
            assert fetcher.fetch(url).body == b"here"
            assert tried == [("127.0.0.1", server.port)]
        else:
            with pytest.raises(AddressRefused):
                fetcher.fetch(url)
            assert tried == []
        assert asked == ["rebinding.example"]


def _second_is_special(address: str) -> str | None:
    return "loopback" if address == "127.0.0.2" else None


def test_each_retry_and_each_redirect_looks_again(monkeypatch):
    answers = iter(["127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.2"])
    monkeypatch.setattr("pytest_jweval.web.guard.special_kind", _second_is_special)
    with Loopback() as server:
        loopback.names(monkeypatch, {"turning.example": lambda: next(answers)})
        tried = loopback.connections(monkeypatch)
        server.at("/a", reply(503), redirect("/b"))
        server.at("/b", redirect("/c"))
        server.at("/c", page("never seen"))
        fetcher = Fetcher(Guard(), sleep=lambda _: None)
        with pytest.raises(AddressRefused, match=r"the address 127\.0\.0\.2 of turning\.example is loopback"):
            fetcher.fetch(server.url_of("turning.example") + "/a")
        assert server.targets == ["/a", "/a", "/b"]
        assert tried == [("127.0.0.1", server.port)] * 3


def test_what_is_noted_is_what_happens(monkeypatch):
    """The other tests here would pass if nothing were ever noted."""
    with Loopback() as server:
        tried = loopback.connections(monkeypatch)
        url = server.at("/", page("hello"))
        assert Fetcher(Guard(private_hosts=["127.0.0.1"])).fetch(url).body == b"hello"
        assert tried == [("127.0.0.1", server.port)]


@pytest.mark.parametrize("name", ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"])
def test_a_proxy_of_the_environment_is_not_asked(monkeypatch, name):
    with Loopback() as server, Loopback() as proxy:
        monkeypatch.setenv(name, proxy.url)
        url = server.at("/", page("direct"))
        assert Fetcher(Guard(private_hosts=["127.0.0.1"])).fetch(url).body == b"direct"
        assert proxy.requests == []
