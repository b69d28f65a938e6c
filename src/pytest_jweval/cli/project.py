"""What a project is made of, as pytest sees it.

Only pytest knows a project's ini file, conftests and plugins, so it is asked: a process of its own collects
the golden folders and writes down what it found (``plugin/describe.py``).
"""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from pytest_jweval.errors import suggestion

_DESCRIBE = ("--collect-only", "-q", "--color=no", "-p", "pytest_jweval.plugin.describe", "--jw-describe")
_USUAL_EXITS = (
    0,
    1,
    2,
    5,
)  # with a broken file and with nothing to collect, there is still a list of the rest


class Uncollectable(Exception):
    """pytest can't collect the project; the message is what pytest said."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A golden folder: its case files on disk, and the cases that pytest collects from them."""

    path: str
    exists: bool
    files: int
    cases: int


@dataclass(frozen=True, slots=True)
class Agent:
    """``by`` is ``hook`` or ``ini``; with a problem it can't be asked."""

    name: str
    by: str
    target: str
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A case's header. One that can't be run has problems, each with its place in the file."""

    case_id: str
    layer: str
    agent: str | None
    path: str
    line: int | None
    agent_is_known: bool
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedPages:
    """The web pages that cases cite, the folder of their snapshots, and how they may be fetched."""

    cited: list[str] = field(default_factory=list)
    root: str = ""
    live_hosts: list[str] = field(default_factory=list)
    private_hosts: list[str] = field(default_factory=list)
    host_rate: float = 1.0


@dataclass(frozen=True, slots=True)
class Project:
    """``loaded`` is false where the plugin is switched off, and then there is nothing but the rootdir."""

    rootdir: str
    inifile: str | None
    loaded: bool
    problems: tuple[str, ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)
    folders: tuple[Folder, ...] = ()
    agents: tuple[Agent, ...] = ()
    agents_by_fixture: tuple[str, ...] = ()
    cases: tuple[Case, ...] = ()
    cassettes: str = ""
    pages: CitedPages = field(default_factory=CitedPages)
    schema: dict[str, Any] = field(default_factory=dict)

    def instead_of(self, agent: str) -> str:
        """A few words, in brackets, for an agent that isn't known where it is named."""
        names = {agent.name for agent in self.agents}
        return " (it is registered for another folder)" if agent in names else suggestion(agent, names)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The project that pytest finds when it is started in ``folder``."""
        with tempfile.TemporaryDirectory(prefix="jweval-") as temporary:
            path = Path(temporary, "project.json")
            ended = _pytest(folder, *_DESCRIBE, str(path))
            said = _said(ended)
            if not path.exists():
                raise Uncollectable(said)
            project = cls._of(json.loads(path.read_text("ascii")))
        if ended.returncode in _USUAL_EXITS:
            return project
        return replace(project, problems=(*project.problems, said))

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Self:
        cases = [Case(**{**case, "problems": tuple(case["problems"])}) for case in data.pop("cases", ())]
        return cls(
            folders=tuple(Folder(**folder) for folder in data.pop("folders", ())),
            agents=tuple(Agent(**agent) for agent in data.pop("agents", ())),
            cases=tuple(sorted(cases, key=lambda case: (case.path, case.line or 0, case.case_id))),
            pages=CitedPages(**data.pop("pages", {})),
            problems=tuple(data.pop("problems")),
            agents_by_fixture=tuple(data.pop("agents_by_fixture", ())),
            **data,
        )


def _pytest(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    # `python -m` puts the current folder on the import path, the command `pytest` doesn't. Started as
    # `python -m pytest_jweval.cli`, this asks the one; started as `jweval`, it asks the other.
    started_with_m = getattr(sys.modules.get("__main__"), "__spec__", None) is not None
    python = [sys.executable] if started_with_m else [sys.executable, "-P"]
    return subprocess.run(  # noqa: S603  # this Python, this package, and a path made here
        [*python, "-m", "pytest", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:backslashreplace"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )


def _said(ended: "subprocess.CompletedProcess[bytes]") -> str:
    output = b"\n".join((ended.stdout, ended.stderr)).decode("utf-8", "backslashreplace")
    lines = [line.rstrip() for line in output.splitlines()]
    return "\n".join([f"pytest ended with exit code {ended.returncode}:", *filter(None, lines)])
