"""An async agent that searches the articles."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest

from pytest_jweval.reference.answers import Answer
from pytest_jweval.reference.research_topic import RESULTS, research_topic


def test_it_is_a_coroutine_function() -> None:
    assert inspect.iscoroutinefunction(research_topic)


@pytest.mark.parametrize(
    ("topic", "language", "subject"),
    [
        ("Kingdom of God", "en", "kingdom"),
        ("kingdoms, and what they will do", "en", "kingdom"),
        ("Nicaea", "en", "trinity"),
        ("Resurrección", "es", "resurrection"),
        ("resurreccion", "es", "resurrection"),
        ("la Gehena", "es", "hell"),
        ("O tetragrama", "pt", "gods-name"),
    ],
)
def test_a_topic_finds_the_articles_about_it(
    ask: Callable[..., Answer], topic: str, language: str, subject: str
) -> None:
    answer = ask("research_topic", topic=topic, language=language)
    assert {finding["source"] for finding in answer["findings"]} == {"cdn_search"}
    assert {finding["url"] for finding in answer["findings"]} == {
        f"https://example.org/{language}/articles/{subject}"
    }


def test_the_closest_passage_comes_first(ask: Callable[..., Answer]) -> None:
    answer = ask("research_topic", topic="Plato and the soul", language="en")
    assert "Plato" in answer["findings"][0]["text"]


def test_it_gives_no_more_than_its_page_of_results(ask: Callable[..., Answer]) -> None:
    everything = "trinity soul hell kingdom resurrection creation jesus name"
    assert len(ask("research_topic", topic=everything, language="en")["findings"]) == RESULTS


def test_an_unknown_topic_is_a_warning_and_no_finding(ask: Callable[..., Answer]) -> None:
    assert ask("research_topic", topic="blorf quux", language="pt") == {
        "findings": [],
        "metadata": {"warnings": ["no article was found about 'blorf quux'"]},
    }
