"""Foreign plugins that look into every item, each with the real one installed."""

import signal
import sys
from textwrap import dedent

import pytest
from projects import Project

FLAKY = """
    import pytest

    class Flaky:
        asked = 0

        def __call__(self, question):
            Flaky.asked += 1
            if question.get("kind") == "raises" and Flaky.asked < 3:
                raise RuntimeError("not yet")
            return [] if Flaky.asked < 3 else ["a text"]

    def pytest_jweval_agents(config):
        return {"flaky": Flaky(), "verses": lambda question: ["a text"]}
"""


def with_plugin(project: Project, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    pytest.importorskip(module)
    monkeypatch.setenv("PYTEST_PLUGINS", module)


def test_rerunfailures_asks_the_agent_again_and_the_last_run_counts(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    with_plugin(project, monkeypatch, "pytest_rerunfailures")
    project.write("conftest.py", FLAKY)
    project.case("one", "flaky")
    run = project.run("--reruns", "4")
    assert (run.exit, run.verdicts) == (0, {"one": "pass"})
    assert run.counts == {"passed": 1, "rerun": 2}


def test_a_rerun_that_fails_in_setup_does_not_keep_the_result_before(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    with_plugin(project, monkeypatch, "pytest_rerunfailures")
    project.case("one", expected={"min_findings": 9})
    project.write(
        "golden/conftest.py",
        """
        import pytest
        runs = []

        @pytest.fixture(autouse=True)
        def fails_the_second_time():
            runs.append(1)
            assert len(runs) < 2, "the database is gone"
        """,
    )
    run = project.run("--reruns", "1")
    assert run.verdicts == {"one": "error"}
    assert "the setup failed: " in run.reasons("one")
    assert "the database is gone" in run.reasons("one")


def test_reruns_of_agents_that_raise(project: Project, monkeypatch: pytest.MonkeyPatch):
    with_plugin(project, monkeypatch, "pytest_rerunfailures")
    project.write("conftest.py", FLAKY)
    project.case("one", "flaky", input={"kind": "raises"})
    assert project.run("--reruns", "4").verdicts == {"one": "pass"}


def test_randomly_shuffles_and_the_report_stays_the_same(project: Project, monkeypatch: pytest.MonkeyPatch):
    with_plugin(project, monkeypatch, "pytest_randomly")
    for number in range(8):
        project.case(f"case_{number}")
    texts, reports = set(), []
    for seed in (1, 2, 3):
        run = project.run("-v", f"--randomly-seed={seed}")
        texts.add(tuple(line for line in run.text.splitlines() if "PASSED" in line))
        assert run.report is not None
        reports.append([r.case_id for r in run.report.results])
    assert len(texts) == 3
    assert reports[0] == reports[1] == reports[2] == [f"case_{n}" for n in range(8)]


@pytest.mark.skipif(sys.platform == "win32", reason="the signal method needs SIGALRM")
@pytest.mark.parametrize("method", ["signal"])
def test_pytest_timeout_ends_a_case_as_an_error(
    project: Project, monkeypatch: pytest.MonkeyPatch, method: str
):
    with_plugin(project, monkeypatch, "pytest_timeout")
    project.write(
        "conftest.py",
        """
        import time
        def pytest_jweval_agents(config):
            return {"slow": lambda q: time.sleep(30), "verses": lambda q: ["a text"]}
        """,
    )
    project.case("a_slow", "slow")
    project.case("b_fine")
    run = project.run("--timeout=1", f"--timeout-method={method}")
    assert run.verdicts == {"a_slow": "error", "b_fine": "pass"}
    assert "Timeout" in run.reasons("a_slow")


@pytest.mark.parametrize("mode", ["auto", "strict"])
def test_asyncio_beside_us_and_jw_evaluate_inside_a_running_loop(
    project: Project, monkeypatch: pytest.MonkeyPatch, mode: str
):
    with_plugin(project, monkeypatch, "pytest_asyncio.plugin")
    project.ini(f"asyncio_mode = {mode}\nasyncio_default_fixture_loop_scope = function\n")
    project.case("one", "notes")
    project.write(
        "test_inside.py",
        """
        import asyncio, pytest

        @pytest.mark.asyncio
        async def test_inside(jw_evaluate):
            asyncio.get_running_loop()
            case = {"id": "inside", "agent": "notes", "layer": "l1", "input": {}, "expected": {"min_findings": 2}}
            assert jw_evaluate(case).verdict == "pass"
        """,
    )
    run = project.run()
    assert (run.exit, run.counts) == (0, {"passed": 2})


def test_recording_installed_does_not_disturb(project: Project, monkeypatch: pytest.MonkeyPatch):
    """Its autouse fixture asks for a module, which items that aren't functions of one don't have."""
    with_plugin(project, monkeypatch, "pytest_recording.plugin")
    project.case("one")
    assert project.run("--block-network").verdicts == {"one": "pass"}


def test_all_of_them_at_once_with_workers(project: Project, monkeypatch: pytest.MonkeyPatch):
    for module in ("pytest_randomly", "pytest_rerunfailures", "pytest_timeout", "pytest_asyncio", "xdist"):
        pytest.importorskip(module)
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    project.plugins = []
    project.ini("asyncio_default_fixture_loop_scope = function\n")
    for number in range(6):
        project.case(f"case_{number}", "notes", expected={"min_findings": 1 + 2 * (number % 2)})
    run = project.run(
        "-n2", "--reruns=1", "--timeout=30", "-W", "error::pytest.PytestWarning", subprocess=True
    )
    assert run.verdicts == {f"case_{n}": "fail" if n % 2 else "pass" for n in range(6)}
    assert run.counts == {"failed": 3, "passed": 3, "rerun": 3}


FIXTURES = """
    import pytest

    order = []

    @pytest.fixture(scope="session", autouse=True)
    def of_session(): order.append("session"); yield; print("\\nORDER", " ".join(order))

    @pytest.fixture(scope="module", autouse=True)
    def of_module(): order.append("module"); yield; order.append("/module")

    @pytest.fixture(autouse=True)
    def of_function(request, tmp_path): order.append(request.node.name); yield; order.append("/" + request.node.name)
"""


def test_autouse_fixtures_of_every_scope(project: Project):
    project.write("golden/conftest.py", FIXTURES)
    body = (project.case("one").read_text(), project.case("two").read_text())
    project.write("golden/l1/one.yaml", f"{body[0]}---\n{body[1]}")
    (project.root / "golden/l1/two.yaml").unlink()
    text = project.run("-s").text
    assert "ORDER session module one /one two /two /module" in text


def test_a_fixture_that_is_missing_is_told_at_the_cases_line(project: Project):
    project.write(
        "golden/conftest.py",
        "import pytest\n@pytest.fixture(autouse=True)\ndef needs(no_such_fixture): pass\n",
    )
    project.case("one")
    run = project.run()
    assert run.verdicts == {"one": "error"}
    assert run.reasons("one") == "the setup failed: fixture 'no_such_fixture' not found"
    assert "golden/l1/one.yaml:1" in run.text


def test_a_teardown_that_fails_is_no_pass(project: Project):
    project.write(
        "golden/conftest.py",
        "import pytest\n@pytest.fixture(autouse=True)\ndef breaks(): yield; raise OSError('full disk')\n",
    )
    project.case("one")
    run = project.run()
    assert (run.exit, run.verdicts) == (1, {"one": "error"})
    assert "the teardown failed: OSError: full disk" in run.reasons("one")


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_ends_the_run_and_keeps_what_was_found_out(project: Project):
    project.write(
        "conftest.py",
        f"""
        import os, time

        def interrupted(question):
            os.kill(os.getpid(), {int(signal.SIGINT)})
            time.sleep(20)

        def pytest_jweval_agents(config):
            return {{"verses": lambda q: ["a text"], "interrupted": interrupted}}
        """,
    )
    project.case("a_fine")
    project.case("b_interrupted", "interrupted")
    project.case("c_never")
    run = project.run(subprocess=True)
    assert run.exit == pytest.ExitCode.INTERRUPTED
    assert run.verdicts == {"a_fine": "pass", "b_interrupted": "error"}
    assert run.reasons("b_interrupted") == "the run ended before there was a verdict"


def test_unicode_everywhere_on_a_terminal_that_knows_only_ascii(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii:strict")
    monkeypatch.setenv("PYTHONUTF8", "0")
    monkeypatch.setenv("LC_ALL", "C")
    project.case("one", expected={"required_keywords_any": ["¿Qué?", "日本"]}, input={"q": "ñ"})
    run = project.run(subprocess=True)
    assert run.verdicts == {"one": "fail"}
    assert "INTERNALERROR" not in run.text + run.errors, dedent(run.text)
