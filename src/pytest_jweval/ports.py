"""What the rooms know of each other: Protocols, and the Context that a layer is given.

Nothing here is meant to be inherited from; an object of the right shape is enough.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pydantic import BaseModel

    from pytest_jweval.records import Answer, GoldenCase, Ruling, SuiteReport

Agent = Callable[[dict[str, Any]], "Any | Awaitable[Any]"]
"""What is tested: called with the case's input; what it gives back is made an `Answer`."""


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a layer may know of one case.

    ``expected`` is the case's ``expected``, already checked by the layer's own schema.
    ``resource(name)`` gives the fixture ``jw_<name>`` (``llm``, ``embedder``, ``pages``, …) on first use.
    """

    case: "GoldenCase"
    expected: Any
    answer: "Answer"
    answer_ms: int = 0
    folder: Path = field(default_factory=Path)
    resource: Callable[[str], Any] = lambda _: None


class Layer(Protocol):
    """A way of judging; registered under its name, which is also its pytest mark.

    ``schema`` is the pydantic model of what may stand under ``expected``. A layer with
    ``needs_agent = False`` is given an empty answer.
    """

    @property
    def name(self) -> str: ...

    @property
    def schema(self) -> "type[BaseModel]": ...

    @property
    def needs_agent(self) -> bool: ...

    def evaluate(self, context: Context) -> "Ruling":
        """Judge one answer. An exception makes the case an ``error``."""
        ...


class Embedder(Protocol):
    """Texts as vectors of one length; the same text always gives the same vector."""

    name: str

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]: ...


class LLM(Protocol):
    """A model that answers messages, if asked to in the form of a JSON schema."""

    name: str

    def reply(
        self, messages: Sequence[Mapping[str, str]], *, schema: Mapping[str, Any] | None = None
    ) -> Any: ...


class NLI(Protocol):
    """Whether a premise entails, contradicts or leaves open a claim, and how sure that is."""

    name: str

    def infer(self, premise: str, claim: str) -> tuple[str, float]: ...


class Judge(Protocol):
    """Gives an opinion on a candidate text beside the golden one."""

    name: str

    def opinion(self, *, question: str, golden: str, candidate: str, language: str | None) -> Any: ...


class Chunker(Protocol):
    """Cuts a document's paragraphs into chunks."""

    name: str

    def chunk(
        self, paragraphs: Sequence[str], source_id: str, *, metadata: Mapping[str, Any] | None = None
    ) -> Sequence[Any]: ...


class Store(Protocol):
    """Keeps chunks with their vectors and finds the nearest ones."""

    def add(self, chunks: Sequence[Any], vectors: Sequence[Sequence[float]]) -> None: ...

    def search(self, vector: Sequence[float], k: int) -> Sequence[Any]: ...


class Pages(Protocol):
    """Web pages, from disk or live."""

    def page(self, url: str) -> Any: ...


class ReportFormat(Protocol):
    """A run's report as the text of a file; a module with a function ``render`` is one."""

    def render(self, report: "SuiteReport") -> str: ...
