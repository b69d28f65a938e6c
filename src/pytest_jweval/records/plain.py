"""Any Python value as plain JSON data."""

import dataclasses
import math
import os
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, time
from enum import Enum
from itertools import islice
from typing import Any

_DEEPEST = 60
_MOST = 200_000
_LONGEST_INTEGER_IN_BITS = 4096  # longer ones Python refuses to print
_CUT = "…"
_SMALL, _SHALLOW, _FEW = 2**63, 4, 20


def plain(value: object) -> object:
    """The nearest JSON value: what a report, a worker's message or a JSON schema can take.

    Enums give their value, paths and dates their text, arrays their lists, NaN and infinities
    their name; what has no form of its own gives its ``str`` or ``repr``. A value that contains
    itself is cut with ``…``, and so is one that is deeper or larger than anybody could read.
    """
    try:
        return _quickly(value, 0)
    except _NotSimple:
        return _Plain().of(value)


def fields_of(value: object) -> Mapping[str, object] | None:
    """The fields of a dataclass instance or a pydantic model, else ``None``."""
    if isinstance(value, type):
        return None
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(names := getattr(type(value), "model_fields", None), Mapping):
        extra = getattr(value, "model_extra", None) or {}
        return {**{name: getattr(value, name) for name in names}, **extra}
    return None


class _NotSimple(Exception):
    """To be looked at with care."""


def _quickly(value: Any, depth: int) -> object:
    """A copy of what is small and plain already, as evidence mostly is."""
    kind = type(value)
    if kind is str or kind is bool or value is None or (kind is int and -_SMALL < value < _SMALL):
        return value
    if kind is float and math.isfinite(value):
        return value
    if depth < _SHALLOW and (kind is list or kind is dict) and len(value) <= _FEW:
        if kind is list:
            return [_quickly(item, depth + 1) for item in value]
        if all(type(key) is str for key in value):
            return {key: _quickly(item, depth + 1) for key, item in value.items()}
    raise _NotSimple


class _Plain:
    """One walk through a value; knows what it is inside of, and how much it has seen."""

    def __init__(self) -> None:
        self._left = _MOST
        self._around: set[int] = set()

    def of(self, value: object) -> object:
        self._left -= 1
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, Enum):
            return self.of(value.value)
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, int):
            return int.__int__(value) if value.bit_length() <= _LONGEST_INTEGER_IN_BITS else hex(value)
        if isinstance(value, float):
            number = float.__float__(value)
            return number if math.isfinite(number) else str(number)
        if id(value) in self._around or len(self._around) > _DEEPEST:
            return _CUT
        self._around.add(id(value))
        try:
            return self._inside(value)
        except Exception as error:  # noqa: BLE001  # a stranger's object may raise anything when it is looked at
            return f"<{type(value).__name__}, which raised {type(error).__name__}>"
        finally:
            self._around.remove(id(value))

    def _inside(self, value: object) -> object:
        if isinstance(value, Mapping):
            pairs = list(islice(value.items(), max(self._left, 0)))
            some = {str(self.of(key)): self.of(item) for key, item in pairs}
            return some if len(pairs) == len(value) else {**some, _CUT: _CUT}
        if isinstance(value, bytes | bytearray):
            return value.decode("utf-8", "backslashreplace")
        if isinstance(value, Sequence | AbstractSet):
            items = [self.of(item) for item in islice(value, max(self._left, 0))]
            items = sorted(items, key=repr) if isinstance(value, AbstractSet) else items
            return items if len(items) == len(value) else [*items, _CUT]
        if isinstance(value, date | time):
            return value.isoformat()
        if isinstance(value, os.PathLike):
            return os.fsdecode(value)
        if (fields := fields_of(value)) is not None:
            return self._inside(fields)
        if hasattr(type(value), "tolist"):  # numpy, and what behaves like it
            return self.of(value.tolist())  # type: ignore[attr-defined]  # found on the line above
        return _told(value)


def _told(value: object) -> str:
    """In the words of its own, if it has any; an exception is better told by its name as well."""
    mute = type(value).__str__ is object.__str__ or isinstance(value, BaseException)
    return repr(value) if mute else str(value)
