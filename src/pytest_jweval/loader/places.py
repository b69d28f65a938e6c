"""Where things stand in a file, and how that is found again when a case fails."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pytest_jweval.records import LayerResult, Miss

Key = tuple[str | int, ...]


class Spot(NamedTuple):
    """A line and a column, both from 1; ``written`` is the text of an unquoted scalar."""

    line: int
    column: int
    written: str | None = None


class Trouble(Exception):
    """A document can't be read; says where."""

    def __init__(self, message: str, line: int, column: int = 1) -> None:
        self.message, self.line, self.column = message, line, column
        super().__init__(f"{line}:{column}: {message}")


Spots = dict[Key, Spot]
Reader = Callable[["Document", Spots, bool], Any]
"""Reads a document and notes where its top-level keys stand; if asked for, where every value stands."""


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a file: its text, and how many lines stand above it."""

    text: str = field(repr=False)
    lines_above: int
    read: Reader = field(repr=False)

    def value(self) -> tuple[Any, int]:
        """What the document says, and the line of its ``id`` (or else of its first key)."""
        spots: Spots = {}
        value = self.read(self, spots, False)
        return value, own_line(spots, self.lines_above + 1)

    def spots(self) -> Spots:
        """Every key path of the document with its place; as far as it can be read."""
        found: Spots = {}
        try:
            self.read(self, found, True)
        except Trouble:
            return found
        return found


def own_line(spots: Mapping[Key, Spot], otherwise: int) -> int:
    """A case stands where its name stands."""
    spot = spots.get(("id",)) or spots.get(("name",)) or next(iter(spots.values()), None)
    return spot.line if spot else otherwise


@dataclass(frozen=True, slots=True)
class Source:
    """Where a case was written. The file is read again only if a failure has to be shown."""

    path: Path
    shown: str
    ordinal: int
    line: int
    documents: Callable[[Path], list[Document]] = field(repr=False)

    def pinpoint(self, result: LayerResult) -> LayerResult:
        """The same result, each of its misses with the line that asked for what was missed."""
        return result.model_copy(update={"misses": self.placed(result.misses)})

    def placed(self, misses: tuple[Miss, ...]) -> tuple[Miss, ...]:
        if all(miss.line is not None for miss in misses):
            return misses
        spots = self._spots()
        return tuple(place(miss, spots, self.line) for miss in misses)

    def _spots(self) -> Spots:
        try:
            document = self.documents(self.path)[self.ordinal]
            spots = document.spots()
        except (OSError, Trouble, IndexError):
            return {}
        # Edited since it was collected: a wrong line would mislead more than the case's own.
        return spots if own_line(spots, 0) == self.line else {}

    def lines_around(self, line: int, above: int = 2) -> list[tuple[int, str]]:
        """The line and up to two lines above it, numbered; empty if the file is gone."""
        try:
            text = self.path.read_text("utf-8-sig", errors="replace").splitlines()
        except OSError:
            return []
        first = max(line - above, 1)
        return list(enumerate(text[first - 1 : line], start=first))


def place(miss: Miss, spots: Mapping[Key, Spot], line: int) -> Miss:
    """``miss`` at its key; at the nearest key above it, if that one isn't written; else at ``line``."""
    if miss.line is not None:
        return miss
    key = miss.key
    while key and key not in spots:
        key = key[:-1]
    spot = spots[key] if key else Spot(line, 1)
    return miss.model_copy(update={"line": spot.line, "column": spot.column})
