"""Every expectation of every shipped L1 case can fail: a changed answer breaks it, and nothing else.

The answers are the reference agents' own. Each mutation gives changed answers that ought to break its
key; a key without a mutation fails here, so that no new one is forgotten.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, cast

import pytest

from pytest_jweval import Suite, defaults
from pytest_jweval.agents import Desk
from pytest_jweval.loader import Entry, load
from pytest_jweval.records import LayerResult, Verdict
from pytest_jweval.reference import agents
from pytest_jweval.registry import Registry
from pytest_jweval.runner import Job, Runner

GOLDEN = Path(__file__).parents[2] / "golden" / "l1"
REGISTRY = Registry()
defaults.pytest_jweval_register(REGISTRY, None)


@dataclass
class Answer:
    """What the agent will be said to have answered, and how long it took."""

    findings: list[dict[str, Any]]
    duration_ms: int = 0

    def reply(self) -> Any:
        return {"findings": self.findings}


class Told:
    """A desk at which every question has the same answer."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def ask(self, agent: Any, question: Any) -> Answer:
        return self._answer


def entries() -> list[Entry]:
    found = [
        entry for path in sorted(GOLDEN.glob("*.yaml")) for entry in load(path, path.name, REGISTRY.layers)
    ]
    assert all(entry.case for entry in found)
    return found


def judged(entry: Entry, answer: Answer) -> LayerResult:
    assert entry.case is not None
    runner = Runner(REGISTRY.layers, cast("Desk", Told(answer)))
    return runner.run(Job(entry.case, agents, source=entry.source))


@cache
def real_findings(case_id: str) -> list[dict[str, Any]]:
    case = next(entry.case for entry in entries() if entry.name == case_id)
    assert case is not None
    given = agents()[str(case.agent)](case.input or {})
    return list((given if isinstance(given, dict) else asyncio.run(_awaited(given)))["findings"])


async def _awaited(given: Any) -> Any:
    return await given


def with_(finding: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**finding, **changes}


def one_changed(findings: list[dict[str, Any]], **changes: Any) -> Iterator[Answer]:
    for i, finding in enumerate(findings):
        yield Answer([*findings[:i], with_(finding, **changes), *findings[i + 1 :]])


def too_few(least: int, findings: list[dict[str, Any]]) -> Iterator[Answer]:
    text = " ".join(finding["text"] for finding in findings)  # so that no word gets lost
    for kept in combinations(findings, least - 1):
        yield Answer([with_(finding, text=text) for finding in kept])


def too_many(most: int, findings: list[dict[str, Any]]) -> Iterator[Answer]:
    yield Answer(findings + [findings[-1]] * (most + 1 - len(findings)))


def another_source(source: str, findings: list[dict[str, Any]]) -> Iterator[Answer]:
    yield Answer([with_(f, source="other") if f["source"] == source else f for f in findings])


def another_order(sources: list[str], findings: list[dict[str, Any]]) -> Iterator[Answer]:
    yield Answer(findings[::-1])


def no_source(wanted: bool, findings: list[dict[str, Any]]) -> Iterator[Answer]:
    yield from one_changed(findings, source=None)
    yield Answer([*findings, with_(findings[-1], source=None)])


def no_url(wanted: bool, findings: list[dict[str, Any]]) -> Iterator[Answer]:
    yield from one_changed(findings, url="")


def with_forbidden_words(words: list[str], findings: list[dict[str, Any]]) -> Iterator[Answer]:
    first, *others = findings
    yield Answer([with_(first, text=f"{first['text']} {words[-1].upper()}!"), *others])


def without_required_words(words: list[str], findings: list[dict[str, Any]]) -> Iterator[Answer]:
    pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
    yield Answer([with_(finding, text=pattern.sub("…", finding["text"])) for finding in findings])


def too_slow(most: int, findings: list[dict[str, Any]]) -> Iterator[Answer]:
    yield Answer(findings, duration_ms=most + 1)


MUTATIONS: dict[str, Callable[[Any, list[dict[str, Any]]], Iterator[Answer]]] = {
    "min_findings": too_few,
    "max_findings": too_many,
    "must_have_source": another_source,
    "sources_in_order": another_order,
    "must_have_citation": no_source,
    "must_have_url": no_url,
    "forbidden_keywords_in_findings": with_forbidden_words,
    "required_keywords_any": without_required_words,
    "max_duration_ms": too_slow,
}


def broken_along_with(key: str, expected: dict[str, Any]) -> set[str]:
    """What no answer can fulfil once ``key`` is broken: nothing has a source where there is nothing."""
    order = expected.get("sources_in_order", [])
    along: set[str] = set()
    if key == "min_findings":
        left = expected[key] - 1
        along |= {"sources_in_order"} if len(order) > left else set()
        along |= {"must_have_source", "required_keywords_any"} if left == 0 else set()
    if key == "must_have_source" and expected[key] in order:
        along.add("sources_in_order")
    return along & set(expected)


def missed(result: LayerResult) -> set[str]:
    return {str(miss.key[1]) for miss in result.misses}


EVERY_KEY = [
    pytest.param(entry, key, id=f"{entry.name}-{key}")
    for entry in entries()
    if entry.case
    for key in entry.case.expected
]


def test_the_shipped_cases_are_all_here():
    assert len(entries()) >= 12
    assert {str(entry.header.agent) for entry in entries()} == set(agents())


def test_the_real_answers_pass():
    report = Suite(GOLDEN, agents=agents()).run()
    assert {result.case_id: result.reasons for result in report.results if result.verdict != "pass"} == {}
    assert report.summary["l1"]["pass"] == len(entries())


@pytest.mark.parametrize(("entry", "key"), EVERY_KEY)
def test_an_answer_changed_for_one_expectation_fails_at_exactly_that_key(entry: Entry, key: str):
    assert entry.case is not None
    assert key in MUTATIONS, f"no mutation breaks {key!r}: write one"
    findings = real_findings(entry.name)
    assert judged(entry, Answer(findings)).verdict is Verdict.PASS

    changed = MUTATIONS[key](entry.case.expected[key], deepcopy(findings))
    results = [result for answer in changed if key in missed(result := judged(entry, answer))]
    assert results, f"no mutation broke {key!r}"
    nearest = min(results, key=lambda result: len(missed(result)))

    assert nearest.verdict is Verdict.FAIL
    assert missed(nearest) == {key} | broken_along_with(key, entry.case.expected)
    miss = next(miss for miss in nearest.misses if miss.key[1] == key)
    assert miss.reason in nearest.reasons
    assert key_at(GOLDEN / str(nearest.path), miss.line) == key


def key_at(path: Path, line: int | None) -> str | None:
    """The key of `expected` that a line of a case belongs to."""
    above = path.read_text("utf-8").splitlines()[: line or 0]
    keys = (re.match(r"  (\w+):", text) for text in reversed(above))
    return next((found[1] for found in keys if found), None)
