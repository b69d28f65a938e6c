"""What a project can plug in: four hooks, all optional, for a conftest or a plugin.

A conftest that must also work under ``-p no:jweval`` marks its hooks
``@pytest.hookimpl(optionalhook=True)``.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from pytest_jweval.ports import Agent
    from pytest_jweval.records import GoldenCase, LayerResult
    from pytest_jweval.registry import Registry

hookspec = pluggy.HookspecMarker("pytest")


@hookspec
def pytest_jweval_agents(config: Any) -> "Mapping[str, Agent] | None":
    """Give the agents that cases may name; of one name, the conftest nearest to the case wins."""


@hookspec(historic=True)
def pytest_jweval_register(registry: "Registry", config: Any) -> None:
    """Put layers, judges, models, chunkers, stores, report formats … on the registry's shelves."""


@hookspec(firstresult=True)
def pytest_jweval_prompt(scenario: Any) -> Mapping[str, str] | None:
    """Give ``system_prompt``, ``user_message`` and ``model`` for a scenario, each optional."""


@hookspec
def pytest_jweval_result(case: "GoldenCase", result: "LayerResult") -> None:
    """See each case's result, in the process that ran it."""
