"""Prepares a part of a meeting from a verse: the verse, then points for a talk or for the workbook."""

from __future__ import annotations

from typing import Any

from pytest_jweval.reference.answers import Answer, answer, corpus_for, finding, required
from pytest_jweval.reference.passages import Corpus, Passage
from pytest_jweval.reference.verses import parse_reference

KINDS = ("public_talk", "workbook")


def meeting_helper(inputs: dict[str, Any]) -> Answer:
    """Input: `url_or_ref`, a verse reference or a page of the corpus; `kind`, one of KINDS; `language`."""
    place = required(inputs, "url_or_ref")
    kind = required(inputs, "kind")
    if kind not in KINDS:
        raise ValueError(f"the input 'kind' must be {' or '.join(KINDS)}, not {kind!r}")
    corpus = corpus_for(inputs)
    verses = _verses_at(place, corpus)
    if not verses:
        return answer(corpus, [], [f"no verse was found at {place!r}"])
    points = [point for verse in verses for point in corpus.about(verse.reference, kind)]
    findings = [
        *(finding(verse, "verse_text", corpus) for verse in verses),
        *(finding(point, kind, corpus) for point in points),
    ]
    return answer(corpus, findings, [] if points else [f"no {kind} points were found for {place!r}"])


def _verses_at(place: str, corpus: Corpus) -> list[Passage]:
    if "://" in place:
        # A meeting page names the verses that it is about; a chapter page holds them.
        return corpus.verses(tuple(passage.reference for passage in corpus.on_page(place.strip())))
    reference = parse_reference(place, corpus.language)
    return corpus.verses(reference.verses) if reference else []
