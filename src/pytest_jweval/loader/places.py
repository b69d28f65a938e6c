"""Where things stand in a file."""

from collections.abc import Mapping
from typing import NamedTuple

from pytest_jweval.records import Miss

Key = tuple[str | int, ...]


class Spot(NamedTuple):
    """A line and a column, both from 1; ``written`` is the text of an unquoted scalar."""

    line: int
    column: int
    written: str | None = None


Spots = dict[Key, Spot]
"""Every key path with its place; the empty path is the whole document."""


class Trouble(Exception):
    """A document can't be read; says where."""

    def __init__(self, message: str, line: int, column: int = 1) -> None:
        self.message, self.line, self.column = message, line, column
        super().__init__(f"{line}:{column}: {message}")


class Lines:
    """From an offset in a text to its spot; asked in rising order, all answers cost one walk."""

    def __init__(self, text: str, above: int) -> None:
        self._text = text
        self._first = above + 1
        self._line, self._begin, self._walked = self._first, 0, 0

    def spot(self, offset: int) -> Spot:
        if offset < self._walked:
            self._line, self._begin, self._walked = self._first, 0, 0
        if ends := self._text.count("\n", self._walked, offset):
            self._line += ends
            self._begin = self._text.rfind("\n", self._walked, offset) + 1
        self._walked = offset
        return Spot(self._line, offset - self._begin + 1)


def own_spot(spots: Mapping[Key, Spot], otherwise: Spot) -> Spot:
    """A case stands where its name stands, or else where it begins."""
    return spots.get(("id",)) or spots.get(("name",)) or spots.get(()) or otherwise


def place(miss: Miss, spots: Mapping[Key, Spot], own: Spot) -> Miss:
    """``miss`` at its key; at the nearest key above it, if that one isn't written; else at ``own``."""
    if miss.line is not None:
        return miss
    key = miss.key
    while key and key not in spots:
        key = key[:-1]
    spot = spots[key] if key else own
    return miss.model_copy(update={"line": spot.line, "column": spot.column})
