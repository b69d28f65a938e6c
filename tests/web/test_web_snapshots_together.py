"""Many processes that save at once lose nothing, and one that is killed spoils nothing."""

import json
import os
import re
import subprocess
import sys
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from inspect import getsource

import pytest

from pytest_jweval.web.snapshots import Snapshots

PROCESSES, SHARED, OWN = 8, 50, 5
NOON = datetime(2026, 5, 30, 12, tzinfo=UTC)


def page(url, version, size):
    """Its first and its last word tell whether it is whole, and of one piece."""
    return f"<p>{url} {version} {'á' * size} {version} end"


def is_whole(html, url, size):
    return re.fullmatch(f"<p>{re.escape(url)} (\\S+) á{{{size}}} \\1 end", html) is not None


PAGES = f"import re\n{getsource(page)}\n{getsource(is_whole)}"

WRITER = """
import sys
from datetime import UTC, datetime
from pytest_jweval.web.snapshots import Snapshots

root, me, urls = sys.argv[1], sys.argv[2], sys.argv[3:]
snapshots = Snapshots(root)
print("ready", flush=True)
sys.stdin.readline()
for number, url in enumerate(urls):
    meant = {"status": 200, "fetched_at": datetime.now(UTC), "etag": f"{me}-{number}"}
    snapshots.save(url, page(url, f"{me}-{number}", 3000), **meant)
    snapshots.touch(url, datetime.now(UTC))
"""

KILLED = """
import os, random, signal, sys, time
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from pytest_jweval.web.snapshots import Snapshots

root, kills, urls = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]

def save_for_ever(start):
    snapshots = Snapshots(root)
    for version in count(start):
        for url in random.sample(urls, len(urls)):
            html = page(url, version, 100_000)
            snapshots.save(url, html, status=200, fetched_at=datetime.now(UTC), etag=f"{version}")

def check():
    for url in urls:
        html = Snapshots(root).read(url)
        assert html is None or is_whole(html, url, 100_000), html[:80]
    entries = Snapshots(root).entries()
    assert {meta.url for meta in entries.values()} <= set(urls)
    return sum(Snapshots(root).as_fetched(url) is None for url in urls if Snapshots(root).has(url))

undescribed = most = 0
for kill in range(kills):
    child = os.fork()
    if not child:
        try:
            save_for_ever(kill * 1_000_000)
        finally:
            os._exit(3)  # to be killed is all it may come to
    time.sleep(random.uniform(0.0, 0.03))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, status
    before, undescribed = undescribed, check()
    assert undescribed <= before + 1, "more than the one page that was being saved"
    most = max(most, undescribed)
print(kills, len(list(root.glob(".*.tmp"))), most)
"""


@pytest.fixture
def python():
    """Starts a script; none outlives its test."""
    with ExitStack() as processes:

        def start(script, *args):
            command = [sys.executable, "-W", "error", "-c", PAGES + script, *map(str, args)]
            pipe = subprocess.PIPE
            process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, encoding="utf-8"
            )
            processes.enter_context(process)
            processes.callback(process.kill)
            return process

        yield start


def url(name):
    return f"https://example.org/página/{name}"


@pytest.fixture
def root(tmp_path):
    return tmp_path / "snapshots"


def test_many_processes_that_refresh_the_same_pages_lose_none(root, python):
    shared = [url(number) for number in range(SHARED)]
    own = {me: [url(f"{me}-{number}") for number in range(OWN)] for me in range(PROCESSES)}
    writers = [python(WRITER, root, me, *shared, *own[me]) for me in own]
    for writer in writers:
        assert writer.stdout.readline() == "ready\n", writer.communicate()
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    seen = 0
    while any(writer.poll() is None for writer in writers):
        found = [(each, Snapshots(root).read(each)) for each in shared]
        assert all(html is None or is_whole(html, each, 3000) for each, html in found)
        seen += sum(html is not None for _, html in found)
    assert seen
    for writer in writers:
        _, complaints = writer.communicate()
        assert (writer.returncode, complaints) == (0, "")

    everything = {*shared, *(each for urls in own.values() for each in urls)}
    snapshots = Snapshots(root)
    assert {meta.url for meta in snapshots.entries().values()} == everything
    assert snapshots.check() == []
    for each in everything:
        meta, html = snapshots.as_fetched(each), snapshots.read(each)
        assert meta is not None and html is not None and f" {meta.etag} end" in html
    assert list(root.glob(".*.tmp")) == []


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes can't be made fast enough here")
def test_two_hundred_kills_leave_only_whole_pages(root, python):
    urls = [url(number) for number in range(6)]
    writer = python(KILLED, root, 200, *urls)
    told, complaints = writer.communicate(timeout=120)
    assert (writer.returncode, complaints) == (0, "")
    kills, leftovers, undescribed = map(int, told.split())
    assert kills == 200
    assert leftovers > 0  # or else no kill came in the middle of a write …
    assert undescribed > 0  # … or between the two

    json.loads((root / "manifest.json").read_text("utf-8"))
    for path in root.glob(".*.tmp"):
        os.utime(path, (time.time() - 7200,) * 2)
    snapshots = Snapshots(root)
    for each in urls:
        snapshots.save(each, page(each, "last", 10), status=200, fetched_at=NOON)
    assert [snapshots.read(each) for each in urls] == [page(each, "last", 10) for each in urls]
    assert snapshots.check() == []
    assert list(root.glob(".*.tmp")) == []
