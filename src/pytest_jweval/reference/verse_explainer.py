"""Explains a verse: the verse itself, notes on it, and the verses that it points to."""

from __future__ import annotations

from typing import Any

from pytest_jweval.reference.answers import Answer, answer, corpus_for, finding, required
from pytest_jweval.reference.passages import Corpus
from pytest_jweval.reference.verses import Reference, parse_reference


def verse_explainer(inputs: dict[str, Any]) -> Answer:
    """Input: `reference`, such as `Juan 3:16` or `John 3:16-17`; `language`."""
    text = required(inputs, "reference")
    corpus = corpus_for(inputs)
    reference = parse_reference(text, corpus.language)
    if reference is None:
        return answer(corpus, [], [f"{text!r} is not a verse reference"])
    return _explain(reference, text, corpus)


def _explain(reference: Reference, text: str, corpus: Corpus) -> Answer:
    verses = corpus.verses(reference.verses)
    notes = [note for verse in verses for note in corpus.about(verse.reference, "note")]
    see = tuple(other for verse in verses for other in verse.see if other not in reference.verses)
    findings = [
        *(finding(verse, "verse_text", corpus) for verse in verses),
        *(finding(note, "study_note", corpus) for note in notes),
        *(finding(verse, "cross_reference", corpus) for verse in corpus.verses(see)),
    ]
    return answer(corpus, findings, _missing(len(verses), len(reference.verses), text))


def _missing(found: int, asked: int, text: str) -> list[str]:
    if not found:
        return [f"{text!r} was not found"]
    return [f"only {found} of the {asked} verses of {text!r} were found"] if found < asked else []
