"""A scenario's own form, in which there is no ``layer`` and its ``name`` is its id, as a case.

The whole scenario stands under ``expected``, where its layer finds it.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from pytest_jweval.loader.places import Spots
from pytest_jweval.records import Miss

# What selects a case is told at its top as well.
_AT_THE_TOP = {"id": "name", "agent": "agent", "tags": "tags"}


def is_scenario(keys: Container[object]) -> bool:
    return "surface" in keys and "conversation" in keys and "layer" not in keys


def as_case(scenario: Mapping[str, Any]) -> dict[str, Any]:
    top = {key: scenario[own] for key, own in _AT_THE_TOP.items() if own in scenario}
    return {**top, "layer": "scenario", "expected": scenario}


def case_spots(spots: Spots) -> Spots:
    """The places of a document's values, under the keys that they have in its case."""
    if not is_scenario({key[0] for key in spots if len(key) == 1}):
        return spots
    below = {("expected", *key): spot for key, spot in spots.items()}
    at_the_top = {
        (key, *inner[1:]): spot
        for key, own in _AT_THE_TOP.items()
        for inner, spot in spots.items()
        if inner[:1] == (own,)
    }
    return {(): spots[()], **at_the_top, **below}


def in_own_words(misses: Iterable[Miss]) -> Iterator[Miss]:
    """Complaints about a scenario's case, as complaints about the scenario; each thing once."""
    seen = set()
    for miss in misses:
        reason = miss.reason.replace("'id'", "'name'", 1).replace("'expected.", "'", 1)
        if (reason, miss.line, miss.column) not in seen:
            seen.add((reason, miss.line, miss.column))
            yield miss.model_copy(update={"reason": reason})
