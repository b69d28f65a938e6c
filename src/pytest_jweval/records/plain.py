"""Any Python value as plain JSON data."""

import dataclasses
import math
from collections.abc import Iterable, Mapping
from datetime import date, time
from enum import Enum
from os import PathLike, fspath

_DEEPEST = 60


def plain(value: object, depth: int = 0) -> object:
    """The nearest JSON value: what a report, a worker's message or a JSON schema can take.

    Enums give their value, paths and dates their text, NaN and infinities their name; what
    has no form of its own gives its ``repr``. A value that contains itself is cut.
    """
    if value is None or (isinstance(value, bool | int) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Enum):
        return plain(value.value, depth)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, PathLike):
        return str(fspath(value))
    return _plain_container(value, depth + 1)


def _plain_container(value: object, depth: int) -> object:
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        return {str(plain(key, depth)): plain(item, depth) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((plain(item, depth) for item in value), key=repr)
    if isinstance(value, list | tuple):
        return [plain(item, depth) for item in value]
    return plain(fields_of(value), depth) if fields_of(value) is not None else repr(value)


def fields_of(value: object) -> Mapping[str, object] | None:
    """The fields of a dataclass instance or a pydantic model, else ``None``."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names: Iterable[str] = (field.name for field in dataclasses.fields(value))
    elif isinstance(getattr(type(value), "model_fields", None), Mapping):
        names = type(value).model_fields  # type: ignore[attr-defined]  # checked on the line above
    else:
        return None
    return {name: getattr(value, name) for name in names}
