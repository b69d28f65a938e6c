"""Layer l2 in whole little projects: snapshots, settings, evidence, what is shown."""

import hashlib

import pytest
from projects import Project, without_times

URL = "https://example.org/returns"
NAME = f"{hashlib.sha256(URL.encode()).hexdigest()}.html"

AGENTS = f"""
    def support(question):
        return [{{"text": "30 days.", "source": "policy", "url": question.get("url", "{URL}")}}]

    def pytest_jweval_agents(config):
        return {{"support": support}}
"""


@pytest.fixture
def project(project: Project) -> Project:
    project.write("conftest.py", AGENTS)
    return project


def cites(
    project: Project, case_id: str = "cites", *, phrases=("within 30 days",), url=URL, **fields
) -> None:
    expected = {"expected_citations": [url], "support_phrases": list(phrases)}
    case = {"agent": "support", "layer": "l2", "input": {}, "expected": expected, **fields}
    project.case(case_id, **case)


def snapshot(project: Project, html: str, folder: str = "snapshots") -> None:
    project.write(f"{folder}/{NAME}", html)


def test_a_page_that_says_so_passes(project):
    snapshot(project, "<p>Send it back within <b>30&nbsp;days</b>.")
    cites(project)
    run = project.run("golden")
    assert run.verdicts == {"cites": "pass"}
    assert run.report.results[0].evidence["citations"][0]["page"] == f"snapshots/{NAME}"


def test_a_page_that_does_not_say_so_shows_line_url_file_and_nearest_passage(project):
    snapshot(project, "<h1>Returns</h1><p>Send it back within 60 days.")
    cites(project)
    run = project.run("golden")
    assert run.verdicts == {"cites": "fail"}
    assert "expected_citations[0] is cited, but its page doesn't say 'within 30 days'" in run.text
    assert f"{URL} in snapshots/{NAME}; nearest (0." in run.text
    assert "within 60 days" in run.text
    assert "golden/l2/cites.yaml:5" in run.text


def test_without_a_snapshot_the_case_is_skipped_and_nothing_is_green(project):
    cites(project)
    run = project.run("golden")
    assert run.verdicts == {"cites": "skip"}
    assert f"there is no snapshot of {URL} (`jweval snapshots build` makes it)" in run.reasons("cites")
    assert "every golden case was skipped, so nothing was checked" in run.text


def test_a_missing_snapshot_may_be_a_failure(project):
    cites(project)
    run = project.run("golden", "-o", "jweval_missing_snapshot=fail")
    assert run.verdicts == {"cites": "fail"}
    assert f"there is no snapshot snapshots/{NAME}" in run.reasons("cites")
    assert "drift" not in run.report.results[0].evidence


def test_snapshots_may_lie_elsewhere(project):
    snapshot(project, "within 30 days", "kept/pages")
    cites(project)
    run = project.run("golden", "-o", "jweval_snapshots_dir=kept/pages")
    assert run.verdicts == {"cites": "pass"}
    assert run.report.results[0].evidence["citations"][0]["page"] == f"kept/pages/{NAME}"


def test_a_snapshot_that_cannot_be_read_is_an_error_of_its_case_alone(project):
    (project.root / "snapshots" / NAME).mkdir(parents=True)
    cites(project)
    project.case("other", "support")
    run = project.run("golden")
    assert run.verdicts == {"cites": "error", "other": "pass"}
    assert f"the snapshot snapshots/{NAME} can't be read" in run.reasons("cites")


def test_an_agent_that_raised_is_an_error_whatever_the_page_says(project):
    project.write(
        "conftest.py", "def pytest_jweval_agents(config):\n    return {'support': lambda q: 1 / 0}\n"
    )
    snapshot(project, "within 60 days")
    cites(project)
    assert project.run("golden").verdicts == {"cites": "error"}


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("jweval_snapshots=newest", "ini jweval_snapshots: 'newest': expected use, missing or refresh"),
        ("jweval_missing_snapshot=ignore", "ini jweval_missing_snapshot: 'ignore': expected skip or fail"),
        ("jweval_host_rate=0", "ini jweval_host_rate: '0' is no rate"),
        ("jweval_host_rate=fast", "ini jweval_host_rate: 'fast' is no rate"),
        ("jweval_live_hosts=https://example.org/", "is no host: expected a name such as example.org"),
        ("jweval_snapshots_dir= ", "ini jweval_snapshots_dir: expected a folder"),
        ("jweval_live=perhaps", "jweval_live"),
    ],
)
def test_a_wrong_setting_is_one_line(project, setting, message):
    cites(project)
    run = project.run("golden", "-o", setting)
    assert run.exit == 4
    assert message in run.errors


def test_phrases_are_refused_with_their_line(project):
    cites(project, phrases=[])
    run = project.run("golden")
    assert run.verdicts == {"cites": "error"}
    assert "golden/l2/cites.yaml:5:" in run.text


def test_the_report_is_the_same_in_one_process_and_in_several(project):
    snapshot(project, "<p>Send it back within 30 days.")
    for number in range(6):
        cites(project, f"case_{number}", phrases=["within 30 days" if number % 2 else "within 31 days"])
    cites(project, "unknown", url="https://example.org/unknown")
    one = without_times(project.run("golden").report)
    two = without_times(project.run("golden", "-p", "xdist", "-n", "2", subprocess=True).report)
    assert one == two


def test_pages_of_a_fixture_stand_in_for_snapshots(project):
    project.write(
        "golden/conftest.py",
        f"""
        import pytest
        from pytest_jweval.testing import MemoryPages

        @pytest.fixture(scope="session")
        def jw_pages():
            return MemoryPages({{"{URL}": "<p>within 30 days"}})
        """,
    )
    cites(project)
    assert project.run("golden").verdicts == {"cites": "pass"}


def test_both_layers_can_be_asked_for_by_their_marks(project):
    snapshot(project, "within 30 days")
    cites(project)
    project.case("shape", "support")
    assert set(project.run("golden", "-m", "l1 or l2").verdicts) == {"cites", "shape"}
    assert set(project.run("golden", "-m", "l2").verdicts) == {"cites"}
