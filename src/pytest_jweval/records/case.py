"""One golden expectation, as its author wrote it."""

import re
from typing import Annotated, Any

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from pytest_jweval.records.strict import Given, Record, Text

ID_PATTERN = re.compile(r"[A-Za-z0-9_-]+")

Names = Annotated[tuple[Text, ...], Field(strict=False)]


class GoldenCase(Record):
    """What to ask which agent, and how to judge the answer.

    ``expected`` stays the mapping that was written: its keys belong to the layer, which checks them.
    """

    id: Annotated[str, Field(description="Names the case in node ids and reports; unique in a run.")]
    layer: Annotated[Text, Field(description="How the answer is judged: l1, l2, l3, …")]
    agent: Annotated[Given[Text], Field(description="The registered name of the agent to ask.")] = None
    input: Annotated[Given[dict[str, Any]], Field(description="What the agent is called with.")] = None
    expected: Annotated[dict[str, Any], Field(description="What the layer checks.")] = {}
    metadata: Annotated[dict[str, Any], Field(description="Anything; no layer reads it.")] = {}
    tags: Annotated[Names, Field(description="Free words for --jw-tag and -k.")] = ()
    marks: Annotated[Names, Field(description="Registered pytest marks, such as slow.")] = ()
    must_pass: Annotated[bool, Field(description="Breaks the baseline gate on its own.")] = False
    samples: Annotated[int, Field(ge=1, description="Ask this many times.")] = 1
    pass_at_least: Annotated[
        Given[int], Field(description="How many of the samples must pass; all, if not given.")
    ] = None

    @field_validator("id")
    @classmethod
    def _selectable(cls, value: str) -> str:
        if not ID_PATTERN.fullmatch(value):
            raise PydanticCustomError(
                "id_alphabet", "an id is made of A-Z, a-z, 0-9, _ and - (so that -k and node ids can name it)"
            )
        return value

    @model_validator(mode="after")
    def _reachable(self) -> "GoldenCase":
        if self.pass_at_least is not None and not 1 <= self.pass_at_least <= self.samples:
            raise ValueError(
                f"'pass_at_least' must lie between 1 and samples ({self.samples}), not {self.pass_at_least}"
            )
        return self
