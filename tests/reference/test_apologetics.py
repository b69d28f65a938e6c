"""The topic index first, then verses, then articles: for questions in anybody's words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_jweval.reference.answers import Answer


def subject(answer: Answer) -> str:
    """The subject that the first finding is about, as its address names it."""
    return str(answer["findings"][0]["url"]).rpartition("/")[2]


@pytest.mark.parametrize(
    ("question", "language", "expected"),
    [
        ("Is the Trinity biblical?", "en", "trinity"),
        ("Where do the Scriptures speak of a triune God?", "en", "trinity"),
        ("do SOULS live on?", "en", "soul"),
        ("Will my neighbours be punished in hell?", "en", "hell"),
        ("Which government did Jesus pray for, and what is a kingdom?", "en", "kingdom"),
        ("When will the dead rise again?", "en", "resurrection"),
        ("Who made the universe?", "en", "creation"),
        ("Was Christ equal to his Father?", "en", "jesus"),
        ("Who is Yahweh?", "en", "gods-name"),
        ("¿Es la Trinidad bíblica?", "es", "trinity"),
        ("¿creían los apóstoles en un dios TRINO?", "es", "trinity"),
        ("¿Sobreviven las almas?", "es", "soul"),
        ("¿Hay tormento después de la muerte?", "es", "hell"),
        ("¿Qué gobierno traerá paz?", "es", "kingdom"),
        ("¿Quiénes van a resucitar?", "es", "resurrection"),
        ("¿Tiene el universo un creador?", "es", "creation"),
        ("¿Quién es el Mesías?", "es", "jesus"),
        ("¿Se llama Jehova?", "es", "gods-name"),
        ("A Trindade é bíblica?", "pt", "trinity"),
        ("Somos imortais?", "pt", "soul"),
        ("O que era o hades?", "pt", "hell"),
        ("Quando virá o reino?", "pt", "kingdom"),
        ("Há ressurreicao para todos?", "pt", "resurrection"),
        ("Quem é o criador de tudo?", "pt", "creation"),
        ("Cristo tinha irmãos?", "pt", "jesus"),
        ("Por que dizem Jeová?", "pt", "gods-name"),
    ],
)
def test_a_question_finds_its_subject(
    ask: Callable[..., Answer], question: str, language: str, expected: str
) -> None:
    answer = ask("apologetics", question=question, language=language)
    assert answer["findings"][0]["source"] == "topic_index"
    assert subject(answer) == expected
    assert answer["metadata"]["warnings"] == []


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Is the Trinity biblical?", "en"),
        ("Do humans have an immortal soul?", "en"),
        ("¿Existe el infierno de fuego?", "es"),
        ("A alma humana é imortal?", "pt"),
    ],
)
def test_the_topic_index_leads_and_verses_and_articles_follow(
    ask: Callable[..., Answer], question: str, language: str
) -> None:
    answer = ask("apologetics", question=question, language=language)
    sources = [finding["source"] for finding in answer["findings"]]
    assert sources == ["topic_index", "verse_text", "verse_text", "verse_text", "rag", "rag"]


def test_a_question_about_two_subjects_finds_both(ask: Callable[..., Answer]) -> None:
    answer = ask("apologetics", question="Are the soul and hell the same?", language="en")
    entries = [finding["url"] for finding in answer["findings"] if finding["source"] == "topic_index"]
    assert entries == ["https://example.org/en/topics/soul", "https://example.org/en/topics/hell"]


def test_no_finding_comes_twice(ask: Callable[..., Answer]) -> None:
    texts = [finding["text"] for finding in ask("apologetics", question="soul and hell")["findings"]]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("blorf quux zibble?", "en"),
        ("How do I repair the wheel of a bicycle, and what does it say about people?", "en"),
        ("¿Cómo arreglo la rueda de mi bicicleta?", "es"),
        ("Como conserto a roda da minha bicicleta?", "pt"),
        ("What is the?", "en"),
        ("", "es"),
        ("Is the Trinity biblical?", "es"),
    ],
)
def test_a_question_about_nothing_in_the_corpus_finds_nothing_and_says_so(
    ask: Callable[..., Answer], question: str, language: str
) -> None:
    assert ask("apologetics", question=question, language=language) == {
        "findings": [],
        "metadata": {"warnings": [f"nothing was found about {question!r}"]},
    }
