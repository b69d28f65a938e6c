"""What contains itself, never ends or breaks when it is looked at is cut, soon."""

import json
import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from pytest_jweval.records import plain


@dataclass
class Point:
    x: int
    y: Any


class Array:
    def __init__(self, value: Any) -> None:
        self.value = value

    def tolist(self) -> Any:
        return self.value


def cycle_of_lists() -> Any:
    value: list[Any] = [1]
    value += [value, value]
    return value


def cycle_of_everything() -> Any:
    value: dict[str, Any] = {"a": 1}
    value["b"] = [Point(1, (value, Array(value)))]
    return value


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (cycle_of_lists(), [1, "…", "…"]),
        (cycle_of_everything(), {"a": 1, "b": [{"x": 1, "y": ["…", "…"]}]}),
    ],
    ids=["lists", "everything"],
)
def test_a_value_that_contains_itself_is_cut(value: Any, form: Any) -> None:
    assert plain(value) == form


def test_a_value_that_stands_twice_is_no_cycle() -> None:
    shared = {"a": 1}
    assert plain([shared, shared]) == [{"a": 1}, {"a": 1}]


class Endless:
    def tolist(self) -> Any:
        return [Endless()]


def nest(depth: int) -> Any:
    value: Any = "bottom"
    for _ in range(depth):
        value = [value]
    return value


def doubled(depth: int) -> Any:
    """Small in memory, and 2 ** depth values written out."""
    value: Any = ["x"]
    for _ in range(depth):
        value = [value, value]
    return value


@pytest.mark.parametrize(
    "value",
    [nest(100_000), doubled(50), range(10**12), {"a": range(10**12)}, Endless()],
    ids=lambda v: type(v).__name__,
)
def test_what_is_too_deep_or_too_large_is_cut_soon(value: Any) -> None:
    began = time.process_time()
    text = json.dumps(plain(value))
    assert time.process_time() - began < 2
    assert json.dumps("…") in text


class Spiteful:
    """Answers every look with an exception."""

    def __repr__(self) -> str:
        raise RuntimeError

    def __len__(self) -> int:
        raise RuntimeError


class SpitefulArray:
    def tolist(self) -> Any:
        raise KeyError("tolist")


class SpitefulMapping(dict[str, Any]):
    def items(self) -> Any:
        raise OSError("gone")


def test_what_is_cut_out_of_a_mapping_leaves_a_mark() -> None:
    assert plain([range(10**6), {"a": 1}]) == [[*range(199_998), "…"], {"…": "…"}]


@dataclass
class HalfMade:
    x: int = field(init=False)


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (Spiteful(), "<Spiteful, which raised RuntimeError>"),
        (SpitefulArray(), "<SpitefulArray, which raised KeyError>"),
        (SpitefulMapping(a=1), "<SpitefulMapping, which raised OSError>"),
        (HalfMade(), "<HalfMade, which raised AttributeError>"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_object_that_raises_when_it_is_looked_at_costs_only_itself(value: Any, form: str) -> None:
    assert plain({"before": 1, "it": value, "after": 2}) == {"before": 1, "it": form, "after": 2}
