"""Reports on disk and the terminal's closing words."""

import json

import pytest
from projects import Project

from pytest_jweval import SuiteReport


@pytest.fixture
def cases(project: Project) -> Project:
    project.case("good")
    project.case("bad", "notes", expected={"min_findings": 9})
    project.case("later", layer="pairs", expected={})
    return project


def test_json_and_markdown_in_one_run(cases: Project):
    cases.plain_run("--jw-report", "json:out/deep/report.json", "--jw-report=md:out/report.md")
    text = (cases.root / "out/deep/report.json").read_text("utf-8")
    report = SuiteReport.from_json(text)
    assert report.layers_run == ("l1", "pairs")
    assert report.summary == {
        "l1": {"pass": 1, "fail": 1, "review": 0, "skip": 0, "error": 0},
        "pairs": {"pass": 0, "fail": 0, "review": 0, "skip": 0, "error": 1},
    }
    assert json.loads(text)["results"][0]["case_id"] == "bad"
    page = (cases.root / "out/report.md").read_text("utf-8")
    assert "| l1 | 1 | 1 | 0 | 0 | 0 |" in page
    assert "expected at least 9 findings, got 2" in page
    assert "golden/l1/bad.yaml:5" in page or "golden/l1/bad.yaml:1" in page


def test_a_result_says_where_it_was_missed(cases: Project):
    report = cases.run().report
    assert report is not None
    bad = report.results[0]
    assert (bad.case_id, bad.agent, bad.path, bad.line) == ("bad", "notes", "golden/l1/bad.yaml", 1)
    (miss,) = bad.misses
    assert (miss.key, miss.expected, miss.got, miss.line) == (("expected", "min_findings"), 9, 2, 5)


def test_reports_are_an_ini_key_too(cases: Project):
    cases.ini("jweval_report =\n  json:a.json\n  md:b.md\n")
    cases.plain_run()
    assert (cases.root / "a.json").exists()
    assert (cases.root / "b.md").exists()


def test_a_report_path_is_relative_to_where_pytest_was_started(cases: Project):
    cases.plain_run("--jw-report=json:here.json", cwd=cases.root / "golden")
    assert (cases.root / "golden/here.json").exists()


def test_the_second_run_replaces_the_report(cases: Project):
    first, second = cases.run(), cases.run("--jw-layer=pairs")
    assert first.report is not None
    assert len(first.report.results) == 3
    assert second.verdicts == {"later": "error"}
    assert [file.name for file in cases.root.iterdir() if "report" in file.name] == ["report.json"]


def test_an_empty_run_still_writes_the_report_it_was_asked_for(project: Project):
    run = project.run()
    assert run.exit == pytest.ExitCode.NO_TESTS_COLLECTED
    assert run.report is not None
    assert run.report.results == ()


@pytest.mark.parametrize("dry", ["--co", "--setup-only", "--setup-plan"])
def test_a_dry_run_leaves_the_report_of_the_last_run_alone(cases: Project, dry: str):
    cases.run()
    cases.plain_run(dry, "-q", "--jw-report=json:report.json")
    assert len(SuiteReport.from_json((cases.root / "report.json").read_text("utf-8")).results) == 3


@pytest.mark.parametrize("workers", ["-n0", "-n2"])
def test_a_report_that_cant_be_written_is_told_and_never_green(project: Project, workers: str):
    project.case("good")
    project.write("folder/file.txt", "")
    result = project.plain_run(
        "-p", "xdist", workers, "--jw-report=json:folder", "--jw-report=md:folder/file.txt/x.md"
    )
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    text = result.stdout.str()
    assert "ERROR: json:folder can't be written: Is a directory" in text
    assert "ERROR: md:folder/file.txt/x.md can't be written: " in text
    assert "INTERNALERROR" not in text
    assert "1 passed" in text


def test_the_terminal_counts_per_layer_and_agent(cases: Project):
    lines = cases.run().text.splitlines()
    at = next(i for i, line in enumerate(lines) if "golden cases" in line)
    assert lines[at + 1 : at + 4] == [
        "l1     notes   1 fail",
        "l1     verses  1 pass",
        "pairs  verses  1 error",
    ]


def test_quiet_is_quiet(cases: Project):
    assert "golden cases" not in cases.run("-q").text


def test_a_project_of_only_ordinary_tests_sees_no_word_of_us(project: Project):
    project.write("test_plain.py", "def test_plain(): pass\n")
    assert "golden" not in project.plain_run().stdout.str()


def test_a_format_from_a_hook(project: Project):
    project.write(
        "conftest.py",
        """
        class Words:
            def render(self, report):
                return f"{len(report.results)} results"

        def pytest_jweval_register(registry, config):
            registry.reports["words"] = Words
        """,
    )
    project.plain_run("--jw-report=words:words.txt")
    assert (project.root / "words.txt").read_text() == "0 results"
