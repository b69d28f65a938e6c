"""Judging one answer by one layer, without a file and without an agent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_jweval.agents import normalised
from pytest_jweval.layers.citations import Citations
from pytest_jweval.layers.cited import CitationsExpected
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


@pytest.fixture
def cited() -> Callable[..., Ruling]:
    """`cited(urls, pages, expected_citations=[…], …)`: what L2 says of an answer that cites these URLs."""

    def cited(urls: Any, pages: Any, *, nli: Any = None, **expected: Any) -> Ruling:
        findings = [{"text": "said so", "url": url} if isinstance(url, str) else url for url in urls]
        case = GoldenCase(id="case", layer="l2", agent="a", input={}, expected=expected)
        checked = parse(CitationsExpected, expected, ("expected",))
        resources = {"pages": pages, "nli": nli}
        answer = normalised({"findings": findings})
        return Citations().evaluate(Context(case, checked, answer, resource=resources.get))

    return cited
