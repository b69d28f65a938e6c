"""The passage that is most like a phrase, for the text of a failure."""

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_jweval.web.nearest import Nearest, nearest
from pytest_jweval.web.text import PageText, read_text, says

VERSE = "Porque de tal manera AMÓ Dios al mundo, que ha dado á su Hijo unigénito."
FILLER = "Los montes y los valles, la lluvia que cae en abril; también el camino hacia la casa vieja. "
LONG = read_text(f"{FILLER * 800}{VERSE} {FILLER * 800}")
COMMON = read_text(" ".join(random.Random(1).choices(FILLER.split(), k=10_000)))


def near(page: PageText | str, phrase: str) -> Nearest:
    found = nearest(read_text(page) if isinstance(page, str) else page, phrase)
    assert found
    return found


@pytest.mark.parametrize(
    ("phrase", "likeness"),
    [
        ("de tal manera amó el Señor al mundo", 0.8),
        ("de tal manera amo Dios al mundo", 0.95),
        ("tal manera Dios al mundo", 0.9),
        ("tal manera amó Dios y siempre al mundo entero", 0.75),
        ("que a dado á su ijo unijénito", 0.85),
        ("ha dado á su unigénito Hijo", 0.7),
    ],
)
def test_the_likest_passage_of_a_long_page_is_found(phrase, likeness):
    found = near(LONG, phrase)
    assert likeness <= found.similarity < 1
    assert "mundo" in found.text or "unigénito" in found.text
    assert found.text.startswith("…") and found.text.endswith("…")
    assert 20 < len(found.text) < 160


def test_the_passage_is_quoted_as_it_is_shown_with_some_words_around_it():
    text = near(LONG, "manera amo Dios al mundo").text
    assert (
        text
        == "…hacia la casa vieja. Porque de tal manera AMÓ Dios al mundo, que ha dado á su Hijo unigénito.…"
    )


def test_a_short_page_is_quoted_whole():
    assert near(f"<p>{VERSE}", "tal manera odió Dios al mundo").text == VERSE


def test_a_phrase_that_is_there_is_its_own_nearest():
    found = near(LONG, "Amó  Dios al MUNDO")
    assert found.similarity == 1.0
    assert "AMÓ Dios al mundo" in found.text


@pytest.mark.parametrize(
    ("page", "phrase"),
    [("a person", "son"), ("x " * 500 + "John 3:16", "John 3:1"), ("y" * 1000 + " 21 days", "1 days")],
)
def test_a_phrase_that_is_not_there_is_never_the_same(page, phrase):
    found = nearest(read_text(page), phrase)
    assert found is None or 0.3 <= found.similarity <= 0.99


@pytest.mark.parametrize(
    ("page", "phrase"),
    [
        ("", "anything"),
        ("anything", ""),
        ("anything", " \u200b"),
        ("", ""),
        (FILLER, "zzyzx qwfpg"),
        (FILLER, "神は世を愛された"),
        ("a", "b"),
    ],
)
def test_nothing_is_near_where_nothing_is_alike(page, phrase):
    assert nearest(read_text(page), phrase) is None


def test_scripts_without_spaces_have_passages_too():
    verse = "神はそのひとり子を賜わったほどに、この世を愛して下さった。"
    page = read_text("天地創造の物語。" * 500 + verse + "光あれと言われた。" * 500)
    found = near(page, "神はこの世を愛して下さらなかった")
    assert "この世を愛して下さった" in found.text
    assert found.similarity > 0.6
    assert len(found.text) < 160


def test_words_that_grow_when_they_are_folded_do_not_shift_the_passage():
    found = near(read_text("ﬃﬃﬃ ﷺ …… ½½½ STRAẞE " * 300 + VERSE), "tal manera odió Dios al mundo")
    assert "tal manera AMÓ Dios al mundo" in found.text


def test_the_first_of_passages_that_are_equally_alike_is_shown():
    page = read_text(f"<p>uno {VERSE} <p>dos {VERSE}")
    assert near(page, "tal manera odió Dios al mundo").text.startswith("uno")


@settings(max_examples=100, derandomize=True, deadline=None)
@given(begin=st.integers(0, 9000), altered=st.integers(0, 11))
def test_a_passage_of_the_commonest_words_is_found_wherever_it_stands(begin, altered):
    words = COMMON.shown.split()[begin : begin + 12]
    words[altered] = "jamás"
    found = near(COMMON, " ".join(words))
    assert found.similarity >= 0.8


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("amen " * 200_000, "amen amen brother amen"),
        ("amen " * 200_000, "brother amen " * 5000),
        ("amen " * 200_000, "brothers and sisters of ours"),
        ("ab" * 500_000, "ba" * 100 + "c" + "ab" * 100),
        ("a" * 1_000_000, "a" * 100 + "b" + "a" * 10_000),
        ("神" * 1_000_000, "神は" * 300),
        (FILLER * 11_000, "la casa nueva hacia el camino " * 1000),
        ("a b c d e f g " * 70_000, "a c b d f e g " * 20),
    ],
    ids=range(8),
)
def test_a_hostile_megabyte_takes_no_longer(text, phrase):
    page = PageText(text.strip(), text.strip())
    began = time.process_time()
    found = nearest(page, phrase)
    assert time.process_time() - began < 1
    assert found is None or (found.similarity < 1 and len(found.text) < 600)


def test_twelve_words_on_an_ordinary_page_take_little_time():
    began = time.process_time()
    for _ in range(10):
        near(LONG, "porque de esta manera ama Dios al mundo entero que dio su")
    assert time.process_time() - began < 1


@settings(max_examples=300, derandomize=True, deadline=None)
@given(page=st.text(), phrase=st.text())
def test_whatever_is_compared_has_a_likeness_from_0_to_1(page, phrase):
    text = read_text(page.replace("<", " "))
    found = nearest(text, phrase)
    assert says(text, phrase) == (found is not None and found.similarity == 1.0)
    if found:
        assert 0.3 <= found.similarity <= 1
        assert found.text.strip("…") in text.shown
