"""Several findings-out about one answer, and the one verdict that they make."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from pytest_jweval.records import Miss, Ruling, Verdict

_WORST_FIRST = (Verdict.FAIL, Verdict.ERROR, Verdict.REVIEW, Verdict.SKIP)


class Outcome(NamedTuple):
    """Why one part of an answer is no pass. ``miss`` says which key of the case asked for it."""

    verdict: Verdict
    reason: str
    miss: Miss | None = None


def worst(outcomes: Iterable[Outcome], evidence: dict[str, Any]) -> Ruling:
    """The worst decides, and its reasons come first; the others are told as well.

    A wrong answer stays wrong when something else could not be looked at: ``fail`` is worse than ``error``.
    """
    ranked = sorted(outcomes, key=lambda outcome: _WORST_FIRST.index(outcome.verdict))
    return Ruling(
        verdict=ranked[0].verdict if ranked else Verdict.PASS,
        # A miss and its reason must stand at the same place of both lists. A skip, which has none, is last.
        reasons=tuple(outcome.reason for outcome in ranked),
        misses=tuple(outcome.miss for outcome in ranked if outcome.miss),
        evidence=evidence,
    )
