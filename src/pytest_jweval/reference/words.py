"""Texts as words that can be compared, whatever their case, accents and plurals."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")


def fold(text: str) -> str:
    """Without case and accents, so that `RESURRECCIÓN` and `resurreccion` are one word."""
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def words(text: str) -> frozenset[str]:
    return frozenset(_without_plural(word) for word in _WORD.findall(fold(text)))


def _without_plural(word: str) -> str:
    # Crude, but it treats question and passage alike, and serves all three languages.
    return word[:-1] if len(word) > 3 and word.endswith("s") else word
