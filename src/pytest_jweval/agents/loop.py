"""An event loop beside pytest's thread, and an awaitable's visit to it."""

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from contextvars import Context
from typing import Any

from pytest_jweval.agents.threads import DaemonPool
from pytest_jweval.errors import AgentError

_PATIENCE = 0.5


class Loop:
    """Runs in a daemon thread of its own, until it is closed."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_default_executor(DaemonPool())
        self._over = False
        self._ending: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._work, name="jweval-loop", daemon=True)
        self._thread.start()

    @property
    def ending(self) -> bool:
        return self._ending is not None

    def soon(self, action: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # it is closed, and has ended all that was in it
            self._loop.call_soon_threadsafe(action)

    def task(self, coroutine: Coroutine[Any, Any, None], context: Context) -> "asyncio.Task[None]":
        return self._loop.create_task(coroutine, context=context)

    def comes_round(self) -> bool:
        """False if something in it doesn't let go: a call that blocks instead of awaiting."""
        came = threading.Event()
        self.soon(came.set)
        return came.wait(_PATIENCE)

    def leave(self) -> None:
        """Let it end by itself, which is when its last task gives in to being cancelled."""
        self.soon(self._end)

    def close(self) -> None:
        self.leave()
        self._thread.join(_PATIENCE)

    def _work(self) -> None:
        while not self._over and not self._loop.is_closed():
            # sys.exit in a task that the agent began comes this way; who awaits that task gets it too.
            with suppress(BaseException):
                self._loop.run_forever()
        self._loop.close()

    def _end(self) -> None:
        if self._ending is None:
            self._ending = self._loop.create_task(self._cancel_all())

    async def _cancel_all(self) -> None:
        # Again and again, because a task that is cancelled may begin others.
        while tasks := asyncio.all_tasks() - {asyncio.current_task()}:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        await self._loop.shutdown_asyncgens()
        self._over = True
        self._loop.stop()


class Visit:
    """What an agent gave to be awaited, on its way through a loop.

    It can change its loop until it has begun. ``done`` hears of its end, unless ``cancel`` was called.
    """

    def __init__(
        self,
        awaitable: Awaitable[Any],
        context: Context,
        done: Callable[[Any, BaseException | None], None],
    ) -> None:
        self.loop: Loop | None = None
        self.begun = False
        self._awaitable = awaitable
        self._context = context
        self._done: Callable[[Any, BaseException | None], None] | None = done
        self._lock = threading.Lock()
        self._task: asyncio.Task[None] | None = None

    def to(self, loop: Loop) -> None:
        with self._lock:
            if self.begun:
                return
            self.loop = loop
        loop.soon(lambda: self._enter(loop))

    def drop(self) -> None:
        """It will never begin."""
        if inspect.iscoroutine(self._awaitable):
            self._awaitable.close()  # or Python warns that it was never awaited
        self._tell(None, _dropped())

    def cancel(self) -> None:
        self._done = None
        if self.loop is not None and self._task is not None:
            self.loop.soon(self._task.cancel)

    def _enter(self, loop: Loop) -> None:
        if self.loop is loop:
            self._task = loop.task(self._stay(loop), self._context)
            # Cancelled before its first step, a task never comes to its coroutine.
            self._task.add_done_callback(lambda _: self.drop() if self.loop is loop else None)

    async def _stay(self, loop: Loop) -> None:
        with self._lock:
            if self.begun or self.loop is not loop:
                return  # it went elsewhere while this loop was blocked
            self.begun = True
        try:
            value = await self._awaitable
        except BaseException as raised:  # noqa: BLE001  # a SystemExit that left the task would stop the loop
            self._tell(None, _dropped() if loop.ending else raised)
        else:
            self._tell(value, None)

    def _tell(self, value: Any, raised: BaseException | None) -> None:
        done, self._done = self._done, None
        if done is not None:
            done(value, raised)


def _dropped() -> AgentError:
    return AgentError("the question was dropped: its event loop has ended, or another agent blocked it")
