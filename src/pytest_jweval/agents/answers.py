"""From whatever an agent gives back to an `Answer`.

Read are: an object or a mapping with ``findings``, a list of findings, a plain text. Everything
else is a `BadAnswer` that says what came and what could have been read.
"""

import inspect
import reprlib
from collections.abc import Mapping
from enum import Enum
from typing import Any

from pytest_jweval.agents.forgotten import forgotten
from pytest_jweval.errors import BadAnswer, told
from pytest_jweval.records import Answer, Finding
from pytest_jweval.records.plain import fields_of

_READABLE = "an answer is a text, a list of findings, or has `findings`"


def normalised(raw: Any) -> Answer:
    """The findings in the agent's order, each with the text, source and URL that could be found in it."""
    try:
        if name := forgotten(raw):
            raise BadAnswer(f"{name} is a coroutine that was never awaited: put `await` before the call")
        return _answer(raw)
    except BadAnswer:
        raise
    except Exception as error:  # an answer's properties may run any code
        raise BadAnswer(f"the answer can't be read: {told(error)}") from error


def _answer(raw: Any) -> Answer:
    if isinstance(raw, Answer):
        return raw
    if isinstance(raw, str):
        return Answer(findings=(Finding(text=raw),), raw=raw)
    findings = _part(raw, "findings", absent=_ABSENT)
    if findings is _ABSENT:
        if isinstance(raw, list | tuple):
            return Answer(findings=_findings(raw), raw=raw)
        raise BadAnswer(f"the agent answered {_described(raw)}; {_READABLE}")
    if not isinstance(findings, list | tuple):
        raise BadAnswer(f"the answer's `findings` is {_described(findings)}, not a list")
    return Answer(findings=_findings(findings), metadata=_metadata(raw, "the answer"), raw=raw)


_ABSENT = object()
_PARTS = ("text", "summary", "excerpt", "source", "url", "citation", "metadata")


def _findings(parts: "list[Any] | tuple[Any, ...]") -> tuple[Finding, ...]:
    return tuple(_finding(part, f"findings[{i}]") for i, part in enumerate(parts))


def _finding(raw: Any, name: str) -> Finding:
    if isinstance(raw, Finding):
        return raw
    if isinstance(raw, str):
        return Finding(text=raw)
    parts = {part: _part(raw, part) for part in _PARTS}
    if all(value is None for value in parts.values()):
        raise BadAnswer(f"{name} is {_described(raw)}; a finding is a text, or has `text`")
    metadata = _metadata(raw, name)
    source = _word(parts["source"])
    return Finding(
        text=_text(parts, name),
        source=_word(metadata.get("source")) if source is None else source,
        url=_url(parts, metadata),
        metadata=metadata,
    )


def _text(parts: Mapping[str, Any], name: str) -> str:
    if parts["text"] is not None:
        return _as_text(parts["text"], name)
    return "\n".join(
        _as_text(parts[part], name) for part in ("summary", "excerpt") if parts[part] is not None
    )


def _as_text(value: Any, name: str) -> str:
    value = value.value if isinstance(value, Enum) else value
    if not isinstance(value, str):
        raise BadAnswer(f"the text of {name} is {_described(value)}, not a text")
    return str(value)


def _url(parts: Mapping[str, Any], metadata: Mapping[str, Any]) -> str | None:
    """The first of ``url``, ``citation.url``, ``metadata.citation_url``, ``metadata.source_url``."""
    citation = parts["citation"]
    candidates = (
        parts["url"],
        None if citation is None else _part(citation, "url"),
        metadata.get("citation_url"),
        metadata.get("source_url"),
    )
    return next((word for word in map(_word, candidates) if word), None)


def _word(value: Any) -> str | None:
    """Enums by their value, URL objects by their text; blank is none."""
    value = value.value if isinstance(value, Enum) else value
    text = "" if value is None else str(value)
    return text if text.strip() else None


def _metadata(raw: Any, name: str) -> dict[str, Any]:
    metadata = _part(raw, "metadata")
    if metadata is None:
        return {}
    fields = metadata if isinstance(metadata, Mapping) else fields_of(metadata)
    if fields is None:
        raise BadAnswer(f"the metadata of {name} is {_described(metadata)}, not a mapping")
    return {str(key): value for key, value in fields.items()}


def _part(raw: Any, name: str, absent: Any = None) -> Any:
    # The check for dict is what makes it fast; most answers are made of them.
    is_mapping = type(raw) is dict or isinstance(raw, Mapping)
    return raw.get(name, absent) if is_mapping else getattr(raw, name, absent)


def _described(value: Any) -> str:
    if value is None:
        return "None"
    if inspect.isgenerator(value) or inspect.isasyncgen(value):
        return "a generator (it says `yield` where a list should be returned)"
    if isinstance(value, Mapping):
        return f"a mapping with {', '.join(map(str, list(value)[:8])) or 'nothing in it'}"
    return f"{type(value).__name__} ({reprlib.repr(value)})"
