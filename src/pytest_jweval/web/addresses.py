"""Which addresses are on the public internet.

The table is our own: ``ipaddress.is_global`` calls several of these public, and differs between
versions of Python. An address with another one in it is refused whatever that is, because who
unpacks it, and where to, is not known here.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_SPECIAL_4 = {
    "0.0.0.0/8": "unspecified",
    "10.0.0.0/8": "private",
    "100.64.0.0/10": "provider-internal (CGNAT)",  # 100.100.100.200: Alibaba's metadata
    "127.0.0.0/8": "loopback",
    "168.63.129.16/32": "cloud metadata",  # Azure's, on an address that is public elsewhere
    "169.254.0.0/16": "link-local",  # 169.254.169.254: nearly everybody's metadata
    "172.16.0.0/12": "private",
    "192.0.0.0/24": "reserved",  # 192.0.0.192: Oracle's metadata
    "192.0.2.0/24": "documentation",
    "192.31.196.0/24": "reserved",
    "192.52.193.0/24": "reserved",
    "192.88.99.0/24": "6to4",
    "192.168.0.0/16": "private",
    "192.175.48.0/24": "reserved",
    "198.18.0.0/15": "benchmarking",
    "198.51.100.0/24": "documentation",
    "203.0.113.0/24": "documentation",
    "224.0.0.0/4": "multicast",
    "240.0.0.0/4": "reserved",
}

_SPECIAL_6 = {
    "::/128": "unspecified",
    "::1/128": "loopback",
    "::/96": "IPv4-compatible",
    "::ffff:0:0/96": "IPv4-mapped",
    "::ffff:0:0:0/96": "IPv4-translated",
    "64:ff9b::/96": "NAT64",
    "64:ff9b:1::/48": "NAT64",
    "100::/64": "discarding",
    "2001::/32": "Teredo",
    "2001:2::/48": "benchmarking",
    "2001::/23": "reserved",
    "2001:db8::/32": "documentation",
    "2002::/16": "6to4",
    "2620:4f:8000::/48": "reserved",
    "3fff::/20": "documentation",
    "fc00::/7": "private",  # fd00:ec2::254: Amazon's metadata
    "fe80::/10": "link-local",
    "fec0::/10": "site-local",
    "ff00::/8": "multicast",
    # Nothing else of 2000::/3 is special, and nothing outside of it has been given to anybody.
    "::/3": "reserved",
    "4000::/2": "reserved",
    "8000::/1": "reserved",
}

_NETWORKS_4 = [(IPv4Network(network), kind) for network, kind in _SPECIAL_4.items()]
_NETWORKS_6 = [(IPv6Network(network), kind) for network, kind in _SPECIAL_6.items()]

_ISATAP = (0x00005EFE, 0x02005EFE)


def special_kind(address: str) -> str | None:
    """What kind of address it is if no public page can be there, else ``None``."""
    parsed = ip_address(address)
    if isinstance(parsed, IPv4Address):
        return next((kind for network, kind in _NETWORKS_4 if parsed in network), None)
    kind = next((kind for network, kind in _NETWORKS_6 if parsed in network), None)
    return kind or ("ISATAP" if _has_isatap_form(parsed) else None)


def _has_isatap_form(address: IPv6Address) -> bool:
    return int(address) >> 32 & 0xFFFFFFFF in _ISATAP
