"""What a case of the layer ``l1`` may expect, and what it must not: the empty and the impossible."""

from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from pytest_jweval.records import Given, Listed, Record
from pytest_jweval.texts import counted, fold


def _not_blank(word: str) -> str:
    if not fold(word):
        raise PydanticCustomError("blank", "must not be blank")
    return word


Word = Annotated[str, AfterValidator(_not_blank), Field(json_schema_extra={"pattern": r"\S"})]
Count = Annotated[int, Field(ge=0)]


class StructuralExpected(Record):
    """What isn't given isn't checked."""

    min_findings: Annotated[
        Given[Count], Field(description="The answer has at least this many findings.", examples=[3])
    ] = None
    max_findings: Annotated[
        Given[Count], Field(description="The answer has at most this many findings.", examples=[8])
    ] = None
    must_have_source: Annotated[
        Given[Word],
        Field(description="At least one finding comes from this source.", examples=["topic_index"]),
    ] = None
    sources_in_order: Annotated[
        Given[Listed[Word]],
        Field(
            description="The first findings come from these sources, in this order; what follows may come "
            "from anywhere.",
            examples=[["topic_index", "verse_text"]],
        ),
    ] = None
    must_have_citation: Annotated[
        bool, Field(description="Every finding says which source it comes from.", examples=[True])
    ] = False
    must_have_url: Annotated[bool, Field(description="Every finding has a URL.", examples=[True])] = False
    forbidden_keywords_in_findings: Annotated[
        Given[Listed[Word]],
        Field(
            description="No finding has any of these texts; upper and lower case are the same.",
            examples=[["central doctrine"]],
        ),
    ] = None
    required_keywords_any: Annotated[
        Given[Listed[Word]],
        Field(
            description="At least one of these texts stands in a finding; upper and lower case are the same.",
            examples=[["Deuteronomy 6:4", "John 17:3"]],
        ),
    ] = None
    max_duration_ms: Annotated[
        Given[Annotated[int, Field(gt=0)]],
        Field(description="The agent answers within this many milliseconds.", examples=[5000]),
    ] = None
    json_schema: Annotated[
        Given[Annotated[dict[str, Any], Field(min_length=1)]],
        Field(
            description="A JSON Schema for the agent's own answer, as it was before findings were read from "
            "it; needs pip install 'pytest-jweval[schema]'.",
            examples=[{"type": "object", "required": ["findings"]}],
        ),
    ] = None

    @model_validator(mode="after")
    def _can_fail(self) -> "StructuralExpected":
        given = ((name, getattr(self, name)) for name in self.model_fields_set)
        asked = {name: value for name, value in given if value is not None and value is not False}
        if not asked or asked == {"min_findings": 0}:
            raise ValueError("nothing is expected, so the case could never fail: add min_findings: 1, say")
        return self

    @model_validator(mode="after")
    def _can_pass(self) -> "StructuralExpected":
        if self.max_findings is not None:
            self._refuse_impossible_counts(self.max_findings)
        if self.required_keywords_any and self.forbidden_keywords_in_findings:
            self._refuse_impossible_words(self.required_keywords_any, self.forbidden_keywords_in_findings)
        return self

    def _refuse_impossible_counts(self, most: int) -> None:
        for name, least in self._findings_needed().items():
            if least > most:
                raise ValueError(
                    f"{name!r} needs at least {counted(least, 'finding')}, 'max_findings' is {most}"
                )

    def _refuse_impossible_words(self, required: tuple[str, ...], forbidden: tuple[str, ...]) -> None:
        bad_words = [fold(word) for word in forbidden]
        if all(any(bad in word for bad in bad_words) for word in map(fold, required)):
            raise ValueError("'required_keywords_any' wants what 'forbidden_keywords_in_findings' forbids")

    def _findings_needed(self) -> dict[str, int]:
        return {
            "min_findings": self.min_findings or 0,
            "must_have_source": 1 if self.must_have_source else 0,
            "sources_in_order": len(self.sources_in_order or ()),
            "required_keywords_any": 1 if self.required_keywords_any else 0,
        }
