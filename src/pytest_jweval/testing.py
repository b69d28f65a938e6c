"""Public doubles for users' own tests: real implementations of the Protocols, and deterministic."""

import json
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

from pytest_jweval.errors import AgentError, ProviderError
from pytest_jweval.judges.embedders.hashing import HashingEmbedder as HashingEmbedder  # noqa: PLC0414  # public here
from pytest_jweval.llms.reading import read_object
from pytest_jweval.ports import Message, Reply
from pytest_jweval.web.page import Page
from pytest_jweval.web.text import read_text
from pytest_jweval.web.urls import same_page


class ScriptedAgent:
    """Answers from a script.

    >>> agent = ScriptedAgent("always the same")
    >>> agent({"question": "?"})
    'always the same'

    A list is a script of one answer a call, in order; an exception in it is raised. When the script
    is over, the next question is an `AgentError`. What was asked stands in ``questions``.
    """

    def __init__(self, answer: Any) -> None:
        self._script = list(answer) if isinstance(answer, list) else None
        self._answer = answer
        self.questions: list[dict[str, Any]] = []

    def __call__(self, question: dict[str, Any]) -> Any:
        self.questions.append(question)
        answer = self._answer if self._script is None else self._line(self._script)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _line(self, script: list[Any]) -> Any:
        asked = len(self.questions)
        if asked > len(script):
            raise AgentError(f"the script has {len(script)} answers, and this is question {asked}")
        return script[asked - 1]

    def __repr__(self) -> str:
        return f"ScriptedAgent({self._answer!r})"


class MemoryPages:
    """Pages from a mapping of URL to HTML, for the fixture ``jw_pages`` or ``Suite(…, pages=…)``.

    >>> pages = MemoryPages({"https://example.org/a": "<p>Returns are <b>free</b>.</p>"})
    >>> pages.page("https://example.org/a/#returns").text.shown
    'Returns are free.'

    ``None`` instead of HTML is a page that is gone; an exception is raised, such as a `PageError` for an
    outage. A URL that isn't there has no snapshot. With ``live`` the pages count as fetched in this run, and
    ``before`` holds what their snapshots say. What was asked for stands in ``asked``.
    """

    def __init__(
        self,
        pages: Mapping[str, str | bytes | Exception | None],
        *,
        live: bool = False,
        before: Mapping[str, str | bytes] | None = None,
    ) -> None:
        self._pages = {same_page(url): html for url, html in pages.items()}
        self._before = {same_page(url): html for url, html in (before or {}).items()}
        self._live = live
        self.asked: list[str] = []

    def page(self, url: str) -> Page | None:
        self.asked.append(url)
        if same_page(url) not in self._pages:
            return None
        html = self._pages[same_page(url)]
        if isinstance(html, Exception):
            raise html
        gone = "it is None in MemoryPages" if html is None else None
        return Page(url, read_text(html or ""), f"memory:{url}", live=self._live, gone=gone)

    def kept(self, url: str) -> Page | None:
        html = self._before.get(same_page(url))
        return None if html is None else Page(url, read_text(html), f"memory:{url}")

    def __repr__(self) -> str:
        return f"MemoryPages({len(self._pages)} pages)"


class ScriptedNLI:
    """Says of each claim what the script says of it, whatever the premise is.

    >>> nli = ScriptedNLI({"Returns are free.": ("entails", 0.9)}, default=("neutral", 0.5))
    >>> nli.infer("You may send it back at no cost.", "Returns are free.")
    ('entails', 0.9)

    An exception in the script is raised. What was compared stands in ``asked``.
    """

    name = "scripted"

    def __init__(
        self,
        script: Mapping[str, tuple[str, float] | Exception],
        default: tuple[str, float] | Exception = ("neutral", 0.5),
    ) -> None:
        self._script = dict(script)
        self._default = default
        self.asked: list[tuple[str, str]] = []

    def infer(self, premise: str, claim: str) -> tuple[str, float]:
        self.asked.append((premise, claim))
        said = self._script.get(claim, self._default)
        if isinstance(said, Exception):
            raise said
        return said

    def __repr__(self) -> str:
        return f"ScriptedNLI({self._script!r}, default={self._default!r})"


class ScriptedLLM:
    """Replies from a script, in order, whatever it is asked.

    >>> llm = ScriptedLLM(["Returns are free.", {"score": 4}])
    >>> llm.reply([{"role": "user", "content": "May I send it back?"}]).text
    'Returns are free.'
    >>> score = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}
    >>> llm.reply([{"role": "user", "content": "How clear is that?"}], schema=score).parsed
    {'score': 4}

    A mapping is a structured reply, a `Reply` is given as it is, and an exception is raised. When the script
    is over, the next call is a `ProviderError`. What was asked stands in ``asked``, and with which schema in
    ``schemas``.
    """

    name = "scripted"

    def __init__(
        self,
        script: Sequence[str | Mapping[str, Any] | Reply | BaseException],
        *,
        model: str = "script",
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        self._script = list(script)
        self._lock = Lock()
        self.model = model
        self.parameters = dict(parameters or {})
        self.asked: list[list[Message]] = []
        self.schemas: list[Mapping[str, Any] | None] = []

    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply:
        with self._lock:  # models are asked by many threads at once
            self.asked.append(list(messages))
            self.schemas.append(schema)
            asked = len(self.asked)
        if asked > len(self._script):
            raise ProviderError(f"the script has {len(self._script)} replies, and this is call {asked}")
        said = self._script[asked - 1]
        if isinstance(said, BaseException):
            raise said
        if isinstance(said, Reply):
            return said
        text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
        return Reply(text, parsed=None if schema is None else read_object(text, schema))

    def __repr__(self) -> str:
        return f"ScriptedLLM({self._script!r})"
