"""What a project has told the plugin, as JSON: for the command line, which doesn't know pytest.

A pytest plugin of its own, loaded only by ``jweval coverage``, ``jweval doctor`` and ``jweval schema``::

    pytest --collect-only -p pytest_jweval.plugin.describe --jw-describe out.json

It collects the golden folders, whole, whatever the project's ``testpaths`` and ``addopts`` would choose
from them, and runs nothing.
"""

import json
import os
import sys
import traceback
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_jweval.errors import JWEvalError, told
from pytest_jweval.paths import case_files
from pytest_jweval.plugin.collect import CaseItem, shown
from pytest_jweval.plugin.session import SESSION, Session
from pytest_jweval.records import plain
from pytest_jweval.settings import CHOICES
from pytest_jweval.texts import excerpt, printable

# In `addopts` they would stop the listing early, leave files out of it, or write over the last run's files.
_OF_A_RUN = {"maxfail": 0, "lf": False, "usepdb": False, "xmlpath": None}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--jw-describe", metavar="PATH", help="write what was found to this file, as JSON")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    for name, value in _OF_A_RUN.items():
        if hasattr(config.option, name):
            setattr(config.option, name, value)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    if path := config.getoption("--jw-describe"):
        config.pluginmanager.register(Describing(config, Path(path)), "jweval-describing")
        if config.pluginmanager.has_plugin("jweval-reporting"):
            config.pluginmanager.unregister(name="jweval-reporting")


class Describing:
    """Steers the collection, and writes down what came of it."""

    def __init__(self, config: pytest.Config, path: Path) -> None:
        self._config = config
        self._path = path
        self._items: list[CaseItem] = []
        self._problems: list[str] = []

    def pytest_warning_recorded(self, warning_message: warnings.WarningMessage) -> None:
        if "jweval" in (text := str(warning_message.message)):
            self._problems.append(text)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        self._config.args = [
            _argument(folder, self._config) for folder in _folders(self._config) if folder.exists()
        ]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            where = report.nodeid or "the project"
            self._problems.append(
                f"{where} can't be collected: correct what pytest names\n{report.longreprtext}"
            )

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self._items = [item for item in items if isinstance(item, CaseItem)]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        session = self._config.stash.get(SESSION, None)
        found: dict[str, Any] = describe(session, self._items) if session else {"loaded": False}
        whole = {
            "rootdir": str(self._config.rootpath),
            "inifile": str(self._config.inipath) if self._config.inipath else None,
            **found,
            "problems": [*self._problems, *found.get("problems", ())],
        }
        self._path.write_text(json.dumps(plain(whole)), encoding="ascii")


def describe(session: Session, items: Iterable[CaseItem]) -> dict[str, Any]:
    """Folders, settings, agents and cases of a project, as plain data."""
    items = list(items)
    known = _Known(session)
    cases = [_case(item, known.to(item)) for item in items]
    if not items:
        known.ask(session.config.hook)
    return {
        "loaded": True,
        "settings": dict(_told(session.config)),
        "folders": [_folder(folder, items, session.config) for folder in _folders(session.config)],
        "agents": [*known.agents(), *_ini_agents(session)],
        "agents_by_fixture": [_name_of(plugin, session.config) for plugin in _overriding(session.config)],
        "cases": cases,
        "cassettes": str(session.resources.cassettes.folder),
        "pages": _pages(session, items, known.problems),
        "problems": known.problems,
        "schema": _schema(session, known.problems),
    }


def _pages(session: Session, items: Iterable[CaseItem], problems: list[str]) -> dict[str, Any]:
    """Which web pages cases cite, where their snapshots are, and how they may be fetched."""
    opening = session.resources.opening()
    try:
        cited = session.pages_of(items)
    except Exception as error:  # noqa: BLE001  # a layer may be a stranger's
        problems.append(f"the pages that cases cite can't be listed: {told(error)}{_place(error)}")
        cited = []
    return {
        "cited": cited,
        "root": str(opening.root),
        "live_hosts": list(opening.live_hosts),
        "private_hosts": list(opening.private_hosts),
        "host_rate": opening.host_rate,
    }


def _schema(session: Session, problems: list[str]) -> dict[str, Any]:
    from pytest_jweval.schema import case_schema

    try:
        return case_schema(session.registry.layers)
    except Exception as error:  # noqa: BLE001  # a layer may be a stranger's
        problems.append(f"a layer's schema can't be read: {told(error)}{_place(error)}: correct the layer")
        return {}


