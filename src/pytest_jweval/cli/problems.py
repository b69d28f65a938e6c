"""What can be wrong with a project, each in a line that ends with its fix."""

import re
from collections.abc import Iterator

from pytest_jweval.cli.installed import has_libyaml
from pytest_jweval.cli.project import Folder, Project
from pytest_jweval.errors import suggestion
from pytest_jweval.settings import CHOICES
from pytest_jweval.texts import counted

_UNKNOWN_INI = re.compile(r"Unknown config option: (jweval_\w*)")


def of_installation() -> Iterator[str]:
    if not has_libyaml():
        yield (
            "PyYAML has no libyaml, and reads case files several times slower: "
            "pip install --force-reinstall --only-binary :all: PyYAML"
        )


def of_project(project: Project) -> Iterator[str]:
    yield from map(_in_our_words, project.problems)
    if not project.loaded:
        yield (
            "pytest-jweval is switched off here: take `-p no:jweval` out of addopts, and "
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD out of the environment"
        )
        return
    for folder in project.folders:
        yield from _of_folder(folder, project)
    yield from _of_agents(project)
    yield from _of_cases(project)


def _in_our_words(problem: str) -> str:
    """pytest only warns of an ini key that nobody knows."""
    if unknown := _UNKNOWN_INI.search(problem):
        keys = [choice.ini for choice in CHOICES]
        return f"ini {unknown[1]} is unknown{suggestion(unknown[1], keys)}: rename it, or take it out"
    return problem


def _of_folder(folder: Folder, project: Project) -> Iterator[str]:
    if not folder.exists:
        yield f"the golden folder {folder.path!r} is not there: make it, or name yours in ini jweval_golden"
    elif not folder.files:
        yield (
            f"the golden folder {folder.path!r} holds no case file: "
            f"write the first one, {folder.path}/l1/first.yaml"
        )
    elif not folder.cases and not (project.settings or project.agents):
        yield (
            f"pytest leaves {folder.path!r} alone, for nothing says that it is ours: "
            f"set ini jweval_golden = {folder.path}"
        )
    elif not folder.cases:
        yield (
            f"pytest collects nothing from the {counted(folder.files, 'case file')} in {folder.path!r}: "
            "look for --ignore in addopts and collect_ignore in a conftest"
        )


def _of_agents(project: Project) -> Iterator[str]:
    if not project.agents and not project.agents_by_fixture:
        yield (
            "there are no agents: return {name: callable} from a pytest_jweval_agents hook in conftest.py, "
            "or set ini jweval_agents"
        )
    for agent in project.agents:
        if agent.problem:
            yield f"{agent.problem}: correct {_origin(agent.by)}"


def _origin(by: str) -> str:
    return "ini jweval_agents" if by == "ini" else "what the pytest_jweval_agents hook returns"


def _of_cases(project: Project) -> Iterator[str]:
    for case in project.cases:
        for problem in case.problems:
            yield f"{problem}: correct the file"
    if project.agents_by_fixture:
        return  # what the fixture jw_agents gives is known only to a test that runs
    places: dict[str, list[str]] = {}
    for case in project.cases:
        if case.agent and not case.agent_is_known:
            places.setdefault(case.agent, []).append(f"{case.path}:{case.line}")
    for agent, where in places.items():
        more = f" and {len(where) - 1} more" if len(where) > 1 else ""
        yield (
            f"agent {agent!r} is named in {where[0]}{more}, but not registered{project.instead_of(agent)}: "
            "correct the name, or register the agent"
        )
