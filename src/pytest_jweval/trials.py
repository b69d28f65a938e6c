"""A case that is asked several times, since its agent doesn't always answer the same: one result of many."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from typing import Any

from pytest_jweval.records import Answer, GoldenCase, LayerResult, Verdict, plain
from pytest_jweval.statistics import Trials, wilson_interval

_WORST_FIRST = (Verdict.FAIL, Verdict.ERROR, Verdict.REVIEW, Verdict.SKIP)


@dataclass(frozen=True, slots=True)
class Trial:
    """One asking: its result, and a hash of the answer, by which two answers are known to be the same."""

    result: LayerResult
    answer: str


def tried(case: GoldenCase, try_once: Callable[[int], Trial]) -> LayerResult:
    """Asked until the outcome can't change any more. What is neither pass nor fail decides nothing: where
    it leaves the outcome open, the worst of that is the verdict."""
    rule = Trials(case.samples, case.pass_at_least or case.samples)
    trials: list[Trial] = []
    for number in range(case.samples):
        trials.append(try_once(number))
        if rule.finished(_count(trials, Verdict.PASS), _count(trials, Verdict.FAIL)):
            break
    decided = rule.verdict(_count(trials, Verdict.PASS), _count(trials, Verdict.FAIL))
    if decided is None:
        return _told(trials, rule, _worst(trials, besides=(Verdict.PASS, Verdict.FAIL)))
    return _told(trials, rule, Verdict.PASS if decided else Verdict.FAIL)


def answer_hash(answer: Answer) -> str:
    said = json.dumps(plain(answer), sort_keys=True)
    return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _told(trials: Sequence[Trial], rule: Trials, verdict: Verdict) -> LayerResult:
    passed = _count(trials, Verdict.PASS)
    summary = f"{passed} of {len(trials)} trials passed, and {rule.pass_at_least} of {rule.samples} should"
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


def _evidence(trials: Sequence[Trial], rule: Trials, passed: int) -> dict[str, Any]:
    low, high = wilson_interval(passed, len(trials))
    return {
        "passed": passed,
        "asked": len(trials),
        "pass_at_least": rule.pass_at_least,
        "samples": rule.samples,
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


def _worst(trials: Sequence[Trial], besides: tuple[Verdict, ...]) -> Verdict:
    found = {trial.result.verdict for trial in trials}.difference(besides)
    return min(found, key=_WORST_FIRST.index)


def _count(trials: Sequence[Trial], verdict: Verdict) -> int:
    return sum(trial.result.verdict is verdict for trial in trials)


def _mean(numbers: Sequence[float]) -> float | None:
    return round(sum(numbers) / len(numbers), 4) if numbers else None
