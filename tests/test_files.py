"""A file is whole or as it was before."""

import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

from pytest_jweval.files import write_atomically


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
