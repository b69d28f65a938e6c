"""Tells the plugin which agents the golden cases of this repository call. Yours needs no more.

The judge is a script, and is named so in every result: the golden cases are to be the same on every machine.
"""

from __future__ import annotations

from typing import Any

import pytest


@pytest.hookimpl(optionalhook=True)  # so that pytest also starts with `-p no:jweval`
def pytest_jweval_agents(config: pytest.Config) -> dict[str, Any]:
    from pytest_jweval.reference import agents  # only once a case asks for an agent

    return agents()


@pytest.hookimpl(optionalhook=True)
def pytest_jweval_register(registry: Any, config: pytest.Config) -> None:
    registry.llms["scripted"] = _scripted


def _scripted() -> Any:
    from pytest_jweval.testing import ScriptedLLM

    # Said once, by `pytest golden --jw-cassettes=record`; since then it is replayed.
    reason = "Las dos dicen que Seol y Hades son la tumba común y no un lugar de tormento eterno."
    return ScriptedLLM([{"reason": reason, "verdict": "pass"}])
