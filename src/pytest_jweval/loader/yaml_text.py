"""YAML text as documents, read from the parser's events.

Values are built from events and not by PyYAML's composer, for three reasons: libyaml's composer
crashes the process at 30,000 nested brackets, the limits below hold before anything is built, and
every value's place is known for nothing.

Scalars follow YAML's core schema, in which ``no``, ``on``, dates and times are text.
"""

import math
import re
from collections.abc import Iterator
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

from pytest_jweval.loader.limits import DEEPEST, LONGEST_NUMBER, MOST_ALIASES, MOST_NODES
from pytest_jweval.loader.places import Document, Key, Spot, Spots, Trouble

Parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_SEPARATOR = re.compile(r"^---(?=\s|$)", re.MULTILINE)
_NOTHING = re.compile(r"(?:\s|#[^\n]*|^%[^\n]*|^\.\.\.)*", re.MULTILINE)
_UNREADABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def documents(text: str) -> Iterator[Document]:
    """A document for each ``---``; what holds only comments is none.

    A line that begins with ``---`` separates documents wherever it stands, also inside a quoted
    text, so the cut is safe, and a document that can't be read costs only itself.
    """
    starts = [0, *(found.start() for found in _SEPARATOR.finditer(text))]
    lines_above = 0
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        chunk = text[start:end]
        body = chunk[3:] if start in starts[1:] or chunk.startswith("---") else chunk
        if not _NOTHING.fullmatch(body):
            yield Document(chunk, lines_above, read)
        lines_above += chunk.count("\n")


def read(document: Document, spots: Spots, deep: bool) -> Any:
    """The one value of a document; `Trouble` with its place if there isn't one that can be read."""
    try:
        return _Events(document, spots, deep).document()
    except yaml.reader.ReaderError as error:
        raise _unreadable(document, error) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = " ".join(part for part in (error.context, error.problem) if part)
        line, column = (mark.line, mark.column) if mark else (0, 0)
        raise Trouble(_in_words(message), document.lines_above + line + 1, column + 1) from None


def _in_words(message: str) -> str:
    if "found character that cannot start any token" in message:
        return f"not readable as YAML: {message} (a tab? YAML is indented with spaces)"
    return f"not readable as YAML: {message}"


def _unreadable(document: Document, error: yaml.reader.ReaderError) -> Trouble:
    found = _UNREADABLE.search(document.text)
    if found is None:
        return Trouble(f"not readable as YAML: {error.reason}", document.lines_above + 1)
    line = document.text.count("\n", 0, found.start())
    column = found.start() - (document.text.rfind("\n", 0, found.start()) + 1)
    return Trouble(
        f"the character U+{ord(found[0]):04X} can't stand in a YAML file",
        document.lines_above + line + 1,
        column + 1,
    )


