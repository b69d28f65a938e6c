import os
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from pytest_jweval import __version__
from pytest_jweval.cli.app import app


def python(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )


WITHOUT = "import sys; sys.modules[{!r}] = None; from pytest_jweval.cli import main; main()"


def test_without_typer_there_is_one_line_that_says_what_to_install():
    ended = python(WITHOUT.format("typer"))
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr == "the command jweval needs an extra: pip install 'pytest-jweval[cli]'\n"


def test_another_missing_module_is_not_mistaken_for_typer():
    ended = python(WITHOUT.format("pytest_jweval.settings"))
    assert ended.returncode == 1
    assert "pytest_jweval.settings" in ended.stderr
    assert "pip install" not in ended.stderr


def test_importing_the_command_imports_neither_typer_nor_pytest():
    ended = python("import sys, pytest_jweval.cli; print({'typer', 'pytest'} & set(sys.modules))")
    assert ended.stdout == "set()\n"


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_names_every_command(flag):
    result = CliRunner().invoke(app, [flag])
    assert result.exit_code == 0
    for command in ("schema", "coverage", "doctor", "drift", "snapshots", "cassettes"):
        assert f"\n  {command} " in result.output


@pytest.mark.parametrize(
    "command", ["schema", "coverage", "doctor", "drift", "snapshots build", "snapshots prune"]
)
def test_every_option_says_what_it_does(command):
    result = CliRunner().invoke(app, [*command.split(), "--help"], terminal_width=200)
    options = [line for line in result.output.splitlines() if line.strip().startswith("-")]
    assert options
    assert all(len(line.split()) > 4 for line in options)


def test_version():
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.output) == (0, f"pytest-jweval {__version__}\n")


@pytest.mark.parametrize(
    "arguments",
    [["covrage"], ["coverage", "--min", "-1"], ["coverage", "--min", "x"], ["doctor", "--rootdir", "none"]],
)
def test_a_wrong_command_line_exits_2_and_says_why(jweval, arguments):
    ended = jweval(*arguments)
    assert ended.returncode == 2
    assert ended.stderr.startswith("Usage: jweval")
    assert "Error: " in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_control_c_exits_130_without_a_traceback(project):
    root = project({"conftest.py": "import time, pathlib\npathlib.Path('here').touch()\ntime.sleep(60)"})
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest_jweval.cli", "doctor"],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 60
        while not (root / "here").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert (root / "here").exists()
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to all that run in it
        _, errors = process.communicate(timeout=30)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130
    assert "Traceback" not in errors


UNWRITABLE = ["schema", "--out", f"{os.devnull}/x"]


def on_a_terminal(**environ):
    """What a failing command says where its standard error is a terminal."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    ended = subprocess.run(
        [sys.executable, "-m", "pytest_jweval.cli", *UNWRITABLE],
        env={**os.environ, "TERM": "xterm", **environ},
        stderr=theirs,
        timeout=60,
        check=False,
    )
    os.close(theirs)
    said = os.read(ours, 65_536).decode()
    os.close(ours)
    assert ended.returncode == 2
    return said


def test_there_is_colour_on_a_terminal_only_and_not_where_it_is_unwanted(jweval, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert on_a_terminal().startswith("\x1b[31m")
    assert on_a_terminal(NO_COLOR="1").startswith(os.devnull)
    assert jweval(*UNWRITABLE).stderr.startswith(os.devnull)


def test_what_an_agent_is_called_cannot_steer_the_terminal(jweval, project):
    root = project({"conftest.py": r"def pytest_jweval_agents(config): return {'\x1b[2J': print}"})
    ended = jweval("coverage", cwd=root)
    assert r"\x1b[2J has 0 cases" in ended.stdout
    assert "\x1b" not in ended.stdout


@pytest.mark.parametrize("found", [True, False])
def test_pytest_is_asked_with_the_import_path_that_it_would_have(project, found):
    root = project(
        {
            "pytest.ini": "[pytest]\njweval_agents = house = house:agent\n",
            "house.py": "def agent(question): ...",
            "golden/.keep": "",
        }
    )
    # `python -m pytest` finds a module of the current folder; the command `pytest` doesn't.
    script = root.parent / "jweval"
    script.write_text("from pytest_jweval.cli import main\nmain()\n")
    started = ["-m", "pytest_jweval.cli"] if found else [str(script)]
    ended = subprocess.run(
        [sys.executable, *started, "doctor"],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ("agent 'house' can't be imported" in ended.stdout) is not found
    assert "house  ini  house:agent" in ended.stdout
