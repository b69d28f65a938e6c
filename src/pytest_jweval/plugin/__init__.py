"""The only room that knows pytest: its hooks, each a few lines that hand on to the files beside this one.

Nothing heavy is imported before the first case file is collected.
"""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from pytest_jweval import hookspecs
from pytest_jweval.paths import SUFFIXES
from pytest_jweval.plugin import collect, header, options, render, select
from pytest_jweval.plugin.collect import CaseFile, CaseItem
from pytest_jweval.plugin.fixtures import jw_agents as jw_agents
from pytest_jweval.plugin.fixtures import jw_embedder as jw_embedder
from pytest_jweval.plugin.fixtures import jw_evaluate as jw_evaluate
from pytest_jweval.plugin.fixtures import jw_generator as jw_generator
from pytest_jweval.plugin.fixtures import jw_judge as jw_judge
from pytest_jweval.plugin.fixtures import jw_llm as jw_llm
from pytest_jweval.plugin.fixtures import jw_nli as jw_nli
from pytest_jweval.plugin.fixtures import jw_pages as jw_pages
from pytest_jweval.plugin.fixtures import jw_store as jw_store
from pytest_jweval.plugin.reporting import Reporting
from pytest_jweval.plugin.session import SESSION, Session, share_run_folder


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(hookspecs)


def pytest_addoption(parser: pytest.Parser) -> None:
    options.declare(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    session = config.stash[SESSION] = Session.begin(config)
    options.check_names(session)
    select.join_repeated_marks(config, session.registry.layers)
    if not session.is_worker:
        config.pluginmanager.register(Reporting(session), "jweval-reporting")


def pytest_report_header(config: pytest.Config) -> list[str]:
    return header.lines(config.stash[SESSION])


def pytest_unconfigure(config: pytest.Config) -> None:
    if session := config.stash.get(SESSION, None):
        session.end()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """xdist's hook, called on the controller for every worker."""
    share_run_folder(node.config, node.workerinput)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.name.endswith(SUFFIXES) and parent.config.stash[SESSION].golden.holds(
        file_path, parent.session
    ):
        return CaseFile.from_parent(parent, path=file_path)
    return None


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    return collect.folder_as_file(path, parent)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if isinstance(collector, pytest.Directory) and report.passed:
        report.result += collect.lost_links(collector)
    return report


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    select.keep_chosen(config.stash[SESSION], items)


def pytest_collection_finish(session: pytest.Session) -> None:
    session.config.stash[SESSION].collected(session.items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if isinstance(item, CaseItem):
        item.tell(report)
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(
    report: pytest.TestReport,
) -> tuple[str, str, str | tuple[str, dict[str, bool]]] | None:
    return render.status(report)
