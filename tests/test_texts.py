"""How texts are compared, cut and shown."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_jweval.texts import counted, excerpt, fold, printable

anything = st.text(st.characters())  # lone surrogates too


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Doctrina Central", "doctrina central"),
        ("a  b\n\tc", " a b c "),
        ("a\u00a0b\u2003c", "a b c"),
        ("Straße", "STRASSE"),
        ("ﬁn ①", "fin 1"),
        ("ＡＢＣ", "abc"),
        ("é", "e\u0301"),
        ("ΐ", "Ϊ́"),
        ("ǰ", "J̌"),
        ("ὈΔΥΣΣΕΎΣ", "ὀδυσσεύς"),
    ],
)
def test_texts_that_look_the_same_to_a_reader_are_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("papá", "papa"), ("año", "ano"), ("a b", "ab"), ("a-b", "a b")])
def test_accents_and_gaps_make_a_difference(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(text=anything)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(text=st.text())
def test_how_a_text_is_composed_makes_no_difference(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(text) == fold(unicodedata.normalize("NFKC", text))


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        (" a\n b\t", 10, "a b"),
        ("a" + " " * 100 + "b", 10, "a…"),
        ("", 3, ""),
        ("abcdef", 1, "…"),
    ],
)
def test_an_excerpt_is_one_line_and_shows_its_cut(text: str, limit: int, shown: str) -> None:
    assert excerpt(text, limit) == shown


@given(text=anything, limit=st.integers(1, 40))
def test_an_excerpt_is_never_longer_than_asked_for(text: str, limit: int) -> None:
    shown = excerpt(text, limit)
    assert len(shown) <= limit
    assert len(shown.splitlines()) <= 1
    assert len(text) > limit or not shown.endswith("…") or text.strip().endswith("…")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\n", "a\tb\n"),
        ("é 😀 漢", "é 😀 漢"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\rb\x00\x7f\x9b", "a\\x0db\\x00\\x7f\\x9b"),
        ("\ud800", "\\ud800"),
        ("a\u202eb\u2066c\u2069", "a\\u202eb\\u2066c\\u2069"),
        ("a\u2028b", "a\\u2028b"),
    ],
)
def test_what_could_steer_a_terminal_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(text=anything)
def test_every_terminal_and_file_can_take_what_is_printable(text: str) -> None:
    shown = printable(text)
    shown.encode()
    assert not {unicodedata.category(character) for character in shown} & {"Cs", "Zl", "Zp"}
    assert all(c in "\t\n" or unicodedata.category(c) != "Cc" for c in shown)
    assert printable(shown) == shown


@pytest.mark.parametrize(("number", "text"), [(0, "0 findings"), (1, "1 finding"), (2, "2 findings")])
def test_things_are_counted_in_english(number: int, text: str) -> None:
    assert counted(number, "finding") == text
