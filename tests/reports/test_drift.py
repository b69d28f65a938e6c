"""What of a report is drift, and what is not; whatever stands in it."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from pytest_jweval.records import LayerResult, SuiteReport
from pytest_jweval.reports.drift import JudgedCase, drift_of
from pytest_jweval.reports.reading import UnreadableReport, read_report

NOON = datetime(2026, 5, 30, 12, 0, tzinfo=UTC)
GONE = {
    "url": "https://example.org/es/john-3",
    "kind": "gone",
    "reason": "HTTP 404",
    "phrases": ["tanto amó Dios al mundo"],
    "snapshot": "snapshots/ab.html",
    "nearest": None,
}
CHANGED = {**GONE, "kind": "changed", "nearest": {"text": "Dios amó tanto", "similarity": 0.87}}


def result(verdict="fail", case_id="one", path="golden/l2/one.yaml", layer="l2", line=3, **evidence):
    return LayerResult(case_id=case_id, layer=layer, verdict=verdict, path=path, line=line, evidence=evidence)


def drift(*results):
    report = SuiteReport.of(results, started_at=NOON, finished_at=NOON)
    return drift_of(SuiteReport.from_json(report.to_json()))


def case_of(*entries, **fields):
    (case,) = drift(result(drift=list(entries), **fields)).drifted
    return case


def test_a_failed_case_with_drift_is_told_in_full():
    case = case_of({**CHANGED, "vanished": "Porque tanto amó Dios al mundo"})
    assert case.title == "golden/l2/one.yaml:3 one"
    assert [list(page.lines()) for page in case.pages] == [
        [
            "https://example.org/es/john-3",
            "changed: HTTP 404",
            "looked for: tanto amó Dios al mundo",
            "it said: Porque tanto amó Dios al mundo",
            "nearest (0.87): Dios amó tanto",
            "snapshot: snapshots/ab.html",
        ]
    ]


def test_what_is_not_known_of_a_page_has_no_line():
    case = case_of({"url": "https://example.org/a", "kind": "gone", "reason": "HTTP 410"})
    assert list(case.pages[0].lines()) == ["https://example.org/a", "gone: HTTP 410"]


@pytest.mark.parametrize("verdict", ["error", "review", "skip", "pass"])
def test_only_a_failure_is_drift(verdict):
    assert drift(result(verdict, drift=[GONE])).drifted == ()


@pytest.mark.parametrize(
    ("verdict", "evidence", "is_green"),
    [
        ("pass", {"live": True}, True),
        ("pass", {}, False),
        ("pass", {"live": False}, False),
        ("pass", {"live": "true"}, False),
        ("error", {"live": True}, False),
        ("fail", {"live": True}, False),
        ("review", {"live": True}, False),
    ],
)
def test_green_is_a_case_that_passed_on_live_pages(verdict, evidence, is_green):
    found = drift(result(verdict, **evidence))
    assert [case.case_id for case in found.green] == ["one"] * is_green
    assert found.drifted == ()


def test_other_layers_may_mean_something_else_by_drift():
    found = drift(result(layer="l4", drift=0.3), result("pass", layer="l4", live=True))
    assert (found.drifted, found.green) == ((), ())


def test_cases_come_in_the_order_of_the_report():
    paths = ["golden/b.yaml", "golden/a.yaml", "golden/c.yaml"]
    found = drift(*(result(path=path, case_id=path[-6], drift=[GONE]) for path in paths))
    assert [case.case_id for case in found.drifted] == ["a", "b", "c"]


def test_a_case_that_stands_twice_in_a_report_is_one_and_drift_wins():
    other = {**GONE, "url": "https://example.org/other"}
    found = drift(result("pass", live=True), result(drift=[GONE]), result(drift=[GONE, other]))
    assert [len(case.pages) for case in found.drifted] == [2]
    assert found.green == ()


def test_a_case_that_passed_here_and_broke_there_is_not_green():
    assert drift(result("pass", live=True), result("error")).green == ()


def test_a_case_is_known_by_its_id_and_its_path():
    keys = {
        JudgedCase(case_id, path, None).key
        for case_id, path in [("a", "b"), ("b", "a"), ("ab", None), ("ab", "b"), ("a", None), ("a\x00", "b")]
    }
    assert len(keys) == 6
    assert JudgedCase("a", "golden/l2/a.yaml", 1).key == JudgedCase("a", r"golden\l2\a.yaml", 9).key


@pytest.mark.parametrize(
    "change",
    [
        {"reason": "HTTP 404, seen at 12:01:07"},
        {"snapshot": None},
        {"nearest": {"text": "3 minutes ago", "similarity": 0.31}},
        {"nearest": None, "vanished": "something"},
    ],
)
def test_what_differs_with_each_visit_is_no_change(change):
    assert case_of({**CHANGED, **change}).fingerprint == case_of(CHANGED).fingerprint


@pytest.mark.parametrize(
    "change", [{"url": "https://example.org/b"}, {"kind": "gone"}, {"phrases": ["another"]}, {"phrases": []}]
)
def test_another_page_another_kind_and_other_phrases_are_a_change(change):
    assert case_of({**CHANGED, **change}).fingerprint != case_of(CHANGED).fingerprint


def test_the_order_of_pages_and_phrases_is_no_change():
    other = {**GONE, "url": "https://example.org/b", "phrases": ["x", "y"]}
    turned = {**other, "phrases": ["y", "x"]}
    assert case_of(GONE, other).fingerprint == case_of(turned, GONE).fingerprint
    assert case_of(GONE, other).fingerprint != case_of(GONE).fingerprint


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        (3, "'drift' must be a list of mappings"),
        ("", "'drift' must be a list of mappings"),
        ({}, "'drift' must be a list of mappings"),
        ({"url": "x"}, "'drift' must be a list of mappings"),
        (["x"], "'drift' must be a list of mappings"),
        ([[]], "'drift' must be a list of mappings"),
        ([{}], "'kind' must be text"),
        ([{**GONE, "kind": 1}], "'kind' must be text"),
        ([{**GONE, "kind": "moved\n\n# x"}], "'kind' must be gone or changed, not 'moved # x'"),
        ([{**GONE, "url": None}], "'url' must be text"),
        ([{**GONE, "url": " "}], "'url' must be text"),
        ([{**GONE, "url": ["https://example.org"]}], "'url' must be text"),
        ([{**GONE, "reason": {}}], "'reason' must be text"),
        ([{**GONE, "phrases": "tanto"}], "'phrases' must be a list of texts"),
        ([{**GONE, "phrases": [1]}], "'phrases' must be a list of texts"),
        ([{**GONE, "snapshot": 1}], "'snapshot' must be text"),
        ([{**GONE, "vanished": []}], "'vanished' must be text"),
        ([{**GONE, "nearest": "x"}], "'nearest' must be a mapping"),
        ([{**GONE, "nearest": {}}], "'nearest.similarity' must be a number between 0 and 1"),
        (
            [{**GONE, "nearest": {"text": "x", "similarity": True}}],
            "'nearest.similarity' must be a number between 0 and 1",
        ),
        (
            [{**GONE, "nearest": {"text": "x", "similarity": float("nan")}}],
            "'nearest.similarity' must be a number between 0 and 1",
        ),
        (
            [{**GONE, "nearest": {"text": "x", "similarity": 1e308}}],
            "'nearest.similarity' must be a number between 0 and 1",
        ),
        ([{**GONE, "nearest": {"text": 1, "similarity": 1}}], "'text' must be text"),
        ([GONE, {**GONE, "url": 1}], "'url' must be text"),
    ],
)
def test_a_field_of_a_wrong_type_is_one_line_with_its_case(entries, why):
    with pytest.raises(UnreadableReport) as error:
        drift(result(drift=entries))
    assert str(error.value) == f"has a drift that can't be read, of golden/l2/one.yaml:3 one: {why}"


def test_an_empty_list_is_no_drift_and_neither_is_null():
    assert drift(result(drift=[]), result(case_id="two", drift=None)).drifted == ()


def test_an_unknown_field_is_left_alone():
    assert case_of({**GONE, "since": "2026-05-01"}).pages == case_of(GONE).pages


def test_what_a_page_said_is_one_printable_line_of_a_length_that_can_be_read():
    entry = {**CHANGED, "reason": "a\nb\r\nc\u202e\x00" + "x" * 10_000, "phrases": ["p\u2028q"] * 30}
    lines = list(case_of(entry, case_id="i\nd", path="gol\nden.yaml").pages[0].lines())
    assert lines[1].startswith(r"changed: a b\x0d c\u202e\x00xxx")
    assert lines[1].endswith("…")
    assert lines[2] == r"looked for: p\u2028q"
    assert lines[12] == "looked for: 20 more"
    assert all(len(line) <= 520 and line.isprintable() for line in lines)
    assert case_of(entry, case_id="i\nd", path="gol\nden.yaml").title == "gol den.yaml:3 i d"


def test_a_case_without_a_place_is_named_by_its_id():
    assert case_of(GONE, path=None, line=None).title == "one"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "report.json"


def empty(**fields):
    report = SuiteReport.of([], started_at=NOON, finished_at=NOON)
    return json.dumps({**json.loads(report.to_json()), **fields})


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
def test_a_report_is_read(file, mark):
    file.write_bytes(mark + empty().encode())
    assert read_report(file).results == ()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "can't be read: it is no JSON"),
        (b"{", "can't be read: it is no JSON"),
        (b"[" * 100_000, "can't be read: it is no JSON"),
        (b"9" * 10_000, "can't be read: it is no JSON"),
        (b"\xff\xfe{", "can't be read: it is no UTF-8"),
        (b"[]", "is no report of golden cases: a report is a mapping"),
        (b"{}", "is no report of golden cases: 'started_at' is missing"),
        (empty(results=3).encode(), "is no report of golden cases: 'results' must be a list"),
        (empty(format="x").encode(), "is no report of golden cases: 'format'"),
        (empty(format=0).encode(), "is no report of golden cases: 'format'"),
        (
            empty(format=2, news=[]).encode(),
            "was written by a later pytest-jweval, in format 2: update the one that reads it",
        ),
    ],
)
def test_a_report_that_cannot_be_read_is_one_line(file, content, why):
    file.write_bytes(content)
    with pytest.raises(UnreadableReport) as error:
        read_report(file)
    assert str(error.value).startswith(why)
    assert "\n" not in str(error.value)


def test_a_file_that_is_missing_or_a_folder_is_one_line(file, tmp_path):
    with pytest.raises(UnreadableReport, match=r"can't be read: No such file or directory$"):
        read_report(file)
    with pytest.raises(UnreadableReport, match=r"can't be read: \w+"):
        read_report(tmp_path)


def test_importing_it_imports_nothing_heavy():
    heavy = "{'pydantic', 'subprocess', 'yaml', 'httpx', 'pytest', 'typer'}"
    program = f"import sys, pytest_jweval.reports.drift; print(sorted({heavy} & sys.modules.keys()))"
    command = [sys.executable, "-c", program]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"
