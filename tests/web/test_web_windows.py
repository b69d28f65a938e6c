"""The part of a page that is likest to a claim."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytest_jweval.web.text import PageText, comparable
from pytest_jweval.web.windows import best_window


def page(text):
    return PageText(text, comparable(text))


def filler(word, count):
    return " ".join(f"{word}{number}" for number in range(count))


def test_a_short_page_is_its_own_window():
    assert best_window(page("Returns are free."), "free returns") == "Returns are free."
    assert best_window(page(""), "free returns") == ""


def test_the_window_lies_where_the_rare_words_of_the_claim_are():
    text = f"{filler('a', 500)} Returns are Free for thirty days {filler('b', 500)}"
    window = best_window(page(text), "are returns free?", words=40)
    assert "Returns are Free" in window
    assert len(window.split()) == 40


def test_a_rare_word_counts_more_than_one_that_is_everywhere():
    text = f"{'the ' * 300}{filler('x', 50)} refund {filler('y', 300)}"
    assert "refund" in best_window(page(text), "the the refund", words=20)


def test_what_was_found_stands_in_the_middle():
    window = best_window(page(f"{filler('a', 200)} refund {filler('b', 200)}"), "refund", words=21)
    assert window.split().index("refund") in (9, 10, 11)


def test_a_claim_that_shares_nothing_still_gets_a_window():
    assert len(best_window(page(filler("a", 100)), "nothing", words=10).split()) == 10


@given(st.text(max_size=300), st.text(max_size=50), st.integers(1, 20))
def test_a_window_is_a_run_of_words_of_the_page(text, claim, words):
    shown = page(" ".join(text.split()))
    window = best_window(shown, claim, words)
    assert window in shown.shown
    assert len(window.split(" ")) <= max(words, 1)
