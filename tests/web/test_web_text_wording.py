"""Which ways of writing are the same, and that both forms of a page have the same words."""

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_jweval.texts import fold
from pytest_jweval.web.text import comparable, read_text, says

anything = st.text(st.one_of(st.characters(), st.sampled_from(" \u00a0\u00ad\u200b\u0301´¨ﷺ…“’—ﬁßΐİ")))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a\u00a0b\u2003c\u3000d\u2028e", "a b c d e"),
        ("co\u00adope\u200bra\u2060ti\ufeffon", "cooperation"),
        ("\u202ba\u202c \u2066b\u2069", "a b"),
        ("‘a’ ‚b‛ a′ d´", "'a' 'b' a' d'"),
        ("“a” „b‟ c″ «d»", '"a" "b" c" "d"'),
        ("a‐b‑c‒d–e—f―g−h", "a-b-c-d-e-f-g-h"),
        ("wait…", "wait..."),
        ("ﬁnd ﬂow oﬃce", "find flow office"),
        ("ＪＯＨＮ３：１６", "john3:16"),
        ("cafe\u0301", "café"),
        ("STRASSE", "straße"),
        ("İstanbul", "i\u0307stanbul"),
        ("ΛΌΓΟΣ", "λόγος"),
        ("❤\ufe0f", "❤"),
        ("می\u200cخواهم", "میخواهم"),
    ],
)
def test_ways_of_writing_that_are_the_same(one, other):
    assert comparable(one) == comparable(other)
    assert read_text(f"<p>{one}").folded == comparable(other)


@pytest.mark.parametrize(("one", "other"), [("papá", "papa"), ("año", "ano"), ("a-b", "a b"), ("l'a", "la")])
def test_ways_of_writing_that_are_not(one, other):
    assert comparable(one) != comparable(other)


def test_no_character_folds_into_one_that_would_have_been_written_otherwise():
    plain = set("'\"-")
    for character in map(chr, range(sys.maxunicode + 1)):
        folded = comparable(character)
        assert comparable(folded) == folded, ascii(character)
        assert " " not in folded, ascii(character)
        if unicodedata.category(character) in {"Pd", "Zs", "Zl", "Zp"}:
            assert folded in {"", "-"}, ascii(character)
        assert not plain & set(folded) or set(folded) <= {*plain, "n"}, ascii(character)


def test_characters_that_fold_fast_fold_as_all_others_do():
    for character in map(chr, range(sys.maxunicode + 1)):
        slow = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", f"x{character}x").casefold())
        assert fold(f"x{character}x") == " ".join(slow.split()), ascii(character)


@settings(max_examples=500, derandomize=True, deadline=None)
@given(text=anything)
def test_both_forms_of_a_page_have_the_same_words_in_the_same_order(text):
    page = read_text(text.replace("<", "&lt;"))
    assert page.folded.split() == [comparable(word) for word in page.shown.split()]
    assert page.shown == " ".join(page.shown.split())
    assert page.folded == comparable(page.shown)


@settings(max_examples=500, derandomize=True)
@given(text=anything)
def test_comparing_twice_is_comparing_once(text):
    assert comparable(comparable(text)) == comparable(text)
    assert comparable(unicodedata.normalize("NFD", text)) == comparable(text)


@pytest.mark.parametrize(
    ("text", "phrase", "is_said"),
    [
        ("in 1,500 people", "500 people", False),
        ("in 500 people", "500 people", True),
        ("1.5 days", "5 days", False),
        ("it cost 1.5", "1", False),
        ("he paid 1.500,25 euros", "500", False),
        ("he paid 1.500,25 euros", "1.500,25 euros", True),
        ("within 30,000 days", "within 30", False),
        ("within 30, 000 of them", "within 30", True),
        ("in 30.", "in 30", True),
        ("John 3:16,17", "17", True),
        ("John 3:16,17", "3:16", True),
        ("1,5 euros", "5 euros", False),
        ("chapters 12, 13 and 14", "12", True),
        ("1/3 days", "3 days", False),
        ("$5.99 a piece", "$5", False),
        ("it was -5 degrees", "5 degrees", False),
        ("it was 3-5 degrees", "5 degrees", True),
        ("non-refundable", "refundable", False),
        ("non\u2011refundable", "refundable", False),
        ("only-begotten Son", "begotten Son", True),
        ("a gift\u2014eternal life", "eternal life", True),
        ("version 1.2.3", "2", True),
        ("in 2024.", "2024", True),
    ],
)
def test_a_part_of_a_long_number_is_another_number(text: str, phrase: str, is_said: bool) -> None:
    assert says(read_text(text), phrase) is is_said
