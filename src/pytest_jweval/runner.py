"""One case from start to result, in three steps: resolve → start → judge.

The steps are apart so that a coming case can be started while an earlier one is judged:

- ``resolve`` finds the layer and the agent. It may ask for fixtures, so it runs on pytest's thread.
- ``start`` puts the question to the agent, unless the same agent was asked the same before.
- ``judge`` waits for the answer and lets the layer rule on it.

Whatever breaks on the way is caught in one place and is that case's ``error``; no other case notices.
"""

import json
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_jweval.agents import Asked, Desk, normalised
from pytest_jweval.errors import CaseError, JWEvalError, UnknownName
from pytest_jweval.loader import Entry, Source, checked_case
from pytest_jweval.ports import Agent, Context, Layer
from pytest_jweval.records import Answer, GoldenCase, LayerResult, Miss, Ruling, Verdict, parse
from pytest_jweval.texts import excerpt

_FINDINGS_SHOWN = 20
_OURS = str(Path(__file__).parent)


@dataclass(slots=True)
class Job:
    """A case on its way. ``agents`` and ``resource`` are asked when they are needed, not before."""

    case: GoldenCase
    agents: Callable[[], Mapping[str, Agent]]
    resource: Callable[[str], Any] = lambda _: None
    source: Source | None = None
    asker: str = ""
    layer: Layer | None = None
    expected: Any = None
    agent: Agent | None = None
    asked: Asked | None = None
    broke: Exception | None = None


@dataclass(slots=True)
class _Memory:
    """A question that was asked, and by which cases."""

    asked: Asked
    askers: set[str] = field(default_factory=set)


class Runner:
    """Runs cases of one process. Exceptions of the types in ``let_through`` are not caught: they are how a
    test framework is told to skip or stop."""

    def __init__(
        self, layers: Mapping[str, Layer], desk: Desk, *, let_through: tuple[type[BaseException], ...] = ()
    ) -> None:
        self.layers = layers
        self._desk = desk
        self._let_through = let_through
        self._memories: dict[tuple[int, str], _Memory] = {}

    def close(self) -> None:
        self._desk.close()

    def run(self, job: Job) -> LayerResult:
        self.resolve(job)
        self.start(job)
        return self.judge(job)

    def resolve(self, job: Job) -> None:
        with self._catching(job):
            case = job.case
            if job.source is None:  # written in Python, so nobody has checked it yet
                case = checked_case(case.model_dump(exclude_unset=True), self.layers)
            if case.samples > 1:
                raise CaseError([Miss(reason="'samples' above 1 is not built yet", key=("samples",))])
            job.layer = self.layers[case.layer]
            job.expected = parse(job.layer.schema, case.expected, ("expected",))
            if job.layer.needs_agent:
                job.agent = _named(job.agents(), str(case.agent))

    def start(self, job: Job) -> None:
        with self._catching(job):
            if job.broke is None and job.agent is not None:
                job.asked = self._ask_once(job.agent, job.case.input or {}, job.asker)

    def judge(self, job: Job) -> LayerResult:
        ruling, began = None, time.monotonic()
        with self._catching(job):
            if job.broke is None:
                ruling = self._ruling(job)
        waited = round((time.monotonic() - began) * 1000)
        asked_ms = job.asked.duration_ms if job.asked else 0
        return result_of(job.case, ruling or _broken(job.broke), job.source, max(waited, asked_ms))

    def _ruling(self, job: Job) -> Ruling:
        assert job.layer is not None, "resolved, or it would have broken"
        answer = normalised(job.asked.reply()) if job.asked else Answer()
        context = Context(
            case=job.case,
            expected=job.expected,
            answer=answer,
            answer_ms=job.asked.duration_ms if job.asked else 0,
            resource=job.resource,
            **({"folder": job.source.path.parent} if job.source else {}),
        )
        ruling = job.layer.evaluate(context)
        if not isinstance(ruling, Ruling):
            raise TypeError(f"layer {job.case.layer!r} gave {type(ruling).__name__}, not a Ruling")
        return ruling if ruling.verdict is Verdict.PASS else _with_answer(ruling, answer)

    def _ask_once(self, agent: Agent, question: dict[str, Any], asker: str) -> Asked:
        """The same agent is asked the same once, except by a case that runs again: a rerun is a new try."""
        key = (id(agent), _spelled_out(question))
        memory = self._memories.get(key) if key[1] else None
        if memory is None or asker in memory.askers:
            # A copy, so that an agent that changes its input changes nobody else's.
            memory = _Memory(self._desk.ask(agent, deepcopy(question)))
            self._memories[key] = memory
        memory.askers.add(asker)
        return memory.asked

    @contextmanager
    def _catching(self, job: Job) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # noqa: BLE001  # the one place where whatever broke becomes an `error`
            if isinstance(error.__cause__, self._let_through):
                raise error.__cause__ from None
            job.broke = error


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
    return agents[name]


def _spelled_out(question: Mapping[str, Any]) -> str:
    """The same text for the same input; empty for what has no such text, and is asked each time."""
    try:
        return json.dumps(question, sort_keys=True)
    except (TypeError, ValueError):
        return ""


def _broken(error: Exception | None) -> Ruling:
    if isinstance(error, CaseError):
        return Ruling(verdict=Verdict.ERROR, misses=error.misses, reasons=_reasons(error.misses))
    cause = error.__cause__ if isinstance(error, JWEvalError) else error
    reason = str(error) if isinstance(error, JWEvalError) else f"{type(error).__name__}: {error}"
    evidence = {"traceback": _traceback(cause)} if cause else {}
    return Ruling(verdict=Verdict.ERROR, reasons=(reason,), evidence=evidence)


def _reasons(misses: tuple[Miss, ...]) -> tuple[str, ...]:
    return tuple(miss.reason for miss in misses)


def _traceback(error: BaseException) -> str:
    """From the first frame that isn't ours: the way from our code to the agent's helps nobody."""
    frames = error.__traceback__
    while frames and frames.tb_next and frames.tb_frame.f_code.co_filename.startswith(_OURS):
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(error), error, frames))


def result_of(
    case: GoldenCase, ruling: Ruling, source: Source | None = None, duration_ms: int = 0
) -> LayerResult:
    """The ruling on a case as a result, its misses at their lines."""
    result = LayerResult(
        case_id=case.id,
        layer=case.layer,
        agent=case.agent,
        duration_ms=duration_ms,
        path=source.shown if source else None,
        line=source.line if source else None,
        **{name: getattr(ruling, name) for name in type(ruling).model_fields},
    )
    if source is None or not result.misses:
        return result
    result = source.pinpoint(result)
    return _with_places(result) if result.verdict is Verdict.ERROR else result


def result_of_broken(entry: Entry) -> LayerResult:
    """The ``error`` of a document that is no case that can be run."""
    result = LayerResult(**entry.header.to_dict(), verdict=Verdict.ERROR, misses=entry.misses)
    return _with_places(result)


def _with_places(result: LayerResult) -> LayerResult:
    """Reasons as ``path:line:column: what is wrong``, which editors and people can follow."""
    reasons = [f"{result.path}:{miss.line}:{miss.column}: {miss.reason}" for miss in result.misses]
    return result.model_copy(update={"reasons": tuple(reasons)})
