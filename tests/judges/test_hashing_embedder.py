"""The same vector in every process and on every machine; and what its bands are worth."""

from __future__ import annotations

import doctest
import json
import os
import subprocess
import sys
from itertools import combinations
from math import fsum
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_jweval.judges.embedders import hashing
from pytest_jweval.judges.embedders.hashing import HashingEmbedder
from pytest_jweval.judges.embedding import cosine

PAIRS = json.loads((Path(__file__).parent / "pairs.json").read_text("utf-8"))
KINDS = ("text", "near_copy", "paraphrase", "partly", "negated")
LOWEST_COPY, HIGHEST_PARTLY, HIGHEST_UNRELATED = 0.69, 0.63, 0.21
EMBEDDER = HashingEmbedder()

DIGEST = """
import struct
from hashlib import sha256
from pytest_jweval.judges.embedders.hashing import HashingEmbedder

texts = ["In the beginning", "¿Qué es la resurrección?", "はじめに言があった", "", "👍", "\\ud800"]
texts.append(" ".join(map(str, range(500))))  # so many words that their order shows in the last bits
vectors = HashingEmbedder().embed(texts)
print(sha256(b"".join(struct.pack("<1024d", *vector) for vector in vectors)).hexdigest())
"""


def likeness(first, second):
    return cosine(*EMBEDDER.embed([first, second]))


@pytest.mark.parametrize("seed", ["0", "1", "42", "4294967295", "random"])
def test_the_numbers_are_the_same_in_every_process(seed):
    """If they change on purpose, the version in the embedder's name has to be raised: vectors are kept."""
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, "-c", DIGEST], env=environment, capture_output=True, text=True, check=True
    )
    assert EMBEDDER.name == "hashing-1-1024"
    assert done.stdout.strip() == "a85a8a9dc4d18e979c20915c9dfc040d90bd00db5a39fc63e11b57978715cd58"


@pytest.mark.parametrize("language", PAIRS)
def test_near_copies_are_above_the_upper_band(language):
    cosines = [likeness(pair["text"], pair["near_copy"]) for pair in PAIRS[language]]
    assert min(cosines) >= LOWEST_COPY >= EMBEDDER.bands[0]


@pytest.mark.parametrize("language", PAIRS)
def test_unrelated_texts_are_below_the_lower_band(language):
    cosines = [
        likeness(first[kind], second[other])
        for first, second in combinations(PAIRS[language], 2)
        for kind in KINDS
        for other in KINDS
    ]
    assert max(cosines) <= HIGHEST_UNRELATED <= EMBEDDER.bands[1]


@pytest.mark.parametrize("language", PAIRS)
def test_partly_related_texts_are_below_the_upper_band(language):
    cosines = [likeness(pair["text"], pair["partly"]) for pair in PAIRS[language]]
    assert max(cosines) <= HIGHEST_PARTLY <= EMBEDDER.bands[0]


def test_it_measures_wording_and_not_meaning():
    """Known limits, said in its documentation: denials pass, and what is said in other words doesn't."""
    pairs = [pair for language in PAIRS.values() for pair in language]
    assert min(likeness(pair["text"], pair["negated"]) for pair in pairs) > EMBEDDER.bands[0]
    assert max(likeness(pair["text"], pair["paraphrase"]) for pair in pairs) < EMBEDDER.bands[0]


def test_the_documentation_is_true():
    tried = doctest.testmod(hashing)
    assert tried.attempted >= 3
    assert tried.failed == 0


@given(st.text(st.characters(), max_size=60))
def test_a_vector_has_length_1_or_nothing_in_it(text):
    (vector,) = EMBEDDER.embed([text])
    assert len(vector) == 1024
    length = fsum(value * value for value in vector)
    assert length == pytest.approx(1) or not any(vector)
    assert cosine(vector, vector) == (pytest.approx(1) if any(vector) else 0)


@pytest.mark.parametrize("text", ["", "  \n", "…", "\u0301"])
def test_a_text_without_words_is_a_vector_of_zeros(text):
    assert EMBEDDER.embed([text]) == [[0.0] * 1024]


def test_case_accents_order_and_repetition_dont_count():
    first, *others = EMBEDDER.embed(
        [
            "La resurrección de Lázaro",
            "LA RESURRECCION DE LAZARO",
            "Lázaro, la resurrección de",
            "la la Lázaro de resurrección",
        ]
    )
    for other in others:
        assert cosine(first, other) == pytest.approx(1)


def test_a_text_of_any_length_is_embedded():
    vectors = EMBEDDER.embed(["a", "word " * 100_000, "x" * 100_000, "神" * 10_000])
    assert [len(vector) for vector in vectors] == [1024] * 4


def test_nothing_asked_is_nothing_given():
    assert EMBEDDER.embed([]) == []
