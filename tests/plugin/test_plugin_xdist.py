"""One report, whoever ran the cases: one process or eight, any hash seed, workers that die."""

import json

import pytest
from projects import Project, without_times

ODD = """
    import datetime, enum, os, pathlib, signal
    import pytest

    class Source(enum.Enum):
        TOPIC = "topic_index"

    def odd(question):
        return {
            "findings": [
                {
                    "text": "a lone \\udc80 surrogate, a \\x1b[31mcontrol\\x07 character",
                    "source": Source.TOPIC,
                    "url": pathlib.PurePosixPath("example.org/1"),
                    "metadata": {"on": datetime.date(2026, 5, 30), "score": float("nan"), Source.TOPIC: {1, 2}},
                }
            ],
            "metadata": {"path": pathlib.Path("x"), "at": datetime.datetime(2026, 1, 1)},
        }

    def long(question):
        return "x" * 5_000_000

    def raises(question):
        raise RuntimeError("out of order: \\udc80")

    def dies(question):
        os.kill(os.getpid(), signal.SIGKILL)

    def fine(question):
        return [{"text": str(question), "source": "rag"}]

    def pytest_jweval_agents(config):
        return {"odd": odd, "long": long, "raises": raises, "dies": dies, "fine": fine}
"""


@pytest.fixture
def odd(project: Project) -> Project:
    """Two dozen cases, good and bad in every way that a report must survive."""
    project.write("conftest.py", ODD)
    for number in range(12):
        project.case(f"fine_{number}", "fine", input={"q": number})
    project.case("odd_pass", "odd")
    project.case("odd_fail", "odd", expected={"min_findings": 2, "must_have_source": "topic_index"})
    project.case("odd_word", "odd", expected={"forbidden_keywords_in_findings": ["surrogate"]})
    project.case("long_pass", "long")
    project.case("long_fail", "long", expected={"required_keywords_any": ["y"]})
    project.case("raises", "raises")
    project.case("unknown", "nobody")
    project.case("twice", "fine", file="golden/l1/twice_a.yaml")
    project.case("twice", "fine", file="golden/l1/twice_b.yaml")
    project.write("golden/l1/broken.yaml", "id: broken\nexpected: [\n")
    project.case("skipped", "fine", marks=["skip"])
    return project


def test_one_report_for_one_process_two_and_eight_and_any_hash_seed(
    odd: Project, monkeypatch: pytest.MonkeyPatch
):
    reports = []
    for workers, seed in [("0", "0"), ("2", "1"), ("8", "42"), ("2", "1234"), ("0", "99")]:
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        run = odd.run("-p", "xdist", f"-n{workers}", subprocess=True)
        assert run.exit == 1
        assert run.counts == {"failed": 7, "passed": 15, "skipped": 1}
        reports.append(without_times(run.report))
    assert reports[0]["summary"]["l1"] == {"pass": 15, "fail": 3, "review": 0, "skip": 1, "error": 4}
    assert all(report == reports[0] for report in reports)


def test_the_order_and_names_of_items_are_those_of_one_process(odd: Project):
    plain = odd.plain_run("--co", "-q").outlines
    again = odd.plain_run("--co", "-q", "-p", "xdist", "-n2").outlines
    assert plain[:20] == again[:20]


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_a_worker_that_is_killed_costs_only_that_case(odd: Project, workers: int):
    odd.case("killed", "dies")
    run = odd.run("-p", "xdist", f"-n{workers}", subprocess=True)
    assert run.verdicts["killed"] == "error"
    assert "crashed while running" in run.reasons("killed")
    assert run.report is not None
    killed = next(r for r in run.report.results if r.case_id == "killed")
    assert (killed.layer, killed.agent, killed.path, killed.line) == (
        "l1",
        "dies",
        "golden/l1/killed.yaml",
        1,
    )
    assert run.report.summary["l1"] == {"pass": 15, "fail": 3, "review": 0, "skip": 1, "error": 5}


def test_a_worker_that_dies_before_its_first_report_is_known_from_the_file(project: Project):
    project.case("killed", input={"q": 1})
    project.case("fine")
    project.write(
        "golden/conftest.py",
        """
        import os, pytest

        def pytest_runtest_setup(item):
            if item.name == "killed":
                os._exit(9)
        """,
    )
    run = project.run("-p", "xdist", "-n2", subprocess=True)
    assert run.verdicts == {"killed": "error", "fine": "pass"}
    assert run.report is not None
    killed = next(r for r in run.report.results if r.case_id == "killed")
    assert (killed.layer, killed.agent, killed.line) == ("l1", "verses", 1)


def test_a_crash_of_somebody_elses_test_is_none_of_ours(project: Project):
    project.case("fine")
    project.write("test_dies.py", "import os\ndef test_dies(): os._exit(3)\n")
    run = project.run("-p", "xdist", "-n2", subprocess=True)
    assert run.verdicts == {"fine": "pass"}


def test_all_workers_share_one_run_folder_and_it_is_gone_afterwards(project: Project):
    project.case("one")
    project.case("two")
    project.write(
        "test_folder.py",
        """
        import os, pathlib, pytest
        from pytest_jweval.plugin.session import SESSION

        @pytest.mark.parametrize("number", range(4))
        def test_folder(request, number):
            folder = request.config.stash[SESSION].run_folder
            folder.mkdir(exist_ok=True)
            (folder / str(number)).write_text("here")
            pathlib.Path(__file__).with_name(f"told-{number}.txt").write_text(str(folder))
        """,
    )
    assert project.run("-p", "xdist", "-n2", subprocess=True).exit == 0
    folders = {file.read_text() for file in project.root.glob("told-*.txt")}
    assert len(folders) == 1
    assert not (project.root / folders.pop()).exists()


def test_what_an_agent_writes_cant_steer_the_terminal(odd: Project):
    text = odd.run().text
    assert "\x1b" not in text
    assert "\\x1b[31mcontrol\\x07" in text


def test_the_report_is_valid_utf8_json_with_the_surrogate_as_its_escape(odd: Project):
    odd.run()
    data = (odd.root / "report.json").read_bytes()
    assert b"\\udc80" in data
    assert json.loads(data.decode("utf-8", "strict"))["summary"]["l1"]["pass"] == 15
