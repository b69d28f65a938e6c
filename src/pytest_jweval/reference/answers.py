"""The shape of a question and of an answer, the same for all five agents."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from pytest_jweval.reference.passages import LANGUAGES, Corpus, Passage, read_corpus
from pytest_jweval.reference.verses import label

Answer = dict[str, Any]
Agent = Callable[[dict[str, Any]], Answer | Awaitable[Answer]]


def required(inputs: dict[str, Any], key: str) -> str:
    """A text that the agent can't do without; the error names the key if it isn't there, or isn't a text."""
    if key not in inputs:
        raise ValueError(f"the input has no {key!r}; it has: {', '.join(map(repr, inputs)) or 'nothing'}")
    value = inputs[key]
    if not isinstance(value, str):
        raise TypeError(f"the input {key!r} must be a text, not {type(value).__name__}")
    return value


def corpus_for(inputs: dict[str, Any]) -> Corpus:
    """The corpus of the input's `language`, English if it names none; `pt-BR` reads `pt`."""
    language = required(inputs, "language") if "language" in inputs else "en"
    return read_corpus(language.strip().casefold().partition("-")[0])


def finding(passage: Passage, source: str, corpus: Corpus) -> dict[str, Any]:
    """`source` is the way by which an agent came to the passage, which is for the agent to say."""
    metadata = {"title": passage.title, "language": corpus.language}
    if passage.reference:
        metadata["reference"] = label(passage.reference, corpus.language)
    return {"text": passage.text, "source": source, "url": passage.url, "metadata": metadata}


def answer(corpus: Corpus, findings: list[dict[str, Any]], warnings: Iterable[str] = ()) -> Answer:
    unknown = [] if corpus.passages else [_unknown_language(corpus.language)]
    return {"findings": findings, "metadata": {"warnings": [*unknown, *warnings]}}


def _unknown_language(language: str) -> str:
    return f"there is no corpus in language {language!r}, only in {', '.join(LANGUAGES)}"
