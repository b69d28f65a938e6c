"""Vectors on disk: 256 files to which lines are only ever added.

A line is whole or ignored: it begins with a line break, so that what a killed process left before it stays a
line of its own, and carries a checksum. So nobody needs a lock, and a process sees what others add.
"""

import sys
from array import array
from binascii import a2b_base64, b2a_base64
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from zlib import crc32

from pytest_jweval.judges.sound import Vector


class Shards:
    """One embedder's vectors, by text. ``folder`` may vanish at any moment."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read_up_to: dict[str, int] = {}
        self._read: dict[str, bytes] = {}

    def find(self, texts: Iterable[str]) -> dict[str, Vector]:
        """Those that are there."""
        keys = {text: _key(text) for text in texts}
        for shard in sorted({_shard(key) for key in keys.values()}):
            self._read.update((line[:_KEY].decode(), line) for line in self._added(shard) if _is_whole(line))
        return {text: _vector(self._read[key]) for text, key in keys.items() if key in self._read}

    def add(self, vectors: dict[str, Vector]) -> None:
        by_shard: dict[str, bytes] = {}
        for text, vector in vectors.items():
            key = _key(text)
            by_shard[_shard(key)] = by_shard.get(_shard(key), b"") + _line(key, vector)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            for shard, lines in by_shard.items():
                # Unbuffered, so that it is one write, which the system puts behind those of others.
                with (self._folder / shard).open("ab", buffering=0) as stream:
                    stream.write(lines)
        except OSError:
            return  # a cache that can't be written costs time, and nothing else

    def _added(self, shard: str) -> list[bytes]:
        """The lines that weren't there when the file was last looked at."""
        begin = self._read_up_to.get(shard, 0)
        try:
            with (self._folder / shard).open("rb") as stream:
                if stream.seek(0, 2) < begin:  # it was removed, and begun anew
                    begin = 0
                stream.seek(begin)
                added = stream.read()
        except OSError:
            return []
        end = added.rfind(b"\n") + 1  # what comes behind may be on its way
        self._read_up_to[shard] = begin + end
        return added[:end].split(b"\n")


def _key(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _shard(key: str) -> str:
    return f"{key[:2]}.txt"


def _line(key: str, vector: Vector) -> bytes:
    content = key.encode() + b" " + b2a_base64(_little_endian(vector).tobytes(), newline=False)
    return b"\n%b %b\n" % (content, _seal(content))


def _is_whole(line: bytes) -> bool:
    content, _, seal = line.rpartition(b" ")
    return seal == _seal(content)


def _seal(content: bytes) -> bytes:
    return b"%08x" % crc32(content)


def _vector(line: bytes) -> Vector:
    return _little_endian(array("f", a2b_base64(line[_KEY:].split()[0])))


def _little_endian(vector: Vector) -> Vector:
    """On every machine, since a folder may be carried from one to another."""
    if sys.byteorder == "big":
        vector = vector[:]
        vector.byteswap()
    return vector


_KEY = 64
