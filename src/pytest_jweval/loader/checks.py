"""From a document's data to a case, with every complaint at its line."""

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_jweval.errors import CaseError, UnknownName
from pytest_jweval.loader.places import Document, Key, Spots, place
from pytest_jweval.ports import Layer
from pytest_jweval.records import GoldenCase, Miss, parse

Layers = Mapping[str, Layer]


def case_of(data: dict[str, Any], document: Document, layers: Layers) -> GoldenCase:
    """The case, its ``expected`` checked by its layer; numbers and ``true`` as text where text belongs."""
    as_case, unfold = _scenario_as_case(data) if _is_scenario(data) else (data, 0)
    try:
        return checked_case(as_case, layers)
    except CaseError as error:
        spots = {((*(("expected",) * unfold), *key)): spot for key, spot in document.spots().items()}
        rewritten = _as_written(as_case, error.misses, spots)
        try:
            return checked_case(rewritten, layers)
        except CaseError as final:
            own_line = document.value()[1]
            raise CaseError(place(miss, spots, own_line) for miss in final.misses) from None


def checked_case(data: Mapping[str, Any], layers: Layers) -> GoldenCase:
    """A case that its layer accepts, or a `CaseError` that names everything wrong with it."""
    try:
        case = parse(GoldenCase, data)
    except CaseError as error:
        misses = error.misses
    else:
        return _accepted(case, layers)
    raise CaseError([*misses, *_misses_below_expected(data, layers, misses)])


def _misses_below_expected(data: Mapping[str, Any], layers: Layers, known: Iterable[Miss]) -> Iterable[Miss]:
    """What else is wrong in a case that is broken already, so that its author has to come back only once."""
    name, expected = data.get("layer"), data.get("expected", {})
    seen = any(miss.key[:1] == ("expected",) for miss in known)
    if seen or not isinstance(name, str) or name not in layers or not isinstance(expected, dict):
        return ()
    try:
        parse(layers[name].schema, expected, ("expected",))
    except CaseError as error:
        return error.misses
    return ()


def _accepted(case: GoldenCase, layers: Layers) -> GoldenCase:
    if case.layer not in layers:
        unknown = UnknownName("layer", case.layer, layers)
        raise CaseError([Miss(reason=str(unknown), key=("layer",))])
    layer = layers[case.layer]
    missing = [name for name in ("agent", "input") if layer.needs_agent and getattr(case, name) is None]
    misses = [Miss(reason=f"{name!r} is missing (layer {case.layer} asks an agent)") for name in missing]
    try:
        parse(layer.schema, case.expected, ("expected",))
    except CaseError as error:
        misses.extend(error.misses)
    if misses:
        raise CaseError(misses)
    return case


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


def _is_scenario(data: Mapping[str, Any]) -> bool:
    return "surface" in data and "conversation" in data and "layer" not in data


def _scenario_as_case(data: dict[str, Any]) -> tuple[dict[str, Any], int]:
    return {"id": data.get("name"), "layer": "scenario", "expected": data}, 1
