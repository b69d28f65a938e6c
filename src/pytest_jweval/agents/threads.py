"""Threads that never keep the process alive: an agent that hangs must not hang the end of the run."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

Job = Callable[[], Callable[[], None] | None]
"""Gives back what to do once its thread is free again; nothing if nobody waits for that any more."""


class Daemons:
    """Threads that are used again.

    A thread is free before anybody hears that its job is done. So one question after another is asked
    in the same thread, which clients like sqlite3's insist on. A job that comes back when nobody waits
    for it any more takes its thread with it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._free: list[SimpleQueue[Job | None]] = []
        self._closed = False

    def run(self, job: Job) -> None:
        with self._lock:
            jobs = self._free.pop() if self._free else _started(self._work)
        jobs.put(job)

    def close(self) -> None:
        """Free threads end now, busy ones when they come back."""
        with self._lock:
            self._closed = True
            while self._free:
                self._free.pop().put(None)

    def _work(self, jobs: "SimpleQueue[Job | None]") -> None:
        while (job := jobs.get()) and (tell := job()):
            with self._lock:
                free = not self._closed
                if free:
                    self._free.append(jobs)
            tell()
            if not free:
                return


def _started(work: "Callable[[SimpleQueue[Job | None]], None]") -> "SimpleQueue[Job | None]":
    jobs: SimpleQueue[Job | None] = SimpleQueue()
    threading.Thread(target=work, args=(jobs,), name="jweval-agent", daemon=True).start()
    return jobs


class DaemonPool(ThreadPoolExecutor):
    """What ``asyncio.to_thread`` runs in. asyncio's own pool has no daemons: Python waits for its last
    call before it exits."""

    def __init__(self, most: int = 32) -> None:
        super().__init__(most)
        self._most = most
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._resting = threading.Semaphore(0)
        self._hired = 0

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        future: Future[T] = Future()
        self._calls.put(partial(_settle, future, partial(fn, *args, **kwargs)))
        if not self._resting.acquire(blocking=False) and self._hired < self._most:
            self._hired += 1
            threading.Thread(target=self._work, name="jweval-pool", daemon=True).start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for _ in range(self._hired):
            self._calls.put(None)
        super().shutdown(wait, cancel_futures=cancel_futures)

    def _work(self) -> None:
        while call := self._calls.get():
            call()
            self._resting.release()


def _settle(future: "Future[Any]", call: Callable[[], Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        value = call()
    except BaseException as raised:  # noqa: BLE001  # whatever it is, it belongs to who asked
        future.set_exception(raised)
    else:
        future.set_result(value)
