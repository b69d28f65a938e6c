"""One case from start to result, in three steps: resolve → start → judge.

The steps are apart so that a coming case can be started while an earlier one is judged:

- ``resolve`` finds the layer and the agent. It may ask for fixtures, so it runs on pytest's thread.
- ``start`` puts the question to the agent, unless the same agent was asked the same before.
- ``judge`` waits for the answer and lets the layer rule on it.

Whatever breaks on the way is caught in one place and is that case's ``error``; no other case notices.
"""

import inspect
import json
import math
import reprlib
import time
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from pydantic import ValidationError

from pytest_jweval.agents import Asked, Desk, normalised
from pytest_jweval.errors import BadRuling, CaseError, UnknownName
from pytest_jweval.loader import Source, checked_case
from pytest_jweval.ports import Agent, Context, Layer
from pytest_jweval.records import Answer, GoldenCase, LayerResult, Miss, Ruling, Verdict, misses_of
from pytest_jweval.results import broken, result_of
from pytest_jweval.texts import excerpt
from pytest_jweval.trials import Trial, answer_hash, rule_of, tried

_ATOMS = frozenset({str, int, bool, type(None)})
_FINDINGS_SHOWN = 20


@dataclass(slots=True)
class Job:
    """A case on its way. ``agents`` and ``resource`` are asked when they are needed, not before.

    ``expected`` is what the layer made of the case's own; ``None`` for a case that nobody has checked yet.
    """

    case: GoldenCase
    agents: Callable[[], Mapping[str, Agent]]
    resource: Callable[[str], Any] = lambda _: None
    source: Source | None = None
    asker: str = ""
    layer: Layer | None = None
    expected: Any = None
    agent: Agent | None = None
    asked: Asked | None = None
    question: "Question | None" = None
    answer: Answer | None = None
    broke: Exception | None = None
    trial: int = 0

    @property
    def answer_ms(self) -> int:
        return self.asked.duration_ms if self.asked else 0


Question = tuple[int, str]
"""The agent's ``id`` and its input, spelled out."""


@dataclass(slots=True)
class _Memory:
    """A question that was asked, and by which cases."""

    asked: Asked
    askers: set[str] = field(default_factory=set)


class Runner:
    """Runs cases of one process. Exceptions of the types in ``let_through`` are not caught: they are how a
    test framework is told to skip or stop. With ``samples`` each agent is asked up to so many times."""

    def __init__(
        self,
        layers: Mapping[str, Layer],
        desk: Desk,
        *,
        let_through: tuple[type[BaseException], ...] = (),
        samples: int | None = None,
    ) -> None:
        self.layers = layers
        self._samples = samples
        self._desk = desk
        self._let_through = let_through
        self._memories: dict[Question, _Memory] = {}

    def close(self) -> None:
        self._desk.close()

    def run(self, job: Job) -> LayerResult:
        self.resolve(job)
        if job.broke is None and job.agent is not None and (rule := rule_of(job.case, self._samples)):
            return tried(rule, lambda number: self._try_once(job, number))
        self.start(job)
        return self.judge(job)

    def _try_once(self, job: Job, number: int) -> Trial:
        one = replace(job, trial=number)
        self.start(one)
        result = self.judge(one)
        return Trial(result, answer_hash(one.answer or Answer()))

    def forget(self, job: Job) -> None:
        """Nobody will ask again what this job asked; a rerun would want a new answer anyway."""
        if job.question is not None:
            self._memories.pop(job.question, None)

    def resolve(self, job: Job) -> None:
        with self._catching(job):
            case = job.case
            if job.expected is None:  # written in Python, so nobody has checked it yet
                case, job.expected = checked_case(case.model_dump(exclude_unset=True), self.layers)
            job.layer = self.layers[case.layer]
            if job.layer.needs_agent:
                job.agent = _named(job.agents(), str(case.agent))

    def start(self, job: Job) -> None:
        with self._catching(job):
            if job.broke is None and job.agent is not None:
                job.asked = self._ask_once(job, job.agent)

    def judge(self, job: Job) -> LayerResult:
        with self._catching(job):
            if job.broke is None and job.asked is not None:
                job.answer = normalised(job.asked.reply())
        answered = time.monotonic()
        with self._catching(job):
            if job.broke is None:
                ruling = _ruling(job)
                return result_of(job.case, ruling, job.source, job.answer_ms + _ms_since(answered))
        return result_of(job.case, broken(job.broke), job.source, job.answer_ms + _ms_since(answered))

    def _ask_once(self, job: Job, agent: Agent) -> Asked:
        """The same agent is asked the same once, except by a case that runs again: a rerun is a new try."""
        asker = job.asker or f"{job.case.layer} {job.case.id}"
        question = job.case.input or {}
        if rule_of(job.case, self._samples):  # each trial is to be an asking of its own
            return self._desk.ask(agent, _copied(question))
        spelled_out = _spelled_out(question)
        job.question = id(agent), spelled_out
        memory = self._memories.get(job.question)
        if memory is None or asker in memory.askers:
            memory = _Memory(self._desk.ask(agent, _copied(question)))
            if spelled_out:
                self._memories[job.question] = memory
        memory.askers.add(asker)
        return memory.asked

    def _catching(self, job: Job) -> "_Catching":
        return _Catching(job, self._let_through)


