"""One page's file: how it is named, written and read."""

import re
from hashlib import sha256
from pathlib import Path

from pytest_jweval.errors import PageError
from pytest_jweval.web.charset import decoded
from pytest_jweval.web.urls import page_url

_NAME = re.compile(r"[0-9a-f]{64}\.html")


def page_name(url: str) -> str:
    # Half a character can stand in a URL of a JSON case; no page will be found for it, but that is no crash.
    return f"{sha256(page_url(url).encode('utf-8', 'surrogatepass')).hexdigest()}.html"


def is_page(path: Path) -> bool:
    return _NAME.fullmatch(path.name) is not None and not path.is_dir()


def encoded(html: str) -> bytes:
    """With a BOM if need be, since that outranks another charset that the page may still declare."""
    data = html.encode("utf-8", "xmlcharrefreplace")
    return data if decoded(data) == data.decode() else b"\xef\xbb\xbf" + data


def bytes_of(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise PageError(f"{path} can't be read: {error.strerror or error}") from None


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()
