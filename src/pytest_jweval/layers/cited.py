"""What a case of the layer ``l2`` may expect: which pages are cited, and what they must say."""

import re
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from pytest_jweval.layers.expectations import Word
from pytest_jweval.records import Given, Listed, OrText, Record
from pytest_jweval.web.text import comparable

_URL_PATTERN = r"^https?://[^\s/?#]+([/?#]\S*)?$"


def _web_address(url: str) -> str:
    if not re.match(_URL_PATTERN, url, re.IGNORECASE) or not _has_host(url):
        raise PydanticCustomError("web_address", "must be a web address, such as https://example.org/page")
    return url


def _has_host(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, a bracket that is never closed
        return False


def _comparable(phrase: str) -> str:
    if not any(map(str.isalnum, comparable(phrase))):
        raise PydanticCustomError("no_word", "must have a word or a number in it")
    return phrase


WebAddress = Annotated[str, AfterValidator(_web_address), Field(json_schema_extra={"pattern": _URL_PATTERN})]
Phrase = Annotated[Word, AfterValidator(_comparable)]


class Cited(Record):
    """One page that the answer must cite; phrases of its own stand in for those of the case."""

    url: Annotated[
        WebAddress,
        Field(description="The page that must be cited.", examples=["https://example.org/en/john-3"]),
    ]
    support_phrases: Annotated[
        Given[Listed[Phrase]],
        Field(
            description="This page must contain at least one of these texts; without them, those of the case "
            "count.",
            examples=[["so loved the world"]],
        ),
    ] = None


class CitationsExpected(Record):
    """Which pages the answer must cite, and what they must say."""

    expected_citations: Annotated[
        Listed[Annotated[Cited, OrText("url")]],
        Field(
            description="The pages that the answer must cite, each by a finding's URL. Fragments, trailing "
            "slashes, the host's case, default ports and percent-encoding don't matter. An entry is a URL, "
            "or a mapping of url and support_phrases.",
            examples=[["https://example.org/en/john-3"]],
        ),
    ]
    support_phrases: Annotated[
        Given[Listed[Phrase]],
        Field(
            description="Each cited page must contain at least one of these texts, as a reader sees it: "
            "tags, case, white space and typographic quotes don't matter; accents and whole words do.",
            examples=[["so loved the world", "loved the world so much"]],
        ),
    ] = None
    allow_extra_citations: Annotated[
        bool,
        Field(
            description="Whether the answer may cite other pages as well (default: true).", examples=[False]
        ),
    ] = True
    entails: Annotated[
        bool,
        Field(
            description="What each finding says must follow from the page that it cites, as the NLI judge "
            "sees it; without such a judge the verdict is review.",
            examples=[True],
        ),
    ] = False

    def phrases_of(self, cited: Cited) -> tuple[str, ...]:
        return cited.support_phrases or self.support_phrases or ()
