"""Answers that have nothing to judge. A model that judges them may be fooled, so it isn't asked.

A bare "Yes" has something to say only to a question that yes can answer. In doubt it counts as an answer:
then its vector, or a model, decides. A bare "No" is always an answer.
"""

import json
import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from pytest_jweval.judges.words import words
from pytest_jweval.texts import excerpt

Phrase = tuple[str, ...]


def is_contentless(candidate: str, question: str) -> str | None:
    """Why there is nothing to judge; ``None`` if there is something."""
    if not candidate.strip():
        return "the answer is empty"
    said = _phrase(candidate)
    if not said:
        return "the answer has no words"
    found = _phrases_of(said, _phrase(question))
    if found is None:
        return None
    if any(phrase in _known().agreements for phrase in found) and _asks_for_yes_or_no(question):
        return None
    if _phrase(question) in found:
        return "the answer only repeats the question"
    return f"the answer says no more than {excerpt(candidate, 60)!r}"


def _phrases_of(said: Phrase, asked: Phrase) -> list[Phrase] | None:
    """The openers that a text is made of, or the question; ``None`` if it is made of anything else."""
    known = [asked, *_known().openers] if asked else _known().openers
    found: list[Phrase] = []
    at = 0
    while at < len(said):
        opener = next((phrase for phrase in known if said[at : at + len(phrase)] == phrase), None)
        if opener is None:
            return None
        found.append(opener)
        at += len(opener)
    return found


def _asks_for_yes_or_no(question: str) -> bool:
    sentences = [phrase for part in _SENTENCES.split(question) if (phrase := _phrase(part))]
    return bool(sentences) and not any(
        sentences[-1][: len(opening)] == opening for opening in _known().open_questions
    )


def _phrase(text: str) -> Phrase:
    return tuple(word.text for word in words(text) if not word.is_sign)


class _Known(NamedTuple):
    openers: list[Phrase]
    agreements: frozenset[Phrase]
    open_questions: frozenset[Phrase]


@cache
def _known() -> _Known:
    file = files("pytest_jweval.judges") / "data" / "openers.json"
    data: dict[str, dict[str, list[str]]] = json.loads(file.read_text("utf-8"))
    kinds = {
        kind: frozenset(_phrase(text) for texts in by_language.values() for text in texts)
        for kind, by_language in data.items()
    }
    # The longest first: "answer" must not be taken off "answer to your question".
    openers = sorted(kinds["openers"] | kinds["agreements"], key=lambda phrase: (-len(phrase), phrase))
    return _Known(openers, kinds["agreements"], kinds["open_questions"])


_SENTENCES = re.compile("[.!?¿…。\uff01\uff1f؟]+")
