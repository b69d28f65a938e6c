"""Answers a question about a teaching: the topic index first, then verses, then what articles say."""

from __future__ import annotations

from typing import Any

from pytest_jweval.reference.answers import Answer, answer, corpus_for, finding, required
from pytest_jweval.reference.ranking import rank

ENTRIES, VERSES, ARTICLES = 2, 3, 2  # at most so many findings of each


def apologetics(inputs: dict[str, Any]) -> Answer:
    """Input: `question`, in the words of the person who asks; `language`."""
    question = required(inputs, "question")
    corpus = corpus_for(inputs)
    entries = rank(corpus.of_kind("topic"), question, corpus.stopwords)[:ENTRIES]
    articles = rank(corpus.of_kind("article"), question, corpus.stopwords)[:ARTICLES]
    verses = corpus.verses(tuple(verse for entry in entries for verse in entry.see))[:VERSES]
    findings = [
        *(finding(entry, "topic_index", corpus) for entry in entries),
        *(finding(verse, "verse_text", corpus) for verse in verses),
        *(finding(article, "rag", corpus) for article in articles),
    ]
    return answer(corpus, findings, [] if findings else [f"nothing was found about {question!r}"])
