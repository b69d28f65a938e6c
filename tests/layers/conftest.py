"""Judging one answer by L1, without a file and without an agent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_jweval.agents import normalised
from pytest_jweval.layers.expectations import StructuralExpected
from pytest_jweval.layers.structural import Structural
from pytest_jweval.ports import Context
from pytest_jweval.records import GoldenCase, Ruling, parse


@pytest.fixture
def judge() -> Callable[..., Ruling]:
    """`judge(answer, min_findings=1, …)`: the ruling on what an agent gave back."""

    def judge(answer: Any, *, answer_ms: int = 0, **expected: Any) -> Ruling:
        case = GoldenCase(id="case", layer="l1", agent="a", input={}, expected=expected)
        checked = parse(StructuralExpected, expected, ("expected",))
        return Structural().evaluate(Context(case, checked, normalised(answer), answer_ms))

    return judge
