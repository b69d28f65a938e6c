"""A body as it was before it was compressed for the way; never more of it than asked for.

Libraries have had holes here time and again, so this is done by hand: one layer only, piece by piece.
"""

import zlib
from collections.abc import Iterable, Iterator

from pytest_jweval.errors import PageError
from pytest_jweval.texts import excerpt, printable

ACCEPTED = "gzip, deflate"

_GZIP = zlib.MAX_WBITS | 16
_ZLIB = zlib.MAX_WBITS
_RAW = -zlib.MAX_WBITS
_PIECE = 256 * 1024


def decoded_body(pieces: Iterable[bytes], encoding: str, most: int) -> bytes:
    """The whole body; a `PageError` if it is longer than ``most`` bytes or its encoding is broken."""
    body = bytearray()
    for piece in _decoded(pieces, encoding.strip().lower()):
        body += piece
        if len(body) > most:
            raise PageError(f"is too long: more than {_amount(most)}")
    return bytes(body)


def _amount(most: int) -> str:
    return f"{most / 1024**2:g} MiB" if most >= 1024**2 else f"{most:,} bytes"


def _decoded(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    if encoding in ("", "identity"):
        return iter(pieces)
    if encoding in ("gzip", "x-gzip", "deflate"):
        return _inflated(pieces, encoding)
    shown = excerpt(printable(encoding), 60)
    raise PageError(f"is encoded as {shown!r}, though only one of {ACCEPTED} was asked for")


def _inflated(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """gzip may come in several members, one after the other, with zeros between them."""
    inflating = None
    try:
        for piece in pieces:
            left = piece
            while left := left.lstrip(b"\0") if inflating and inflating.eof else left:
                if inflating is None or inflating.eof:
                    inflating = zlib.decompressobj(_window(encoding, left))
                yield from _drained(inflating, left)
                left = inflating.unused_data
    except zlib.error:
        raise PageError(f"can't be read: its {encoding} encoding is broken") from None
    if inflating and not inflating.eof:
        raise PageError(f"can't be read: its {encoding} encoding stops in the middle")


def _drained(inflating: "zlib._Decompress", data: bytes) -> Iterator[bytes]:
    """All that the data gives, in small pieces. A full piece may leave something behind, even of no data."""
    full = True
    while full and not inflating.eof:
        yield (piece := inflating.decompress(data, _PIECE))
        data = inflating.unconsumed_tail
        full = len(piece) == _PIECE


def _window(encoding: str, data: bytes) -> int:
    """``deflate`` should be wrapped by zlib, but some servers never did; the first byte tells."""
    if encoding == "deflate":
        return _ZLIB if data[0] & 0x0F == zlib.DEFLATED else _RAW
    return _GZIP
