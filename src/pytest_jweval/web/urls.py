"""URLs: what is fetched, and which name the same page."""

import re
from urllib.parse import quote

_URL = re.compile(
    r"""
    ([hH][tT][tT][pP][sS]?) ://
    ((?: [^/?\#]* @ )?)  # user
    (\[ [^\]/?\#@\s]* \] | [^:/?\#@\[\]\s]+)  # host
    ((?: : [0-9]* )?)
    ((?: / [^?\#]* )?)  # path
    ((?: \? [^\#]* )?)
    (?: \# .* )?
    """,
    re.VERBOSE | re.DOTALL,
)
_DEFAULT_PORTS = {"http": "80", "https": "443"}
_HOST = re.compile(r"[a-z0-9._-]+")
_LONGEST_HOST = 253
_ESCAPE = re.compile("%([0-9A-Fa-f]{2})")
_STRAY_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")
_UNRESERVED = re.compile("[A-Za-z0-9._~-]")


def page_url(url: str) -> str:
    """What is fetched, and what names a snapshot: the URL as it is, but for fragment and default port."""
    found = _URL.fullmatch(url.strip())
    if not found:
        return url.strip()
    scheme, user, host, port, path, query = found.groups()
    return f"{scheme}://{user}{host}{'' if _is_default(port, scheme) else port}{path}{query}"


def same_page(url: str) -> str:
    """A key that two URLs share when they name the same page. What is no http URL is its own key."""
    found = _URL.fullmatch(url.strip())
    if not found:
        return url.strip()
    scheme, user, host, port, path, query = found.groups()
    port = "" if _is_default(port, scheme) else f":{_number(port)}"
    query = "" if query == "?" else _escaped(query)
    return f"{scheme.lower()}://{user}{_ascii(host)}{port}{_straight(_escaped(path))}{query}"


def _is_default(port: str, scheme: str) -> bool:
    return port in {"", ":"} or _number(port) == _DEFAULT_PORTS[scheme.lower()]


def _number(port: str) -> str:
    return port[1:].lstrip("0") or "0"


def _ascii(host: str) -> str:
    """As DNS knows it, or only in lower case when it can't be a name in DNS."""
    if len(host) > _LONGEST_HOST:
        return host.lower()
    try:
        name = host.encode("idna").decode().lower()
    except UnicodeError:
        return host.lower()
    # Compatible forms of "/" and the like would make another URL of it.
    return name if _HOST.fullmatch(name) else host.lower()


def _escaped(part: str) -> str:
    """Each character in the one way of writing it: as itself where that is allowed, else as ``%2F``."""
    whole = _STRAY_PERCENT.sub("%25", part)
    return quote(_ESCAPE.sub(_unescaped, whole), safe="%!$&'()*+,/:;=?@[]~", errors="surrogatepass")


def _unescaped(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16))
    return character if _UNRESERVED.fullmatch(character) else found[0].upper()


def _straight(path: str) -> str:
    """Without ``.`` and ``..``, and without a slash at the end."""
    way: list[str] = []
    for step in path.split("/")[1:]:
        if step == "..":
            del way[-1:]
        elif step != ".":
            way.append(step)
    return "".join(f"/{step}" for step in way).rstrip("/")
