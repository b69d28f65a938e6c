"""From a document's data to a case, with every complaint at its line."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pytest_jweval.errors import CaseError, UnknownName, told
from pytest_jweval.loader.document import Document
from pytest_jweval.loader.places import Key, Spot, Spots, own_spot, place
from pytest_jweval.loader.scenarios import as_case, case_spots, in_own_words, is_scenario
from pytest_jweval.ports import Layer
from pytest_jweval.records import GoldenCase, Miss, parse

Layers = Mapping[str, Layer]


class Checked(NamedTuple):
    """A case that its layer accepts, and what it expects in the layer's own form."""

    case: GoldenCase
    expected: Any


def case_of(data: dict[str, Any], document: Document, layers: Layers) -> tuple[dict[str, Any], GoldenCase]:
    """What the case says and the case, its ``expected`` checked by its layer; numbers and ``true`` as text
    where text belongs."""
    scenario = is_scenario(data)
    data = as_case(data) if scenario else data
    try:
        return data, checked_case(data, layers).case
    except CaseError as error:
        misses = error.misses
    spots = case_spots(document.spots())
    try:
        data = _as_written(data, misses, spots)
        return data, checked_case(data, layers).case
    except CaseError as error:
        own = own_spot(spots, Spot(document.lines_above + 1, 1))
        placed = [place(miss, spots, own) for miss in error.misses]
    placed.sort(key=lambda miss: (miss.line or 0, miss.column or 0))
    raise CaseError(in_own_words(placed) if scenario else placed)


def checked_case(data: Mapping[str, Any], layers: Layers) -> Checked:
    """A case that its layer accepts, or a `CaseError` that names everything wrong with it."""
    misses: list[Miss] = []
    case = expected = None
    try:
        case = parse(GoldenCase, data)
    except CaseError as error:
        misses += error.misses
    # Its layer is asked also if the case is broken already: its author should come back only once.
    try:
        expected = _checked_by_layer(data, layers)
    except CaseError as error:
        misses += error.misses
    if case is None or misses:
        raise CaseError(misses)
    return Checked(case, expected)


def _checked_by_layer(data: Mapping[str, Any], layers: Layers) -> Any:
    """What is expected, in the layer's own form; a `CaseError` with all that the layer has against it."""
    name, expected = data.get("layer"), data.get("expected", {})
    if not isinstance(name, str) or not name:
        return None
    if name not in layers:
        raise CaseError([Miss(reason=str(UnknownName("layer", name, layers)), key=("layer",))])
    misses: list[Miss] = []
    checked = None
    try:
        layer = layers[name]
        missing = [key for key in ("agent", "input") if layer.needs_agent and key not in data]
        misses += [Miss(reason=f"{key!r} is missing (layer {name} asks an agent)") for key in missing]
        if isinstance(expected, dict):
            checked = parse(layer.schema, expected, ("expected",))
    except CaseError as error:
        misses += error.misses
    except Exception as error:  # noqa: BLE001  # a layer may be a stranger's, and its file must not stop the run
        misses.append(
            Miss(reason=f"layer {name!r} can't check what is expected: {told(error)}", key=("expected",))
        )
    if misses:
        raise CaseError(misses)
    return checked


def _as_written(data: Any, misses: Iterable[Miss], spots: Spots) -> Any:
    """``data`` with the author's own text wherever text was expected: ``1914``, ``no``, ``2026-05-30``."""
    for miss in misses:
        written = spots[miss.key].written if miss.expected == "text" and miss.key in spots else None
        if written:
            data = _with(data, miss.key, written)
    return data


def _with(data: Any, key: Key, value: Any) -> Any:
    if not key:
        return value
    copy: Any = dict(data) if isinstance(data, dict) else list(data)
    copy[key[0]] = _with(data[key[0]], key[1:], value)
    return copy
