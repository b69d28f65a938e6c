"""L3: keywords first, then vectors, then a judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pytest_jweval.errors import CaseError, NotRecorded, ProviderError
from pytest_jweval.layers.meant import SemanticExpected
from pytest_jweval.ports import Judgement
from pytest_jweval.records import Verdict, parse

GOLDEN = "Opened software can be returned within 30 days."


class Near:
    """An embedder for which every two texts have the same cosine."""

    name = "near"
    bands = (0.78, 0.55)

    def __init__(self, cosine: float) -> None:
        self._cosine = cosine
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked += texts
        sine = (1 - self._cosine**2) ** 0.5
        return [[1.0, 0.0], [self._cosine, sine]]


class Says:
    """A judge that says what it is told to."""

    name = "told"

    def __init__(self, verdict: str, reason: str = "because") -> None:
        self._said = Judgement(Verdict(verdict), reason, {"votes": 1})
        self.asked: list[dict[str, Any]] = []

    def opinion(self, **asked: Any) -> Judgement:
        self.asked.append(asked)
        return self._said


@pytest.mark.parametrize(
    ("cosine", "verdict"),
    [(0.9, "pass"), (0.78, "pass"), (0.7799, "review"), (0.55, "review"), (0.5499, "fail")],
)
def test_the_cosine_decides_outside_the_bands(meant, cosine, verdict):
    ruling = meant("It can.", GOLDEN, embedder=Near(cosine))
    assert ruling.verdict == verdict
    assert ruling.score == cosine
    assert ruling.evidence["embedder"] == "near"
    assert ruling.evidence["bands"] == [0.78, 0.55]


def test_a_case_may_have_bands_of_its_own(meant):
    assert meant("It can.", GOLDEN, embedder=Near(0.5), threshold_pass=0.5).verdict == "pass"
    assert meant("It can.", GOLDEN, embedder=Near(0.7), threshold_review_min=0.71).verdict == "fail"


@pytest.mark.parametrize("verdict", ["pass", "fail", "review"])
def test_between_them_the_judge_decides(meant, verdict):
    judge = Says(verdict)
    ruling = meant(
        ["It can.", "Within a month."],
        GOLDEN,
        embedder=Near(0.6),
        judge=judge,
        rubric="the days count",
        judge_votes=3,
        asked={"question": "Can I return it?", "language": "es"},
    )
    assert ruling.verdict == verdict
    assert ruling.evidence["decided_by"] == "judge"
    assert ruling.evidence["judge"] == {"name": "told", "votes": 1}
    assert judge.asked == [
        {
            "question": "Can I return it?",
            "golden": GOLDEN,
            "candidate": "It can.\n\nWithin a month.",
            "language": "es",
            "rubric": "the days count",
            "votes": 3,
            "trial": 0,
        }
    ]
    if verdict != "pass":
        assert ruling.reasons == (
            f"told says {verdict}: because (cosine 0.60, between 0.55 and 0.78 (near))",
        )


def test_without_a_judge_it_is_for_a_person(meant):
    ruling = meant("It can.", GOLDEN, embedder=Near(0.6))
    between = "cosine 0.60, between 0.55 and 0.78 (near)"
    nobody = "there is no judge (--jw-llm, or the fixture jw_judge)"
    assert ruling.reasons == (f"undecided: {between}, and {nobody}",)


@pytest.mark.parametrize("answer", ["", " ", "...", "Solution:", "👍", "How is it?", []])
def test_what_has_no_content_fails_before_anybody_is_asked(meant, answer):
    embedder, judge = Near(1), Says("pass")
    ruling = meant(answer, GOLDEN, embedder=embedder, judge=judge)
    assert ruling.verdict == "fail"
    assert ruling.reasons[0].startswith("there is nothing to judge: ")
    assert (embedder.asked, judge.asked) == ([], [])


def test_a_missing_keyword_fails_whatever_the_cosine(meant):
    embedder = Near(1)
    ruling = meant(
        "In one month.", GOLDEN, embedder=embedder, expected_keywords_any=["30 days", "30 d\u00edas"]
    )
    assert ruling.verdict == "fail"
    assert ruling.reasons == ("the answer has none of '30 days', '30 d\u00edas'",)
    assert ruling.misses[0].key == ("expected", "expected_keywords_any")
    assert embedder.asked == []


@pytest.mark.parametrize("answer", ["WITHIN 30 DAYS.", "en 30-d\u00edas", "it is 30\n dias"])
def test_one_keyword_is_enough_in_whatever_case_and_with_or_without_accents(meant, answer):
    ruling = meant(answer, GOLDEN, embedder=Near(1), expected_keywords_any=["30 days", "30 d\u00edas"])
    assert ruling.verdict == "pass"


def test_an_unwanted_keyword_fails_and_is_shown_where_it_stands(meant):
    ruling = meant(
        "This is the central doctrine of all.",
        GOLDEN,
        embedder=Near(1),
        expected_keywords_none=["never", "Central Doctrine"],
    )
    assert ruling.verdict == "fail"
    assert ruling.misses[0].key == ("expected", "expected_keywords_none", 1)
    assert (
        "unwanted 'Central Doctrine' stands in the answer: 'This is the central doctrine" in ruling.reasons[0]
    )


def test_an_exception_may_be_said_but_nothing_beside_it(meant):
    unwanted = [{"keyword": "central doctrine", "except": ["not the central doctrine"]}]
    said = "It is not the central doctrine."
    assert meant(said, GOLDEN, embedder=Near(1), expected_keywords_none=unwanted).verdict == "pass"
    also = f"{said} Others say it is a central doctrine."
    assert meant(also, GOLDEN, embedder=Near(1), expected_keywords_none=unwanted).verdict == "fail"


@pytest.mark.parametrize("error", [ProviderError("down"), NotRecorded("not recorded")])
def test_an_outage_is_raised_and_becomes_an_error(meant, error):
    class Down(Says):
        def opinion(self, **asked):
            raise error

    with pytest.raises(ProviderError):
        meant("It can.", GOLDEN, embedder=Near(0.6), judge=Down("pass"))


@pytest.mark.parametrize(
    ("expected", "key"),
    [
        ({}, "golden_answer"),
        ({"golden_answer": ""}, "golden_answer"),
        ({"golden_answer": "a", "expected_keywords_any": []}, "expected_keywords_any"),
        ({"golden_answer": "a", "expected_keywords_any": ["..."]}, "expected_keywords_any.0"),
        ({"golden_answer": "a", "expected_keywords_none": "x"}, "expected_keywords_none"),
        ({"golden_answer": "a", "expected_keywords_none": [" "]}, "expected_keywords_none.0.keyword"),
        (
            {"golden_answer": "a", "expected_keywords_none": [{"keyword": "x", "except": []}]},
            "expected_keywords_none.0.except",
        ),
        (
            {"golden_answer": "a", "expected_keywords_none": [{"keyword": "x", "exceptions": ["y"]}]},
            "expected_keywords_none.0.exceptions",
        ),
        ({"golden_answer": "a", "threshold_pass": 1.5}, "threshold_pass"),
        ({"golden_answer": "a", "threshold_pass": "high"}, "threshold_pass"),
        ({"golden_answer": "a", "threshold_pass": 0.2, "threshold_review_min": 0.3}, ""),
        ({"golden_answer": "a", "judge_votes": 0}, "judge_votes"),
        ({"golden_answer": "a", "golden_answers": ["b"]}, "golden_answers"),
    ],
)
def test_what_is_wrong_is_refused_with_its_key(expected, key):
    with pytest.raises(CaseError) as caught:
        parse(SemanticExpected, expected)
    assert key in [".".join(map(str, miss.key)) for miss in caught.value.misses]
