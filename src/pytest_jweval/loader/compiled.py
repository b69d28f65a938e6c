"""What case files say, kept from one run to the next, so that a file that didn't change isn't parsed again.

All files' cases stand in one JSON file, each file's with a hash of the text it was read from, and a hash of
the whole in the first line. Nothing depends on it: missing, stale, damaged or of another version, it is as if
it were empty. Each process writes all it knows in one step, so that workers can't spoil it for each other.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from pytest_jweval.files import write_atomically

_FORMAT = 3
"""To be raised whenever the same text may be read as something else than before."""

Row = tuple[str, str, str | None, int, Sequence[str], Sequence[str], str, int]
"""Of a case: its id, layer, agent, line, tags and marks; all that it says, as JSON; and what it asks."""


class Compiled:
    """The cases of one run's files. ``folder`` may vanish at any moment."""

    def __init__(self, folder: Path, version: str) -> None:
        self._path = folder / f"cases-{version}-{_FORMAT}.json"
        self._kept: dict[str, Any] | None = None
        self._used: set[str] = set()
        self._is_new = False

    def rows(self, name: str, text: str) -> list[Row | None] | None:
        """A row for each document that holds a case, ``None`` for one that must be read to hear what's wrong.
        Nothing at all for a file that isn't known with this text."""
        if self._kept is None:
            self._kept = self._read()
        self._used.add(name)
        kept = self._kept.get(name)
        return kept[1] if kept and kept[0] == _digest(text) else None

    def keep(self, name: str, text: str, rows: Sequence[Row | None]) -> None:
        if self._kept is not None:
            self._kept[name] = [_digest(text), rows]
            self._is_new = True

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


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()
