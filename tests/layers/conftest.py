"""Judging one answer by one layer, without a file and without an agent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_jweval.agents import normalised
from pytest_jweval.judges.embedders.hashing import HashingEmbedder
from pytest_jweval.layers.citations import Citations
from pytest_jweval.layers.cited import CitationsExpected
from pytest_jweval.layers.expectations import StructuralExpected
from pytest_jweval.layers.meant import SemanticExpected
from pytest_jweval.layers.semantic import Semantic
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


@pytest.fixture
def meant() -> Callable[..., Ruling]:
    """`meant(answer, golden, judge=…, …)`: what L3 says of an answer beside a golden one."""

    def meant(
        answer: Any, golden: str, *, embedder: Any = None, judge: Any = None, asked: Any = None, **others: Any
    ) -> Ruling:
        expected = {"golden_answer": golden, **others}
        asked = {"question": "How is it?"} if asked is None else asked
        case = GoldenCase(id="case", layer="l3", agent="a", input=asked, expected=expected)
        checked = parse(SemanticExpected, expected, ("expected",))
        resources = {"embedder": embedder or HashingEmbedder(), "judge": judge}
        return Semantic().evaluate(Context(case, checked, normalised(answer), resource=resources.get))

    return meant
