"""YAML text as documents, read from the parser's events.

Values are built from events and not by PyYAML's composer, for three reasons: libyaml's composer
crashes the process at 30,000 nested brackets, the limits below hold before anything is built, and
every value's place is known for nothing.

Scalars follow YAML's core schema, in which ``no``, ``on``, dates and times are text.
"""

import re
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from pytest_jweval.loader.document import Document, too_many_documents
from pytest_jweval.loader.limits import DEEPEST, LARGEST_DOCUMENT, MOST_ALIASES, MOST_DOCUMENTS, MOST_VALUES
from pytest_jweval.loader.places import Key, Lines, Spot, Spots, Trouble
from pytest_jweval.loader.scalars import Scalar, Unreadable, resolved
from pytest_jweval.loader.yaml_errors import ODD_BREAK, not_yaml, odd_character, odd_escape

Parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# A literal first character makes the search twenty times faster than `^` does.
_BOUNDARY = re.compile(r"\n(?:---|\.\.\.)(?=[ \t\n]|\Z)")
_CONTENT = re.compile(r"^(?!%)[^\S\n]*[^\s#]", re.MULTILINE)
_HALF = re.compile("[\ud800-\udfff]")


def documents(text: str) -> Iterator[Document]:
    """What stands between lines of ``---`` or ``...``; only comments and directives are no document.

    Such a line ends a document wherever it stands, also inside a quoted text, so the cut is safe,
    and a document that can't be read costs only itself.
    """
    if text.isspace():
        return  # so many boundaries to look at, and nothing between them
    found = islice(_BOUNDARY.finditer("\n" + text), MOST_DOCUMENTS + 1)
    starts = [boundary.start() for boundary in found]
    if len(starts) > MOST_DOCUMENTS:
        raise too_many_documents()
    lines_above = 0
    for start, end in pairwise([*dict.fromkeys([0, *starts]), len(text)]):
        part = text[start:end]
        if part.startswith("...") and not part[3:4].strip():
            part = "   " + part[3:]  # it ended the document above, and is none of this one's
        if _says_something(part.removeprefix("---")):
            yield Document(part, lines_above, read)
        lines_above += part.count("\n")


def _says_something(part: str) -> bool:
    """Whether there is more than comments and directives, told without reading far into anything huge."""
    begin = part.lstrip()[:1]
    if begin not in ("#", "%") or len(part) > LARGEST_DOCUMENT:
        return bool(begin)
    return _CONTENT.search(part) is not None


def read(document: Document, spots: Spots, deep: bool) -> Any:
    """The one value of a document; `Trouble` with its place if there isn't one that can be read."""
    try:
        return _Events(document, spots, deep).document()
    except yaml.reader.ReaderError as error:
        raise odd_character(document, error) from None
    except yaml.MarkedYAMLError as error:
        raise not_yaml(document, error) from None
    except (ValueError, OverflowError):
        raise odd_escape(document) from None


