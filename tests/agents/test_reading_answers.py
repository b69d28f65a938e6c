"""What an agent gives back is read in every shape that is promised; anything else says what it was."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, StrEnum
from types import MappingProxyType, SimpleNamespace
from typing import Any, NamedTuple

import pytest
from pydantic import AnyUrl, BaseModel

from pytest_jweval.agents import normalised
from pytest_jweval.errors import BadAnswer
from pytest_jweval.records import Answer, Finding


class Source(Enum):
    RAG = "rag"


class Word(StrEnum):
    RAG = "rag"


@dataclass
class Citation:
    url: Any = None


@dataclass(slots=True)
class SlottedFinding:
    text: str
    source: Any = None
    citation: Citation | None = None
    metadata: dict[str, Any] | None = field(default_factory=dict)


class ModelFinding(BaseModel):
    text: str
    url: AnyUrl | None = None
    metadata: dict[str, Any] | None = None


class ModelAnswer(BaseModel):
    findings: list[ModelFinding]
    metadata: dict[str, Any] | None = None


class TupleFinding(NamedTuple):
    text: str
    source: str


class TupleAnswer(NamedTuple):
    findings: list[TupleFinding]
    metadata: dict[str, Any]


class Properties:
    """The shape of plan 000: no `text`, and nothing that could be listed."""

    __slots__ = ()
    summary = "what it is"
    excerpt = "what it says"

    @property
    def metadata(self):
        return {"source": "rag", "source_url": "https://example.org"}


ONE = (Finding(text="a", source="rag"),)

SHAPES = {
    "mapping": ({"findings": [{"text": "a", "source": "rag"}]}, ONE),
    "read-only mapping": (MappingProxyType({"findings": ({"text": "a", "source": "rag"},)}), ONE),
    "list of findings": ([{"text": "a", "source": "rag"}], ONE),
    "tuple of findings": (({"text": "a", "source": "rag"},), ONE),
    "text": ("a", (Finding(text="a"),)),
    "empty text": ("", (Finding(text=""),)),
    "list of texts": (["a", "b"], (Finding(text="a"), Finding(text="b"))),
    "empty list": ([], ()),
    "no findings": ({"findings": []}, ()),
    "a namespace": (SimpleNamespace(findings=[SimpleNamespace(text="a", source="rag")]), ONE),
    "named tuples": (TupleAnswer([TupleFinding("a", "rag")], {}), ONE),
    "pydantic models": (ModelAnswer(findings=[ModelFinding(text="a")]), (Finding(text="a"),)),
    "slotted dataclasses": ([SlottedFinding("a", Source.RAG)], (Finding(text="a", source="rag"),)),
    "our own findings": ([Finding(text="a", source="rag")], ONE),
    "a StrEnum as text": (Word.RAG, (Finding(text="rag"),)),
    "enums as text and source": (
        [{"text": Word.RAG, "source": Source.RAG}],
        (Finding(text="rag", source="rag"),),
    ),
    "properties of slotted objects": (
        [Properties()],
        (
            Finding(
                text="what it is\nwhat it says",
                source="rag",
                url="https://example.org",
                metadata={"source": "rag", "source_url": "https://example.org"},
            ),
        ),
    ),
    "summary alone": ([{"summary": "a", "excerpt": None}], (Finding(text="a"),)),
    "text before summary": ([{"text": "", "summary": "a"}], (Finding(text=""),)),
    "a source alone": ([{"source": "rag"}], (Finding(source="rag"),)),
    "a blank source": ([{"text": "a", "source": " ", "url": "\t"}], (Finding(text="a"),)),
    "a source that is no text": ([{"text": "a", "source": 7}], (Finding(text="a", source="7"),)),
    "metadata None": ([{"text": "a", "metadata": None}], (Finding(text="a"),)),
    "metadata with keys that are no text": (
        [{"text": "a", "metadata": {1: "x", None: "y", Source.RAG: "z"}}],
        (Finding(text="a", metadata={"1": "x", "None": "y", "Source.RAG": "z"}),),
    ),
    "metadata as an object with fields": (
        [{"text": "a", "metadata": Citation("https://example.org")}],
        (Finding(text="a", metadata={"url": "https://example.org"}),),
    ),
    "a lone surrogate": (["\ud800"], (Finding(text="\ud800"),)),
    "five megabytes": (["x" * 5_000_000], (Finding(text="x" * 5_000_000),)),
}


@pytest.mark.parametrize(("raw", "findings"), SHAPES.values(), ids=SHAPES.keys())
def test_every_shape_is_read(raw, findings):
    answer = normalised(raw)
    assert answer.findings == findings
    assert answer.raw is raw


def test_an_answer_of_ours_stays_as_it_is():
    answer = Answer(findings=ONE)
    assert normalised(answer) is answer


def test_an_answers_own_metadata_is_kept():
    assert normalised({"findings": [], "metadata": {"warnings": ["?"]}}).metadata == {"warnings": ["?"]}
    assert normalised({"findings": [], "metadata": None}).metadata == {}


URLS = {"url": "https://a", "citation": Citation("https://b")}
IN_METADATA = {"citation_url": "https://c", "source_url": "https://d"}


@pytest.mark.parametrize(
    ("absent", "url"),
    [
        ((), "https://a"),
        (("url",), "https://b"),
        (("url", "citation"), "https://c"),
        (("url", "citation", "citation_url"), "https://d"),
        (("url", "citation", "citation_url", "source_url"), None),
    ],
)
@pytest.mark.parametrize("empty", [None, "", " "])
def test_the_first_url_counts_and_a_blank_one_is_none(absent, url, empty):
    finding = {name: empty if name in absent else value for name, value in URLS.items()}
    metadata = {name: empty if name in absent else value for name, value in IN_METADATA.items()}
    assert normalised([{"text": "a", "metadata": metadata, **finding}]).findings[0].url == url


def test_a_url_object_is_its_text():
    assert normalised([ModelFinding(text="a", url=AnyUrl("https://a.org/é"))]).findings[0].url == str(
        AnyUrl("https://a.org/é")
    )


def generator(question=None):
    yield "a"


class RaisesWhenRead:
    @property
    def findings(self):
        raise ConnectionError("the page is gone")


class RaisesWhenShown:
    def __repr__(self):
        raise RuntimeError("no words")


BAD = {
    "None": (None, "the agent answered None; an answer is a text, a list of findings, or has `findings`"),
    "a number": (3, "the agent answered int (3)"),
    "bytes": (b"text", "the agent answered bytes (b'text')"),
    "a set": ({"a"}, "the agent answered set ({'a'})"),
    "a mapping without findings": ({"result": 1, "ok": 2}, "the agent answered a mapping with result, ok;"),
    "an empty mapping": ({}, "the agent answered a mapping with nothing in it"),
    "a generator": (generator(), "the agent answered a generator (it says `yield`"),
    "findings None": ({"findings": None}, "the answer's `findings` is None, not a list"),
    "findings as text": ({"findings": "a"}, "the answer's `findings` is str ('a'), not a list"),
    "findings as a mapping": ({"findings": {"text": 1}}, "`findings` is a mapping with text, not a list"),
    "findings as a generator": ({"findings": generator()}, "`findings` is a generator"),
    "a finding None": (["a", None], "findings[1] is None; a finding is a text, or has `text`"),
    "a finding with nothing known": ([{"txt": "a"}], "findings[0] is a mapping with txt; a finding"),
    "a finding that is a list": ([["a"]], "findings[0] is list (['a'])"),
    "text that is none": ([{"text": 3}], "the text of findings[0] is int (3), not a text"),
    "summary that is none": ([{"summary": b"a"}], "the text of findings[0] is bytes (b'a'), not a text"),
    "metadata as a list": ([{"text": "a", "metadata": []}], "the metadata of findings[0] is list ([])"),
    "metadata of the answer": ({"findings": [], "metadata": 1}, "the metadata of the answer is int (1)"),
    "a property that raises": (
        RaisesWhenRead(),
        "the answer can't be read: ConnectionError: the page is gone",
    ),
    "an object that can't be shown": (
        RaisesWhenShown(),
        "the agent answered RaisesWhenShown (<RaisesWhenShown",
    ),
}


@pytest.mark.parametrize(("raw", "reason"), BAD.values(), ids=BAD.keys())
def test_what_cant_be_read_is_a_bad_answer_that_says_what_came(raw, reason):
    with pytest.raises(BadAnswer) as caught:
        normalised(raw)
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 400


def test_an_async_generator_is_called_a_generator():
    async def agent():
        yield "a"

    with pytest.raises(BadAnswer, match="a generator"):
        normalised(agent())


def test_a_property_that_raises_is_the_cause():
    with pytest.raises(BadAnswer) as caught:
        normalised(RaisesWhenRead())
    assert isinstance(caught.value.__cause__, ConnectionError)
