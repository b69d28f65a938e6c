"""What an agent gave back, in the one form that layers read."""

from typing import Annotated, Any

from pydantic import Field

from pytest_jweval.records.strict import Record


class Finding(Record):
    """One piece of an answer, and where the agent says it comes from."""

    text: str = ""
    source: str | None = None
    url: str | None = None
    metadata: dict[str, Any] = {}


class Answer(Record):
    """All findings, in the agent's order; ``raw`` is what came before it was normalised."""

    findings: Annotated[tuple[Finding, ...], Field(strict=False)] = ()
    metadata: dict[str, Any] = {}
    raw: Annotated[Any, Field(exclude=True, repr=False)] = None
