"""Reading verse references as people write them: `Juan 3:16`, `1 Cor 13:4`, `john 3:16-17`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pytest_jweval.reference.words import fold

# Longer than any real reference. The pattern backtracks, and this bounds what it can cost.
_LONGEST = 80

_REFERENCE = re.compile(
    r"(?P<book>.+?)\s*(?P<chapter>[0-9]{1,3})\s*[:.]\s*(?P<first>[0-9]{1,3})"
    r"(?:\s*[-\u2010-\u2015]\s*(?P<last>[0-9]{1,3}))?"
)


@dataclass(frozen=True)
class Reference:
    """One verse or a range within a chapter. `book` is the table's name for it in every language."""

    book: str
    chapter: int
    first: int
    last: int

    @property
    def verses(self) -> tuple[str, ...]:
        """Each verse as the corpus writes it, such as `john 3:16`."""
        return tuple(f"{self.book} {self.chapter}:{verse}" for verse in range(self.first, self.last + 1))


def parse_reference(text: str, language: str) -> Reference | None:
    """The verses that a text names, or None if it doesn't name any.

    The language's own book names come first. Those of the other languages are understood too, because
    people quote across languages.
    """
    text = text.strip()
    match = _REFERENCE.fullmatch(text) if len(text) <= _LONGEST else None
    book = _find_book(match["book"], language) if match else None
    if not match or not book:
        return None
    chapter, first = int(match["chapter"]), int(match["first"])
    last = int(match["last"] or first)
    return Reference(book, chapter, first, last) if chapter and 0 < first <= last else None


def label(verse: str, language: str) -> str:
    """How a language writes a verse of the corpus: `john 3:16` is `Juan 3:16` in Spanish."""
    book, numbers = verse.split(" ")
    return f"{book_names()[book][language][0]} {numbers}"


@cache
def book_names() -> dict[str, dict[str, list[str]]]:
    """Book -> language -> its names there, the full one first."""
    file = files("pytest_jweval.reference") / "books.json"
    table: dict[str, dict[str, list[str]]] = json.loads(file.read_text(encoding="utf-8"))
    return table


def _find_book(name: str, language: str) -> str | None:
    tables = _books_by_name()
    others = [table for other, table in tables.items() if other != language]
    for table in [tables.get(language, {}), *others]:
        if book := table.get(_key(name)):
            return book
    return None


@cache
def _books_by_name() -> dict[str, dict[str, str]]:
    tables: dict[str, dict[str, str]] = {}
    for book, by_language in book_names().items():
        for language, names in by_language.items():
            tables.setdefault(language, {}).update({_key(name): book for name in names})
    return tables


def _key(name: str) -> str:
    """`1 Cor.`, `1cor` and `1 COR` are one name."""
    return "".join(filter(str.isalnum, fold(name)))
