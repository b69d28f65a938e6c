"""Our own table of addresses: what is public, and what only looks like it."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_jweval.web.addresses import special_kind

SPECIAL = {
    "unspecified": ["0.0.0.0", "0.255.255.255", "::"],
    "loopback": ["127.0.0.1", "127.255.255.254", "::1"],
    "private": ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::1", "fd00:ec2::254"],
    "provider-internal (CGNAT)": ["100.64.0.1", "100.100.100.200", "100.127.255.255"],
    "link-local": ["169.254.169.254", "169.254.0.1", "fe80::1", "febf::1", "fe80::1%1"],
    "cloud metadata": ["168.63.129.16"],
    "multicast": ["224.0.0.1", "239.255.255.255", "ff02::1"],
    "reserved": [
        "240.0.0.1",
        "255.255.255.255",
        "192.0.0.192",
        "192.0.0.1",
        "2001:1::1",
        "4000::1",
        "5f00::1",
        "e000::1",
    ],
    "benchmarking": ["198.18.0.1", "198.19.255.255", "2001:2::1"],
    "documentation": ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
    "IPv4-mapped": ["::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:8.8.8.8"],
    "IPv4-compatible": ["::127.0.0.1", "::7f00:1", "::8.8.8.8"],
    "IPv4-translated": ["::ffff:0:127.0.0.1"],
    "NAT64": ["64:ff9b::a9fe:a9fe", "64:ff9b::7f00:1", "64:ff9b:1::1", "64:ff9b:1:ffff::7f00:1"],
    "6to4": ["2002:a9fe:a9fe::1", "2002:7f00:1::", "192.88.99.1"],
    "Teredo": ["2001::1", "2001:0:7f00:1::"],
    "ISATAP": ["2600::5efe:127.0.0.1", "2600:1234::200:5efe:10.0.0.1"],
    "site-local": ["fec0::1", "feff::1"],
    "discarding": ["100::1"],
}

PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2001:200::1",
    "2001:4860:4860::8888",
    "2003::1",
    "2606:4700:4700::1111",
    "2a00:1450:4001::1",
    "3ffe::1",
]


@pytest.mark.parametrize(
    ("kind", "address"), [(kind, address) for kind, addresses in SPECIAL.items() for address in addresses]
)
def test_a_special_address_is_known_by_its_kind(kind, address):
    assert special_kind(address) == kind


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_nothing_special(address):
    assert special_kind(address) is None


@given(st.ip_addresses(v=4))
def test_no_address_is_called_public_that_python_calls_private(address: IPv4Address):
    if address.is_private or address.is_multicast or address.is_reserved:
        assert special_kind(str(address))


@given(st.ip_addresses(v=6))
def test_nothing_outside_of_the_public_part_of_ipv6_is_public(address: IPv6Address):
    if special_kind(str(address)) is None:
        assert int(address) >> 125 == 1
        assert not address.is_private and not address.is_multicast
        assert address.sixtofour is None and address.teredo is None and address.ipv4_mapped is None


@given(
    st.ip_addresses(v=4),
    st.sampled_from(["::{}", "::ffff:{}", "::ffff:0:{}", "64:ff9b::{}", "2600::5efe:{}"]),
)
def test_an_address_with_another_one_in_it_is_never_public(inner: IPv4Address, form: str):
    assert special_kind(form.format(inner))