class _Events:
    """A recursive reader of one document's events; its depth is limited."""

    def __init__(self, document: Document, spots: Spots, deep: bool) -> None:
        text = document.text
        self._deep = deep
        self._next = Parser(text).get_event
        self._first_line = document.lines_above + 1
        self._spots = spots
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._values = 0
        self._aliases = 0
        self._escapes = "\\" in text
        # The parser also ends lines at three characters at which no editor does.
        odd = not text.isascii() and ODD_BREAK.search(text)
        self._lines = Lines(text, document.lines_above) if odd else None

    def document(self) -> Any:
        self._next()  # the stream's start
        if type(self._next()) is not DocumentStartEvent:
            raise Trouble("the document is empty", self._first_line)
        event = self._next()
        self._spots[()] = self._spot(event)
        value = self._value(event, (), 0)
        self._next()  # the document's end
        after = self._next()
        if type(after) is not StreamEndEvent:
            raise self._trouble(after, "a second document begins here: separate documents with a line of ---")
        return value

    def _value(self, event: Any, key: Key, depth: int) -> Any:
        before = self._values
        self._values += 1
        if before >= MOST_VALUES:
            raise self._trouble(event, f"more than {MOST_VALUES:,} values in one document")
        kind = type(event)
        if kind is AliasEvent:
            return self._alias(event)
        if event.tag is not None:
            raise self._tag(event)
        if kind is ScalarEvent:
            value: Any = self._scalar(event, key)
        elif depth >= DEEPEST:
            raise self._trouble(event, f"nested deeper than {DEEPEST} levels")
        elif kind is MappingStartEvent:
            value = self._mapping(key, depth + 1)
        else:
            value = self._sequence(key, depth + 1)
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, self._values - before)
        return value

    def _mapping(self, path: Key, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        seen: dict[str, Event] = {}
        following, placed = self._next, self._deep or depth == 1
        while type(event := following()) is not MappingEndEvent:
            name = self._name(event)
            if name in seen:
                first = self._spot(seen[name]).line
                raise self._trouble(event, f"the key {name!r} stands here again (first in line {first})")
            seen[name] = event
            inner = path
            if placed:
                inner = (*path, name)
                self._spots[inner] = self._spot(event)
            result[name] = self._value(following(), inner, depth)
        return result

    def _sequence(self, path: Key, depth: int) -> list[Any]:
        result: list[Any] = []
        following, inner = self._next, path
        while type(event := following()) is not SequenceEndEvent:
            if self._deep:
                inner = (*path, len(result))
                self._spots[inner] = self._spot(event)
            result.append(self._value(event, inner, depth))
        return result

    def _name(self, event: Any) -> str:
        """A key, always as it is written: ``no:`` is the key "no"."""
        if type(event) is not ScalarEvent:
            raise self._trouble(event, "a key must be a plain text")
        if event.tag is not None:
            raise self._tag(event)
        name: str = event.value
        if event.implicit[0] and name in ("", "<<"):
            wrong = "merge keys (<<) are not read here: write the keys out" if name else "a key is empty"
            raise self._trouble(event, wrong)
        if self._escapes:
            self._refuse_half(event)
        return name

    def _alias(self, event: AliasEvent) -> Any:
        self._aliases += 1
        value, size = self._anchors.get(event.anchor or "", (None, 0))
        if not size:
            raise self._trouble(event, f"*{event.anchor} names nothing that stands complete above it")
        self._values += size - 1
        if self._aliases > MOST_ALIASES or self._values > MOST_VALUES:
            raise self._trouble(
                event, f"too many aliases (at most {MOST_ALIASES}, {MOST_VALUES:,} values in all)"
            )
        return value

    def _scalar(self, event: Any, key: Key) -> Scalar:
        text: str = event.value
        if not event.implicit[0]:
            if self._escapes:
                self._refuse_half(event)
            return text
        if self._deep and key:
            self._spots[key] = self._spots[key]._replace(written=text)
        try:
            return resolved(text)
        except Unreadable as error:
            raise self._trouble(event, str(error)) from None

    def _refuse_half(self, event: Any) -> None:
        """PyYAML's own parser lets halves of characters through, which libyaml refuses."""
        if _HALF.search(event.value):
            raise self._trouble(event, "half a surrogate pair is no character: write the character itself")

    def _tag(self, event: Any) -> Trouble:
        tag = event.tag.replace("tag:yaml.org,2002:", "!!")
        return self._trouble(event, f"tags are not read here: {tag}")

    def _spot(self, event: Event) -> Spot:
        mark: Any = event.start_mark  # the stubs say it may be missing; no parser leaves it out
        if self._lines is not None:
            return self._lines.spot(mark.index)
        return Spot(self._first_line + mark.line, mark.column + 1)

    def _trouble(self, event: Event, message: str) -> Trouble:
        line, column, _ = self._spot(event)
        return Trouble(message, line, column)
