"""One document of a file: a case as it was written, before anybody knows whether it is one."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pytest_jweval.loader.limits import LARGEST_DOCUMENT, MOST_DOCUMENTS
from pytest_jweval.loader.places import Spot, Spots, Trouble, own_spot

Reader = Callable[["Document", Spots, bool], Any]
"""Gives a document's value and notes where its top-level keys stand; where every value does, if asked for."""


@dataclass(frozen=True, slots=True)
class Document:
    """Its text, how many lines of the file stand above it, and what can read it."""

    text: str = field(repr=False)
    lines_above: int
    reader: Reader = field(repr=False)

    def value(self) -> tuple[Any, Spot]:
        """What the document says, and where it says who it is; `Trouble` if it can't be read."""
        if len(self.text) > LARGEST_DOCUMENT:
            raise Trouble(
                f"a case of {len(self.text):,} characters (at most {LARGEST_DOCUMENT:,}): "
                "put its data into a file and name that",
                self._first_line(),
            )
        spots: Spots = {}
        value = self.reader(self, spots, False)
        return value, own_spot(spots, Spot(self.lines_above + 1, 1))

    def spots(self) -> Spots:
        """Every value's place, in a document that can be read."""
        found: Spots = {}
        self.reader(self, found, True)
        return found

    def _first_line(self) -> int:
        blank = len(self.text) - len(self.text.lstrip())
        return self.lines_above + 1 + self.text.count("\n", 0, blank)


def too_many_documents() -> Trouble:
    return Trouble(f"more than {MOST_DOCUMENTS:,} cases in one file: split it", 1)
