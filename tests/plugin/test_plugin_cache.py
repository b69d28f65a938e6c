"""The compiled cache, from a user's side: never in the way."""

import os
from pathlib import Path

import pytest
from projects import Project


def pack(project: Project) -> Path:
    (found,) = (project.root / ".pytest_cache").rglob("cases-*.json")
    return found


@pytest.fixture
def cases(project: Project) -> Project:
    for number in range(4):
        project.case(f"case_{number}")
    return project


EVERYTHING = {f"case_{number}": "pass" for number in range(4)}


def test_the_second_run_finds_what_the_first_one_read(cases: Project):
    assert cases.run().verdicts == EVERYTHING
    before = pack(cases).stat().st_mtime_ns
    assert cases.run().verdicts == EVERYTHING
    assert pack(cases).stat().st_mtime_ns == before


def test_an_edit_between_two_runs_counts(cases: Project):
    cases.run()
    cases.case("case_1", expected={"min_findings": 9})
    assert cases.run().verdicts == {**EVERYTHING, "case_1": "fail"}


@pytest.mark.parametrize("args", [["--cache-clear"], ["-p", "no:cacheprovider"], ["-p", "xdist", "-n2"]])
def test_runs_of_every_kind_one_after_another(cases: Project, args: list[str]):
    assert cases.run(*args).verdicts == EVERYTHING
    assert cases.run().verdicts == EVERYTHING
    assert cases.run(*args).verdicts == EVERYTHING


def test_it_may_vanish_or_be_spoilt_at_any_moment(cases: Project):
    cases.run()
    file = pack(cases)
    file.write_bytes(os.urandom(500))
    assert cases.run().verdicts == EVERYTHING
    cases.write(
        "golden/conftest.py",
        "import shutil\ndef pytest_collectstart(collector): shutil.rmtree('.pytest_cache', ignore_errors=True)\n",
    )
    assert cases.run().verdicts == EVERYTHING


def test_without_the_cache_plugin_nothing_is_written(cases: Project):
    cases.run("-p", "no:cacheprovider")
    assert not (cases.root / ".pytest_cache").exists()


def test_a_cache_that_cant_be_written_is_no_failure(cases: Project):
    (cases.root / ".pytest_cache").write_text("a file where the folder should be")
    assert cases.run("-W", "ignore").verdicts == EVERYTHING
