"""The corpus: pages of short passages, one JSON file a language, read when first asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from pytest_jweval.reference.verses import book_names

LANGUAGES = ("en", "es", "pt")


@dataclass(frozen=True)
class Passage:
    """A text, the page of the corpus that it stands on, and the address where people can read it.

    `kind` is one of verse, note, topic, article, guide, public_talk and workbook. `words` are the page's
    keywords. `reference` is the verse that the passage is, or is about; `see` lists further verses.
    """

    kind: str
    text: str
    page: str
    url: str
    title: str
    subject: str = ""
    words: tuple[str, ...] = ()
    reference: str = ""
    see: tuple[str, ...] = ()


@dataclass(frozen=True)
class Corpus:
    """The passages of one language, in the order of its file. A language without a file has none."""

    language: str
    stopwords: frozenset[str] = frozenset()
    passages: tuple[Passage, ...] = ()

    def of_kind(self, kind: str) -> list[Passage]:
        return [passage for passage in self.passages if passage.kind == kind]

    def about(self, reference: str, kind: str) -> list[Passage]:
        return [passage for passage in self.of_kind(kind) if passage.reference == reference]

    def verses(self, references: tuple[str, ...]) -> list[Passage]:
        """The verses that the corpus has, in the order asked for, each once."""
        return [verse for reference in dict.fromkeys(references) for verse in self.about(reference, "verse")]

    def on_page(self, url: str) -> list[Passage]:
        return [passage for passage in self.passages if passage.page == url]


@cache
def read_corpus(language: str) -> Corpus:
    if language not in LANGUAGES:
        return Corpus(language)
    file = files("pytest_jweval.reference") / "corpus" / f"{language}.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    return Corpus(language, frozenset(data["stopwords"]), tuple(_passages(data["pages"], data["chapters"])))


def _passages(pages: list[dict[str, Any]], chapters: str) -> Iterator[Passage]:
    for page in pages:
        for row in page["passages"]:
            yield Passage(
                kind=row["kind"],
                text=row["text"],
                page=page["url"],
                # A verse is in every Bible, so it is cited where one can be read; all else is only here.
                url=_chapter(row["reference"], chapters) if row["kind"] == "verse" else page["url"],
                title=page["title"],
                # A guide for an audience names its own subject; elsewhere the page has one.
                subject=row.get("subject") or page.get("subject", ""),
                words=tuple(page.get("words", ())),
                reference=row.get("reference", ""),
                see=tuple(row.get("see", ())),
            )


def _chapter(reference: str, chapters: str) -> str:
    """Where the chapter of `john 3:16` can be read; books are counted as in every Bible."""
    book, _, numbers = reference.rpartition(" ")
    return chapters.format(book=list(book_names()).index(book) + 1, chapter=numbers.partition(":")[0])
