"""How near an answer is to the golden one, and whether that is near enough."""

from collections.abc import Sequence
from enum import StrEnum
from math import fsum, hypot, isfinite
from operator import mul

from pytest_jweval.ports import Embedder
from pytest_jweval.records import Answer


class Opinion(StrEnum):
    """Of vectors alone; what is undecided is for a model or a person."""

    PASS = "pass"  # noqa: S105  # a verdict, no password
    FAIL = "fail"
    UNDECIDED = "undecided"


def joined(answer: Answer) -> str:
    """What all findings say, each a paragraph."""
    return "\n\n".join(finding.text for finding in answer.findings if finding.text.strip())


def similarity(embedder: Embedder, candidate: str, golden: str) -> float:
    """The cosine of both texts, to 4 digits: what is reported is what is judged, and the last bits of a
    model's vectors are not the same on every machine. A text that says nothing is like nothing: 0."""
    if not candidate.strip() or not golden.strip():
        return 0.0
    first, second = embedder.embed([candidate, golden])
    return round(cosine(first, second), 4)


def opinion(similarity: float, pass_at: float, review_min: float) -> Opinion:
    """``pass`` from ``pass_at`` on, ``fail`` below ``review_min``; both bounds are part of what is above."""
    if not -1 <= review_min <= pass_at <= 1:
        raise ValueError(
            f"thresholds must be -1 <= review_min <= pass_at <= 1, not {review_min:g} and {pass_at:g}"
        )
    if similarity >= pass_at:
        return Opinion.PASS
    return Opinion.FAIL if similarity < review_min else Opinion.UNDECIDED


def cosine(first: Sequence[float], second: Sequence[float]) -> float:
    """From -1 to 1; 0 where one has no direction, being all zeros."""
    if len(first) != len(second):
        raise ValueError(f"vectors of {len(first)} and {len(second)} numbers can't be compared")
    lengths = hypot(*first) * hypot(*second)
    if not isfinite(lengths):
        raise ValueError("vectors with NaN or infinity in them can't be compared")
    return max(-1.0, min(1.0, fsum(map(mul, first, second)) / lengths)) if lengths else 0.0