class _Events:
    """A recursive reader of one document's events; its depth is limited."""

    def __init__(self, document: Document, spots: Spots, deep: bool) -> None:
        self._deep = deep
        self._next = Parser(document.text).get_event
        self._above = document.lines_above + 1
        self._spots = spots
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._nodes = 0
        self._aliases = 0

    def document(self) -> Any:
        event = self._next()
        while not isinstance(event, DocumentStartEvent):
            if isinstance(event, StreamEndEvent):
                raise Trouble("the document is empty", self._above)
            event = self._next()
        value = self._value(self._next(), (), 0)
        self._next()  # the document's end
        after = self._next()
        if not isinstance(after, StreamEndEvent):
            raise self._trouble(after, "a second document begins here: separate documents with a line of ---")
        return value

    def _value(self, event: Any, key: Key, depth: int) -> Any:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise self._trouble(event, f"more than {MOST_NODES:,} values in one document")
        if isinstance(event, AliasEvent):
            return self._alias(event)
        if event.tag is not None:
            raise self._trouble(event, f"tags are not read here: {event.tag}")
        if isinstance(event, ScalarEvent):
            value: Any = self._scalar(event, key)
        else:
            if depth >= DEEPEST:
                raise self._trouble(event, f"nested deeper than {DEEPEST} levels")
            before = self._nodes
            inside = self._mapping if isinstance(event, MappingStartEvent) else self._sequence
            value = inside(key, depth + 1)
            if event.anchor is not None:
                self._anchors[event.anchor] = (value, self._nodes - before + 1)
            return value
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, 1)
        return value

    def _mapping(self, path: Key, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        seen: dict[str, Event] = {}
        while not isinstance(event := self._next(), MappingEndEvent):
            name = self._name(event)
            if name in seen:
                first = self._spot(seen[name]).line
                raise self._trouble(event, f"the key {name!r} stands here again (first in line {first})")
            seen[name] = event
            inner = path
            if self._deep or depth == 1:
                inner = (*path, name)
                self._spots[inner] = self._spot(event)
            result[name] = self._value(self._next(), inner, depth)
        return result

    def _sequence(self, path: Key, depth: int) -> list[Any]:
        result: list[Any] = []
        while not isinstance(event := self._next(), SequenceEndEvent):
            inner = path
            if self._deep:
                inner = (*path, len(result))
                self._spots[inner] = self._spot(event)
            result.append(self._value(event, inner, depth))
        return result

    def _name(self, event: Event) -> str:
        """A key, always as it is written: ``no:`` is the key "no"."""
        if not isinstance(event, ScalarEvent):
            raise self._trouble(event, "a key must be a plain text")
        if event.tag is not None:
            raise self._trouble(event, f"tags are not read here: {event.tag}")
        if event.value == "<<" and event.implicit[0]:
            raise self._trouble(event, "merge keys (<<) are not read here: write the keys out")
        if not event.value:
            raise self._trouble(event, "a key is empty")
        return str(event.value)

    def _alias(self, event: AliasEvent) -> Any:
        self._aliases += 1
        value, size = self._anchors.get(event.anchor or "", (None, 0))
        if not size:
            raise self._trouble(event, f"*{event.anchor} names nothing that stands complete above it")
        self._nodes += size
        if self._aliases > MOST_ALIASES or self._nodes > MOST_NODES:
            raise self._trouble(
                event, f"too many aliases (at most {MOST_ALIASES}, {MOST_NODES:,} values in all)"
            )
        return value

    def _scalar(self, event: ScalarEvent, key: Key) -> Any:
        text: str = event.value
        if not event.implicit[0]:
            return text
        if self._deep and key:
            self._spots[key] = self._spots[key]._replace(written=text)
        return self._resolved(event, text)

    def _resolved(self, event: ScalarEvent, text: str) -> Any:
        if text in _WORDS:
            return _WORDS[text]
        if text[0] not in "+-.0123456789":
            return text
        if _NOT_FINITE.fullmatch(text):
            raise self._trouble(event, f"{text} is no number that can be compared")
        integer = _INTEGER.fullmatch(text)
        if not integer and not _FLOAT.fullmatch(text):
            return text
        if len(text) > LONGEST_NUMBER:
            raise self._trouble(
                event, f"a number of {len(text):,} characters (put it in quotes if it is a text)"
            )
        number = int(text, _BASES.get(text[:2], 10)) if integer else float(text)
        if number in (math.inf, -math.inf):
            raise self._trouble(event, f"{text} is too large for a number")
        return number

    def _spot(self, event: Event) -> Spot:
        mark: Any = event.start_mark  # the stubs say it may be missing; no parser leaves it out
        return Spot(self._above + mark.line, mark.column + 1)

    def _trouble(self, event: Event, message: str) -> Trouble:
        line, column, _ = self._spot(event)
        return Trouble(message, line, column)


_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(["", "~", "null", "Null", "NULL"], None),
    **dict.fromkeys(["true", "True", "TRUE"], True),
    **dict.fromkeys(["false", "False", "FALSE"], False),
}
_BASES = {"0o": 8, "0x": 16}
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
