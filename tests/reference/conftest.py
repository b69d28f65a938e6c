"""One way to put a question to any of the five agents."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from pytest_jweval.reference import agents
from pytest_jweval.reference.answers import Answer


@pytest.fixture
def ask() -> Callable[..., Answer]:
    """`ask("apologetics", question=…, language=…)`: the answer, whether the agent is async or not."""

    def ask(agent: str, **inputs: Any) -> Answer:
        given = agents()[agent](inputs)
        if isinstance(given, dict):
            return given
        return asyncio.run(_await(given))

    return ask


async def _await(given: Any) -> Any:
    return await given
