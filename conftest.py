"""Tells the plugin which agents the golden cases of this repository call. Yours needs no more."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.hookimpl(optionalhook=True)  # so that pytest also starts with `-p no:jweval`
def pytest_jweval_agents(config: pytest.Config) -> dict[str, Any]:
    from pytest_jweval.reference import agents  # only once a case asks for an agent

    return agents()
