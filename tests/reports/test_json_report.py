"""The JSON report holds all there is, and can be read again."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime

from pytest_jweval.records import LayerResult, Miss, SuiteReport, Verdict
from pytest_jweval.reports import as_json

NOW = datetime(2026, 5, 30, 12, 0, tzinfo=UTC)


def report(*results):
    return SuiteReport.of(results, started_at=NOW, finished_at=NOW)


RESULT = LayerResult(
    case_id="l1_ñ",
    layer="l1",
    agent="a",
    verdict=Verdict.FAIL,
    score=0.25,
    reasons=("¿por qué? \ud800",),
    misses=(
        Miss(reason="¿por qué? \ud800", key=("expected", "x", 0), line=3, column=5, got={"a": math.inf}),
    ),
    evidence={"odd": "\x1b[31m", "when": NOW, "nan": math.nan},
    duration_ms=7,
    path="golden/ñ.yaml",
    line=2,
)


def test_what_is_written_is_what_is_read():
    text = as_json.render(report(RESULT))
    assert SuiteReport.from_json(text) == report(RESULT)
    assert text.endswith("}\n")


def test_it_is_json_for_anybody_and_readable_as_utf_8():
    text = as_json.render(report(RESULT))
    data = json.loads(text.encode("utf-8"), parse_constant=lambda name: f"not JSON: {name}")
    assert data["results"][0]["reasons"] == ["¿por qué? \ud800"]
    assert data["results"][0]["evidence"] == {"odd": "\x1b[31m", "when": NOW.isoformat(), "nan": "nan"}
    assert "¿por qué?" in text
    assert data["summary"]["l1"] == {"pass": 0, "fail": 1, "review": 0, "skip": 0, "error": 0}


def test_an_empty_report_is_one():
    assert SuiteReport.from_json(as_json.render(report())).results == ()
