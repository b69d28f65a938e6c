"""Any Python value has a form that JSON can take, and finding it neither raises nor hangs."""

import json
import math
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from fractions import Fraction
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, HttpUrl

from pytest_jweval.records import Finding, plain


class Colour(Enum):
    RED = "red"
    BOTH = ("red", "blue")


class Number(IntEnum):
    ONE = 1


class Word(StrEnum):
    A = "a"


class Loud(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "LOUD"


class Whole(int):
    def __int__(self) -> int:
        raise RuntimeError


@dataclass
class Point:
    x: int
    y: Any = field(default_factory=list)


class Model(BaseModel):
    model_config = ConfigDict(extra="allow")
    url: HttpUrl
    day: date | None = None


class Array:
    """Like numpy's arrays and scalars: none of Python's number or sequence types."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def tolist(self) -> Any:
        return self.value

    def __repr__(self) -> str:
        return "array(...)"


class Speaks:
    def __str__(self) -> str:
        return "in its own words"


class Pair(NamedTuple):
    a: int
    b: int


FORMS: list[tuple[Any, Any]] = [
    (None, None),
    (True, True),
    (7, 7),
    (Whole(7), 7),
    (1.5, 1.5),
    ("é", "é"),
    (Loud("x"), "x"),
    ("\ud800", "\ud800"),
    (math.nan, "nan"),
    (math.inf, "inf"),
    (-math.inf, "-inf"),
    (2**4000, 2**4000),
    (2**5000, hex(2**5000)),
    (Colour.RED, "red"),
    (Colour.BOTH, ["red", "blue"]),
    (Number.ONE, 1),
    (Word.A, "a"),
    (date(2026, 5, 30), "2026-05-30"),
    (datetime(2026, 5, 30, 12, tzinfo=UTC), "2026-05-30T12:00:00+00:00"),
    (clock(12, 30), "12:30:00"),
    (timedelta(seconds=90), "0:01:30"),
    (PurePosixPath("a/b"), "a/b"),
    (Path("a"), "a"),
    (Decimal("1.50"), "1.50"),
    (Fraction(1, 3), "1/3"),
    (1 + 2j, "(1+2j)"),
    (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (b"caf\xc3\xa9", "café"),
    (b"", ""),
    (b"\xff", "\\xff"),
    (bytearray(b"x"), "x"),
    ([1, (2, 3)], [1, [2, 3]]),
    (Pair(1, 2), [1, 2]),
    (deque([1, 2]), [1, 2]),
    (range(3), [0, 1, 2]),
    ({3, 1, 2}, [1, 2, 3]),
    (frozenset({"b", "a"}), ["a", "b"]),
    ({"a": 1}.keys(), ["a"]),
    ({"a": {1: Word.A}}, {"a": {"1": "a"}}),
    ({None: 1, (1, 2): 2, Word.A: 3}, {"None": 1, "[1, 2]": 2, "a": 3}),
    (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
    (MappingProxyType({"a": 1}), {"a": 1}),
    (Point(1, [Point(2)]), {"x": 1, "y": [{"x": 2, "y": []}]}),
    (Finding(text="t"), {"text": "t", "source": None, "url": None, "metadata": {}}),
    (
        Model.model_validate({"url": "https://example.org/x", "more": Word.A}),
        {"url": "https://example.org/x", "day": None, "more": "a"},
    ),
    (Array(1.5), 1.5),
    (Array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
    (ValueError("no"), "ValueError('no')"),
    (Speaks(), "in its own words"),
    (Point, "<class 'test_records_plain.Point'>"),
    (Array, "<class 'test_records_plain.Array'>"),
]


@pytest.mark.parametrize(("value", "form"), FORMS, ids=lambda value: type(value).__name__)
def test_every_kind_of_value_has_its_form(value: Any, form: Any) -> None:
    assert plain(value) == form
    assert type(plain(value)) is type(form)
    assert plain([value]) == [form]
    json.dumps(plain({"x": value}), allow_nan=False)


def test_an_object_without_words_gives_its_repr() -> None:
    assert str(plain(object())).startswith("<object object at")


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.binary()
    | st.dates(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(st.text() | st.integers(), inner)
        | st.tuples(inner, inner)
        | st.builds(Point, st.integers(), inner)
    ),
    max_leaves=15,
)


@given(value=anything)
@settings(deadline=None)
def test_whatever_comes_out_is_json_and_plain_already(value: Any) -> None:
    form = plain(value)
    assert json.loads(json.dumps(form, allow_nan=False)) == form
    assert plain(form) == form


@given(
    value=st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(2**60), 2**60)
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_what_is_json_already_stays_as_it_is(value: Any) -> None:
    assert plain(value) == value
