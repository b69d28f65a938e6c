"""Reading the corpus."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pytest_jweval.reference.passages import Corpus, read_corpus


def test_a_corpus_is_read_once() -> None:
    assert read_corpus("es") is read_corpus("es")


@pytest.mark.parametrize("language", ["xx", "", "../en", "EN"])
def test_an_unknown_language_has_no_passages(language: str) -> None:
    assert read_corpus(language) == Corpus(language)


def test_verses_come_in_the_order_asked_for_and_each_once() -> None:
    verses = read_corpus("en").verses(("john 3:17", "john 3:16", "john 3:17", "john 99:1"))
    assert [verse.reference for verse in verses] == ["john 3:17", "john 3:16"]


def test_a_page_is_found_by_its_address() -> None:
    passages = read_corpus("es").on_page("https://example.org/es/john-3")
    assert {passage.kind for passage in passages} == {"verse", "note"}


def test_notes_are_found_by_their_verse() -> None:
    assert [note.title for note in read_corpus("pt").about("john 3:16", "note")] == ["João 3"]


def test_importing_the_agents_reads_no_file_and_imports_nothing_of_the_rest_of_the_package() -> None:
    program = """
import sys
from pytest_jweval.reference import agents
assert not [name for name in sys.modules if name.startswith("pytest_jweval.reference.")], "not light"
before = {"pytest_jweval", "pytest_jweval.reference"}
agents()
ours = {name for name in sys.modules if name.startswith("pytest_jweval")} - before
assert all(name.startswith("pytest_jweval.reference.") for name in ours), ours
from pytest_jweval.reference.passages import read_corpus
from pytest_jweval.reference.verses import book_names
assert not read_corpus.cache_info().currsize and not book_names.cache_info().currsize, "read at import"
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
