"""Answers that say nothing are known before a judge is asked; short ones that say something pass."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from pytest_jweval.judges.contentless import is_contentless

DATA = json.loads((files("pytest_jweval.judges") / "data" / "openers.json").read_text("utf-8"))
OPEN = "What happens to the soul?"


@pytest.mark.parametrize("candidate", ["", " ", "\n\t ", "\u00a0"])
def test_nothing_is_empty(candidate):
    assert is_contentless(candidate, OPEN) == "the answer is empty"


@pytest.mark.parametrize(
    "candidate", ["…", "?!", "---", "```\n```", "👍", "🙏🏽 ❤️", "\u200b", "* * *", "「」。"]
)
def test_punctuation_and_emoji_are_no_words(candidate):
    assert is_contentless(candidate, OPEN) == "the answer has no words"


def test_there_are_openers_in_many_languages():
    assert sum(map(len, DATA["openers"].values())) >= 30
    assert len(DATA["openers"]) >= 7
    assert set(DATA["agreements"]) == set(DATA["openers"])


@pytest.mark.parametrize("frame", ["{}", "{}:", "**{}**", "{}…", "« {} »\n", "## {}\n\n👍"])
@pytest.mark.parametrize("language", DATA["openers"])
def test_an_opener_alone_says_nothing(language, frame):
    for opener in DATA["openers"][language] + DATA["agreements"][language]:
        for candidate in (frame.format(opener), frame.format(opener.upper())):
            reason = is_contentless(candidate, OPEN)
            assert reason is not None, candidate
            assert reason.startswith("the answer says no more than ")


@pytest.mark.parametrize(
    "candidate", ["Sure! Here is the answer:", "Respuesta: solución:", "Yes. Explanation:"]
)
def test_several_openers_say_no_more_than_one(candidate):
    assert is_contentless(candidate, OPEN) == f"the answer says no more than {candidate!r}"


@pytest.mark.parametrize(
    ("question", "candidate"),
    [
        (OPEN, OPEN),
        (OPEN, "what happens to the soul"),
        (OPEN, f"{OPEN}\n\nAnswer:"),
        (OPEN, f"Great question! {OPEN}"),
        (OPEN, f"{OPEN} {OPEN}"),
        ("¿Qué es la resurrección?", "Respuesta: ¿Que es la resurreccion?"),
        ("たましいとは何ですか", "たましいとは何ですか。"),
        ("Juan 3:16", "Juan 3.16"),
    ],
)
def test_an_echo_of_the_question_says_nothing(question, candidate):
    assert is_contentless(candidate, question) == "the answer only repeats the question"


@pytest.mark.parametrize(
    "candidate",
    [
        "Yes, within 30 days.",
        "42",
        "Juan 3:16",
        "No.",
        "No",
        "Não.",
        "Nein.",
        "None.",
        "Paul.",
        "In 1894",
        "Sí, el domingo.",
        "Answer: no",
        "Respuesta: 7",
        "I don't know.",
        "No lo sé.",
        "God is love.",
        "神は愛です",
        "はい、三日です",
        "π",
        "½",
        "C",
        "On Sundays",
        "Sure thing costs 5 €",
        "The solution is salt water.",
        "Let's see the doctor.",
        "Bethlehem 👍",
        "Step 1: open the door.",
    ],
)
def test_a_short_answer_says_something(candidate):
    for question in (OPEN, "", "¿Cuándo?", "Is it so?"):
        assert is_contentless(candidate, question) is None


@pytest.mark.parametrize(
    ("question", "candidate"),
    [
        ("Is the soul immortal?", "Yes."),
        ("May I send it back?", "Of course!"),
        ("I am reading John 3. Is it a dialogue?", "Yes"),
        ("¿Es bíblica la Trinidad?", "Sí."),
        ("Como lector, ¿puedo entrar?", "Claro que sí."),
        ("A Trindade é bíblica?", "Sim."),
        ("Will he come or not? Who knows? Do you?", "Yes."),
        ("Is it so?", "Is it so? Yes."),
        ("Is it so?", "Answer: Yes"),
    ],
)
def test_yes_is_an_answer_where_it_can_be_one(question, candidate):
    assert is_contentless(candidate, question) is None


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote it?",
        "In which year?",
        "I see. Where is it?",
        "¿Quién lo escribió?",
        "Quando foi?",
        "Wo ist es?",
        "",
        "???",
    ],
)
def test_yes_is_no_answer_to_an_open_question_or_to_none(question):
    assert is_contentless("Yes.", question) == "the answer says no more than 'Yes.'"


def test_a_word_of_the_question_may_be_its_answer():
    assert is_contentless("Blue.", "Is the sky blue or green?") is None


def test_a_question_without_words_has_no_echo():
    assert is_contentless("Bethlehem", "?") is None
