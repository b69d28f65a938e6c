"""Words, and the ranking that counts them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pytest_jweval.reference.passages import Passage
from pytest_jweval.reference.ranking import rank, score
from pytest_jweval.reference.words import fold, words


def page(*keywords: str, title: str = "", text: str = "") -> Passage:
    return Passage("topic", text, "page", "https://example.org/en/page", title, words=keywords)


def test_case_and_accents_do_not_matter() -> None:
    assert fold("RESURRECCIÓN") == fold("resurreccion") == "resurreccion"


def test_singular_and_plural_are_one_word() -> None:
    assert words("soul, souls; SOULS!") == {"soul"}


def test_short_words_keep_their_s() -> None:
    assert words("is his") == {"is", "his"}


def test_punctuation_and_underscores_part_words() -> None:
    assert words("¿Trinidad?¡alma_viva!") == {"trinidad", "alma", "viva"}


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_a_keyword_counts_four_a_title_word_two_and_a_text_word_one() -> None:
    passage = page("hell", title="Hell and hades", text="hell, the grave")
    assert score(words("hell"), passage) == 7
    assert score(words("hell hades grave"), passage) == 10


def test_a_title_or_a_text_alone_finds_nothing() -> None:
    assert rank([page("hell", title="Fire", text="burning")], "burning fire") == []


def test_the_best_comes_first() -> None:
    some, best = page("hell", text="-"), page("hell", "hades", text="--")
    assert rank([some, best], "hell or hades") == [best, some]


def test_a_tie_keeps_the_order_of_the_corpus() -> None:
    first, second = page("hell", text="a"), page("hell", text="b")
    assert rank([first, second], "hell") == [first, second]
    assert rank([second, first], "hell") == [second, first]


def test_what_scores_less_than_half_of_the_best_is_left_out() -> None:
    best, half, less = page("a1", "b1", "c1", "d1"), page("a1", "b1"), page("a1")
    assert rank([less, half, best], "a1 b1 c1 d1") == [best, half]


def test_stopwords_of_the_question_count_for_nothing() -> None:
    assert rank([page("over")], "OVER", stopwords=["over"]) == []


def test_nothing_is_found_among_no_passages() -> None:
    assert rank([], "hell") == []


@given(st.lists(st.sampled_from(["hell", "soul", "grave", "fire"])), st.text())
def test_no_question_raises_and_nothing_is_found_twice(keywords: list[str], question: str) -> None:
    passages = [page(*keywords, text=str(number)) for number in range(3)]
    found = rank(passages, question)
    assert len(found) == len(set(found)) <= 3
