"""The table of ``settings.py``, declared to pytest and read back from it."""

import os
from collections.abc import Collection
from typing import TYPE_CHECKING

import pytest

from pytest_jweval.errors import JWEvalError, SettingsError, UnknownName
from pytest_jweval.settings import CHOICES, Settings

if TYPE_CHECKING:
    from pytest_jweval.plugin.session import Session


def declare(parser: pytest.Parser) -> None:
    group = parser.getgroup("jweval", "golden cases (pytest-jweval)")
    for choice in CHOICES:
        parser.addini(choice.ini, choice.help, type=choice.ini_type, default=None)  # type: ignore[arg-type]
        if choice.on_command_line:
            action = "append" if choice.many else "store"
            group.addoption(
                choice.flag, action=action, metavar=choice.metavar, default=None, help=choice.help
            )


def read(config: pytest.Config) -> Settings:
    try:
        return Settings.read(config.getoption, config.getini, os.environ)
    except SettingsError as error:
        raise pytest.UsageError(str(error)) from None


def check_names(session: "Session") -> None:
    """Names must be right before anything is collected: a ``UsageError`` later would be an INTERNALERROR
    under xdist. Known are the names that plugins, ini and the conftests loaded so far bring."""
    settings, registry = session.settings, session.registry
    try:
        for name in settings.layers:
            _check("--jw-layer", "layer", name, registry.layers)
        for report in settings.reports:
            _check("--jw-report", registry.reports.kind, report.format, registry.reports)
        if settings.agents:
            known = {*session.ini_agents, *session.hook_agents(session.config.hook)}
            for name in settings.agents:
                _check("--jw-agent", "agent", name, known)
    except JWEvalError as error:
        raise pytest.UsageError(str(error)) from None


def _check(flag: str, kind: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        raise SettingsError(f"{flag}: {UnknownName(kind, name, known)}")
