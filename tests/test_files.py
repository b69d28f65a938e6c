"""A file is whole or as it was before, and a lock has one holder."""

import os
import secrets
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pytest_jweval.files import locked, sweep, write_atomically


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "report.json"


def test_a_file_is_made_with_the_folders_above_it(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "report.json"
    write_atomically(path, "día\n")
    assert path.read_bytes() == "día\n".encode()
    assert [each.name for each in path.parent.iterdir()] == ["report.json"]


def test_a_file_is_replaced_whole(target: Path) -> None:
    target.write_text("old" * 1000)
    write_atomically(target, "new")
    assert target.read_text() == "new"


def test_half_characters_are_written_as_their_escapes(target: Path) -> None:
    write_atomically(target, '{"a": "\udc80"}')
    assert target.read_bytes() == b'{"a": "\\udc80"}'


def test_line_ends_are_written_as_they_are(target: Path) -> None:
    write_atomically(target, "a\nb\r\n")
    assert target.read_bytes() == b"a\nb\r\n"


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()], ids=["error", "Ctrl-C"])
@pytest.mark.parametrize("step", ["replace", "open"])
def test_when_it_fails_the_old_file_stays_and_nothing_else(
    step: str, error: BaseException, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target.write_text("old")

    def fail(*_: Any, **__: Any) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(Path, step, fail)
        with pytest.raises(type(error)):
            write_atomically(target, "new")
    assert target.read_text() == "old"
    assert list(target.parent.iterdir()) == [target]


def test_a_new_file_is_as_readable_as_any_other(target: Path) -> None:
    other = target.with_name("other")
    other.touch()
    for _ in range(2):
        write_atomically(target, "x")
        assert stat.S_IMODE(target.stat().st_mode) == stat.S_IMODE(other.stat().st_mode)


def test_a_name_as_long_as_the_file_system_allows(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250 + ".json")
    write_atomically(path, "x")
    assert path.read_text() == "x"


def test_a_link_stays_a_link(target: Path) -> None:
    real = target.with_name("real.json")
    target.symlink_to(real)
    for text in ("first", "second"):
        write_atomically(target, text)
        assert target.is_symlink()
        assert real.read_text() == text


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_written_to_and_not_replaced(target: Path) -> None:
    os.mkfifo(target)
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(target.read_text()))
    reader.start()
    write_atomically(target, "x")
    reader.join(5)
    assert heard == ["x"]
    assert target.is_fifo()


def test_a_folder_in_its_place_is_an_error_and_stays(target: Path) -> None:
    target.mkdir()
    with pytest.raises(IsADirectoryError):
        write_atomically(target, "x")
    assert target.is_dir()


def test_many_writers_leave_one_whole_file(target: Path) -> None:
    texts = [str(number) * 50_000 for number in range(8)]
    writers = [threading.Thread(target=write_atomically, args=(target, text)) for text in texts]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert target.read_text() in texts
    assert list(target.parent.iterdir()) == [target]


def test_bytes_are_written_as_they_are(target: Path) -> None:
    write_atomically(target, b"\xff\r\n\x00")
    assert target.read_bytes() == b"\xff\r\n\x00"


def leftover(folder: Path, name: str = "report.json", age: float = 7200) -> Path:
    path = folder / f".{name[:40]}.{secrets.token_hex(8)}.tmp"
    path.write_text("half")
    os.utime(path, (time.time() - age,) * 2)
    return path


