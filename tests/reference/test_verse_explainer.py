"""The verse, then notes on it, then the verses that it points to."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_jweval.reference.answers import Answer


def sources(answer: Answer) -> list[str]:
    return [finding["source"] for finding in answer["findings"]]


@pytest.mark.parametrize(
    ("reference", "language", "words"),
    [
        ("John 3:16", "en", "God so loved the world"),
        ("Juan 3:16", "es", "amó Dios al mundo"),
        ("João 3:16", "pt", "Deus amou o mundo"),
        ("joao 3:16", "pt-BR", "Deus amou o mundo"),
        ("JUAN 3:16", " ES ", "amó Dios al mundo"),
    ],
)
def test_a_verse_comes_first_and_in_its_language(
    ask: Callable[..., Answer], reference: str, language: str, words: str
) -> None:
    answer = ask("verse_explainer", reference=reference, language=language)
    assert words in answer["findings"][0]["text"]
    assert sources(answer) == ["verse_text", "study_note", "cross_reference"]
    assert answer["metadata"]["warnings"] == []


def test_a_finding_says_where_it_stands(ask: Callable[..., Answer]) -> None:
    finding = ask("verse_explainer", reference="Romans 6:23", language="es")["findings"][0]
    assert finding["url"] == "https://wol.jw.org/es/wol/b/r4/lp-s/nwt/E/2024/45/6"
    assert finding["metadata"] == {"title": "Romanos 6", "language": "es", "reference": "Romanos 6:23"}


def test_english_is_read_when_no_language_is_given(ask: Callable[..., Answer]) -> None:
    assert ask("verse_explainer", reference="Juan 3:16") == ask(
        "verse_explainer", reference="John 3:16", language="en"
    )


def test_another_verse_gives_another_answer(ask: Callable[..., Answer]) -> None:
    love, wages = (ask("verse_explainer", reference=verse) for verse in ("1 Cor 13:4", "Romans 6:23"))
    assert love["findings"][0]["text"] != wages["findings"][0]["text"]


def test_a_range_gives_each_of_its_verses(ask: Callable[..., Answer]) -> None:
    answer = ask("verse_explainer", reference="John 3:16-17", language="en")
    assert sources(answer)[:2] == ["verse_text", "verse_text"]
    assert answer["metadata"]["warnings"] == []


def test_a_range_does_not_point_to_itself(ask: Callable[..., Answer]) -> None:
    assert "cross_reference" in sources(ask("verse_explainer", reference="John 5:29"))
    assert sources(ask("verse_explainer", reference="John 5:28-29")).count("verse_text") == 2


def test_a_range_that_is_partly_unknown_says_so(ask: Callable[..., Answer]) -> None:
    answer = ask("verse_explainer", reference="John 3:15-19", language="en")
    assert sources(answer)[:2] == ["verse_text", "verse_text"]
    assert answer["metadata"]["warnings"] == ["only 2 of the 5 verses of 'John 3:15-19' were found"]


@pytest.mark.parametrize(
    ("reference", "warning"),
    [
        ("John 99:1", "'John 99:1' was not found"),
        ("Nobody 1:1", "'Nobody 1:1' is not a verse reference"),
        ("", "'' is not a verse reference"),
    ],
)
def test_what_is_not_found_is_a_warning_and_no_finding(
    ask: Callable[..., Answer], reference: str, warning: str
) -> None:
    assert ask("verse_explainer", reference=reference, language="en") == {
        "findings": [],
        "metadata": {"warnings": [warning]},
    }
