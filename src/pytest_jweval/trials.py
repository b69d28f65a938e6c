"""A case that is asked several times, since its agent doesn't always answer the same: one result of many."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import combinations
from typing import Any

from pytest_jweval.records import Answer, GoldenCase, LayerResult, Verdict, plain
from pytest_jweval.statistics import Sprt, Trials, wilson_interval

_WORST_FIRST = (Verdict.ERROR, Verdict.REVIEW, Verdict.SKIP)


@dataclass(frozen=True, slots=True)
class Trial:
    """One asking: its result, and a hash of the answer, by which two answers are known to be the same."""

    result: LayerResult
    answer: str


Rule = Trials | Sprt


def rule_of(case: GoldenCase, most: int | None) -> Rule | None:
    """How often to ask: ``most`` times in a sequential test, or as the case says; ``None``: once."""
    if most is not None:
        return Sprt(cap=most)
    return Trials(case.samples, case.pass_at_least or case.samples) if case.samples > 1 else None


def tried(rule: Rule, try_once: Callable[[int], Trial]) -> LayerResult:
    """Asked until the outcome can't change any more. What is neither pass nor fail decides nothing: where
    it leaves the outcome open, the worst of that is the verdict, and ``review`` if there is no such thing."""
    trials: list[Trial] = []
    for number in range(_most(rule)):
        trials.append(try_once(number))
        nothing_to_judge_by = trials[-1].result.verdict is Verdict.SKIP  # another answer wouldn't change that
        if nothing_to_judge_by or rule.finished(_count(trials, Verdict.PASS), _count(trials, Verdict.FAIL)):
            break
    decided = rule.verdict(_count(trials, Verdict.PASS), _count(trials, Verdict.FAIL))
    if decided is None:
        return _told(trials, rule, _undecided(trials))
    return _told(trials, rule, Verdict.PASS if decided else Verdict.FAIL)


def answer_hash(answer: Answer) -> str:
    """Of its findings: a time or a number of the call, which may stand beside them, makes no other answer."""
    said = json.dumps(plain(answer.findings), sort_keys=True)
    return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _told(trials: Sequence[Trial], rule: Rule, verdict: Verdict) -> LayerResult:
    passed = _count(trials, Verdict.PASS)
    summary = f"{passed} of {len(trials)} trials passed, {_wanted(rule)}"
    shown = next((t.result for t in trials if t.result.verdict is verdict), trials[0].result)
    return shown.model_copy(
        update={
            "verdict": verdict,
            "score": _mean([t.result.score for t in trials if t.result.score is not None]),
            "reasons": () if verdict is Verdict.PASS else (*shown.reasons, summary),
            "misses": () if verdict is Verdict.PASS else shown.misses,
            "evidence": {**shown.evidence, "trials": _evidence(trials, rule, passed)},
            "duration_ms": sum(t.result.duration_ms for t in trials),
        }
    )


def _most(rule: Rule) -> int:
    return rule.samples if isinstance(rule, Trials) else rule.cap


def _wanted(rule: Rule) -> str:
    if isinstance(rule, Trials):
        return f"and {rule.pass_at_least} of {rule.samples} should"
    return f"where {rule.p1:.0%} is good and {rule.p0:.0%} is bad"


def _evidence(trials: Sequence[Trial], rule: Rule, passed: int) -> dict[str, Any]:
    low, high = wilson_interval(passed, len(trials))
    return {
        "passed": passed,
        "asked": len(trials),
        "rule": asdict(rule),
        "pass_rate_95": [round(low, 4), round(high, 4)],
        "agent_flips": len({trial.answer for trial in trials}) > 1,
        "judge_flips": any(_judged_otherwise(trials)),
        "each": [
            {
                "verdict": trial.result.verdict.value,
                "score": trial.result.score,
                "answer": trial.answer,
                "reasons": list(trial.result.reasons),
                "evidence": trial.result.evidence,
            }
            for trial in trials
        ],
    }


def _judged_otherwise(trials: Sequence[Trial]) -> Iterator[bool]:
    """For each two trials: the same answer, and another verdict."""
    for one, other in combinations(trials, 2):
        yield one.answer == other.answer and one.result.verdict is not other.result.verdict


def _undecided(trials: Sequence[Trial]) -> Verdict:
    """A sequential test may end without an outcome though each trial had one."""
    found = {trial.result.verdict for trial in trials} - {Verdict.PASS, Verdict.FAIL}
    return min(found, key=_WORST_FIRST.index, default=Verdict.REVIEW)


def _count(trials: Sequence[Trial], verdict: Verdict) -> int:
    return sum(trial.result.verdict is verdict for trial in trials)


def _mean(numbers: Sequence[float]) -> float | None:
    return round(sum(numbers) / len(numbers), 4) if numbers else None
