"""Where a case was written, and how the lines of what failed are found again."""

from dataclasses import dataclass, field
from pathlib import Path

from pytest_jweval.loader.document import Document
from pytest_jweval.loader.places import Spot, Spots, Trouble, own_spot, place
from pytest_jweval.loader.reading import Stamp, documents_again, glimpse, stamp_of
from pytest_jweval.loader.scenarios import case_spots
from pytest_jweval.records import LayerResult, Miss

_LONGEST_LINE = 300


@dataclass(frozen=True, slots=True)
class Source:
    """A document of a file. It is read again only if a failure has to be shown, and only if the
    file is as it was: a line of an edited file would mislead more than none."""

    path: Path
    shown: str
    ordinal: int
    line: int
    stamp: Stamp | None = field(default=None, repr=False)

    def at(self, line: int, ordinal: int) -> "Source":
        """Another document of the same file, and the line where it says who it is."""
        return Source(self.path, self.shown, ordinal, line, self.stamp)

    def pinpoint(self, result: LayerResult) -> LayerResult:
        """The same result, each of its misses with the line that asked for what was missed."""
        placed = self.placed(result.misses)
        return result if placed is result.misses else result.model_copy(update={"misses": placed})

    def placed(self, misses: tuple[Miss, ...]) -> tuple[Miss, ...]:
        if all(miss.line is not None for miss in misses):
            return misses
        spots = self._spots()
        own = own_spot(spots, Spot(self.line, 1))
        return tuple(place(miss, spots, own) for miss in misses)

    def lines_around(self, line: int, above: int = 2) -> list[tuple[int, str]]:
        """The line and up to two lines of the document above it, numbered; none if the file has changed."""
        text, lines_above = self._text()
        lines = text.split("\n") if text else []
        first, last = max(line - above - lines_above, 1), min(line - lines_above, len(lines))
        return [(lines_above + n, _cut(lines[n - 1])) for n in range(first, last + 1)]

    def _text(self) -> tuple[str, int]:
        """The document's text and how many lines stand above it; a file's, if it couldn't be cut into any."""
        if self.stamp is None:
            return glimpse(self.path), 0
        document = self._document()
        return (document.text, document.lines_above) if document else ("", 0)

    def _spots(self) -> Spots:
        document = self._document()
        try:
            return case_spots(document.spots()) if document else {}
        except Trouble:
            return {}

    def _document(self) -> Document | None:
        if self.stamp is None:
            return None
        try:
            if stamp_of(self.path) == self.stamp:
                return documents_again(self.path, self.stamp)[self.ordinal]
        except (Trouble, IndexError):
            pass  # gone, or changed in the meantime
        return None


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1]}…"
