"""What the rooms know of each other: Protocols, and the Context that a layer is given.

Nothing here is meant to be inherited from; an object of the right shape is enough.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from pydantic import BaseModel

    from pytest_jweval.records import Answer, GoldenCase, Ruling, SuiteReport, Verdict
    from pytest_jweval.web.page import Page

Agent = Callable[[dict[str, Any]], "Any | Awaitable[Any]"]
"""What is tested: called with the case's input; what it gives back is made an `Answer`."""


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a layer may know of one case.

    ``expected`` is the case's ``expected``, already checked by the layer's own schema. ``resource(name)``
    gives the fixture ``jw_<name>`` (``judge``, ``embedder``, ``pages``, …) on first use. ``trial`` counts the
    samples of a case from 0.
    """

    case: "GoldenCase"
    expected: Any
    answer: "Answer"
    answer_ms: int = 0
    folder: Path = field(default_factory=Path)
    resource: Callable[[str], Any] = lambda _: None
    trial: int = 0


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
    """Texts as vectors of one length; the same text always gives the same vector.

    ``name`` says which kind of embedder and which model it is: it stands in the header of a run, in every
    result, and in the key under which vectors are kept. ``bands`` are the cosines from which two texts mean
    the same, and below which they don't; between them nobody knows.
    """

    @property
    def name(self) -> str: ...

    @property
    def bands(self) -> tuple[float, float]: ...

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]: ...


Message = Mapping[str, str]
"""``{"role": "system", "content": "…"}``; roles are ``system``, ``user`` and ``assistant``."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said. ``parsed`` is the object, where a schema was asked for and the text is one.

    ``recorded`` says that it comes from a cassette.
    """

    text: str
    parsed: Any = None
    input_tokens: int = 0
    output_tokens: int = 0
    recorded: bool = False


class LLM(Protocol):
    """A model that answers messages, if asked to in the form of a JSON schema.

    ``name`` is the provider's, ``model`` the model's, ``parameters`` what else can change a reply: together
    with the messages and the schema they are all that a recording is found by. A `ProviderError` says that
    there is no reply.
    """

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def parameters(self) -> Mapping[str, Any]: ...

    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply: ...


class NLI(Protocol):
    """Whether a premise ``entails`` or ``contradicts`` a claim, or is ``neutral``; and how sure that is,
    from 0 to 1."""

    name: str

    def infer(self, premise: str, claim: str) -> tuple[str, float]: ...


class Asking(Protocol):
    """A model behind its recordings: what judges ask.

    ``render`` makes the messages around a nonce that nobody can know before; ``version`` names the prompt.
    ``trial`` tells apart the times that the same is asked on purpose.
    """

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> str: ...

    def ask(
        self,
        render: Callable[[str], Sequence[Message]],
        *,
        schema: Mapping[str, Any] | None = None,
        version: str = "",
        trial: int = 0,
        kind: str = "judge",
    ) -> Reply: ...


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge thinks of a candidate; ``evidence`` says how it came to that."""

    verdict: "Verdict"
    reason: str
    evidence: Mapping[str, Any] = field(default_factory=dict)


@runtime_checkable
class Judge(Protocol):
    """Compares a candidate text with the golden one; an exception makes the case an ``error``.

    ``votes`` is how often it should be asked, if the case says so; ``trial`` counts the samples of a case.
    """

    @property
    def name(self) -> str: ...

    def opinion(
        self,
        *,
        question: str,
        golden: str,
        candidate: str,
        language: str | None = None,
        rubric: str | None = None,
        votes: int | None = None,
        trial: int = 0,
    ) -> Judgement: ...


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
    """Web pages, from disk or live. A `PageError` says that a page can't be had for now."""

    def page(self, url: str) -> "Page | None":
        """The page as it is to be judged; ``None`` if nothing is known of it."""
        ...

    def kept(self, url: str) -> "Page | None":
        """The page as its snapshot has it, if there is one: what the live page is compared with."""
        ...


@runtime_checkable
class CitesPages(Protocol):
    """A layer whose cases name web pages: they can be fetched ahead, and kept as snapshots."""

    def pages_of(self, expected: Any) -> Sequence[str]: ...


class ReportFormat(Protocol):
    """A run's report as the text of a file; a module with a function ``render`` is one."""

    def render(self, report: "SuiteReport") -> str: ...
