"""An agent that is an instance, and whose answer depends on whom one speaks with."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_jweval.reference.answers import Answer
from pytest_jweval.reference.conversation_assistant import ConversationAssistant


def guides(answer: Answer) -> list[str]:
    return [finding["text"] for finding in answer["findings"] if finding["source"] == "conversation_guide"]


@pytest.mark.parametrize(
    ("topic", "audience", "language"),
    [
        ("creation", "atheist", "en"),
        ("the universe", "an Agnostic", "en"),
        ("la creación", "ateo", "es"),
        ("criacao", "estudantes", "pt"),
    ],
)
def test_topic_guides_and_verses_come_in_this_order(
    ask: Callable[..., Answer], topic: str, audience: str, language: str
) -> None:
    answer = ask("conversation_assistant", topic=topic, audience=audience, language=language)
    assert [finding["source"] for finding in answer["findings"]] == [
        *("topic_index", "conversation_guide", "conversation_guide", "verse_text", "verse_text")
    ]
    assert answer["metadata"]["warnings"] == []


def test_another_audience_gets_other_guides(ask: Callable[..., Answer]) -> None:
    atheist, teenager = (
        guides(ask("conversation_assistant", topic="creation", audience=audience))
        for audience in ("atheist", "student")
    )
    assert len(atheist) == len(teenager) == 2
    assert set(atheist).isdisjoint(teenager)


def test_a_guide_on_the_subject_comes_before_a_general_one(ask: Callable[..., Answer]) -> None:
    creation = guides(ask("conversation_assistant", topic="creation", audience="atheist"))
    trinity = guides(ask("conversation_assistant", topic="Trinity", audience="atheist"))
    assert "creation" in creation[0]
    assert trinity == creation[1:]


def test_an_unknown_audience_is_a_warning_and_leaves_the_rest(ask: Callable[..., Answer]) -> None:
    answer = ask("conversation_assistant", topic="creation", audience="plumber", language="en")
    assert [finding["source"] for finding in answer["findings"]] == [
        "topic_index",
        "verse_text",
        "verse_text",
    ]
    assert answer["metadata"]["warnings"] == ["no guide was found for the audience 'plumber'"]


def test_an_unknown_topic_is_a_warning_and_no_finding(ask: Callable[..., Answer]) -> None:
    assert ask("conversation_assistant", topic="bicycles", audience="atheist", language="en") == {
        "findings": [],
        "metadata": {"warnings": ["nothing was found about 'bicycles'"]},
    }


def test_it_offers_as_many_verses_as_it_was_told_to() -> None:
    answer = ConversationAssistant(verses=1)({"topic": "hell", "audience": "christian"})
    assert [finding["source"] for finding in answer["findings"]].count("verse_text") == 1
