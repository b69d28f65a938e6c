"""An agent that hangs costs its own case, and nobody else's."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest

from pytest_jweval.errors import AgentError, AgentTimeout

LIMIT = 0.2


def behind_a_call(agent):
    """A sync agent that gives back a coroutine."""

    def call(question):
        return agent(question)

    return call


@pytest.fixture
def end():
    """Set when the test is over, so that what hangs in it doesn't outlive it."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def hanging(end):
    async def sleeps(question):
        await asyncio.sleep(60)

    async def blocks(question):
        end.wait(60)

    async def will_not_be_cancelled(question):
        while not end.is_set():
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0.01)

    async def blocks_when_cancelled(question):
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            end.wait(60)

    async def in_a_thread(question):
        await asyncio.to_thread(end.wait, 60)

    return {
        "sync": lambda question: end.wait(60),
        "async": sleeps,
        "async behind a sync call": behind_a_call(sleeps),
        "blocks its loop": blocks,
        "swallows its cancellation": will_not_be_cancelled,
        "blocks when cancelled": blocks_when_cancelled,
        "asyncio.to_thread": in_a_thread,
    }


HANGING = [
    "sync",
    "async",
    "async behind a sync call",
    "blocks its loop",
    "swallows its cancellation",
    "blocks when cancelled",
    "asyncio.to_thread",
]


async def quick(question):
    await asyncio.sleep(0)
    return "quick"


@pytest.mark.parametrize("kind", HANGING)
def test_a_hanging_agent_is_a_timeout_and_the_next_questions_are_answered(desk, hanging, kind):
    one_desk = desk(LIMIT)
    began = time.monotonic()
    with pytest.raises(AgentTimeout, match=r"the agent gave no answer within 0\.2 s"):
        one_desk.ask(hanging[kind], {}).reply()
    assert LIMIT <= time.monotonic() - began < 2
    for agent in (quick, lambda question: "quick", behind_a_call(quick)):
        assert one_desk.ask(agent, {}).reply() == "quick"


@pytest.mark.parametrize("kind", HANGING)
def test_questions_in_flight_beside_a_hanging_one_are_answered(desk, hanging, kind):
    one_desk = desk(LIMIT)
    first = one_desk.ask(hanging[kind], {})
    others = [one_desk.ask(agent, {}) for agent in (quick, lambda question: "quick")]
    assert [asked.reply() for asked in others] == ["quick", "quick"]
    with pytest.raises(AgentTimeout):
        first.reply()


def test_a_blocked_loop_is_named_as_the_reason(desk, hanging):
    with pytest.raises(AgentTimeout, match=r"event loop is blocked by a call that doesn't await"):
        desk(LIMIT).ask(hanging["blocks its loop"], {}).reply()


def test_a_loop_in_which_only_one_agent_hangs_is_kept(desk, hanging):
    loops = []

    async def agent(question):
        loops.append(asyncio.get_running_loop())

    one_desk = desk(LIMIT)
    one_desk.ask(agent, {}).reply()
    for kind in ("async", "swallows its cancellation"):
        with pytest.raises(AgentTimeout):
            one_desk.ask(hanging[kind], {}).reply()
    one_desk.ask(agent, {}).reply()
    assert loops[0] is loops[1]


def test_an_async_agent_that_hangs_is_cancelled(desk):
    cancelled = threading.Event()

    async def agent(question):
        try:
            await asyncio.sleep(60)
        finally:
            cancelled.set()

    with pytest.raises(AgentTimeout):
        desk(LIMIT).ask(agent, {}).reply()
    assert cancelled.wait(5)


def test_who_asks_again_hears_the_same_also_when_the_answer_came_too_late(desk, end):
    came = threading.Event()

    def agent(question):
        end.wait(60)
        came.set()
        return "late"

    asked = desk(LIMIT).ask(agent, {})
    with pytest.raises(AgentTimeout):
        asked.reply()
    duration = asked.duration_ms
    end.set()
    assert came.wait(5)
    time.sleep(0.01)
    with pytest.raises(AgentTimeout):
        asked.reply()
    assert asked.duration_ms == duration >= LIMIT * 1000


