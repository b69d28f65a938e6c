"""Many processes that record at once lose nothing, and one that is killed spoils nothing."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from pytest_jweval.llms.cassette import Cassettes

PROCESSES, SHARED, OWN = 8, 400, 100

RECORDER = """
import sys
from pathlib import Path
from pytest_jweval.llms.cassette import Cassettes
folder, me, shared, own = Path(sys.argv[1]), *map(int, sys.argv[2:])
print("ready", flush=True)
sys.stdin.readline()
cassettes = Cassettes(folder, "record")
for number in range(shared):
    cassettes.recorded_call("shared", {"number": number}, lambda: {"text": f"{me} – {number}"})
for number in range(own):
    cassettes.recorded_call("own", {"of": me, "number": number}, lambda: {"text": f"{me} – {number}"})
"""


@pytest.mark.slow
def test_eight_processes_that_record_five_hundred_entries_each_lose_none(tmp_path):
    folder = tmp_path / "cassettes"
    pipe = subprocess.PIPE
    processes = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", RECORDER, folder, str(me), str(SHARED), str(OWN)],
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            text=True,
        )
        for me in range(PROCESSES)
    ]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    started = time.monotonic()
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        assert process.communicate(timeout=60)[1] == ""
        assert process.returncode == 0
    assert time.monotonic() - started < 30
    cassettes = Cassettes(folder)
    assert cassettes.verify() == []
    kinds = [entry.kind for entry in cassettes.entries()]
    assert (kinds.count("shared"), kinds.count("own")) == (SHARED, PROCESSES * OWN)
    for me in range(PROCESSES):
        for number in range(OWN):
            said, replayed = cassettes.recorded_call("own", {"of": me, "number": number}, pytest.fail)
            assert (said, replayed) == ({"text": f"{me} – {number}"}, True)
    assert not list(folder.rglob("*.tmp"))


KILLED = """
import os, random, signal, sys, time
from itertools import count
from pathlib import Path
from pytest_jweval.llms.cassette import Cassettes

folder, kills, calls = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
reply = {"text": "á" * 20_000}
replace = Path.replace

def slowly(*paths):
    time.sleep(0.005)  # so that most kills come between the writing of a file and its being there
    return replace(*paths)

Path.replace = slowly

def record_for_ever():
    cassettes = Cassettes(folder, "record")
    for number in count():
        cassettes.recorded_call("judge", {"number": number % calls}, lambda: {**reply, "turn": number})

for kill in range(kills):
    child = os.fork()
    if not child:
        try:
            record_for_ever()
        finally:
            os._exit(3)  # to be killed is all it may come to
    time.sleep(random.uniform(0.0, 0.03))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, status
    assert Cassettes(folder).verify() == []
print(len(list(Cassettes(folder).entries())), len(list(folder.rglob("*.tmp"))))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_fifty_kills_leave_no_damaged_entry_and_leftovers_are_swept(tmp_path):
    folder = tmp_path / "cassettes"
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", KILLED, folder, "50", "5"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    entries, leftovers = map(int, run.stdout.split())
    assert 1 <= entries <= 5
    assert leftovers, "no kill came in the middle of writing: this test has tested nothing"
    for path in folder.rglob("*.tmp"):
        os.utime(path, (time.time() - 7200,) * 2)
    Cassettes(folder, "record").recorded_call("judge", {"number": 0}, lambda: "new")
    assert not list(folder.rglob("*.tmp"))
