"""People's ways of writing a verse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_jweval.reference.passages import LANGUAGES
from pytest_jweval.reference.verses import Reference, book_names, label, parse_reference
from pytest_jweval.reference.words import fold

NUMBERS = st.integers(min_value=1, max_value=999)
NAMES = [
    (book, language, name)
    for book, by_language in book_names().items()
    for language, names in by_language.items()
    for name in names
]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Juan 3:16", "es", Reference("john", 3, 16, 16)),
        ("John 3:16", "en", Reference("john", 3, 16, 16)),
        ("João 3:16", "pt", Reference("john", 3, 16, 16)),
        ("joao 3:16", "pt", Reference("john", 3, 16, 16)),
        ("JUAN 3:16", "es", Reference("john", 3, 16, 16)),
        ("  Romans   6 : 23 ", "en", Reference("romans", 6, 23, 23)),
        ("1 Cor 13:4", "en", Reference("1-corinthians", 13, 4, 4)),
        ("1Cor. 13:4", "es", Reference("1-corinthians", 13, 4, 4)),
        ("Mateo 24:14", "es", Reference("matthew", 24, 14, 14)),
        ("Mateo 24.14", "es", Reference("matthew", 24, 14, 14)),
        ("John 3:16-17", "en", Reference("john", 3, 16, 17)),
        ("John 3:16–17", "en", Reference("john", 3, 16, 17)),
        ("John 3:16 — 17", "en", Reference("john", 3, 16, 17)),
        ("Song of Songs 1:1", "en", Reference("song-of-solomon", 1, 1, 1)),
    ],
)
def test_a_reference_is_read_as_people_write_it(text: str, language: str, expected: Reference) -> None:
    assert parse_reference(text, language) == expected


@pytest.mark.parametrize(
    "text",
    ["", " ", "3:16", "John", "John 3", "John 3:", "John 0:1", "John 3:0", "John 3:17-16", "John 3:1234"]
    + ["Nobody 3:16", "see John 3:16", "John 3:16b", "John 3:16-", "John ３:16", "J" * 5000 + " 3:16"],
)
def test_what_is_not_a_reference_is_none(text: str) -> None:
    assert parse_reference(text, "en") is None


def test_a_book_of_another_language_is_understood() -> None:
    assert parse_reference("John 3:16", "es") == parse_reference("Juan 3:16", "es")


def test_a_name_that_two_languages_share_means_the_own_language_first() -> None:
    english, portuguese = parse_reference("Jn 1:1", "en"), parse_reference("Jn 1:1", "pt")
    assert (english and english.book, portuguese and portuguese.book) == ("john", "jonah")


@given(st.sampled_from(NAMES), NUMBERS, NUMBERS)
def test_every_name_in_the_table_is_read_back(name: tuple[str, str, str], chapter: int, verse: int) -> None:
    book, language, written = name
    for text in (written, fold(written), written.upper()):
        assert parse_reference(f"{text} {chapter}:{verse}", language) == Reference(
            book, chapter, verse, verse
        )


@given(st.sampled_from(sorted(book_names())), st.sampled_from(LANGUAGES), NUMBERS, NUMBERS)
def test_a_label_is_read_back_as_its_verse(book: str, language: str, chapter: int, verse: int) -> None:
    key = f"{book} {chapter}:{verse}"
    reference = parse_reference(label(key, language), language)
    assert reference is not None
    assert reference.verses == (key,)


@given(st.text(), st.text(max_size=3))
def test_no_text_raises(text: str, language: str) -> None:
    assert parse_reference(text, language) is None or ":" in text or "." in text


@given(st.text(alphabet="John 13:6-–.\n", max_size=40))
def test_nothing_that_looks_like_a_reference_raises(text: str) -> None:
    parse_reference(text, "en")


def test_a_range_lists_each_of_its_verses() -> None:
    assert Reference("john", 3, 16, 18).verses == ("john 3:16", "john 3:17", "john 3:18")


def test_a_label_is_in_the_language_asked_for() -> None:
    assert [label("john 3:16", language) for language in LANGUAGES] == ["John 3:16", "Juan 3:16", "João 3:16"]


def test_the_table_has_the_sixty_six_books_in_every_language() -> None:
    assert len(book_names()) == 66
    assert all(tuple(by_language) == LANGUAGES for by_language in book_names().values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_books_of_a_language_share_a_name(language: str) -> None:
    names = [fold(name).replace(" ", "") for _, other, name in NAMES if other == language]
    assert sorted(names) == sorted(set(names))
