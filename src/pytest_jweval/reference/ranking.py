"""Which passages speak about a question: counting words, and nothing else.

A passage is found by its page's keywords. Its title and its text never find it; they only decide the order.
So a question about nothing in the corpus finds nothing, however many everyday words it shares with a text.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from pytest_jweval.reference.passages import Passage
from pytest_jweval.reference.words import words

KEYWORD, TITLE, TEXT = 4, 2, 1


def rank(passages: Iterable[Passage], question: str, stopwords: Iterable[str] = ()) -> list[Passage]:
    """The passages that speak about the question, best first; ties keep the order of the corpus.

    What scores less than half of the best is left out: it shares a word, not the subject.
    """
    asked = words(question) - words(" ".join(stopwords))
    scores = {passage: score(asked, passage) for passage in passages}
    best = max(scores.values(), default=0)
    found = [passage for passage, points in scores.items() if points and points * 2 >= best]
    return sorted(found, key=lambda passage: -scores[passage])


def score(asked: frozenset[str], passage: Passage) -> int:
    """4 for each word among the keywords, 2 in the title, 1 in the text; 0 without a keyword."""
    keywords, title, text = _words_of(passage)
    if not asked & keywords:
        return 0
    return KEYWORD * len(asked & keywords) + TITLE * len(asked & title) + TEXT * len(asked & text)


@cache
def _words_of(passage: Passage) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    return words(" ".join(passage.words)), words(passage.title), words(passage.text)