def test_sweeping_removes_what_a_killed_writer_left(tmp_path: Path) -> None:
    for name in ("report.json", "x" * 200, "día – 神.html", "a\nb"):
        leftover(tmp_path, name)
    sweep(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_sweeping_knows_the_names_that_writing_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two places that have to agree: killed for real, the writer would leave exactly this file."""
    names = ["report.json", "x" * 250 + ".json", "día – 神.html", ".lock", "a"]
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", lambda *_: None)
        for name in names:
            write_atomically(tmp_path / name, "x")
    assert len(list(tmp_path.iterdir())) == len(names)
    sweep(tmp_path, older_than=0)
    assert list(tmp_path.iterdir()) == []


def test_sweeping_spares_the_file_of_a_writer_that_may_still_live(tmp_path: Path) -> None:
    young, future = leftover(tmp_path, age=1800), leftover(tmp_path, age=-60)
    sweep(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([young, future])
    sweep(tmp_path, older_than=60)
    assert list(tmp_path.iterdir()) == [future]


@pytest.mark.parametrize(
    "name",
    [
        "report.json",
        ".report.json.tmp",
        "report.json.0123456789abcdef.tmp",
        ".report.json.0123456789ABCDEF.tmp",
        ".report.json.0123456789abcde.tmp",
        ".report.json.0123456789abcdef.tmp.bak",
        f".{'x' * 41}.0123456789abcdef.tmp",
        "..0123456789abcdef.tmp",
    ],
)
def test_sweeping_removes_nothing_of_another_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.touch()
    os.utime(path, (0, 0))
    sweep(tmp_path)
    assert path.exists()


def test_sweeping_removes_no_folder_and_no_link(tmp_path: Path) -> None:
    folder, link = (tmp_path / f".a.{number}123456789abcdef.tmp" for number in "01")
    folder.mkdir()
    link.symlink_to(__file__)
    for path in (folder, link):
        os.utime(path, (0, 0), follow_symlinks=False)
    sweep(tmp_path)
    assert folder.is_dir() and link.is_symlink()


def test_sweeping_where_nothing_is_does_nothing(tmp_path: Path) -> None:
    sweep(tmp_path / "missing")
    assert list(tmp_path.iterdir()) == []


def test_two_sweepers_dont_stumble_over_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [leftover(tmp_path) for _ in range(3)]
    unlink = Path.unlink

    def twice(path: Path) -> None:
        unlink(path)
        unlink(path)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", twice)
        sweep(tmp_path)
    assert not any(path.exists() for path in paths)


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / ".lock"


HOLDER = """
import sys, time
from pathlib import Path
from pytest_jweval.files import locked

with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


@contextmanager
def another_process_holding(lock: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", HOLDER, str(lock)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            yield holder
        finally:
            holder.kill()


def test_a_lock_is_held_by_one_thread_at_a_time(lock: Path) -> None:
    inside: list[int] = []
    most: list[int] = []

    def work(number: int) -> None:
        for _ in range(5):
            with locked(lock):
                inside.append(number)
                time.sleep(0.001)
                most.append(len(inside))
                inside.remove(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 30


def test_a_lock_held_by_another_process_is_waited_for_and_then_named(lock: Path) -> None:
    with another_process_holding(lock):
        began = time.monotonic()
        with pytest.raises(TimeoutError) as caught, locked(lock, timeout=0.2):
            pytest.fail("two hold it")
        assert 0.2 <= time.monotonic() - began < 5
    assert str(caught.value) == f"{lock} is held by another process or thread, for 0.2 s now"


def test_a_lock_is_free_as_soon_as_its_holder_is_killed(lock: Path) -> None:
    with another_process_holding(lock) as holder:
        holder.kill()
        with locked(lock, timeout=5):
            assert lock.exists()


def test_a_killed_holder_lets_in_who_already_waits(lock: Path) -> None:
    entered = threading.Event()

    def wait() -> None:
        with locked(lock, timeout=20):
            entered.set()

    with another_process_holding(lock) as holder:
        waiting = threading.Thread(target=wait)
        waiting.start()
        assert not entered.wait(0.1)
        holder.kill()
        assert entered.wait(10)
        waiting.join()


def test_a_lock_is_released_also_by_an_error(lock: Path) -> None:
    with pytest.raises(KeyboardInterrupt), locked(lock):
        raise KeyboardInterrupt
    with locked(lock, timeout=0):
        pass


def test_the_file_of_a_lock_stays_and_stays_empty(lock: Path) -> None:
    for _ in range(2):
        with locked(lock):
            pass
        assert lock.read_bytes() == b""


def test_what_stands_in_the_file_of_a_lock_is_not_touched(lock: Path) -> None:
    lock.write_text("a note")
    with locked(lock):
        pass
    assert lock.read_text() == "a note"


def test_a_lock_in_no_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), locked(tmp_path / "missing" / ".lock"):
        pytest.fail("held")
