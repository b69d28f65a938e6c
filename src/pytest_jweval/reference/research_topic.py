"""Searches the articles for a topic, as a client of a publisher's search service would."""

from __future__ import annotations

import asyncio
from typing import Any

from pytest_jweval.reference.answers import Answer, answer, corpus_for, finding, required
from pytest_jweval.reference.passages import Corpus, Passage
from pytest_jweval.reference.ranking import rank

RESULTS = 5


async def research_topic(inputs: dict[str, Any]) -> Answer:
    """Input: `topic`, a few words; `language`."""
    topic = required(inputs, "topic")
    corpus = corpus_for(inputs)
    results = await _search(corpus, topic)
    findings = [finding(result, "cdn_search", corpus) for result in results]
    return answer(corpus, findings, [] if findings else [f"no article was found about {topic!r}"])


async def _search(corpus: Corpus, topic: str) -> list[Passage]:
    await asyncio.sleep(0)  # where a real client waits for its network
    return rank(corpus.of_kind("article"), topic, corpus.stopwords)[:RESULTS]