def test_the_time_of_a_question_begins_when_the_agent_does(desk):
    async def busy(question):
        time.sleep(0.1)  # noqa: ASYNC251  # the others can't begin meanwhile
        return "busy"

    one_desk = desk(LIMIT)
    pending = [one_desk.ask(busy, {}) for _ in range(4)]
    assert [asked.reply() for asked in reversed(pending)] == ["busy"] * 4


def test_a_thread_that_comes_back_late_is_not_asked_again(desk, end):
    threads = []

    def agent(question):
        threads.append(threading.current_thread())
        end.wait(question["seconds"])

    one_desk = desk(LIMIT)
    with pytest.raises(AgentTimeout):
        one_desk.ask(agent, {"seconds": 60}).reply()
    end.set()
    threads[0].join(5)
    assert not threads[0].is_alive()
    one_desk.ask(agent, {"seconds": 0}).reply()
    assert threads[1] is not threads[0]


def test_a_blocked_loop_ends_once_it_is_free_again(desk, hanging, end):
    threads = []

    async def agent(question):
        threads.append(threading.current_thread())
        await hanging["blocks its loop"](question)

    with pytest.raises(AgentTimeout):
        desk(LIMIT).ask(agent, {}).reply()
    end.set()
    threads[0].join(5)
    assert not threads[0].is_alive()


def test_a_coroutine_that_comes_too_late_is_closed(desk, end):
    coroutines = []

    def agent(question):
        end.wait(60)
        coroutines.append(quick(question))
        return coroutines[0]

    with pytest.raises(AgentTimeout):
        desk(LIMIT).ask(agent, {}).reply()
    end.set()
    assert wait_for(lambda: coroutines and inspect.getcoroutinestate(coroutines[0]) == inspect.CORO_CLOSED)


def test_what_waits_in_a_blocked_loop_is_not_said_to_have_raised_anything(desk, hanging, end):
    begun = threading.Event()

    async def waits(question):
        begun.set()
        await asyncio.sleep(60)

    one_desk = desk(LIMIT)
    victim = one_desk.ask(waits, {})
    assert begun.wait(5)
    with pytest.raises(AgentTimeout):
        one_desk.ask(hanging["blocks its loop"], {}).reply()
    end.set()  # the loop is free again, and ends
    assert wait_for(lambda: victim.is_over)
    with pytest.raises(AgentError, match="dropped: its event loop has ended, or another agent blocked it"):
        victim.reply()


def wait_for(condition):
    until = time.monotonic() + 5
    while not condition() and time.monotonic() < until:
        time.sleep(0.005)
    return condition()


@pytest.mark.parametrize("kind", HANGING)
def test_closing_doesnt_wait_for_what_hangs(desk, hanging, kind):
    one_desk = desk(LIMIT)
    with pytest.raises(AgentTimeout):
        one_desk.ask(hanging[kind], {}).reply()
    began = time.monotonic()
    one_desk.close()
    assert time.monotonic() - began < 2


def test_a_process_ends_whatever_still_hangs_in_it():
    program = """
import asyncio, time
from pytest_jweval.agents import Desk
from pytest_jweval.errors import AgentTimeout

async def in_a_thread(question): await asyncio.to_thread(time.sleep, 60)
async def blocks(question): time.sleep(60)

desk = Desk(0.1)
for agent in (lambda question: time.sleep(60), in_a_thread, blocks):
    try:
        desk.ask(agent, {}).reply()
    except AgentTimeout:
        print("timeout")
desk.close()
"""
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert (ended.stdout.split(), ended.stderr, ended.returncode) == (["timeout"] * 3, "", 0)
