"""What the processes and threads of one run do only once, and not too fast."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_jweval.web.together import Politeness, Together


class Clock:
    """Time that only sleeping makes pass."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 3))
        self.now += seconds


def test_work_is_done_once_and_its_result_is_everybodys(tmp_path: Path) -> None:
    done: list[str] = []

    def work() -> str:
        done.append("done")
        return "wörk \ud800"

    assert [Together(tmp_path).once("page", work) for _ in range(3)] == ["wörk \ud800"] * 3
    assert done == ["done"]
    assert Together(tmp_path).once("another page", lambda: "other") == "other"


def test_work_that_raised_is_tried_again(tmp_path: Path) -> None:
    def broken() -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Together(tmp_path).once("page", broken)
    assert Together(tmp_path).once("page", lambda: "whole") == "whole"


PROGRAM = """
import sys, time
from pathlib import Path
from pytest_jweval.web.together import Together

def work():
    with open(sys.argv[1] + "/count", "a") as stream:
        stream.write("x")
    time.sleep(0.2)
    return "found"

for name in "abc":
    assert Together(Path(sys.argv[1])).once(name, work) == "found"
"""


def test_processes_do_it_once_together(tmp_path: Path) -> None:
    processes = [subprocess.Popen([sys.executable, "-c", PROGRAM, str(tmp_path)]) for _ in range(4)]
    assert [process.wait(60) for process in processes] == [0] * 4
    assert (tmp_path / "count").read_text() == "xxx"


def test_requests_to_a_host_keep_their_distance(tmp_path: Path) -> None:
    clock = Clock()
    polite = Politeness(tmp_path, 2, clock=clock, sleep=clock.sleep)
    for _ in range(3):
        with polite("example.org"):
            pass
    assert clock.slept == [0.5, 0.5]


def test_each_host_has_a_rhythm_of_its_own(tmp_path: Path) -> None:
    clock = Clock()
    polite = Politeness(tmp_path, 1, clock=clock, sleep=clock.sleep)
    for host in ("a.example", "b.example", "c.example"):
        with polite(host):
            pass
    assert clock.slept == []


def test_who_comes_late_need_not_wait(tmp_path: Path) -> None:
    clock = Clock()
    polite = Politeness(tmp_path, 1, clock=clock, sleep=clock.sleep)
    with polite("example.org"):
        pass
    clock.now += 5
    with polite("example.org"):
        pass
    assert clock.slept == []


def test_two_objects_on_one_folder_are_one_rhythm(tmp_path: Path) -> None:
    clock = Clock()
    for _ in range(2):
        with Politeness(tmp_path, 1, clock=clock, sleep=clock.sleep)("example.org"):
            pass
    assert clock.slept == [1.0]


def at_the_same_time(number: int, work: Callable[[], None]) -> None:
    threads = [threading.Thread(target=work) for _ in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)


def test_no_more_than_four_are_on_their_way_to_a_host(tmp_path: Path) -> None:
    polite = Politeness(tmp_path, 1000)
    lock, now, most = threading.Lock(), 0, 0

    def ask() -> None:
        nonlocal now, most
        with polite("example.org"):
            with lock:
                now += 1
                most = max(most, now)
            time.sleep(0.1)
            with lock:
                now -= 1

    at_the_same_time(12, ask)
    assert now == 0
    assert 2 <= most <= 4
