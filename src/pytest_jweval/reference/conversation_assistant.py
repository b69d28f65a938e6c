"""Helps to speak about a topic with somebody: what the topic is, how to begin with them, and verses."""

from __future__ import annotations

from typing import Any

from pytest_jweval.reference.answers import Answer, answer, corpus_for, finding, required
from pytest_jweval.reference.passages import Corpus, Passage
from pytest_jweval.reference.ranking import rank


class ConversationAssistant:
    """An agent that is set up once and then called: `ConversationAssistant(verses=1)` offers one verse."""

    def __init__(self, verses: int = 2) -> None:
        self.verses = verses

    def __call__(self, inputs: dict[str, Any]) -> Answer:
        """Input: `topic`, a few words; `audience`, such as `atheist`; `language`."""
        topic, audience = required(inputs, "topic"), required(inputs, "audience")
        corpus = corpus_for(inputs)
        entries = rank(corpus.of_kind("topic"), topic, corpus.stopwords)[:1]
        if not entries:
            return answer(corpus, [], [f"nothing was found about {topic!r}"])
        guides = _guides(corpus, audience, entries[0].subject)
        findings = [
            *(finding(entry, "topic_index", corpus) for entry in entries),
            *(finding(guide, "conversation_guide", corpus) for guide in guides),
            *(finding(verse, "verse_text", corpus) for verse in corpus.verses(entries[0].see)[: self.verses]),
        ]
        warnings = [] if guides else [f"no guide was found for the audience {audience!r}"]
        return answer(corpus, findings, warnings)


def _guides(corpus: Corpus, audience: str, subject: str) -> list[Passage]:
    """For this audience: first what is about the subject, then what is about no subject in particular."""
    guides = rank(corpus.of_kind("guide"), audience, corpus.stopwords)
    return [guide for wanted in (subject, "") for guide in guides if guide.subject == wanted]
