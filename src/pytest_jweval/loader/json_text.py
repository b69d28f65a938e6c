"""JSON and JSONL text as documents.

Lines of JSONL go through the standard reader, for speed. What that one refuses, and every JSON file,
is read by the slower reader below, which knows where it is.
"""

import json
import math
import re
from collections.abc import Iterator
from json.decoder import scanstring  # type: ignore[attr-defined]  # public in effect, absent from the stubs
from typing import Any, NoReturn

from pytest_jweval.loader.limits import DEEPEST, LONGEST_NUMBER
from pytest_jweval.loader.places import Document, Key, Spot, Spots, Trouble


def json_documents(text: str) -> Iterator[Document]:
    """The whole file is one document."""
    if text.strip():
        yield Document(text, 0, read)


def jsonl_documents(text: str) -> Iterator[Document]:
    """A document a line; empty lines don't count."""
    for number, line in enumerate(text.split("\n")):
        if line.strip():
            yield Document(line, number, read_line)


def read(document: Document, spots: Spots, deep: bool) -> Any:  # noqa: ARG001  # it always notes every place
    """The one value of a document; `Trouble` with its place if there isn't one that can be read."""
    return _Placed(document, spots).document()


def read_line(document: Document, spots: Spots, deep: bool) -> Any:
    """The same for a document of one line, whose place is known before it is read."""
    text = document.text
    simple = text.count("[") + text.count("{") < DEEPEST and not _SURROGATE.search(text)
    if simple and not deep:
        try:
            return json.loads(
                text,
                object_pairs_hook=_unique,
                parse_constant=_refuse,
                parse_int=_integer,
                parse_float=_finite,
            )
        except ValueError:
            pass  # read again below, by the reader that can say where the fault is
    return read(document, spots, deep)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key stands twice")
    return result


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number that can be compared")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits} is too large for a number")
    return number


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _integer(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError("a number that long was not meant")
    return int(digits)


_BLANK = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None}
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_WORD = re.compile(r"[A-Za-z]+")


class _Placed:
    """A recursive reader that notes the place of every value; its depth is limited."""

    def __init__(self, document: Document, spots: Spots) -> None:
        self._text = document.text
        self._line = document.lines_above + 1
        self._line_known_at = 0
        self._spots = spots
        self._at = 0

    def document(self) -> Any:
        self._skip()
        value = self._value((), 0)
        self._skip()
        if self._at < len(self._text):
            raise self._trouble("nothing may follow the end of the value")
        return value

    def _value(self, key: Key, depth: int) -> Any:
        if depth > DEEPEST:
            raise self._trouble(f"nested deeper than {DEEPEST} levels")
        opening = self._text[self._at : self._at + 1]
        if opening == "{":
            return self._object(key, depth)
        if opening == "[":
            return self._array(key, depth)
        if opening == '"':
            return self._string()
        return self._atom(key)

    def _object(self, path: Key, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        while self._more("}", first=not result):
            spot = self._spot()
            if self._text[self._at : self._at + 1] != '"':
                raise self._trouble("expected a key in double quotes")
            begin = self._at
            name = self._string()
            if name in result:
                first = self._spots[(*path, name)].line
                raise self._trouble(f"the key {name!r} stands here again (first in line {first})", begin)
            self._spots[(*path, name)] = spot
            self._skip()
            self._expect(":")
            result[name] = self._value((*path, name), depth + 1)
        return result

    def _array(self, path: Key, depth: int) -> list[Any]:
        result: list[Any] = []
        while self._more("]", first=not result):
            key = (*path, len(result))
            self._spots[key] = self._spot()
            result.append(self._value(key, depth + 1))
        return result

    def _more(self, closing: str, *, first: bool) -> bool:
        """Whether another item follows; steps over the opening bracket or the comma before it."""
        if first:
            self._at += 1
        self._skip()
        if self._text[self._at : self._at + 1] == closing:
            self._at += 1
            return False
        if not first:
            self._expect(",")
        return True

    def _expect(self, mark: str) -> None:
        if self._text[self._at : self._at + 1] != mark:
            raise self._trouble(f"not readable as JSON: expected {mark!r}")
        self._at += 1
        self._skip()

    def _string(self) -> str:
        begin = self._at
        try:
            value, self._at = scanstring(self._text, self._at + 1, True)
        except json.JSONDecodeError as error:
            raise self._trouble(f"not readable as JSON: {error.msg}", error.pos) from None
        if _SURROGATE.search(self._text, begin, self._at) and not _encodable(value):
            raise self._trouble("half a surrogate pair is no character", begin)
        return str(value)

    def _atom(self, key: Key) -> Any:
        word = _WORD.match(self._text, self._at)
        if word and word[0] in _WORDS:
            return self._written(key, word[0], _WORDS[word[0]])
        number = _NUMBER.match(self._text, self._at)
        if not number:
            raise self._trouble("not readable as JSON: expected a value")
        if len(number[0]) > LONGEST_NUMBER:
            raise self._trouble(
                f"a number of {len(number[0]):,} characters (put it in quotes if it is a text)"
            )
        value = float(number[0]) if number[1] or number[2] else int(number[0])
        if value in (math.inf, -math.inf):
            raise self._trouble(f"{number[0]} is too large for a number")
        return self._written(key, number[0], value)

    def _written(self, key: Key, text: str, value: Any) -> Any:
        self._at += len(text)
        if key:
            self._spots[key] = self._spots[key]._replace(written=text)
        return value

    def _skip(self) -> None:
        found = _BLANK.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _spot(self, at: int | None = None) -> Spot:
        at = self._at if at is None else at
        step = self._text.count("\n", self._line_known_at, at) if at >= self._line_known_at else 0
        step -= self._text.count("\n", at, self._line_known_at)
        self._line, self._line_known_at = self._line + step, at
        return Spot(self._line, at - self._text.rfind("\n", 0, at))

    def _trouble(self, message: str, at: int | None = None) -> Trouble:
        spot = self._spot(at)
        return Trouble(message, spot.line, spot.column)
