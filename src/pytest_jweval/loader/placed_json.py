"""A JSON reader that knows where every value stands."""

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]  # public in effect, absent from the stubs
from typing import Any

from pytest_jweval.loader.document import Document
from pytest_jweval.loader.limits import DEEPEST, MOST_VALUES
from pytest_jweval.loader.places import Key, Lines, Spots, Trouble
from pytest_jweval.loader.scalars import Unreadable, finite, integer

_BLANK = re.compile(r"[ \t\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORD = re.compile(r"[A-Za-z]+")
_WORDS = {"true": True, "false": False, "null": None}
_HALF = re.compile("[\ud800-\udfff]")


def read(document: Document, spots: Spots, deep: bool) -> Any:
    """The one value of a document; `Trouble` with its place if there isn't one that can be read."""
    return _Placed(document, spots, deep).document()


class _Placed:
    """A recursive reader; its depth is limited."""

    def __init__(self, document: Document, spots: Spots, deep: bool) -> None:
        self._deep = deep
        self._text = document.text
        self._lines = Lines(document.text, document.lines_above)
        self._spots = spots
        self._at = 0
        self._values = 0

    def document(self) -> Any:
        self._skip()
        self._spots[()] = self._lines.spot(self._at)
        value = self._value((), 0)
        self._skip()
        if self._at < len(self._text):
            raise self._trouble("nothing may follow the end of the value")
        return value

    def _value(self, key: Key, depth: int) -> Any:
        self._values += 1
        if self._values > MOST_VALUES:
            raise self._trouble(f"more than {MOST_VALUES:,} values in one document")
        opening = self._here()
        if opening == '"':
            return self._string()
        if opening not in ("{", "["):
            return self._atom(key)
        if depth >= DEEPEST:
            raise self._trouble(f"nested deeper than {DEEPEST} levels")
        inside = self._object if opening == "{" else self._array
        return inside(key, depth + 1)

    def _object(self, path: Key, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        seen: dict[str, int] = {}
        inner, placed = path, self._deep or depth == 1
        while self._more("}", first=not result):
            name = self._name(seen)
            if placed:
                inner = (*path, name)
                self._spots[inner] = self._lines.spot(seen[name])
            self._skip()
            self._expect(":")
            result[name] = self._value(inner, depth)
        return result

    def _name(self, seen: dict[str, int]) -> str:
        begin = self._at
        if self._here() != '"':
            raise self._trouble("not readable as JSON: expected a key in double quotes")
        name = self._string()
        if name in seen:
            first = self._lines.spot(seen[name]).line
            raise self._trouble(f"the key {name!r} stands here again (first in line {first})", begin)
        seen[name] = begin
        return name

    def _array(self, path: Key, depth: int) -> list[Any]:
        result: list[Any] = []
        inner = path
        while self._more("]", first=not result):
            if self._deep:
                inner = (*path, len(result))
                self._spots[inner] = self._lines.spot(self._at)
            result.append(self._value(inner, depth))
        return result

    def _more(self, closing: str, *, first: bool) -> bool:
        """Whether another item follows; steps over the opening bracket or the comma before it."""
        if first:
            self._at += 1
        self._skip()
        if self._here() == closing:
            self._at += 1
            return False
        if not first:
            self._expect(",", f" or {closing!r}")
        return True

    def _expect(self, mark: str, otherwise: str = "") -> None:
        if self._here() != mark:
            raise self._trouble(f"not readable as JSON: expected {mark!r}{otherwise}")
        self._at += 1
        self._skip()

    def _string(self) -> str:
        begin = self._at
        try:
            value, self._at = scanstring(self._text, begin + 1, True)
        except json.JSONDecodeError as error:
            message = error.msg.removesuffix(" at").removesuffix(" starting")
            raise self._trouble(f"not readable as JSON: {message}", error.pos) from None
        if not value.isascii() and _HALF.search(value):
            raise self._trouble("half a surrogate pair is no character: write the character itself", begin)
        return str(value)

    def _atom(self, key: Key) -> Any:
        if word := _WORD.match(self._text, self._at):
            if word[0] not in _WORDS:
                raise self._trouble(f"{word[0]} is no JSON value (a text stands in double quotes)")
            return self._written(key, word[0], _WORDS[word[0]])
        number = _NUMBER.match(self._text, self._at)
        if number is None:
            raise self._trouble("not readable as JSON: expected a value")
        try:
            value = finite(number[0]) if number[1] or number[2] else integer(number[0])
        except Unreadable as error:
            raise self._trouble(str(error)) from None
        return self._written(key, number[0], value)

    def _written(self, key: Key, text: str, value: Any) -> Any:
        self._at += len(text)
        if self._deep and key:
            self._spots[key] = self._spots[key]._replace(written=text)
        return value

    def _skip(self) -> None:
        found = _BLANK.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _here(self) -> str:
        return self._text[self._at : self._at + 1]

    def _trouble(self, message: str, at: int | None = None) -> Trouble:
        line, column, _ = self._lines.spot(self._at if at is None else at)
        return Trouble(message, line, column)
