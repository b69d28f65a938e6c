"""Finding the coroutines that an agent forgot to await, anywhere in its answer."""

import inspect
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from pytest_jweval.records.plain import fields_of

_ATOMS = (str, bytes, int, float, type(None))
_QUICK_LOOK = 200


def forgotten(answer: Any) -> str:
    """Where the first one stands, such as ``findings[0].text``; empty if there is none.

    All of them are closed. Otherwise Python would warn of each later, in somebody else's test.
    """
    if _is_plain_data(answer):
        return ""
    first = ""
    seen: dict[int, Any] = {}  # holds the values too, so that no other comes by the same id
    waiting = [("", answer)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, _ATOMS) or id(value) in seen:
            continue
        seen[id(value)] = value
        if inspect.iscoroutine(value):
            value.close()
        if inspect.isawaitable(value):
            first = first or name or "the answer"
            continue
        with suppress(Exception):  # a property that raises says so when it is read, if it ever is
            waiting.extend(reversed([*_inside(value, name)]))
    return first


def _is_plain_data(answer: Any) -> bool:
    """Whether there is nothing but mappings, lists and atoms; soon given up, for most answers are small."""
    waiting = [answer]
    for _ in range(_QUICK_LOOK):
        if not waiting:
            return True
        value = waiting.pop()
        kind = type(value)
        if kind is dict:
            waiting.extend(value.values())
        elif kind is list or kind is tuple:
            waiting.extend(value)
        elif kind not in _ATOMS and kind is not bool:
            return False
    return False


def _inside(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list | tuple | set | frozenset):
        yield from ((f"{name}[{i}]", item) for i, item in enumerate(value))
        return
    fields = value if isinstance(value, Mapping) else fields_of(value)
    if fields is None:
        fields = {part: getattr(value, part, None) for part in _read_of_object(name)}
    yield from ((f"{name}.{key}".removeprefix("."), item) for key, item in fields.items())


def _read_of_object(name: str) -> tuple[str, ...]:
    """Of objects that list no fields, only what will be read of them: a touch can run anything."""
    return next((parts for place, parts in _READ.items() if re.fullmatch(place, name)), ())


_READ = {
    "": ("findings", "metadata"),
    r"(findings)?\[\d+\]": ("text", "summary", "excerpt", "source", "url", "citation", "metadata"),
    r"(findings)?\[\d+\]\.citation": ("url",),
}
