"""Texts of snapshots that an earlier run has read."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_jweval.web import parsed
from pytest_jweval.web.kept import KeptPages
from pytest_jweval.web.parsed import ParsedPages
from pytest_jweval.web.snapshots import snapshot_path
from pytest_jweval.web.text import PageText, read_text

HTML = "<p>Wörds <b>and</b> more"
TEXT = PageText("Wörds and more", "wörds and more")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "abc.html"
    path.write_text(HTML, encoding="utf-8")
    return path


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What was parsed."""
    seen: list[bytes] = []

    def reading(html: bytes) -> PageText:
        seen.append(html)
        return read_text(html)

    monkeypatch.setattr(parsed, "read_text", reading)
    return seen


def test_a_page_is_parsed_once_for_all_runs(tmp_path: Path, page: Path, reads: list[bytes]) -> None:
    assert [ParsedPages(tmp_path / "cache").text_of(page) for _ in range(3)] == [TEXT] * 3
    assert len(reads) == 1


def test_a_page_that_changed_is_parsed_again(tmp_path: Path, page: Path, reads: list[bytes]) -> None:
    ParsedPages(tmp_path / "cache").text_of(page)
    page.write_text("<p>other", encoding="utf-8")
    assert ParsedPages(tmp_path / "cache").text_of(page).shown == "other"
    assert len(reads) == 2
    assert len(list((tmp_path / "cache").iterdir())) == 1


@pytest.mark.parametrize("damage", [b"", b"x", b"\xff\xfe\n", None])
def test_a_damaged_entry_is_no_text(
    tmp_path: Path, page: Path, reads: list[bytes], damage: bytes | None
) -> None:
    ParsedPages(tmp_path / "cache").text_of(page)
    [kept] = (tmp_path / "cache").iterdir()
    kept.write_bytes(kept.read_bytes().replace(b"and", b"not") if damage is None else damage)
    assert ParsedPages(tmp_path / "cache").text_of(page) == TEXT
    assert len(reads) == 2


def test_what_cannot_be_written_is_not_kept(tmp_path: Path, page: Path, reads: list[bytes]) -> None:
    (tmp_path / "cache").write_text("a file", encoding="utf-8")
    assert ParsedPages(tmp_path / "cache").text_of(page) == TEXT
    assert ParsedPages(None).text_of(page) == TEXT
    assert len(reads) == 2


def test_another_version_reads_for_itself(
    tmp_path: Path, page: Path, reads: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    ParsedPages(tmp_path / "cache").text_of(page)
    monkeypatch.setattr(parsed, "_FORM", 99)
    ParsedPages(tmp_path / "cache").text_of(page)
    assert len(reads) == 2


def test_snapshots_are_read_through_it(tmp_path: Path, reads: list[bytes]) -> None:
    url = "https://example.org/a"
    path = snapshot_path(tmp_path / "snapshots", url)
    path.parent.mkdir()
    path.write_text(HTML, encoding="utf-8")
    for _ in range(2):
        pages = KeptPages(tmp_path / "snapshots", cache=tmp_path / "cache")
        found = pages.page(url)
        assert found is not None
        assert found.text == TEXT
    assert len(reads) == 1
