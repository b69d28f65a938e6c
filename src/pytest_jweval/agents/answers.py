"""From whatever an agent gives back to an `Answer`.

Read are: an object or a mapping with ``findings``, a list of findings, a plain text. Everything
else is a `BadAnswer` that says what came and what could have been read.
"""

import inspect
import reprlib
from collections.abc import Mapping
from enum import Enum
from typing import Any

from pytest_jweval.errors import BadAnswer
from pytest_jweval.records import Answer, Finding
from pytest_jweval.records.plain import fields_of

_READABLE = "an answer is a text, a list of findings, or has `findings`"


def normalised(raw: Any) -> Answer:
    """The findings in the agent's order, each with the text, source and URL that could be found in it."""
    if isinstance(raw, Answer):
        return raw
    _awaited(raw, "the answer")
    if isinstance(raw, str):
        return Answer(findings=(Finding(text=raw),), raw=raw)
    if isinstance(raw, list | tuple):
        return Answer(findings=_findings(raw), raw=raw)
    if raw is None:
        raise BadAnswer(f"the agent answered None; {_READABLE}")
    findings = _part(raw, "findings", absent=_ABSENT)
    if findings is _ABSENT:
        raise BadAnswer(f"the agent answered {_described(raw)}; {_READABLE}")
    _awaited(findings, "`findings`")
    if not isinstance(findings, list | tuple):
        raise BadAnswer(f"the answer's `findings` is {_described(findings)}, not a list")
    return Answer(findings=_findings(findings), metadata=_metadata(raw, "the answer"), raw=raw)


_ABSENT = object()
_PARTS = ("text", "summary", "excerpt", "source", "url", "citation", "metadata")


def _findings(parts: "list[Any] | tuple[Any, ...]") -> tuple[Finding, ...]:
    return tuple(_finding(part, f"findings[{i}]") for i, part in enumerate(parts))


def _finding(raw: Any, name: str) -> Finding:
    _awaited(raw, name)
    if isinstance(raw, Finding):
        return raw
    if isinstance(raw, str):
        return Finding(text=raw)
    if all(_part(raw, part) is None for part in _PARTS):
        raise BadAnswer(f"{name} is {_described(raw)}; a finding is a text, or has `text`")
    metadata = _metadata(raw, name)
    source = _part(raw, "source")
    return Finding(
        text=_text(raw, name),
        source=_word(source if source is not None else metadata.get("source")),
        url=_url(raw, metadata),
        metadata=metadata,
    )


def _text(raw: Any, name: str) -> str:
    text = _part(raw, "text")
    if text is None:
        parts = [_part(raw, "summary"), _part(raw, "excerpt")]
        return "\n".join(_as_text(part, name) for part in parts if part is not None)
    return _as_text(text, name)


def _as_text(value: Any, name: str) -> str:
    _awaited(value, f"the text of {name}")
    value = value.value if isinstance(value, Enum) else value
    if not isinstance(value, str):
        raise BadAnswer(f"the text of {name} is {_described(value)}, not a text")
    return str(value)


def _url(raw: Any, metadata: Mapping[str, Any]) -> str | None:
    """The first of ``url``, ``citation.url``, ``metadata.citation_url``, ``metadata.source_url``."""
    citation = _part(raw, "citation")
    candidates = (
        _part(raw, "url"),
        None if citation is None else _part(citation, "url"),
        metadata.get("citation_url"),
        metadata.get("source_url"),
    )
    return next((word for word in map(_word, candidates) if word), None)


def _word(value: Any) -> str | None:
    """Enums by their value, URL objects by their text; empty is none."""
    value = value.value if isinstance(value, Enum) else value
    return None if value is None else str(value) or None


def _metadata(raw: Any, name: str) -> dict[str, Any]:
    metadata = _part(raw, "metadata")
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping):
        metadata = fields_of(metadata)
    if metadata is None:
        raise BadAnswer(f"the metadata of {name} is no mapping")
    return {str(key): value for key, value in metadata.items()}


def _part(raw: Any, name: str, absent: Any = None) -> Any:
    return raw.get(name, absent) if isinstance(raw, Mapping) else getattr(raw, name, absent)


def _awaited(value: Any, name: str) -> None:
    if inspect.iscoroutine(value):
        value.close()  # or Python warns about it later, in somebody else's test
    if inspect.isawaitable(value):
        raise BadAnswer(f"{name} is a coroutine that was never awaited: put `await` before the call")


def _described(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, Mapping):
        return f"a mapping with {', '.join(map(str, list(value)[:8])) or 'nothing in it'}"
    return f"{type(value).__name__} ({reprlib.repr(value)})"
