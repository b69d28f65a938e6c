"""How a failure finds its lines again after the run, and what it says when the file has changed."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_jweval.loader import reading
from pytest_jweval.records import LayerResult, Miss, Verdict

CASE = """\
id: a
agent: x
layer: l1
input: {q: 1}
expected:
  min_findings: 3
  sources_in_order: [rag, bible]
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "case.yaml"
    path.write_text(f"# first\nid: z\nlayer: bench\n---\n{CASE}")
    return path


@pytest.fixture
def source(path: Path, load_path: Any) -> Any:
    return load_path(path)[1].source


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """Every path whose bytes were read."""
    seen: list[Path] = []
    really: Callable[[Path], bytes] = reading._bytes

    def noted(path: Path) -> bytes:
        seen.append(path)
        return really(path)

    monkeypatch.setattr(reading, "_bytes", noted)
    reading.documents_again.cache_clear()
    yield seen
    reading.documents_again.cache_clear()


def missed(*keys: tuple[str | int, ...]) -> LayerResult:
    misses = tuple(Miss(reason="r", key=key) for key in keys)
    return LayerResult(case_id="a", layer="l1", verdict=Verdict.FAIL, misses=misses)


def places(result: LayerResult) -> list[tuple[int | None, int | None]]:
    return [(miss.line, miss.column) for miss in result.misses]


def test_each_miss_gets_the_line_that_asked_for_it(source: Any) -> None:
    result = source.pinpoint(
        missed(("expected", "min_findings"), ("expected", "sources_in_order", 1), ("input", "q"), ("layer",))
    )
    assert places(result) == [(10, 3), (11, 27), (8, 9), (7, 1)]


def test_what_isnt_written_stands_at_the_nearest_key_above_it(source: Any) -> None:
    result = source.pinpoint(
        missed(("expected", "sources_in_order", 7), ("expected", "x", "y"), ("tags",), ())
    )
    assert places(result) == [(11, 3), (9, 1), (5, 1), (5, 1)]


def test_a_place_that_is_known_already_stays(source: Any) -> None:
    miss = Miss(reason="r", key=("layer",), line=77, column=7)
    result = missed(("layer",)).model_copy(update={"misses": (miss,)})
    assert source.pinpoint(result) is result


def test_without_misses_nothing_is_read(source: Any, reads: list[Path]) -> None:
    source.pinpoint(missed())
    assert reads == []


def test_a_miss_of_a_scenario_stands_at_its_line(tmp_path: Path, load_path: Any) -> None:
    path = tmp_path / "talk.json"
    path.write_text(
        '{"surface": "x",\n "name": "talk",\n "tags": ["t"],\n "conversation": [\n  {"user": "Hi"}]}'
    )
    (entry,) = load_path(path)
    result = entry.source.pinpoint(
        missed(("expected", "conversation", 0, "user"), ("id",), ("tags", 0), ("layer",))
    )
    assert places(result) == [(5, 4), (2, 2), (3, 11), (2, 2)]


def _fold(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _swap(path: Path) -> None:
    """An editor that replaces the file; the clock is put back, as some tools do."""
    before = path.stat()
    new = path.with_name("new")
    new.write_text(path.read_text().removeprefix("# first\n") + "# last!\n")
    assert new.stat().st_size == before.st_size
    os.utime(new, ns=(before.st_atime_ns, before.st_mtime_ns))
    new.replace(path)


EDITS: dict[str, Callable[[Path], object]] = {
    "a line was put in above": lambda path: path.write_text("# new\n" + path.read_text()),
    "a line was put in below the id": lambda path: path.write_text(
        path.read_text().replace("input", "\ninput")
    ),
    "a document was taken out": lambda path: path.write_text(CASE),
    "it can't be read any more": lambda path: path.write_bytes(b"\xff"),
    "it is gone": Path.unlink,
    "it is a folder": _fold,
    "another file of the same size is there": _swap,
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_when_the_file_has_changed_the_case_s_own_line_is_all_that_is_said(
    edit: Callable[[Path], object], path: Path, source: Any
) -> None:
    source.pinpoint(missed(("expected",)))  # what was read before must not be remembered
    edit(path)
    assert places(source.pinpoint(missed(("expected", "min_findings")))) == [(5, 1)]
    assert source.lines_around(10) == []


def test_lines_are_shown_with_those_above_them_in_the_same_document(source: Any) -> None:
    assert source.lines_around(10) == [(8, "input: {q: 1}"), (9, "expected:"), (10, "  min_findings: 3")]
    assert source.lines_around(5) == [(4, "---"), (5, "id: a")]
    assert source.lines_around(11, above=0) == [(11, "  sources_in_order: [rag, bible]")]
    assert source.lines_around(3) == source.lines_around(99) == []


def test_the_line_of_a_file_that_cant_be_read_is_shown_as_far_as_it_can_be(
    tmp_path: Path, load_path: Any
) -> None:
    path = tmp_path / "latin.yaml"
    path.write_bytes("id: a\r\nagent: año\r\n".encode("latin-1"))
    (entry,) = load_path(path)
    assert entry.source.lines_around(2) == [(1, "id: a"), (2, "agent: a�o")]
    path.unlink()
    assert entry.source.lines_around(2) == []


def test_a_line_that_nobody_could_read_is_cut(tmp_path: Path, load_path: Any) -> None:
    path = tmp_path / "long.json"
    path.write_text('{"id": "a", "layer": "l9", "metadata": {"text": "' + "x" * 10_000 + '"}}')
    ((number, text),) = load_path(path)[0].source.lines_around(1)
    assert (number, len(text), text[-1]) == (1, 300, "…")


def test_when_every_case_of_a_file_fails_the_file_is_read_again_once(
    tmp_path: Path, load_path: Any, reads: list[Path]
) -> None:
    path = tmp_path / "many.yaml"
    path.write_text("---\n".join(CASE.replace("id: a", f"id: a{i}") for i in range(300)))
    entries = load_path(path)
    assert len(reads) == 1
    for number, entry in enumerate(entries):
        assert places(entry.source.pinpoint(missed(("expected", "min_findings")))) == [(8 * number + 6, 3)]
        assert entry.source.lines_around(8 * number + 6, above=0) == [(8 * number + 6, "  min_findings: 3")]
    assert len(reads) == 2


def test_what_is_kept_of_files_doesnt_grow(tmp_path: Path, load_path: Any) -> None:
    for number in range(20):
        path = tmp_path / f"{number}.yaml"
        path.write_text(CASE)
        load_path(path)[0].source.pinpoint(missed(("expected",)))
    assert reading.documents_again.cache_info().currsize <= 2
