"""L1: how many findings, and how long they took."""

from __future__ import annotations

import pytest

SEEN = "(sources seen: verse_text ×2, rag ×1)"


def findings(*sources):
    return [{"text": f"text {i}", "source": source} for i, source in enumerate(sources)]


THREE = findings("verse_text", "verse_text", "rag")


@pytest.mark.parametrize(
    ("expected", "reason"),
    [
        ({"min_findings": 3}, None),
        ({"min_findings": 4}, f"expected at least 4 findings, got 3 {SEEN}"),
        ({"max_findings": 3}, None),
        ({"max_findings": 2}, f"expected at most 2 findings, got 3 {SEEN}"),
        ({"min_findings": 3, "max_findings": 3}, None),
        ({"max_findings": 0}, f"expected at most 0 findings, got 3 {SEEN}"),
        ({"min_findings": 0, "max_findings": 1}, f"expected at most 1 finding, got 3 {SEEN}"),
    ],
)
def test_the_number_of_findings(judge, expected, reason):
    ruling = judge(THREE, **expected)
    assert ruling.reasons == (() if reason is None else (reason,))
    assert ruling.verdict.value == ("pass" if reason is None else "fail")


def test_an_answer_without_findings_says_so(judge):
    assert judge([], min_findings=1).reasons == (
        "expected at least 1 finding, got 0 (the answer has no findings)",
    )


def test_that_nothing_is_found_can_be_expected(judge):
    assert judge([], max_findings=0).verdict.value == "pass"


@pytest.mark.parametrize(
    ("took", "reasons"), [(100, ()), (101, ("the agent took 101 ms, expected at most 100 ms",))]
)
def test_the_agents_time(judge, took, reasons):
    assert judge(THREE, answer_ms=took, max_duration_ms=100).reasons == reasons


def test_a_miss_names_its_key_and_both_values(judge):
    ruling = judge(THREE, answer_ms=7, min_findings=4, max_duration_ms=5)
    assert [(miss.key, miss.expected, miss.got) for miss in ruling.misses] == [
        (("expected", "min_findings"), 4, 3),
        (("expected", "max_duration_ms"), 5, 7),
    ]


def test_the_evidence_says_what_was_seen(judge):
    ruling = judge([*THREE, "no source"], answer_ms=12, min_findings=1)
    assert ruling.evidence == {
        "findings": 4,
        "sources": {"verse_text": 2, "rag": 1, "(none)": 1},
        "answer_ms": 12,
    }


def test_a_reason_stays_short_however_many_sources_there_are(judge):
    ruling = judge(findings(*(f"source {i}" * 100 for i in range(500))), max_findings=1)
    assert ruling.reasons[0].endswith("…)")
    assert len(ruling.reasons[0]) < 1000
