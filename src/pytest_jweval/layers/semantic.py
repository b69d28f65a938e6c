"""L3: does the answer mean the same as the golden one?

Cheap things come first: an answer without content, then keywords, then the cosine of two vectors. Only what
they leave undecided is put to a judge, and without a judge it is ``review``.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_jweval.judges.contentless import is_contentless
from pytest_jweval.judges.embedding import Opinion, joined, opinion, similarity
from pytest_jweval.judges.keywords import Span, forbidden_hits, hits
from pytest_jweval.judges.words import words
from pytest_jweval.layers.meant import SemanticExpected
from pytest_jweval.ports import Context, Embedder, Judge
from pytest_jweval.records import Miss, Ruling, Verdict
from pytest_jweval.texts import excerpt

_AROUND = 40


class Semantic:
    """The layer ``l3``."""

    name = "l3"
    schema = SemanticExpected
    needs_agent = True

    def evaluate(self, context: Context) -> Ruling:
        expected: SemanticExpected = context.expected
        candidate = joined(context.answer)
        if misses := [*_contentless(candidate, context), *_keywords(candidate, expected)]:
            return Ruling.on(misses, {"decided_by": "keywords"})
        embedder: Embedder = context.resource("embedder")
        cosine = similarity(embedder, candidate, expected.golden_answer)
        pass_at, review_min = expected.bands(embedder.bands)
        evidence = {
            "decided_by": "embedding",
            "similarity": cosine,
            "embedder": embedder.name,
            "bands": [pass_at, review_min],
        }
        match opinion(cosine, pass_at, review_min):
            case Opinion.PASS:
                return Ruling(verdict=Verdict.PASS, score=cosine, evidence=evidence)
            case Opinion.FAIL:
                told = f"means something else: cosine {cosine:.2f}, below {review_min:g} ({embedder.name})"
                return _ruling(Verdict.FAIL, cosine, f"the answer {told}", evidence, expected)
            case Opinion.UNDECIDED:
                between = f"cosine {cosine:.2f}, between {review_min:g} and {pass_at:g} ({embedder.name})"
                return _judged(context, candidate, cosine, between, evidence)


def _judged(
    context: Context, candidate: str, cosine: float, between: str, evidence: dict[str, Any]
) -> Ruling:
    expected: SemanticExpected = context.expected
    judge: Judge | None = context.resource("judge")
    if judge is None:
        reason = f"undecided: {between}, and there is no judge (--jw-llm, or the fixture jw_judge)"
        return _ruling(Verdict.REVIEW, cosine, reason, evidence, expected)
    said = judge.opinion(
        question=question_of(context.case.input or {}),
        golden=expected.golden_answer,
        candidate=candidate,
        language=_language_of(context),
        rubric=expected.rubric,
        votes=expected.judge_votes,
        trial=context.trial,
    )
    evidence = {**evidence, "decided_by": "judge", "judge": {"name": judge.name, **said.evidence}}
    if said.verdict is Verdict.PASS:
        return Ruling(verdict=Verdict.PASS, score=cosine, evidence=evidence)
    reason = f"{judge.name} says {said.verdict.value}: {said.reason} ({between})"
    return _ruling(said.verdict, cosine, reason, evidence, expected)


def _ruling(
    verdict: Verdict, cosine: float, reason: str, evidence: dict[str, Any], expected: SemanticExpected
) -> Ruling:
    key = ("expected", "golden_answer")
    miss = Miss(reason=reason, key=key, expected=expected.golden_answer, got=cosine)
    return Ruling(verdict=verdict, score=cosine, reasons=(reason,), misses=(miss,), evidence=evidence)


def _contentless(candidate: str, context: Context) -> Iterator[Miss]:
    if _phrase(candidate) == _phrase(context.expected.golden_answer):
        return  # a golden "Yes." is content enough
    if why := is_contentless(candidate, question_of(context.case.input or {})):
        reason = f"there is nothing to judge: {why}"
        yield Miss(reason=reason, key=("expected", "golden_answer"), got=excerpt(candidate, 80))


def _phrase(text: str) -> list[str]:
    return [word.text for word in words(text)]


def _keywords(candidate: str, expected: SemanticExpected) -> Iterator[Miss]:
    wanted = expected.expected_keywords_any
    if wanted and not any(hits(candidate, keyword) for keyword in wanted):
        reason = f"the answer has none of {', '.join(map(repr, wanted))}"
        yield Miss(reason=reason, key=("expected", "expected_keywords_any"), expected=wanted)
    for place, unwanted in enumerate(expected.expected_keywords_none or ()):
        for hit in forbidden_hits(candidate, unwanted.keyword, unwanted.exceptions)[:1]:
            around = _around(candidate, hit)
            reason = f"unwanted {unwanted.keyword!r} stands in the answer: {around!r}"
            key = ("expected", "expected_keywords_none", place)
            yield Miss(reason=reason, key=key, expected=f"not {unwanted.keyword!r}", got=around)


def _around(text: str, hit: Span) -> str:
    begin, end = max(hit.begin - _AROUND, 0), hit.end + _AROUND
    return f"{'…' if begin else ''}{' '.join(text[begin:end].split())}{'…' if end < len(text) else ''}"


def question_of(asked: Mapping[str, Any]) -> str:
    """The input as a person would put it: its question, or else all that is said in it."""
    for key in ("question", "query", "text", "topic", "reference"):
        if isinstance(asked.get(key), str):
            return str(asked[key])
    return "; ".join(f"{key}: {value}" for key, value in asked.items() if key != "language")


def _language_of(context: Context) -> str | None:
    for known in (context.case.input or {}, context.case.metadata):
        if isinstance(known.get("language"), str):
            return str(known["language"])
    return None
