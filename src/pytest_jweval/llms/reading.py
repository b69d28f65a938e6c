"""The object in a model's reply, wherever it stands there.

Fences, prose around it and another case of keys and words are forgiven. Nothing is guessed: what is not
JSON stays unread, and a reply with two different objects has said nothing. Braces that are neither an object
nor plain prose make the whole reply unreadable, because an object inside a broken one may be a quotation.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_LONGEST = 200_000
_PROSE = re.compile(r"""\{[^{}"']*\}""")
_KNOWN = frozenset(
    {"type", "properties", "required", "additionalProperties", "enum", "minimum", "maximum", "items"}
    | {"title", "description"}
)


class _Unreadable(ValueError):
    """No value that fulfils the schema."""


def read_object(text: str, schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """The only object in ``text`` that fulfils ``schema``, with keys and words as the schema writes them."""
    _check(schema)
    try:
        found = [value for raw in _objects(text) if (value := _fulfilling(raw, schema)) is not None]
    except (ValueError, RecursionError):
        return None
    return found[0] if found and all(_same(other, found[0]) for other in found) else None


def _check(schema: Mapping[str, Any]) -> None:
    """A keyword that isn't looked at would be a promise that nobody keeps."""
    if unknown := sorted(set(schema) - _KNOWN):
        raise ValueError(f"replies can't be held to {', '.join(unknown)!r} of a JSON schema")
    inner = [*schema.get("properties", {}).values(), schema.get("items"), schema.get("additionalProperties")]
    for each in inner:
        if isinstance(each, Mapping):
            _check(each)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    if len(text) > _LONGEST:
        raise _Unreadable
    at = text.find("{")
    while at >= 0:
        if prose := _PROSE.match(text, at):
            end = prose.end()
            if not prose[0][1:-1].strip():
                yield {}
        else:
            value, end = _DECODER.raw_decode(text, at)
            yield value
        at = text.find("{", end)


def _fulfilling(raw: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any] | None:
    try:
        value = _value(raw, schema)
    except _Unreadable:
        return None
    return value if isinstance(value, dict) else None


def _value(raw: Any, schema: Mapping[str, Any]) -> Any:
    value = _typed(raw, schema)
    if "enum" in schema:
        value = _word(value, schema["enum"])
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
        if not low <= value <= high:
            raise _Unreadable
    return value


def _typed(raw: Any, schema: Mapping[str, Any]) -> Any:
    wanted = schema.get("type")
    for kind in [wanted] if isinstance(wanted, str) else wanted or [_kind(raw)]:
        if kind == "integer" and isinstance(raw, float) and raw.is_integer():
            return int(raw)
        if _kind(raw) == kind or (kind == "number" and _kind(raw) == "integer"):
            return _inside(raw, schema)
    raise _Unreadable


def _kind(raw: Any) -> str:
    return "null" if raw is None else _KINDS[type(raw)]


_KINDS = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


def _inside(raw: Any, schema: Mapping[str, Any]) -> Any:
    if isinstance(raw, list):
        return [_value(item, schema.get("items", {})) for item in raw]
    return _properties(raw, schema) if isinstance(raw, dict) else raw


def _properties(raw: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    known: Mapping[str, Any] = schema.get("properties", {})
    written = {name.casefold(): name for name in known}
    extra = schema.get("additionalProperties", True)
    value: dict[str, Any] = {}
    for key, item in raw.items():
        name = key if key in known else written.get(key.strip().casefold(), key)
        if name in value or (name not in known and extra is False):
            raise _Unreadable
        value[name] = _value(item, known.get(name, extra if isinstance(extra, Mapping) else {}))
    if not set(schema.get("required", ())) <= set(value):
        raise _Unreadable
    return value


def _word(value: Any, words: Sequence[Any]) -> Any:
    for word in words:
        if _same(value, word):
            return word
    for word in words:
        if isinstance(value, str) and isinstance(word, str) and value.strip().casefold() == word.casefold():
            return word
    raise _Unreadable


def _same(one: Any, other: Any) -> bool:
    """Equal in JSON, where true is not 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise _Unreadable  # which of the two is meant?
    return dict(pairs)


def _finite(text: str) -> float:
    if math.isfinite(number := float(text)):
        return number
    raise _Unreadable


def _no_number(name: str) -> float:
    raise _Unreadable(name)


# Not strict: models break lines inside of strings, and what they mean is clear.
_DECODER = json.JSONDecoder(
    object_pairs_hook=_once, parse_float=_finite, parse_constant=_no_number, strict=False
)
