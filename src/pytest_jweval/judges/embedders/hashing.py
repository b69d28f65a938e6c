"""Vectors of wording, made without a model: for offline use, and for tests."""

from collections.abc import Sequence
from functools import lru_cache
from math import fsum, sqrt
from zlib import crc32

from pytest_jweval.judges.words import words

_VERSION = 1  # to be raised with any change of the numbers below: vectors are kept under it
_DIMENSION = 1024
_BITS = 10
_NGRAMS = (3, 4, 5)
_LONG = 8
_MIXER = 2654435761  # 2³² / golden ratio: what crc32 leaves alike is spread


class HashingEmbedder:
    """Words and their pieces of 3 to 5 letters, counted in a fixed number of places by a hash of the letters.

    >>> must, must_not, free = HashingEmbedder().embed(["You must pay.", "You must not pay.", "It is free."])

    It measures wording, not meaning: what is denied is as near as what is said, and what is said in other
    words is as far away as another subject.

    >>> from pytest_jweval.judges.embedding import cosine
    >>> cosine(must, must_not) > HashingEmbedder.bands[0]
    True

    The bands are measured on pairs in English, Spanish and Portuguese: near copies have cosines from 0.69 on,
    texts on one subject that say different things up to 0.62, short texts on different subjects up to 0.20.
    Long texts of one field share more words (0.2 to 0.5), and so are left to a model to judge.
    """

    name = f"hashing-{_VERSION}-{_DIMENSION}"
    bands = (0.66, 0.25)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [_vector(text) for text in texts]


def _vector(text: str) -> list[float]:
    """Of length 1; only zeros where there are no words. A word counts once, however often it is said."""
    vector = [0.0] * _DIMENSION
    for word in dict.fromkeys(word.text for word in words(text)):
        for place, value in _features(word):
            vector[place] += value
    # Additions, products and roots are defined to the last bit, and so is `fsum`; `sum` differs from one
    # version of Python to the next.
    length = sqrt(fsum(value * value for value in vector))
    return [value / length for value in vector] if length else vector


@lru_cache(65_536)
def _features(word: str) -> tuple[tuple[int, float], ...]:
    """Where a word counts, and how much. Long ones weigh more: short ones stand in any text of a language."""
    marked = f"<{word}>"
    pieces = [marked[at : at + size] for size in _NGRAMS for at in range(len(marked) - size + 1)]
    weight = min(len(word), _LONG) / _LONG
    share = weight / sqrt(len(pieces))
    return (_place(word, weight), *(_place(piece, share) for piece in pieces))


def _place(feature: str, weight: float) -> tuple[int, float]:
    """Half of the features count down, so that those that meet in one place cancel out on average."""
    mixed = crc32(feature.encode("utf-8", "surrogatepass")) * _MIXER & 0xFFFFFFFF
    return mixed >> 32 - _BITS, weight if mixed >> 31 - _BITS & 1 else -weight
