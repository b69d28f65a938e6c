"""The compiled cache: faster when it is there, and nothing else when it isn't."""

import json
from pathlib import Path

import pytest

from pytest_jweval import defaults
from pytest_jweval.loader import compiled as room
from pytest_jweval.loader import load
from pytest_jweval.loader.compiled import Compiled
from pytest_jweval.loader.document import Document
from pytest_jweval.registry import Registry

CASE = "id: {}\nagent: a\nlayer: l1\ninput: {{on: 2026-05-30, n: 007}}\nexpected:\n  min_findings: {}\n"


@pytest.fixture
def layers():
    registry = Registry()
    defaults.pytest_jweval_register(registry, None)
    return registry.layers


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "golden" / "a.yaml"
    path.parent.mkdir()
    path.write_text(CASE.format("one", 1) + "---\n" + CASE.format("two", 2))
    return path


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lines above every document that was really parsed."""
    parsed: list[int] = []
    value = Document.value

    def counted(self):
        parsed.append(self.lines_above)
        return value(self)

    monkeypatch.setattr(Document, "value", counted)
    return parsed


def run(file: Path, layers, folder: Path, version: str = "1"):
    cache = Compiled(folder, version)
    entries = load(file, "golden/a.yaml", layers, cache)
    cache.save(file.parent.parent)
    return entries


def test_what_is_read_a_second_time_is_the_same_and_is_not_parsed(
    file: Path, layers, tmp_path: Path, read: list[int]
):
    first = run(file, layers, tmp_path / "cache")
    assert read == [0, 6]
    read.clear()
    assert run(file, layers, tmp_path / "cache") == first == load(file, "golden/a.yaml", layers)
    assert [entry.header.line for entry in first] == [1, 8]
    assert first[0].case.input == {"on": "2026-05-30", "n": 7}


def test_an_edit_is_seen_at_once(file: Path, layers, tmp_path: Path, read: list[int]):
    run(file, layers, tmp_path / "cache")
    file.write_text(file.read_text().replace("min_findings: 2", "min_findings: 3"))
    entries = run(file, layers, tmp_path / "cache")
    assert entries[1].case.expected == {"min_findings": 3}


def test_a_document_that_is_wrong_says_so_every_time(file: Path, layers, tmp_path: Path):
    file.write_text(
        CASE.format("one", 1) + "---\nid: [\n---\n" + CASE.format("two", "many") + "---\n- a list\n"
    )
    first, second = run(file, layers, tmp_path / "cache"), run(file, layers, tmp_path / "cache")
    assert first == second
    assert [bool(entry.misses) for entry in first] == [False, True, True, True]
    assert [miss.line for entry in first for miss in entry.misses] == [9, 15, 17]


@pytest.mark.parametrize("damage", ["", "x", "{}", "null", "gone", "half", "flipped", "folder", "\xff"])
def test_whatever_happens_to_it_the_cases_are_the_same(
    file: Path, layers, tmp_path: Path, damage: str, read: list[int]
):
    first = run(file, layers, tmp_path / "cache")
    (pack,) = (tmp_path / "cache").iterdir()
    text = pack.read_text()
    if damage == "gone":
        pack.unlink()
        pack.parent.rmdir()
    elif damage == "folder":
        pack.unlink()
        pack.mkdir()
    elif damage == "half":
        pack.write_text(text[: len(text) // 2])
    elif damage == "flipped":
        flipped = text.replace('min_findings\\": 1', 'min_findings\\": 9')
        assert flipped != text
        pack.write_text(flipped)
    else:
        pack.write_text(damage, "latin-1")
    read.clear()
    assert run(file, layers, tmp_path / "cache") == first
    assert read == [0, 6]


def test_another_version_reads_anew(file: Path, layers, tmp_path: Path, read: list[int], monkeypatch):
    run(file, layers, tmp_path / "cache", "1")
    run(file, layers, tmp_path / "cache", "2")
    assert read == [0, 6, 0, 6]
    monkeypatch.setattr(room, "_FORMAT", 99)
    run(file, layers, tmp_path / "cache", "1")
    assert read == [0, 6] * 3


def test_a_file_that_was_not_asked_for_keeps_its_place_and_one_that_is_gone_loses_it(
    file: Path, layers, tmp_path: Path
):
    other = file.with_name("b.yaml")
    other.write_text(CASE.format("three", 3))
    cache = Compiled(tmp_path / "cache", "1")
    load(file, "golden/a.yaml", layers, cache)
    load(other, "golden/b.yaml", layers, cache)
    cache.save(tmp_path)
    file.write_text(CASE.format("four", 4))
    run(file, layers, tmp_path / "cache")
    assert kept(tmp_path) == {"golden/a.yaml", "golden/b.yaml"}
    other.unlink()
    file.write_text(CASE.format("five", 5))
    run(file, layers, tmp_path / "cache")
    assert kept(tmp_path) == {"golden/a.yaml"}


def kept(tmp_path: Path) -> set[str]:
    (pack,) = (tmp_path / "cache").iterdir()
    return set(json.loads(pack.read_text().partition("\n")[2]))


def test_nothing_new_nothing_written(file: Path, layers, tmp_path: Path):
    run(file, layers, tmp_path / "cache")
    (pack,) = (tmp_path / "cache").iterdir()
    before = pack.stat().st_mtime_ns, pack.stat().st_ino
    run(file, layers, tmp_path / "cache")
    assert (pack.stat().st_mtime_ns, pack.stat().st_ino) == before


def test_a_folder_that_cant_be_written_costs_only_time(file: Path, layers, tmp_path: Path):
    (tmp_path / "cache").write_text("a file, not a folder")
    assert [entry.name for entry in run(file, layers, tmp_path / "cache")] == ["one", "two"]
