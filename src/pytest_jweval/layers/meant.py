"""What a case of the layer ``l3`` may expect: what a good answer means, and what it must or must not say."""

from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from pytest_jweval.judges.keywords import is_searchable
from pytest_jweval.layers.expectations import Word
from pytest_jweval.records import Given, Listed, OrText, Record

MOST_VOTES = 15


def _searchable(keyword: str) -> str:
    if not is_searchable(keyword):
        raise PydanticCustomError("no_word", "has no word to search for")
    return keyword


Keyword = Annotated[Word, AfterValidator(_searchable)]
Cosine = Annotated[float, Field(ge=-1, le=1)]


class Unwanted(Record):
    """A text that must not be said, and where it may be said all the same."""

    keyword: Annotated[Keyword, Field(description="What no answer may say.", examples=["central doctrine"])]
    exceptions: Annotated[
        Listed[Keyword],
        Field(
            alias="except",
            description="Longer texts that have the keyword in them, and may be said.",
            examples=[["not the central doctrine"]],
        ),
    ] = ()


class SemanticExpected(Record):
    """What the answer must mean."""

    golden_answer: Annotated[
        Word,
        Field(
            description="A good answer in your own words; the agent's must mean the same.",
            examples=["Opened software can be returned within 30 days."],
        ),
    ]
    expected_keywords_any: Annotated[
        Given[Listed[Keyword]],
        Field(
            description="The answer has at least one of these texts, in whole words; case and accents "
            "don't matter.",
            examples=[["30 days", "one month"]],
        ),
    ] = None
    expected_keywords_none: Annotated[
        Given[Listed[Annotated[Unwanted, OrText("keyword")]]],
        Field(
            description="The answer has none of these texts. An entry is a text, or a mapping of keyword and "
            "except: longer texts that have it in them, and may be said.",
            examples=[["never", {"keyword": "refund", "except": ["no refund"]}]],
        ),
    ] = None
    threshold_pass: Annotated[
        Given[Cosine],
        Field(
            description="From this cosine on, the answer means the same (default: the embedder's own, 0.78 "
            "for sentence-transformers).",
            examples=[0.78],
        ),
    ] = None
    threshold_review_min: Annotated[
        Given[Cosine],
        Field(
            description="Below this cosine it means something else; between the two a judge decides "
            "(default: the embedder's own, 0.55 for sentence-transformers).",
            examples=[0.55],
        ),
    ] = None
    rubric: Annotated[
        Given[Word],
        Field(
            description="What the judge should look at, in your own words.",
            examples=["The number of days must be right; the wording doesn't matter."],
        ),
    ] = None
    judge_votes: Annotated[
        Given[Annotated[int, Field(ge=1, le=MOST_VOTES)]],
        Field(
            description="How often the judge is asked; the majority decides, without one it is review "
            "(default: --jw-votes).",
            examples=[3],
        ),
    ] = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        low, high = self.threshold_review_min, self.threshold_pass
        if low is not None and high is not None and low > high:
            raise ValueError(f"'threshold_review_min' is {low:g}, above 'threshold_pass', which is {high:g}")
        return self

    def bands(self, default: tuple[float, float]) -> tuple[float, float]:
        """The cosine from which it passes, and the one below which it fails; each may be the case's own."""
        high, low = default
        high = high if self.threshold_pass is None else self.threshold_pass
        low = low if self.threshold_review_min is None else self.threshold_review_min
        return high, min(low, high)
