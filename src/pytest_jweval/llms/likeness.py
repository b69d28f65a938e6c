"""Why a call isn't found: what is different in the recording that is likest to it."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any

from pytest_jweval.texts import excerpt, printable

_WORDS = re.compile(r"\w+")
_SHOWN = 60
_MANY = {"parameters", "messages"}


@dataclass(frozen=True)
class Call:
    """The parts of a key, ready to be compared with those of many others."""

    name: str
    request: Mapping[str, Any]

    @cached_property
    def written(self) -> dict[str, str]:
        return {part: json.dumps(value, sort_keys=True) for part, value in self.request.items()}

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(_WORDS.findall(" ".join(self.written.values())))


def likest(call: Call, recordings: Sequence[Call]) -> Call | None:
    """The one with the most equal parts; among those, with the most of the same words."""
    most = max((_equal_parts(call, other) for other in recordings), default=0)
    close = [other for other in recordings if _equal_parts(call, other) == most]
    return max(close, key=lambda other: (_shared_words(call, other), other.name), default=None)


def changes(before: Call, now: Call) -> str:
    """``the model changed ('a' -> 'b'), and the messages changed ('…')``."""
    parts = {**before.written, **now.written}
    changed = [part for part in parts if before.written.get(part) != now.written.get(part)]
    return ", and ".join(_change(part, before.request.get(part), now.request.get(part)) for part in changed)


def _equal_parts(one: Call, other: Call) -> int:
    return sum(other.written.get(part) == value for part, value in one.written.items())


def _shared_words(one: Call, other: Call) -> float:
    return len(one.words & other.words) / max(len(one.words | other.words), 1)


def _change(part: str, before: Any, now: Any) -> str:
    old, new = _shown(before), _shown(now)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    start = max(same - _SHOWN // 3, 0)
    verb = "have changed" if part in _MANY else "has changed"
    return f"the {part} {verb} ({_quoted(old, start)} -> {_quoted(new, start)})"


def _shown(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(each, dict) and "content" in each for each in value):
        return "\n".join(f"{each.get('role')}: {each['content']}" for each in value)
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)


def _quoted(text: str, start: int) -> str:
    return repr(("…" if start else "") + excerpt(printable(text[start:]), _SHOWN))
