"""A case that is asked several times has one result, and tells of all its trials."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pytest_jweval import GoldenCase, LayerResult, Ruling, Verdict, defaults
from pytest_jweval.agents import Desk
from pytest_jweval.layers.unbuilt import Unbuilt
from pytest_jweval.registry import Registry
from pytest_jweval.runner import Job, Runner
from pytest_jweval.testing import ScriptedAgent

GOOD: list[str] = ["good"]
BAD: list[str] = []
Run = Callable[..., LayerResult]


@pytest.fixture
def run() -> Iterator[Run]:
    """`run(answers, samples=…)`: an L1 case that wants a finding, asked of an agent that answers in order."""
    registry = Registry()
    defaults.pytest_jweval_register(registry, None)
    desk = Desk(10)

    def run(answers: list[Any], *, layer: Any = None, most: int | None = None, **fields: Any) -> LayerResult:
        runner = Runner(registry.layers, desk, samples=most)
        run.agent = ScriptedAgent(answers)  # type: ignore[attr-defined]  # for the test to look at
        if layer is not None:
            registry.layers["own"] = layer
        case = GoldenCase(
            id="case",
            layer="own" if layer else "l1",
            agent="a",
            input={"q": 1},
            expected={} if layer else {"min_findings": 1},
            **fields,
        )
        return runner.run(Job(case, lambda: {"a": run.agent}))  # type: ignore[attr-defined]

    yield run
    desk.close()


@pytest.mark.parametrize(
    ("answers", "at_least", "verdict", "asked"),
    [
        ([GOOD, GOOD, GOOD], None, "pass", 3),
        ([GOOD, BAD], None, "fail", 2),
        ([GOOD, BAD, GOOD], 2, "pass", 3),
        ([GOOD, GOOD], 2, "pass", 2),
        ([BAD, BAD], 2, "fail", 2),
        ([BAD, GOOD, BAD], 2, "fail", 3),
        ([GOOD], 1, "pass", 1),
    ],
)
def test_it_is_asked_until_the_outcome_is_clear(
    run: Run, answers: list[Any], at_least: int | None, verdict: str, asked: int
) -> None:
    fields = {} if at_least is None else {"pass_at_least": at_least}
    result = run(answers, samples=3, **fields)
    assert result.verdict == verdict
    assert len(run.agent.questions) == asked  # type: ignore[attr-defined]
    told = result.evidence["trials"]
    assert told["asked"] == asked
    assert told["passed"] == sum(bool(answer) for answer in answers)
    assert [bool(one["verdict"] == "pass") for one in told["each"]] == [bool(answer) for answer in answers]


def test_a_failure_tells_how_many_passed_and_what_was_wrong(run: Run) -> None:
    result = run([GOOD, BAD, BAD], samples=4, pass_at_least=3)
    assert result.reasons[0].startswith("expected at least 1 finding, got 0")
    assert result.reasons[-1] == "1 of 3 trials passed, and 3 of 4 should"
    assert result.misses[0].key == ("expected", "min_findings")
    low, high = result.evidence["trials"]["pass_rate_95"]
    assert 0 < low < 1 / 3 < high < 1


def test_an_outage_decides_nothing(run: Run) -> None:
    down = ConnectionError("down")
    assert run([down, GOOD, GOOD], samples=3, pass_at_least=2).verdict == "pass"
    assert run([down, BAD, BAD], samples=3, pass_at_least=2).verdict == "fail"
    open_end = run([down, GOOD, BAD], samples=3, pass_at_least=2)
    assert open_end.verdict == "error"
    assert "ConnectionError: down" in open_end.reasons[0]


def test_flips_of_the_agent_are_told_from_flips_of_the_judge(run: Run) -> None:
    steady = run([GOOD, GOOD], samples=2).evidence["trials"]
    assert (steady["agent_flips"], steady["judge_flips"]) == (False, False)
    agent = run([GOOD, BAD], samples=2).evidence["trials"]
    assert (agent["agent_flips"], agent["judge_flips"]) == (True, False)

    class Moody:
        name = "own"
        schema = Unbuilt.schema
        needs_agent = True

        def evaluate(self, context: Any) -> Ruling:
            return Ruling(verdict=Verdict.FAIL if context.trial else Verdict.PASS, reasons=("moody",))

    judge = run([GOOD, GOOD], layer=Moody, samples=2).evidence["trials"]
    assert (judge["agent_flips"], judge["judge_flips"]) == (False, True)


def test_an_agent_that_never_answers_is_an_error_with_all_its_trials(run: Run) -> None:
    result = run([], samples=2)
    assert result.verdict == "error"
    assert len(result.evidence["trials"]["each"]) == 2


@pytest.mark.parametrize(
    ("answers", "verdict", "asked"),
    [
        ([GOOD] * 7, "pass", 7),
        ([BAD, BAD], "fail", 2),
        ([GOOD, BAD, BAD], "fail", 3),
        ([GOOD, GOOD, BAD, *[GOOD] * 9], "pass", 12),
    ],
)
def test_a_sequential_test_asks_until_it_is_sure(
    run: Run, answers: list[Any], verdict: str, asked: int
) -> None:
    result = run([*answers, *[GOOD] * 20], most=20)
    assert (result.verdict, result.evidence["trials"]["asked"]) == (verdict, asked)


def test_a_sequential_test_that_is_never_sure_is_for_review(run: Run) -> None:
    result = run([*[GOOD] * 6, BAD, *[GOOD] * 20], most=8)
    assert result.verdict == "review"
    assert result.reasons == ("7 of 8 trials passed, where 95% is good and 60% is bad",)


def test_the_run_may_ask_more_often_than_the_case(run: Run) -> None:
    assert run([GOOD] * 20, most=20, samples=2).evidence["trials"]["asked"] == 7


def test_without_anything_to_judge_by_nobody_is_asked_again(run: Run) -> None:
    class Blind:
        name = "own"
        schema = Unbuilt.schema
        needs_agent = True

        def evaluate(self, context: Any) -> Ruling:
            return Ruling(verdict=Verdict.SKIP, reasons=("no page",))

    result = run([GOOD] * 20, layer=Blind, most=20)
    assert (result.verdict, result.evidence["trials"]["asked"]) == ("skip", 1)


def test_what_stands_beside_the_findings_makes_no_other_answer(run: Run) -> None:
    answers = [{"findings": ["good"], "call": number} for number in range(2)]
    assert run(answers, samples=2).evidence["trials"]["agent_flips"] is False
