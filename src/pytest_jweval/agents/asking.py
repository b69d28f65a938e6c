"""Asking agents away from pytest's thread, so that one that hangs costs only its own case.

Sync agents are called in threads that are used again, async ones in one event loop that lives as
long as the desk: a client that an agent opened for its first question still works for its second.
A thread or loop that doesn't come back is left behind; all are daemons.
"""

import inspect
import threading
import time
from collections.abc import Awaitable, Callable, Generator
from contextvars import Context, copy_context
from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

from pytest_jweval.agents.threads import Daemons
from pytest_jweval.errors import AgentError, AgentTimeout, told
from pytest_jweval.ports import Agent

if TYPE_CHECKING:
    from pytest_jweval.agents.loop import Loop, Visit  # asyncio is imported for async agents only


def _no_remark() -> str:
    return ""


class Asked:
    """A question that was put to an agent, and in time the reply.

    It keeps its agent, so that no other can come by the same ``id`` while the answer is remembered.
    """

    def __init__(self, agent: Agent, question: dict[str, Any], seconds: float) -> None:
        self.agent = agent
        self.question = question
        self.duration_ms = 0
        self.when_late: Callable[[], str | None] = _no_remark
        """Called when the time is up. Gives a remark for the reason, or ``None`` if the agent hasn't even
        begun, and gets its time anew."""
        self._seconds = seconds
        self._since = time.monotonic()
        self._lock = threading.Lock()
        # Thousands of replies are remembered, and a lock is lighter than a Future. Free once it is over.
        self._busy = threading.Lock()
        self._busy.acquire()
        self._outcome: tuple[Any, BaseException | None] | None = None

    def reply(self) -> Any:
        """What the agent gave back; an `AgentError` if it raised, or took longer than it may.

        Who asks again hears the same, also when the agent has found its answer in the meantime.
        """
        while self._outcome is None:
            remaining = self._remaining()
            if self._busy.acquire(timeout=-1 if remaining is None else remaining):
                self._busy.release()
            else:
                self._give_up()
        value, raised = self._outcome
        if isinstance(raised, AgentError):
            raise raised.with_traceback(None)
        if raised is not None:
            raise _as_agent_error(raised) from raised
        return value

    def begin(self) -> None:
        self._since = time.monotonic()

    def end(self, value: Any = None, raised: BaseException | None = None) -> None:
        """Only the first end counts."""
        with self._lock:
            if self.is_over:
                return
            self.duration_ms = round((time.monotonic() - self._since) * 1000)
            self._outcome = value, raised
            self.when_late = _no_remark
            self._busy.release()

    @property
    def is_over(self) -> bool:
        return self._outcome is not None

    def _remaining(self) -> float | None:
        if not self._seconds:
            return None
        return min(max(self._since + self._seconds - time.monotonic(), 0), threading.TIMEOUT_MAX)

    def _give_up(self) -> None:
        if self._remaining():
            return  # it began later than it was asked
        remark = self.when_late()
        if remark is None:
            self.begin()
        else:
            self.end(raised=AgentTimeout(f"the agent gave no answer within {self._seconds:g} s{remark}"))


def _as_agent_error(raised: BaseException) -> AgentError:
    if isinstance(raised, SystemExit):
        return AgentError(f"the agent called sys.exit({raised.code!r})")
    return AgentError(f"the agent raised {told(raised)}")


class Desk:
    """Where questions are put. ``seconds`` is the time for one answer; 0 means no limit, and then
    sync agents are called right here, in the caller's own thread."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._threads = Daemons()
        self._loop: "Loop | None" = None
        self._lock = threading.Lock()
        self._closed = False

    def ask(self, agent: Agent, question: dict[str, Any]) -> Asked:
        """Put a question; returns at once, unless there is no time limit."""
        if self._closed:
            raise RuntimeError("the desk is closed: no more questions can be put")
        asked = Asked(agent, question, self.seconds)
        context = copy_context()
        if is_async(agent):
            self._await(asked, _Call(asked), context)
        elif self.seconds:
            self._threads.run(lambda: self._called(asked, context))
        elif tell := self._called(asked, context):
            tell()
        return asked

    def close(self) -> None:
        """Let threads and the loop end; what still hangs is left to the process's end."""
        self._closed = True
        self._threads.close()
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            loop.close()

    def _called(self, asked: Asked, context: Context) -> Callable[[], None] | None:
        """What is to be told of a sync agent's call; nothing if it was given up."""
        asked.begin()
        try:
            value = context.run(asked.agent, asked.question)
        except BaseException as raised:  # sys.exit in an agent must not end the run …
            if isinstance(raised, KeyboardInterrupt) and _in_main_thread():
                raise  # … but Ctrl-C must, and here nobody can tell whose it is
            tell = partial(asked.end, raised=raised)
        else:
            if inspect.isawaitable(value):
                return partial(self._await, asked, value, context)
            tell = partial(asked.end, value)
        return None if asked.is_over else tell

    def _await(self, asked: Asked, awaitable: Awaitable[Any], context: Context) -> None:
        from pytest_jweval.agents.loop import Visit

        visit = Visit(awaitable, context, asked.end)
        asked.when_late = partial(self._late, visit)
        if self._closed or asked.is_over:
            visit.drop()
        else:
            visit.to(self._open_loop())

    def _open_loop(self) -> "Loop":
        from pytest_jweval.agents.loop import Loop

        with self._lock:
            if self._loop is None:
                self._loop = Loop()
            return self._loop

    def _late(self, visit: "Visit") -> str | None:
        """Cancel what takes too long. A loop that doesn't even hear of that is blocked: it is left behind,
        and what has not begun in it begins in a new one."""
        begun = visit.begun
        if begun:
            visit.cancel()
        if (loop := visit.loop) is not None and not loop.comes_round():
            self._leave(loop)
            if begun:
                return ": its event loop is blocked by a call that doesn't await, such as time.sleep"
        if begun:
            return ""
        visit.to(self._open_loop())
        return None

    def _leave(self, loop: "Loop") -> None:
        with self._lock:
            if self._loop is loop:
                self._loop = None
        loop.leave()


def is_async(agent: Agent) -> bool:
    """Whether calling it gives a coroutine at once, without any work being done."""
    if isinstance(agent, FunctionType):
        return inspect.iscoroutinefunction(agent)
    return inspect.iscoroutinefunction(agent) or inspect.iscoroutinefunction(getattr(agent, "__call__", None))  # noqa: B004  # the method itself is looked at


class _Call:
    """An async agent's call, made when it is awaited: until then there is no coroutine to be forgotten."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked

    def __await__(self) -> Generator[Any, Any, Any]:
        self._asked.begin()
        return cast("Awaitable[Any]", self._asked.agent(self._asked.question)).__await__()


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
