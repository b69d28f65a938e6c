"""Results travel between processes and into files, and come back as they were."""

import json
import math
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from pytest_jweval.records import Header, LayerResult, Miss, Ruling, SuiteReport, Verdict

NOW = datetime(2026, 5, 30, 12, 0, tzinfo=UTC)


def result(
    case_id: str = "a", layer: str = "l1", verdict: Verdict = Verdict.PASS, **more: Any
) -> LayerResult:
    return LayerResult(case_id=case_id, layer=layer, verdict=verdict, **more)


def report(*results: LayerResult) -> SuiteReport:
    return SuiteReport.of(results, started_at=NOW, finished_at=NOW + timedelta(seconds=3))


def test_a_result_on_its_way_is_one_line_of_ascii() -> None:
    odd = {
        "path": Path("a"),
        "verdict": Verdict.FAIL,
        "day": NOW,
        "nan": math.nan,
        "half": "\ud800",
        "é": {1, 2},
    }
    text = result(
        evidence=odd, reasons=("línea\n\x1b[31m😀\udc80",), misses=(Miss(reason="r", got=b"\xff"),)
    ).to_json()
    assert text.isascii()
    assert "\n" not in text
    back = LayerResult(**json.loads(text))
    assert back.reasons == ("línea\n\x1b[31m😀\udc80",)
    assert back.evidence == {
        "path": "a",
        "verdict": "fail",
        "day": "2026-05-30T12:00:00+00:00",
        "nan": "nan",
        "half": "\ud800",
        "é": [1, 2],
    }
    assert back.misses[0].got == "\\xff"


def test_misses_make_a_fail_and_each_is_a_reason() -> None:
    ruling = Ruling.on([Miss(reason="one"), Miss(reason="two")], {"seen": 3})
    assert (ruling.verdict, ruling.reasons, ruling.evidence) == (Verdict.FAIL, ("one", "two"), {"seen": 3})
    assert len(ruling.misses) == 2


def test_no_miss_makes_a_pass() -> None:
    assert Ruling.on(iter(())) == Ruling(verdict=Verdict.PASS)


@pytest.mark.parametrize("score", [math.nan, math.inf, "0.5"])
def test_a_score_is_a_number_that_can_be_compared(score: Any) -> None:
    with pytest.raises(ValidationError):
        Ruling(verdict=Verdict.PASS, score=score)


def test_a_verdict_is_one_of_five() -> None:
    assert [verdict.value for verdict in Verdict] == ["pass", "fail", "review", "skip", "error"]
    assert Ruling(verdict="review").verdict is Verdict.REVIEW  # type: ignore[arg-type]  # as JSON gives it
    with pytest.raises(ValidationError):
        Ruling(verdict="passed")  # type: ignore[arg-type]


def test_a_header_is_the_beginning_of_a_result() -> None:
    header = Header("a", "l1", "x", "golden/a.yaml", 3)
    made = LayerResult(**header.to_dict(), verdict=Verdict.ERROR)
    assert (made.case_id, made.layer, made.agent, made.path, made.line) == (
        "a",
        "l1",
        "x",
        "golden/a.yaml",
        3,
    )


def test_every_verdict_of_every_layer_is_counted_also_at_nought() -> None:
    made = report(result("a"), result("b", verdict=Verdict.REVIEW), result("c", "l2", Verdict.ERROR))
    assert made.summary == {
        "l1": {"pass": 1, "fail": 0, "review": 1, "skip": 0, "error": 0},
        "l2": {"pass": 0, "fail": 0, "review": 0, "skip": 0, "error": 1},
    }
    assert made.layers_run == ("l1", "l2")
    assert (report().summary, report().layers_run, report().results) == ({}, (), ())


def test_results_stand_in_the_order_of_files_and_lines_whoever_made_them_first() -> None:
    places = [
        ("b.yaml", 2, "x"),
        ("a.yaml", 10, "y"),
        (None, None, "z"),
        ("a.yaml", 9, "w"),
        ("a.yaml", 9, "v"),
    ]
    made = [result(name, path=path, line=line) for path, line, name in places]
    assert [each.case_id for each in report(*made).results] == ["z", "v", "w", "y", "x"]
    assert report(*made) == report(*reversed(made))


texts = st.text(st.characters())  # lone surrogates too
plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
misses = st.builds(
    Miss,
    reason=texts,
    key=st.lists(texts | st.integers(0, 99), max_size=3).map(tuple),
    expected=plain_values,
    got=plain_values,
    line=st.none() | st.integers(1, 9999),
    column=st.none() | st.integers(1, 9999),
)
results = st.builds(
    LayerResult,
    case_id=texts,
    layer=st.sampled_from(["l1", "l2", "own"]),
    agent=st.none() | texts,
    verdict=st.sampled_from(Verdict),
    score=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    reasons=st.lists(texts, max_size=2).map(tuple),
    misses=st.lists(misses, max_size=2).map(tuple),
    evidence=st.dictionaries(texts, plain_values, max_size=3),
    duration_ms=st.integers(0, 10**6),
    path=st.none() | texts,
    line=st.none() | st.integers(1, 9999),
    warned=st.booleans(),
)
zones = st.sampled_from([UTC, timezone(timedelta(hours=-5, minutes=-30))])
reports = st.builds(
    SuiteReport.of,
    st.lists(results, max_size=4),
    started_at=st.datetimes(timezones=zones),
    finished_at=st.datetimes(timezones=zones),
)


@given(made=results)
@settings(deadline=None)
def test_every_result_comes_back_from_its_line(made: LayerResult) -> None:
    assert made.to_json().isascii()
    assert LayerResult(**json.loads(made.to_json())) == made


@given(made=reports)
@settings(deadline=None)
def test_every_report_comes_back_from_its_json(made: SuiteReport) -> None:
    text = made.to_json()
    text.encode()  # every file can hold it
    assert SuiteReport.from_json(text) == made
    assert SuiteReport.from_json(text).to_json() == text


def test_a_report_is_json_that_people_can_read() -> None:
    text = report(result("a", reasons=("día",))).to_json()
    assert '\n  "results": [\n' in text
    assert "día" in text
    assert list(json.loads(text)) == [
        "format",
        "started_at",
        "finished_at",
        "layers_run",
        "results",
        "summary",
        "diff_vs_baseline",
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"started_at": "yesterday"},
        {"results": [{"case_id": "a"}]},
        {"results": [{"case_id": "a", "layer": "l1", "verdict": "green"}]},
        {"more": 1},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_report_of_another_kind_is_refused(change: dict[str, Any]) -> None:
    data = json.loads(report(result()).to_json()) | change
    with pytest.raises(ValidationError):
        SuiteReport.from_json(json.dumps(data))


@pytest.mark.parametrize("text", ["", "{", "[]", "null"])
def test_what_is_no_report_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        SuiteReport.from_json(text)
