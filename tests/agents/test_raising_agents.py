"""Whatever an agent raises becomes a reason that helps."""

from __future__ import annotations

import asyncio
import gc
import signal
import threading

import pytest

from pytest_jweval.errors import AgentError


def behind_a_call(agent):
    """A sync agent that gives back a coroutine."""

    def call(question):
        return agent(question)

    return call


class Speechless(Exception):
    def __str__(self):
        raise RuntimeError("no words")


RAISED = {
    "an exception": (ValueError("no such verse"), "the agent raised ValueError: no such verse"),
    "several lines": (ValueError("a\n  b"), "the agent raised ValueError: a b"),
    "no text": (ValueError(), "the agent raised ValueError"),
    "sys.exit": (SystemExit(3), "the agent called sys.exit(3)"),
    "sys.exit with a text": (SystemExit("bye"), "the agent called sys.exit('bye')"),
    "Ctrl-C": (KeyboardInterrupt(), "the agent raised KeyboardInterrupt"),
    "cancelled": (asyncio.CancelledError(), "the agent raised CancelledError"),
    "time-out of its own": (TimeoutError("upstream"), "the agent raised TimeoutError: upstream"),
    "a broken __str__": (Speechless(), "the agent raised Speechless (and its own text raised RuntimeError)"),
    "a group": (
        ExceptionGroup("tasks", [ValueError("one"), ExceptionGroup("inner", [KeyError("two")])]),
        "the agent raised ExceptionGroup: tasks (2 sub-exceptions): ValueError: one; KeyError: 'two'",
    ),
    "an error of the agent's": (AgentError("the provider is down"), "the provider is down"),
}


@pytest.mark.parametrize(("raised", "reason"), RAISED.values(), ids=RAISED.keys())
@pytest.mark.parametrize("form", ["sync", "async", "async behind a sync call"])
def test_what_is_raised_is_an_agent_error_with_a_reason(desk, raised, reason, form):
    def sync(question):
        raise raised

    async def asynchronous(question):
        await asyncio.sleep(0)
        raise raised

    agent = {"sync": sync, "async": asynchronous}.get(form, behind_a_call(asynchronous))
    asked = desk(10).ask(agent, {})
    for _ in range(2):  # each layer that shares the question hears the same
        with pytest.raises(AgentError) as caught:
            asked.reply()
        assert str(caught.value) == reason
        assert caught.value.__cause__ is (None if isinstance(raised, AgentError) else raised)


def test_a_reason_is_short_however_much_an_exception_says(desk):
    def agent(question):
        raise ValueError("x" * 1_000_000)

    with pytest.raises(AgentError) as caught:
        desk(10).ask(agent, {}).reply()
    assert len(str(caught.value)) < 600


def test_sys_exit_in_a_task_of_the_agents_leaves_the_loop_to_the_others(desk):
    async def leaves():
        raise SystemExit(1)

    async def agent(question):
        await asyncio.create_task(leaves())

    async def quick(question):
        return "quick"

    one_desk = desk(10)
    with pytest.raises(AgentError, match=r"sys\.exit\(1\)"):
        one_desk.ask(agent, {}).reply()
    assert one_desk.ask(quick, {}).reply() == "quick"


def test_an_interrupt_on_the_main_thread_is_the_users_own(desk):
    def agent(question):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        desk(0).ask(agent, {})


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs POSIX signals")
def test_an_interrupt_while_waiting_passes_through(desk):
    end = threading.Event()
    asked = desk(10).ask(lambda question: end.wait(5), {})
    main = threading.main_thread().ident
    threading.Timer(0.1, signal.pthread_kill, (main, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        asked.reply()
    end.set()
    assert asked.reply() is True  # an interrupt is no answer; who asks again waits again


def test_a_closed_desk_leaves_no_coroutine_that_python_would_warn_of(desk):
    release = threading.Event()

    async def quick(question):
        return None

    async def blocks(question):
        release.wait(5)

    one_desk = desk(0)
    one_desk.ask(blocks, {})
    for agent in (quick, behind_a_call(quick)):
        one_desk.ask(agent, {})
    one_desk.close()
    release.set()
    gc.collect()
