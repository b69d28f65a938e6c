"""``jweval doctor``: what is installed, what is configured, and what is wrong with it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from pytest_jweval.cli.installed import extras, versions
from pytest_jweval.cli.problems import of_installation, of_project
from pytest_jweval.cli.project import Project, Uncollectable
from pytest_jweval.cli.terminal import Rootdir, item, say, table
from pytest_jweval.texts import counted

_Rows = list[tuple[str, str]]


def doctor(rootdir: Rootdir = Path()) -> None:
    """Show what is installed and configured, and what is wrong.

    Versions, extras, configuration, golden folders and agents; then a line for each problem, with its fix.
    Exit code 1: there are problems.
    """
    _section("versions", list(versions()))
    _section("extras", list(extras()))
    problems = list(of_installation())
    try:
        project = Project.read(rootdir)
    except Uncollectable as error:
        problems.append(f"the project can't be collected: make `pytest --collect-only` work. {error}")
    else:
        _section("configuration", list(_configuration(project)))
        _section("golden folders", list(_folders(project)))
        _section("agents", [(agent.name, f"{agent.by}  {agent.target}") for agent in project.agents])
        problems.extend(of_project(project))
    _conclude(problems)


def _configuration(project: Project) -> Iterator[tuple[str, str]]:
    yield "rootdir", project.rootdir
    yield "ini file", project.inifile or "none"
    for told_by, value in project.settings.items():
        yield told_by, _in_a_line(value)


def _in_a_line(value: Any) -> str:
    return " | ".join(map(str, value)) if isinstance(value, list) else str(value)


def _folders(project: Project) -> Iterator[tuple[str, str]]:
    for folder in project.folders:
        cases = f"{counted(folder.cases, 'case')} in {counted(folder.files, 'file')}"
        yield folder.path, cases if folder.exists else "not there"


def _section(title: str, rows: _Rows) -> None:
    say(title, "cyan")
    for line in table(rows) if rows else ["none"]:
        say(f"  {line}")
    say()


def _conclude(problems: list[str]) -> None:
    if not problems:
        say("no problems", "green")
        return
    say(counted(len(problems), "problem"), "red")
    for problem in problems:
        say(item(problem, "- "))
    raise typer.Exit(1)
