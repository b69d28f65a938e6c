"""Every form of agent gets its question, and its answer comes back."""

from __future__ import annotations

import asyncio
import threading
from contextvars import ContextVar
from functools import partial
from unittest.mock import AsyncMock

import pytest

from pytest_jweval.agents import by_keywords
from pytest_jweval.errors import AgentError


def sync(question):
    return question["q"]


async def coroutine(question):
    await asyncio.sleep(0)
    return question["q"]


class Called:
    def __call__(self, question):
        return question["q"]

    async def method(self, question):
        return await coroutine(question)


class CalledAsync:
    async def __call__(self, question):
        return await coroutine(question)


class Promise:
    """Awaitable, and no coroutine."""

    def __init__(self, question):
        self.question = question

    def __await__(self):
        return coroutine(self.question).__await__()


async def with_keyword(q):
    return q


def behind_a_call(agent):
    """A sync agent that gives back a coroutine."""

    def call(question):
        return agent(question)

    return call


FORMS = {
    "function": sync,
    "lambda": lambda question: question["q"],
    "partial": partial(lambda extra, question: question["q"], "extra"),
    "object": Called(),
    "coroutine function": coroutine,
    "async method": Called().method,
    "object with async __call__": CalledAsync(),
    "partial of a coroutine function": partial(coroutine),
    "partial of an object with async __call__": partial(CalledAsync()),
    "function that gives a coroutine": behind_a_call(coroutine),
    "function that gives an awaitable": Promise,
    "by_keywords": by_keywords(lambda q: q),
    "by_keywords of a coroutine function": by_keywords(with_keyword),
    "AsyncMock": AsyncMock(side_effect=sync),
}


@pytest.mark.parametrize("seconds", [10, 0], ids=["limit", "no limit"])
@pytest.mark.parametrize("agent", FORMS.values(), ids=FORMS.keys())
def test_every_form_of_agent_answers(desk, agent, seconds):
    assert desk(seconds).ask(agent, {"q": "¿?"}).reply() == "¿?"


@pytest.mark.parametrize("seconds", [10, 0], ids=["limit", "no limit"])
@pytest.mark.parametrize("agent", [sync, coroutine, behind_a_call(coroutine)])
def test_agents_answer_also_inside_a_running_loop(desk, agent, seconds):
    async def caller():
        return desk(seconds).ask(agent, {"q": "inside"}).reply()

    assert asyncio.run(caller()) == "inside"


def test_a_sync_agent_may_run_a_loop_of_its_own_while_the_caller_is_inside_one(desk):
    def agent(question):
        return asyncio.run(coroutine(question))

    async def caller():
        return desk(10).ask(agent, {"q": "own loop"}).reply()

    assert asyncio.run(caller()) == "own loop"


def test_asyncio_clients_live_across_questions_in_one_loop(desk):
    class Client:
        lock: asyncio.Lock | None = None
        loops: set[object] = set()

        async def __call__(self, question):
            self.lock = self.lock or asyncio.Lock()
            async with self.lock:  # of another loop, it would raise
                self.loops.add(asyncio.get_running_loop())
                return question["q"]

    client, one_desk = Client(), desk(10)
    pending = [one_desk.ask(client, {"q": n}) for n in range(5)]
    assert [asked.reply() for asked in pending] == [0, 1, 2, 3, 4]
    assert one_desk.ask(client, {"q": 5}).reply() == 5
    assert len(client.loops) == 1


def test_a_thread_of_an_async_agent_comes_back_too(desk):
    async def agent(question):
        return await asyncio.gather(*(asyncio.to_thread(sync, question) for _ in range(100)))

    assert desk(10).ask(agent, {"q": "x"}).reply() == ["x"] * 100


def test_sync_agents_are_asked_one_after_another_in_the_same_thread(desk):
    # Some clients, sqlite3's first of all, refuse to be used in another thread than the one that made them.
    one_desk = desk(10)
    threads = {one_desk.ask(lambda _: threading.get_ident(), {}).reply() for _ in range(200)}
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_without_a_limit_sync_agents_are_called_on_the_callers_own_thread(desk):
    assert desk(0).ask(lambda _: threading.get_ident(), {}).reply() == threading.get_ident()


def test_several_sync_agents_work_at_the_same_time(desk):
    together = threading.Barrier(3, timeout=5)
    one_desk = desk(10)
    pending = [one_desk.ask(lambda _: together.wait() >= 0, {}) for _ in range(3)]
    assert [asked.reply() for asked in pending] == [True, True, True]


@pytest.mark.parametrize("seconds", [10, 0], ids=["limit", "no limit"])
def test_context_variables_of_the_caller_reach_the_agent(desk, seconds):
    tenant = ContextVar("tenant", default="nobody")

    async def asynchronous(question):
        return tenant.get()

    tenant.set("somebody")
    one_desk = desk(seconds)
    for agent in (asynchronous, lambda question: tenant.get(), behind_a_call(asynchronous)):
        assert one_desk.ask(agent, {}).reply() == "somebody"


def test_the_duration_is_the_agents_own(desk):
    async def agent(question):
        await asyncio.sleep(0.05)

    asked = desk(10).ask(agent, {})
    asked.reply()
    assert 45 <= asked.duration_ms < 1000


def test_closing_ends_every_thread(desk):
    before = set(threading.enumerate())
    one_desk = desk(10)
    for agent in (sync, coroutine):
        one_desk.ask(agent, {"q": ""}).reply()
    ours = set(threading.enumerate()) - before
    assert len(ours) == 2
    one_desk.close()
    for thread in ours:
        thread.join(5)
    assert not any(thread.is_alive() for thread in ours)


def test_closing_cancels_what_an_agent_left_running_and_what_that_begins(desk):
    tasks = []
    ended = []

    async def in_the_background(number):
        try:
            await asyncio.sleep(60)
        finally:
            if number:
                tasks.append(asyncio.create_task(in_the_background(number - 1)))
                await asyncio.sleep(0)  # so that it has begun before it is cancelled
            ended.append(number)

    async def agent(question):
        tasks.append(asyncio.create_task(in_the_background(2)))
        await asyncio.sleep(0)

    one_desk = desk(10)
    one_desk.ask(agent, {}).reply()
    one_desk.close()
    assert ended == [2, 1, 0]


def test_a_busy_thread_ends_when_it_comes_back_to_a_closed_desk(desk):
    go = threading.Event()
    threads = []

    def agent(question):
        threads.append(threading.current_thread())
        go.wait(5)

    one_desk = desk(10)
    asked = one_desk.ask(agent, {})
    one_desk.close()
    go.set()
    asked.reply()
    threads[0].join(5)
    assert not threads[0].is_alive()


def test_a_coroutine_that_comes_back_to_a_closed_desk_is_dropped(desk):
    go = threading.Event()

    def agent(question):
        go.wait(5)
        return coroutine(question)

    before = {thread.name for thread in threading.enumerate()}
    one_desk = desk(10)
    asked = one_desk.ask(agent, {"q": ""})
    one_desk.close()
    go.set()
    with pytest.raises(AgentError, match="the question was dropped"):
        asked.reply()
    assert "jweval-loop" not in {thread.name for thread in threading.enumerate()} - before


def test_closing_twice_is_fine_and_asking_afterwards_says_so(desk):
    one_desk = desk(10)
    one_desk.ask(coroutine, {"q": ""}).reply()
    one_desk.close()
    one_desk.close()
    with pytest.raises(RuntimeError, match="the desk is closed"):
        one_desk.ask(sync, {"q": ""})
