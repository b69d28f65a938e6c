"""The table of ``settings.py``, declared to pytest and read back from it."""

import os
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any

import pytest

from pytest_jweval.errors import SettingsError, UnknownName, told
from pytest_jweval.settings import CHOICES, Settings

if TYPE_CHECKING:
    from pytest_jweval.plugin.session import Session


def declare(parser: pytest.Parser) -> None:
    group = parser.getgroup("jweval", "golden cases (pytest-jweval)")
    for choice in CHOICES:
        parser.addini(choice.ini, choice.help, type=choice.ini_type, default=None)  # type: ignore[arg-type]
        explained = choice.help.replace("%", "%%")  # argparse fills in values, ini keys are shown as they are
        if choice.is_flag:
            group.addoption(choice.flag, action="store_true", default=None, help=explained)
        elif choice.on_command_line:
            action = "append" if choice.many else "store"
            group.addoption(choice.flag, action=action, metavar=choice.metavar, default=None, help=explained)


def read(config: pytest.Config) -> Settings:
    try:
        return Settings.read(config.getoption, _ini(config), os.environ)
    except SettingsError as error:
        raise pytest.UsageError(str(error)) from None


def _ini(config: pytest.Config) -> Callable[[str], Any]:
    def get(name: str) -> Any:
        try:
            return config.getini(name)
        except (ValueError, pytest.UsageError) as error:  # a quote that is never closed, say
            raise SettingsError(f"ini {name}: {error}") from None

    return get


def check_names(session: "Session") -> None:
    """Names must be right before anything is collected: a ``UsageError`` later would be an INTERNALERROR
    under xdist. Known are the names that plugins, ini and the conftests loaded so far bring; where a
    conftest is still to come, an unknown name may be one of its, and then selects what it selects."""
    settings, registry = session.settings, session.registry
    for report in settings.reports:
        _check("--jw-report", registry.reports.kind, [report.format], registry.reports)
    chosen = (settings.layers, settings.agents, settings.llm, settings.embedder)
    if not any(chosen) or session.golden.has_conftests_to_come():
        return
    _check_judging(session)
    _check("--jw-layer", "layer", settings.layers, registry.layers)
    if settings.agents:
        try:
            agents = {*session.ini_agents, *session.hook_agents(session.config.hook)}
        except Exception as error:  # a stranger's hook may raise anything
            raise pytest.UsageError(
                f"--jw-agent: a pytest_jweval_agents hook raised {told(error)}"
            ) from error
        _check("--jw-agent", "agent", settings.agents, agents)


def _check_judging(session: "Session") -> None:
    """The part before a colon names what is registered, the one behind it a model."""
    from pytest_jweval.resources import NO_LLM

    settings, registry, resources = session.settings, session.registry, session.resources
    if settings.llm and resources.llm_name != NO_LLM:
        _check("--jw-llm", registry.llms.kind, [resources.llm_name], {*registry.llms, NO_LLM, "anthropic"})
    if settings.embedder:
        _check("--jw-embedder", "embedder", [settings.embedder.partition(":")[0]], registry.embedders)


def _check(flag: str, kind: str, names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise pytest.UsageError(f"{flag}: {UnknownName(kind, name, known)}")
