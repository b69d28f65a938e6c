"""What case files say, kept from one run to the next, so that a file that didn't change isn't parsed again.

All files' values stand in one JSON file, each with a hash of the text it was read from, and a hash of the
whole in the first line. Nothing depends on it: missing, stale, damaged or of another version, it is as if it
were empty. Each process writes all it knows in one step, so that workers can't spoil it for each other.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from pytest_jweval.files import write_atomically
from pytest_jweval.loader.document import Document
from pytest_jweval.loader.places import Spot, Trouble

_FORMAT = 1
"""To be raised whenever the same text may be read as something else than before."""


class Value(NamedTuple):
    """What `Document.value` gives."""

    data: Any
    own: Spot


class Compiled:
    """The values of one run's files. ``folder`` may vanish at any moment."""

    def __init__(self, folder: Path, version: str) -> None:
        self._path = folder / f"cases-{version}-{_FORMAT}.json"
        self._kept: dict[str, Any] | None = None
        self._used: set[str] = set()
        self._is_new = False

    def values(self, name: str, documents: Sequence[Document]) -> list[Value | None]:
        """A value for each document; ``None`` for one that must be read to hear what is wrong."""
        if self._kept is None:
            self._kept = self._read()
        self._used.add(name)
        digest = _digest(documents)
        found = _values(self._kept.get(name), digest)
        if found is None:
            found = [_value(document) for document in documents]
            self._kept[name] = [digest, [value and [value.data, *value.own[:2]] for value in found]]
            self._is_new = True
        return found

    def save(self, root: Path) -> None:
        """Write down what is new, without the files that are gone; ``root`` is what names are below."""
        kept, self._kept = self._kept, None  # it served its purpose, and may be large
        if not self._is_new or kept is None:
            return
        self._is_new = False
        alive = {name: kept[name] for name in kept if name in self._used or (root / name).exists()}
        try:
            text = json.dumps(alive, ensure_ascii=True)
            write_atomically(self._path, f"{_sealed(text)}\n{text}")
        except OSError:
            return  # a cache that can't be written costs time, and nothing else

    def _read(self) -> dict[str, Any]:
        try:
            seal, _, text = self._path.read_text("ascii").partition("\n")
            kept = json.loads(text) if seal == _sealed(text) else {}
        except (OSError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}


def _sealed(text: str) -> str:
    return sha256(text.encode("ascii")).hexdigest()


def _digest(documents: Sequence[Document]) -> str:
    """Of the text and of where it is cut."""
    digest = sha256()
    for document in documents:
        digest.update(
            f"{document.lines_above}:{len(document.text)}:{document.text}".encode("utf-8", "replace")
        )
    return digest.hexdigest()


def _values(kept: Any, digest: str) -> list[Value | None] | None:
    """What was kept under this hash, if anything was; the seal says that it is what we wrote."""
    if not kept or kept[0] != digest:
        return None
    return [value and Value(value[0], Spot(value[1], value[2])) for value in kept[1]]


def _value(document: Document) -> Value | None:
    try:
        data, own = document.value()
    except Trouble:
        return None
    return Value(data, own) if isinstance(data, dict) else None
