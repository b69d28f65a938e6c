"""The Markdown page: readable as text, and safe whatever an agent wrote."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_jweval.records import LayerResult, SuiteReport, Verdict
from pytest_jweval.reports import as_markdown

BEGAN = datetime(2026, 5, 30, 12, 0, tzinfo=UTC)


def page(*results):
    report = SuiteReport.of(results, started_at=BEGAN, finished_at=BEGAN + timedelta(seconds=1.5))
    return as_markdown.render(report)


def result(verdict=Verdict.FAIL, **fields):
    return LayerResult(**{"case_id": "case", "layer": "l1", "verdict": verdict, **fields})


def test_the_whole_page():
    assert page(
        result(Verdict.PASS, case_id="l1_ok_es"),
        result(
            case_id="l1_apologetics_trinity_es",
            agent="apologetics",
            path="golden/l1/a.yaml",
            line=2,
            duration_ms=12,
            reasons=("expected at least 3 findings, got 1 (sources seen: verse_text ×1)", "second"),
        ),
        result(Verdict.ERROR, case_id="l1_broken", path="golden/l1/b.yaml", line=1),
        result(Verdict.SKIP, case_id="l2_later", layer="l2", reasons=("no snapshot",)),
    ) == (
        "# Golden cases\n"
        "\n"
        "4 cases, 2026-05-30 12:00:00 UTC, 1.5 s\n"
        "\n"
        "| layer | pass | fail | review | skip | error |\n"
        "|---|---:|---:|---:|---:|---:|\n"
        "| l1 | 1 | 1 | 0 | 0 | 1 |\n"
        "| l2 | 0 | 0 | 0 | 1 | 0 |\n"
        "\n"
        "## fail\n"
        "\n"
        "### l1_apologetics_trinity_es\n"
        "\n"
        "l1, agent apologetics, `golden/l1/a.yaml:2`, 12 ms\n"
        "\n"
        "- expected at least 3 findings, got 1 (sources seen: verse_text ×1)\n"
        "- second\n"
        "\n"
        "## error\n"
        "\n"
        "### l1_broken\n"
        "\n"
        "l1, `golden/l1/b.yaml:1`, 0 ms\n"
        "\n"
        "- no reason was given\n"
        "\n"
        "## skip\n"
        "\n"
        "### l2_later\n"
        "\n"
        "l2, 0 ms\n"
        "\n"
        "- no snapshot\n"
    )


def test_an_empty_report_says_so():
    assert page().endswith("0 cases, 2026-05-30 12:00:00 UTC, 1.5 s\n\nNo golden case ran.\n")


def reason_line(reason):
    return page(result(reasons=(reason,))).splitlines()[-1]


@pytest.mark.parametrize(
    ("reason", "line"),
    [
        ("a | b", r"- a \| b"),
        ("# heading", r"- \# heading"),
        ("a\n# heading\n\n| x | y |", r"- a \# heading \| x \| y \|"),
        ("<script>alert(1)</script>", r"- \<script\>alert(1)\</script\>"),
        ("&lt;b&gt;", r"- \&lt;b\&gt;"),
        ("![x](https://tracker.example/p.png)", r"- !\[x\](https://tracker.example/p.png)"),
        ("`code` and *bold* and ~gone~", r"- \`code\` and \*bold\* and \~gone\~"),
        ("snake_case stays, _this_ and __that__ too", r"- snake_case stays, \_this\_ and \_\_that\_\_ too"),
        ("back\\slash", r"- back\\slash"),
        ("$x$", r"- \$x\$"),
        ("- item", r"- \- item"),
        ("+ item", r"- \+ item"),
        ("---", r"- \---"),
        ("===", r"- \==="),
        ("1. first", r"- 1\. first"),
        ("12) twelfth", r"- 12\) twelfth"),
        ("1.5 s", r"- 1\.5 s"),
        ("    indented", "- indented"),
        ("bell \x07 and \x1b[31mred", r"- bell \x07 and \x1b\[31mred"),
        ("line\u2028separator\x85end", "- line separator end"),
        ("lone \ud800", r"- lone \ud800"),
    ],
)
def test_what_an_agent_wrote_is_shown_as_text(reason, line):
    assert reason_line(reason) == line


@given(st.text(alphabet=st.one_of(st.sampled_from("_ab #|`<>*-=\n\\1.)[]!&~"), st.characters()), max_size=60))
def test_no_text_makes_a_line_of_its_own_or_an_active_character(reason):
    text = page(result(case_id="x", reasons=(reason,), agent=reason or None, layer="l1"))
    assert re.findall(r"^#+ .*$", text, re.MULTILINE) == ["# Golden cases", "## fail", "### x"]
    assert len(text.splitlines()) == 15
    last = text.splitlines()[-1].removeprefix("- ")
    assert not re.search(r"(?<!\\)(\\\\)*[`*\[\]<>|&~#$]", last.replace("\\\\", ""))
    assert not re.match(r"[-+=#>|]|\d+[.)]", last)


def test_ids_are_readable_as_they_are():
    assert "\n### l1_apologetics-trinity_es_2\n" in page(result(case_id="l1_apologetics-trinity_es_2"))


def test_a_layers_name_cant_break_the_table():
    rows = [line for line in page(result(layer="a|b\n|c|")).splitlines() if line.startswith("|")]
    assert len(rows) == 3
    assert rows[2].startswith(r"| a\|b \|c\| | 0 | 1 |")


def test_a_path_is_code_whatever_it_is_called():
    assert ", `` golden/a`b.yaml:1 ``, 0 ms" in page(result(path="golden/a`b.yaml", line=1))


def test_a_reason_is_cut_and_the_cut_is_shown():
    line = reason_line("word " * 100_000)
    assert len(line) < 1100
    assert line.endswith("…")


def test_a_report_of_an_older_form_has_nothing_to_count():
    report = SuiteReport(
        started_at=BEGAN,
        finished_at=BEGAN,
        layers_run=("l1",),
        results=(result(),),
        summary={"l1": {"fail": 1}},
    )
    assert "| l1 | 0 | 1 | 0 | 0 | 0 |" in as_markdown.render(report)
