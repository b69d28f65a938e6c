"""Asking agents away from pytest's thread, so that one that hangs costs only its own case.

Sync agents are called in threads that are used again, async ones in one event loop that lives as
long as the process: a client that an agent opened for its first question still works for its
second. A thread or loop that doesn't come back is left behind; all are daemons.
"""

import asyncio
import inspect
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextvars import Context, copy_context
from queue import SimpleQueue
from typing import Any

from pytest_jweval.errors import AgentError, AgentTimeout
from pytest_jweval.ports import Agent

_PATIENCE_WITH_CANCELLED = 0.5


class Asked:
    """A question that was put to an agent, and in time the reply."""

    def __init__(self, agent: Agent, question: dict[str, Any], seconds: float) -> None:
        self.agent = agent
        self.question = question
        self.duration_ms = 0
        self._seconds = seconds
        self._since = time.monotonic()
        self._future: Future[Any] = Future()
        self._give_up: Callable[[], None] = lambda: None

    def reply(self) -> Any:
        """What the agent gave back; an `AgentError` if it raised, or took longer than it may."""
        remaining = self._since + self._seconds - time.monotonic() if self._seconds else None
        try:
            raised = self._future.exception(None if remaining is None else max(remaining, 0))
        except TimeoutError:
            self._give_up()
            raise AgentTimeout(f"the agent gave no answer within {self._seconds:g} s") from None
        if raised is not None:
            raise _as_agent_error(raised) from raised
        return self._future.result()

    def begin(self) -> None:
        self._since = time.monotonic()

    def end(self, value: Any = None, raised: BaseException | None = None) -> None:
        self.duration_ms = round((time.monotonic() - self._since) * 1000)
        if raised is not None:
            self._future.set_exception(raised)
        else:
            self._future.set_result(value)

    def on_giving_up(self, action: Callable[[], None]) -> None:
        self._give_up = action


def _as_agent_error(raised: BaseException) -> BaseException:
    if isinstance(raised, AgentError):
        return raised
    if isinstance(raised, SystemExit):
        return AgentError(f"the agent called sys.exit({raised.code!r})")
    return AgentError(f"the agent raised {type(raised).__name__}: {raised}")


class Desk:
    """Where questions are put. ``seconds`` is the time for one answer; 0 means no limit, and then
    sync agents are called right here, in the caller's own thread."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._idle: list[_Thread] = []
        self._loop: _Loop | None = None

    def ask(self, agent: Agent, question: dict[str, Any]) -> Asked:
        """Put a question; returns at once, unless there is no time limit."""
        asked = Asked(agent, question, self.seconds)
        context = copy_context()
        if is_async(agent):
            self._await(asked, _call_async(agent, question), context)
        elif not self.seconds:
            self._call(asked, context)
        else:
            thread = self._idle.pop() if self._idle else _Thread(self._idle)
            thread.jobs.put(lambda: self._call(asked, context))
        return asked

    def close(self) -> None:
        """Let idle threads and the loop end; what still hangs is left to the process's end."""
        while self._idle:
            self._idle.pop().jobs.put(None)
        if self._loop is not None:
            self._loop.close()
            self._loop = None

    def _call(self, asked: Asked, context: Context) -> None:
        asked.begin()
        try:
            value = context.run(asked.agent, asked.question)
        except BaseException as raised:  # noqa: BLE001  # sys.exit in an agent must not end the run
            asked.end(raised=raised)
            return
        if inspect.isawaitable(value):
            self._await(asked, value, context)
        else:
            asked.end(value)

    def _await(self, asked: Asked, awaitable: Awaitable[Any], context: Context) -> None:
        if self._loop is None or not self._loop.alive:
            self._loop = _Loop()
        self._loop.run(asked, awaitable, context)


def is_async(agent: Agent) -> bool:
    """Whether calling it gives a coroutine at once, without any work being done."""
    return inspect.iscoroutinefunction(agent) or inspect.iscoroutinefunction(getattr(agent, "__call__", None))  # noqa: B004  # the method itself is looked at


async def _call_async(agent: Agent, question: dict[str, Any]) -> Any:
    return await agent(question)


class _Thread:
    """A daemon that does one job after another, and says when it is idle."""

    def __init__(self, idle: "list[_Thread]") -> None:
        self.jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._idle = idle
        threading.Thread(target=self._work, name="jweval-agent", daemon=True).start()

    def _work(self) -> None:
        while job := self.jobs.get():
            job()
            self._idle.append(self)


class _Loop:
    """An event loop in a daemon thread."""

    def __init__(self) -> None:
        self.alive = True
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="jweval-loop", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_PATIENCE_WITH_CANCELLED)
        if not self._thread.is_alive():
            self._loop.close()

    def run(self, asked: Asked, awaitable: Awaitable[Any], context: Context) -> None:
        def begin() -> None:
            task = self._loop.create_task(_settle(asked, awaitable), context=context)
            asked.on_giving_up(lambda: self._cancel(task))

        asked.on_giving_up(lambda: setattr(self, "alive", False))
        self._loop.call_soon_threadsafe(begin)

    def _cancel(self, task: "asyncio.Task[None]") -> None:
        """Cancel, or leave the loop behind if the agent blocks it."""
        over = threading.Event()

        def cancel() -> None:
            task.add_done_callback(lambda _: over.set())
            task.cancel()

        self._loop.call_soon_threadsafe(cancel)
        self.alive = over.wait(_PATIENCE_WITH_CANCELLED)


async def _settle(asked: Asked, awaitable: Awaitable[Any]) -> None:
    asked.begin()
    try:
        value = await awaitable
    except BaseException as raised:  # noqa: BLE001  # a SystemExit that left the task would stop the loop for all
        asked.end(raised=raised)
    else:
        asked.end(value)
