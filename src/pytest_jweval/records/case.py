"""One golden expectation, as its author wrote it."""

import re
from typing import Annotated, Any

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from pytest_jweval.records.strict import Given, Record, Text

ID_PATTERN = re.compile(r"[A-Za-z0-9_-]+")

Names = Annotated[tuple[Text, ...], Field(strict=False)]


class GoldenCase(Record):
    """What to ask which agent, and how to judge the answer.

    ``expected`` stays the mapping that was written: its keys belong to the layer, which checks them.
    """

    id: Annotated[
        str,
        Field(
            description="Names the case in node ids, reports and baselines: letters, digits, _ and -; "
            "unique in a run.",
            examples=["l1_apologetics_trinity_es"],
        ),
    ]
    layer: Annotated[
        Text,
        Field(
            description="How the answer is judged: l1 its shape, l2 its citations, l3 its meaning; or what "
            "else is judged: calibration a judge, bench a search, pairs questions and answers, scenario a "
            "conversation.",
            examples=["l1"],
        ),
    ]
    agent: Annotated[
        Given[Text],
        Field(
            description="Who is asked: a name from the hook pytest_jweval_agents or ini jweval_agents.",
            examples=["apologetics"],
        ),
    ] = None
    input: Annotated[
        Given[dict[str, Any]],
        Field(
            description="What the agent is called with. Cases with the same agent and the same input share "
            "one call.",
            examples=[{"question": "Is the Trinity biblical?", "language": "en"}],
        ),
    ] = None
    expected: Annotated[
        dict[str, Any],
        Field(
            description="What must be true of the answer; which keys there are is up to the layer.",
            examples=[{"min_findings": 3, "must_have_citation": True}],
        ),
    ] = {}
    metadata: Annotated[
        dict[str, Any],
        Field(
            description="Notes for people, in any form; no layer reads them.",
            examples=[{"topic": "doctrine.trinity"}],
        ),
    ] = {}
    tags: Annotated[
        Names,
        Field(description="Words of your own, to choose cases by: --jw-tag and -k.", examples=[["doctrine"]]),
    ] = ()
    marks: Annotated[
        Names,
        Field(
            description="pytest marks of the case, each registered in ini markers: -m slow.",
            examples=[["slow"]],
        ),
    ] = ()
    must_pass: Annotated[
        bool,
        Field(
            description="Breaks the baseline gate on its own, however many other cases got better.",
            examples=[True],
        ),
    ] = False
    samples: Annotated[
        int,
        Field(
            ge=1,
            description="How often the agent is asked, for one that doesn't always answer the same.",
            examples=[5],
        ),
    ] = 1
    pass_at_least: Annotated[
        Given[int],
        Field(
            description="How many of the samples must pass; all of them, if it is left out.",
            examples=[4],
            json_schema_extra={"minimum": 1},  # and at most samples, which a JSON Schema can't say
        ),
    ] = None

    @field_validator("id")
    @classmethod
    def _selectable(cls, value: str) -> str:
        if not ID_PATTERN.fullmatch(value):
            raise PydanticCustomError(
                "id_alphabet", "an id is made of A-Z, a-z, 0-9, _ and - (so that -k and node ids can name it)"
            )
        return value

    @field_validator("pass_at_least")
    @classmethod
    def _reachable(cls, value: int, others: ValidationInfo) -> int:
        samples = others.data.get("samples")  # absent if it was refused itself
        if samples is not None and not 1 <= value <= samples:
            raise PydanticCustomError(
                "reachable", "it must lie between 1 and samples ({samples})", {"samples": samples}
            )
        return value