class _Known:
    """The agents that hooks bring; which ones a case can name depends on where it lies."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._agents: dict[str, Any] = {}
        self.problems: list[str] = []

    def to(self, item: CaseItem) -> set[str]:
        return {*self.ask(item.ihook), *self._session.ini_agents}

    def ask(self, hook: Any) -> Mapping[str, Any]:
        try:
            found = self._session.hook_agents(hook)
        except (Exception, SystemExit) as error:  # noqa: BLE001  # a stranger's hook may raise anything
            problem = f"a pytest_jweval_agents hook raised {told(error)}{_place(error)}: correct the hook"
            if problem not in self.problems:
                self.problems.append(problem)
            return {}
        self._agents.update(found)
        return found

    def agents(self) -> Iterator[dict[str, Any]]:
        for name, agent in self._agents.items():
            wrong = f"agent {name!r} is a {type(agent).__name__}, and can't be called"
            problem = None if callable(agent) else wrong
            yield {"name": str(name), "by": "hook", "target": _target(agent), "problem": problem}


def _ini_agents(session: Session) -> Iterator[dict[str, Any]]:
    for spec in session.settings.agent_specs:
        problem = None
        try:
            session.ini_agents[spec.name]
        except (Exception, SystemExit) as error:  # noqa: BLE001  # importing runs a stranger's module
            ours = isinstance(error, JWEvalError)
            problem = str(error) if ours else f"importing {spec.target!r} raised {told(error)}"
        yield {"name": spec.name, "by": "ini", "target": spec.target, "problem": problem}


def _folders(config: pytest.Config) -> list[Path]:
    session = config.stash.get(SESSION, None)
    return list(dict.fromkeys(session.golden.folders)) if session else []


def _argument(folder: Path, config: pytest.Config) -> str:
    """Relative if that can be had, because pytest takes no ``[`` in an argument."""
    try:
        return os.path.relpath(folder, config.invocation_params.dir)
    except ValueError:  # on another drive
        return str(folder)


def _folder(folder: Path, items: Iterable[CaseItem], config: pytest.Config) -> dict[str, Any]:
    return {
        "path": shown(folder, config),
        "exists": folder.exists(),
        "files": sum(1 for _ in case_files(folder)) if folder.exists() else 0,
        "cases": sum(item.path.is_relative_to(folder) for item in items),
    }


def _case(item: CaseItem, known: set[str]) -> dict[str, Any]:
    header = item.header
    misses = item.entry.misses if item.is_broken else ()
    return {
        **{key: getattr(header, key) for key in ("case_id", "layer", "agent", "path", "line")},
        "agent_is_known": header.agent is None or header.agent in known,
        "problems": [
            f"{header.path}:{miss.line or header.line}:{miss.column or 1}: {miss.reason}" for miss in misses
        ],
    }


def _told(config: pytest.Config) -> Iterator[tuple[str, Any]]:
    """What was set, and by whom; defaults are left out."""
    for choice in CHOICES:
        option = config.getoption if choice.on_command_line else lambda _: None
        for told_by, value in choice.tellings(option, config.getini, os.environ):
            if value is not None:
                yield told_by, value


def _overriding(config: pytest.Config) -> Iterator[object]:
    """Conftests and plugins that give agents by a fixture, which only a running test can ask."""
    ours = sys.modules["pytest_jweval.plugin"]
    for plugin in config.pluginmanager.get_plugins():
        if plugin is not ours and hasattr(plugin, "jw_agents"):
            yield plugin


def _name_of(plugin: object, config: pytest.Config) -> str:
    file = getattr(plugin, "__file__", None)
    return shown(Path(file), config) if file else str(config.pluginmanager.get_name(plugin))


def _target(agent: object) -> str:
    """Where an agent is from: ``package.module.function``, or what it says of itself."""
    if hasattr(agent, "__qualname__"):
        return f"{agent.__module__}.{agent.__qualname__}"
    if type(agent).__repr__ is object.__repr__:  # which would tell an address in memory
        return f"{type(agent).__module__}.{type(agent).__qualname__} object"
    try:
        return printable(excerpt(repr(agent), 100))
    except Exception:  # noqa: BLE001  # a broken repr is no reason to show nothing
        return f"a {type(agent).__name__}"


def _place(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
