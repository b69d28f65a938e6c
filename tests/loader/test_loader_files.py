"""Paths behind which there is no file that can be read, and layers that break: one problem each."""

import os
from pathlib import Path
from typing import Any

import pytest
from pydantic import field_validator

from pytest_jweval.loader import load
from pytest_jweval.records import Record


def only_problem(path: Path, load_path: Any) -> str:
    (entry,) = load_path(path)
    (miss,) = entry.misses
    assert entry.case is None
    assert (miss.line, miss.column, entry.header.line) == (1, 1, 1)
    assert entry.source.lines_around(1) in ([], [(1, "x")])
    assert entry.name == "x"
    return str(miss.reason)


@pytest.fixture
def x(tmp_path: Path) -> Path:
    return tmp_path / "x.yaml"


def test_a_folder(x: Path, load_path: Any) -> None:
    x.mkdir()
    assert only_problem(x, load_path) == "the file can't be read: it is a folder"


def test_no_file(x: Path, load_path: Any) -> None:
    assert only_problem(x, load_path) == "the file can't be read: No such file or directory"


def test_a_dangling_link(x: Path, load_path: Any) -> None:
    x.symlink_to("nowhere")
    assert only_problem(x, load_path) == "the file can't be read: No such file or directory"


def test_a_link_to_itself(x: Path, load_path: Any) -> None:
    x.symlink_to(x)
    assert only_problem(x, load_path) == "the file can't be read: Too many levels of symbolic links"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(x: Path, load_path: Any) -> None:
    os.mkfifo(x)
    assert only_problem(x, load_path) == "the file can't be read: it is no regular file"


def test_a_device_is_not_read_for_ever(x: Path, load_path: Any) -> None:
    x.symlink_to("/dev/zero")
    assert only_problem(x, load_path) == "the file can't be read: it is no regular file"


def test_a_file_without_permission(x: Path, load_path: Any) -> None:
    x.write_text("id: a\n")
    x.chmod(0)
    if os.access(x, os.R_OK):
        pytest.skip("this user may read everything")
    assert only_problem(x, load_path) == "the file can't be read: Permission denied"


def test_a_file_that_vanishes_between_looking_and_reading(
    x: Path, load_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    x.write_text("id: a\n")
    status = x.stat()
    x.unlink()
    monkeypatch.setattr(os, "stat", lambda *_, **__: status)
    assert "No such file or directory" in only_problem(x, load_path)


def test_a_link_to_a_file_is_read(x: Path, load_path: Any) -> None:
    x.with_name("real.yaml").write_text("id: a\nlayer: bench\n")
    x.symlink_to("real.yaml")
    assert load_path(x)[0].case.id == "a"


@pytest.mark.parametrize("name", ["x.txt", "x", "x.YAML", "x.jsonc"])
def test_a_file_of_another_kind_says_which_kinds_there_are(name: str, tmp_path: Path, load_path: Any) -> None:
    (tmp_path / name).write_text("x")
    assert only_problem(tmp_path / name, load_path) == "case files end in .yaml, .yml, .json, .cases.jsonl"


class Fussy(Record):
    """A stranger's model, with a mistake in it."""

    word: str = ""

    @field_validator("word")
    @classmethod
    def _checked(cls, word: str) -> str:
        raise TypeError(f"{word} is not what I can deal with")


class FussyLayer:
    name = "fussy"
    schema = Fussy
    needs_agent = False


class BrokenLayers(dict[str, Any]):
    def __getitem__(self, name: str) -> Any:
        raise ImportError("no module named numpy")


@pytest.mark.parametrize(
    ("layers", "reason"),
    [
        ({"fussy": FussyLayer()}, "TypeError: hm is not what I can deal with"),
        (BrokenLayers(fussy=None), "ImportError: no module named numpy"),
    ],
    ids=["its schema raises", "it can't be made"],
)
def test_a_layer_that_breaks_while_it_checks_costs_only_its_cases(layers: Any, reason: str, x: Path) -> None:
    x.write_text("id: a\nlayer: fussy\nexpected:\n  word: hm\n---\nid: b\nlayer: l0\n")
    broken, other = load(x, "x.yaml", layers)
    (miss,) = broken.misses
    assert miss.reason == f"layer 'fussy' can't check what is expected: {reason}"
    assert (miss.line, broken.name) == (3, "a")
    assert other.misses[0].reason == "unknown layer 'l0' (known: fussy)"
