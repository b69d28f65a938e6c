"""Faults that pass are waited for, and a run's pace and budget are those of all its processes."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from pytest_jweval.errors import ProviderError
from pytest_jweval.llms.faults import Passing
from pytest_jweval.llms.limits import Limited
from pytest_jweval.ports import Reply
from pytest_jweval.testing import ScriptedLLM


class Clock:
    """Time that only sleeping makes pass."""

    def __init__(self):
        self.now = 1000.0
        self.slept = []

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def limited(tmp_path, clock):
    def limited(script, **options):
        return Limited(ScriptedLLM(script), tmp_path, clock=clock, sleep=clock.sleep, **options)

    return limited


def ask(llm):
    return llm.reply([{"role": "user", "content": "?"}])


def test_it_is_the_model_that_it_limits(limited):
    llm = limited(["said"])
    assert (llm.name, llm.model, llm.parameters) == ("scripted", "script", {})
    schema = {"type": "object"}
    assert llm.reply([{"role": "user", "content": "?"}], schema=schema).text == "said"
    assert llm._llm.schemas == [schema]
    assert repr(llm) == "Limited(ScriptedLLM(['said']))"


def test_a_fault_that_passes_is_waited_for(limited, clock):
    faults = [Passing("busy") for _ in range(3)]
    assert ask(limited([*faults, "said"])).text == "said"
    assert len(clock.slept) == 3
    assert all(0 <= pause <= most for pause, most in zip(clock.slept, (1, 2, 4), strict=True))


def test_pauses_are_drawn_anew(limited, clock):
    for _ in range(20):
        ask(limited([Passing("busy"), "said"]))
    assert len(set(clock.slept)) == 20


def test_after_three_retries_it_is_final(limited, clock):
    with pytest.raises(ProviderError, match=r"^busy \(4 tries\)$") as caught:
        ask(limited([Passing("busy")] * 5))
    assert not isinstance(caught.value, Passing)
    assert len(clock.slept) == 3


def test_without_retries_the_fault_speaks_for_itself(limited, clock):
    with pytest.raises(ProviderError, match=r"^busy$"):
        ask(limited([Passing("busy")], retries=0))
    assert clock.slept == []


@pytest.mark.parametrize("error", [ProviderError("wrong key"), ValueError("a bug"), KeyboardInterrupt()])
def test_what_will_not_pass_is_not_tried_again(limited, clock, error):
    llm = limited([error, "said"])
    with pytest.raises(type(error)):
        ask(llm)
    assert clock.slept == []


def test_the_provider_says_how_long(limited, clock):
    ask(limited([Passing("busy", 7.0), Passing("busy", 0.0), Passing("busy", 23.0), "said"]))
    assert clock.slept == [7, 0, 23]


@pytest.mark.parametrize("waits", [[30.5], [20.0, 10.5], [3600.0]])
def test_thirty_seconds_of_waiting_are_the_most(limited, clock, waits):
    with pytest.raises(ProviderError, match=rf"^busy; it asks to wait {waits[-1]:.0f} s$"):
        ask(limited([*(Passing("busy", wait) for wait in waits), "said"]))
    assert sum(clock.slept) <= 30


def test_calls_keep_their_distance(limited, clock):
    llm = limited(["said"] * 4, rate=2)
    for _ in range(4):
        ask(llm)
    assert clock.slept == pytest.approx([0.5, 0.5, 0.5])


def test_who_comes_late_doesnt_wait(limited, clock):
    llm = limited(["said"] * 2, rate=0.1)
    ask(llm)
    clock.now += 60
    ask(llm)
    assert clock.slept == []


def test_a_retry_takes_a_turn_as_well(limited, clock):
    ask(limited([Passing("busy", 1.0), "said"], rate=0.1))
    assert clock.slept == [1.0, pytest.approx(9.0)]


def test_two_processes_share_one_pace(tmp_path):
    program = """
import sys
from pathlib import Path
from pytest_jweval.llms.limits import Limited
from pytest_jweval.testing import ScriptedLLM
llm = Limited(ScriptedLLM(["said"] * 5), Path(sys.argv[1]), rate=20, token_budget=10**6)
for _ in range(5):
    llm.reply([])
"""
    command = [sys.executable, "-W", "error", "-c", program, str(tmp_path)]
    started = time.monotonic()
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for process in processes:
        assert process.communicate(timeout=60)[1] == ""
        assert process.returncode == 0
    # Ten calls are nine distances of a twentieth of a second apart.
    assert time.monotonic() - started > 0.45


def reply_of(tokens):
    return Reply("said", input_tokens=tokens - 1, output_tokens=1)


def test_a_spent_budget_is_said_before_anything_is_asked(limited):
    llm = limited([reply_of(600), reply_of(600), reply_of(600)], token_budget=1000)
    ask(llm)
    ask(llm)
    with pytest.raises(ProviderError) as caught:
        ask(llm)
    assert str(caught.value) == (
        "scripted (script) isn't asked: the run has spent its tokens, 1,200 of 1,000; "
        "raise ini jweval_token_budget"
    )
    assert len(llm._llm.asked) == 2


def test_a_budget_of_nothing_asks_nobody(limited):
    llm = limited(["said"], token_budget=0)
    with pytest.raises(ProviderError, match="0 of 0"):
        ask(llm)
    assert llm._llm.asked == []


def test_processes_spend_from_one_budget(tmp_path):
    program = """
import sys
from pathlib import Path
from pytest_jweval.llms.limits import Limited
from pytest_jweval.ports import Reply
from pytest_jweval.testing import ScriptedLLM
llm = Limited(ScriptedLLM([Reply("said", None, 3, 4)] * 50), Path(sys.argv[1]), token_budget=10**6)
for _ in range(50):
    llm.reply([])
"""
    command = [sys.executable, "-W", "error", "-c", program, str(tmp_path)]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    for process in processes:
        assert process.communicate(timeout=60)[1] == ""
    assert (tmp_path / "llm.tokens").read_text() == str(4 * 50 * 7)


def test_a_budget_without_a_folder_of_its_own_yet(tmp_path):
    ask(Limited(ScriptedLLM([reply_of(5)]), tmp_path / "run" / "shared", rate=100, token_budget=10))
    assert (tmp_path / "run" / "shared" / "llm.tokens").read_text() == "5"
