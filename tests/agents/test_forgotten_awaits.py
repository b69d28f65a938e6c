"""A coroutine that was never awaited is found wherever it hides, and Python never warns of it."""

from __future__ import annotations

import asyncio
import gc
import time
import warnings
from dataclasses import dataclass
from typing import Any
from unittest.mock import MagicMock

import pytest

from pytest_jweval.agents import normalised
from pytest_jweval.errors import BadAnswer


async def coroutine():
    return "a"


@dataclass
class Fields:
    text: Any = "a"
    deep: Any = None


class Opaque:
    """An object that lists no fields."""

    def __init__(self, **parts):
        vars(self).update(parts)


class AsyncProperty:
    @property
    async def text(self):
        return "a"


HIDDEN = {
    "the answer": coroutine,
    "findings": lambda: {"findings": coroutine()},
    "findings[1]": lambda: {"findings": ["a", coroutine(), coroutine()]},
    "[0]": lambda: [coroutine(), coroutine()],
    "findings[0].text": lambda: {"findings": [{"text": coroutine(), "url": coroutine()}]},
    "[0].text": lambda: [AsyncProperty()],
    "[0].deep.x": lambda: [Fields(deep={"x": coroutine()})],
    "[0].url": lambda: [Opaque(text="a", url=coroutine())],
    "[0].citation.url": lambda: [Opaque(text="a", citation=Opaque(url=coroutine()))],
    "metadata.score": lambda: Opaque(findings=[], metadata={"score": coroutine()}),
    "[0].metadata.scores[2]": lambda: [{"text": "a", "metadata": {"scores": (1, 2, coroutine())}}],
}


@pytest.mark.parametrize(("place", "make"), HIDDEN.items(), ids=HIDDEN.keys())
def test_it_is_found_and_closed_wherever_it_stands(place, make):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(BadAnswer) as error:
            normalised(make())
        gc.collect()
    assert str(error.value) == f"{place} is a coroutine that was never awaited: put `await` before the call"
    assert [str(warning.message) for warning in caught] == []


def test_a_task_counts_as_forgotten_too():
    async def agent():
        return {"findings": [asyncio.create_task(coroutine())]}

    async def main():
        answer = await agent()
        with pytest.raises(BadAnswer, match=r"findings\[0\] is a coroutine"):
            normalised(answer)
        await answer["findings"][0]

    asyncio.run(main())


def test_an_answer_that_contains_itself_is_read():
    metadata: dict[str, Any] = {}
    metadata["self"] = metadata
    assert normalised([{"text": "a", "metadata": metadata}]).findings[0].text == "a"


def test_objects_in_metadata_are_not_touched():
    class Row:
        def __getattr__(self, name):
            raise AssertionError(f"a database was asked for {name}")

    row = Row()
    assert normalised([{"text": "a", "metadata": {"row": row}}]).findings[0].metadata == {"row": row}


def test_an_object_that_has_every_attribute_ends_the_search():
    with pytest.raises(BadAnswer, match="`findings` is MagicMock"):
        normalised(MagicMock())


def test_the_search_costs_little_beside_a_large_answer():
    vectors = [{"text": "a", "metadata": {"vector": [0.5] * 1000}} for _ in range(200)]
    began = time.perf_counter()
    normalised(vectors)
    assert time.perf_counter() - began < 1