class _Catching:
    """The one place where whatever broke becomes an `error`."""

    __slots__ = ("_job", "_let_through")

    def __init__(self, job: Job, let_through: tuple[type[BaseException], ...]) -> None:
        self._job = job
        self._let_through = let_through

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception):
            return False
        for raised in (error, error.__cause__):
            if isinstance(raised, self._let_through):
                raise raised from None
        self._job.broke = error
        return True


def _ms_since(moment: float) -> int:
    return round((time.monotonic() - moment) * 1000)


def _ruling(job: Job) -> Ruling:
    assert job.layer is not None, "resolved, or it would have broken"
    answer = job.answer or Answer()
    context = Context(
        case=job.case,
        expected=job.expected,
        answer=answer,
        answer_ms=job.answer_ms,
        folder=job.source.path.parent if job.source else Path(),
        resource=job.resource,
        trial=job.trial,
    )
    ruling = _checked(job.layer.evaluate(context), job.case.layer)
    return ruling if ruling.verdict is Verdict.PASS else _with_answer(ruling, answer)


def _checked(ruling: object, layer: str) -> Ruling:
    """A stranger's layer may give anything; also a Ruling that was made without validation."""
    if inspect.iscoroutine(ruling):
        ruling.close()  # or Python warns that it was never awaited
        raise BadRuling(f"layer {layer!r} gave a coroutine: its `evaluate` must not be async")
    if not isinstance(ruling, Ruling):
        raise BadRuling(f"layer {layer!r} gave {type(ruling).__name__}, not a Ruling")
    if _is_sound(ruling):
        return ruling
    try:
        return Ruling.model_validate({name: getattr(ruling, name) for name in Ruling.model_fields})
    except ValidationError as error:
        wrong = "; ".join(miss.reason for miss in misses_of(error, Ruling))
        raise BadRuling(f"layer {layer!r} gave a ruling that can't be read: {wrong}") from None


def _is_sound(ruling: Ruling) -> bool:
    """Whether it has what validation gives; a subclass, or one made without it, is looked at closely."""
    parts: dict[str, Any] = vars(ruling)
    score = parts["score"]
    return (
        type(ruling) is Ruling
        and isinstance(parts["verdict"], Verdict)
        and (score is None or (type(score) is float and math.isfinite(score)))
        and isinstance(parts["reasons"], tuple)
        and isinstance(parts["misses"], tuple)
        and isinstance(parts["evidence"], dict)
    )


def _with_answer(ruling: Ruling, answer: Answer) -> Ruling:
    """Who reads a red result wants to see what came."""
    findings = [
        {"source": finding.source, "url": finding.url, "text": excerpt(finding.text, 200)}
        for finding in answer.findings[:_FINDINGS_SHOWN]
    ]
    return ruling.model_copy(update={"evidence": {**ruling.evidence, "answer": findings}})


def _named(agents: Mapping[str, Agent], name: str) -> Agent:
    if name not in agents:
        hint = "" if agents else "; none is registered: see pytest_jweval_agents and ini jweval_agents"
        raise CaseError([Miss(reason=f"{UnknownName('agent', name, agents)}{hint}", key=("agent",))])
    agent: Any = agents[name]  # what a hook or a fixture gave may be anything
    if not callable(agent):
        reason = f"agent {name!r} can't be called: it is {reprlib.repr(agent)}"
        raise CaseError([Miss(reason=reason, key=("agent",))])
    found: Agent = agent
    return found


def _spelled_out(question: Mapping[str, Any]) -> str:
    """The same text for the same input; empty for what JSON can't hold as it is, and is asked each time."""
    try:
        text = _SPELLER.encode(question)
        return text if _is_flat(question) or json.loads(text) == question else ""
    except (TypeError, ValueError, RecursionError):
        return ""


def _is_flat(question: Mapping[str, Any]) -> bool:
    """Whether a glance is enough: JSON holds it as it is, and a copy of it shares nothing that can change."""
    return all(type(key) is str for key in question) and _ATOMS.issuperset(map(type, question.values()))


_SPELLER = json.JSONEncoder(sort_keys=True)


def _copied(question: dict[str, Any]) -> dict[str, Any]:
    """So that an agent that changes its input changes nobody else's, as far as that can be done."""
    if _is_flat(question):
        return dict(question)
    try:
        return deepcopy(question)
    except Exception:  # noqa: BLE001  # locks and clients can't be copied, and each says so in its own way
        return dict(question)
