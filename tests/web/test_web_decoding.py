"""Bodies as they were before they were compressed, and never too much of them."""

from __future__ import annotations

import gzip
import itertools
import tracemalloc
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_jweval.errors import PageError
from pytest_jweval.web.decoding import decoded_body

VERSE = "En el principio era el Verbo – 太初有道. ".encode() * 50
MOST = 10 * 1024**2


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def stored_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(0, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


FORMS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "as it is": ("", bytes),
    "identity": ("identity", bytes),
    "gzip": ("gzip", gzip.compress),
    "gzip, an old name": (" X-GZIP ", gzip.compress),
    "gzip in three members": ("gzip", lambda data: b"".join(map(gzip.compress, (data[:9], b"", data[9:])))),
    "gzip with zeros behind it": ("gzip", lambda data: gzip.compress(data) + b"\0" * 700),
    "deflate in a zlib envelope": ("deflate", zlib.compress),
    "deflate without one": ("deflate", raw_deflate),
    "deflate that stores": ("deflate", stored_deflate),
}


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


@pytest.mark.parametrize("size", [1, 2, 7, 65536])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("body", [b"", b"a", VERSE, b"\0" * 1_000_000], ids=["empty", "a", "verse", "zeros"])
def test_a_body_is_what_it_was(body, form, size):
    encoding, pack = FORMS[form]
    packed = pack(body)
    pieces = cut(packed, size) if len(packed) < 100_000 else cut(packed, 65536)
    assert decoded_body(pieces, encoding, MOST) == body


@given(st.binary(max_size=3000), st.sampled_from(sorted(FORMS)), st.integers(1, 500))
def test_any_body_in_any_form_and_any_pieces_is_what_it_was(body, form, size):
    encoding, pack = FORMS[form]
    assert decoded_body(cut(pack(body), size), encoding, MOST) == body


@pytest.mark.parametrize("length", [256 * 1024 * n + extra for n in (1, 2) for extra in (-1, 0, 1)])
def test_a_body_as_long_as_the_pieces_it_is_unpacked_in_is_whole(length):
    for pack, encoding in ((zlib.compress, "deflate"), (raw_deflate, "deflate"), (gzip.compress, "gzip")):
        assert len(decoded_body([pack(b"x" * length)], encoding, MOST)) == length


@pytest.mark.parametrize("form", FORMS)
def test_a_body_is_whole_however_small_the_pieces_it_is_unpacked_in(monkeypatch, form):
    monkeypatch.setattr("pytest_jweval.web.decoding._PIECE", 1)
    encoding, pack = FORMS[form]
    for length in range(400):
        assert decoded_body([pack(bytes(length))], encoding, MOST) == bytes(length)


def test_a_body_of_just_the_limit_is_taken_and_one_byte_more_is_not():
    assert decoded_body([b"x" * 100], "", 100) == b"x" * 100
    with pytest.raises(PageError, match="is too long: more than 100 bytes"):
        decoded_body([b"x" * 101], "", 100)


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, raw_deflate])
def test_a_bomb_stops_at_the_limit_and_takes_little_memory(pack):
    bomb = pack(b"\0" * 200 * 1024**2)
    assert len(bomb) * 900 < 200 * 1024**2
    tracemalloc.start()
    try:
        with pytest.raises(PageError, match="is too long: more than 10 MiB"):
            decoded_body(cut(bomb, 65536), "gzip" if pack is gzip.compress else "deflate", MOST)
        assert tracemalloc.get_traced_memory()[1] < 40 * 1024**2
    finally:
        tracemalloc.stop()


def test_an_endless_body_stops_at_the_limit():
    taken = itertools.count()
    endless = (b"more " * 1000 for _ in taken)
    with pytest.raises(PageError, match="is too long"):
        decoded_body(endless, "", 1_000_000)
    assert next(taken) < 300


@pytest.mark.parametrize(
    "encoding", ["gzip, gzip", "gzip,deflate", "br", "zstd", "compress", "nothing\x1b[31m", "x" * 500]
)
def test_a_nested_or_unknown_encoding_is_named(encoding):
    with pytest.raises(PageError, match="is encoded as '.*', though only one of gzip, deflate") as caught:
        decoded_body([b""], encoding, MOST)
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", b"<html>not packed at all</html>"),
        ("deflate", b"\x78\x9cnot packed at all"),
        ("deflate", b"\xff\xff\xff\xff"),
        ("gzip", gzip.compress(VERSE)[:-8] + b"\0" * 8),
        ("gzip", gzip.compress(VERSE) + b"something else"),
        ("gzip", gzip.compress(VERSE)[:20] + b"\xff" * 20 + gzip.compress(VERSE)[40:]),
    ],
    ids=["no gzip", "no zlib", "no deflate", "wrong sum", "something behind it", "spoilt"],
)
def test_a_broken_encoding_is_an_error_and_never_half_a_page(encoding, body):
    with pytest.raises(PageError, match=f"its {encoding} encoding (is broken|stops in the middle)"):
        decoded_body(cut(body, 7), encoding, MOST)


@pytest.mark.parametrize("form", [form for form in FORMS if form.startswith(("gzip", "deflate"))])
@pytest.mark.parametrize("part", [0.01, 0.5, 0.95])
def test_a_body_that_stops_in_the_middle_is_an_error(form, part):
    encoding, pack = FORMS[form]
    packed = pack(VERSE).rstrip(b"\0") if "zeros" in form else pack(VERSE)
    with pytest.raises(PageError, match="stops in the middle"):
        decoded_body([packed[: max(1, int(len(packed) * part))]], encoding, MOST)
