"""A text as the words that a reader compares: case, accents and the kind of punctuation don't count."""

import re
import unicodedata
from collections.abc import Iterator
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from pytest_jweval.texts import fold


class Word(NamedTuple):
    """``text`` as it is compared; ``begin`` and ``end`` are where it stands in the original."""

    text: str
    begin: int
    end: int
    is_sign: bool = False


@lru_cache(64)  # a case has a handful of texts, which are looked at again and again
def words(text: str) -> tuple[Word, ...]:
    """Scripts that don't put spaces between words give a word for each character, and so do signs such
    as % or an emoji. Punctuation gives none."""
    return tuple(_words(text))


def _words(text: str) -> Iterator[Word]:
    run: list[str] = []
    begin = end = 0
    for at, character in _characters(text):
        kind, folded = _seen(character)
        if kind is _Kind.INVISIBLE:
            continue
        if kind is _Kind.LETTER:
            begin = begin if run else at
            end = at + len(character)
            run.append(folded)
            continue
        if run:
            yield Word("".join(run), begin, end)
            run.clear()
        if kind is not _Kind.GAP:
            yield Word(folded, at, at + len(character), kind is _Kind.SIGN)
    if run:
        yield Word("".join(run), begin, end)


def _characters(text: str) -> Iterator[tuple[int, str]]:
    """What is drawn as one: a letter with the marks that follow it, a Korean syllable with its parts."""
    begin = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or not _joins(text[end]):
            yield begin, text[begin:end]
            begin = end


def _joins(character: str) -> bool:
    if character < "\u0300":
        return False
    return unicodedata.category(character)[0] == "M" or character in _PARTS


class _Kind(Enum):
    LETTER = auto()  # of a word
    ALONE = auto()  # a word by itself, because its script has no spaces
    SIGN = auto()
    GAP = auto()
    INVISIBLE = auto()


@lru_cache(8192)
def _seen(character: str) -> tuple[_Kind, str]:
    first = character[0]
    category = unicodedata.category(first)
    if category == "Cf" or _joins(first):  # a mark on nothing is as good as none
        return _Kind.INVISIBLE, ""
    if (
        first.isspace()
        or category in _GAPS
        or (category == "Po" and fold(first) not in _MEANT)
        or first in _MARKUP_AND_MINUS
    ):
        return _Kind.GAP, ""
    if not (folded := _without_accents(fold(character))):
        return _Kind.INVISIBLE, ""
    if category[0] not in "LNM":
        return _Kind.SIGN, folded
    return (_Kind.ALONE if _SPACELESS.match(first) else _Kind.LETTER), folded


def _without_accents(folded: str) -> str:
    """Composed again afterwards: what is no accent, such as が's two dots, makes another letter."""
    parts = unicodedata.normalize("NFD", folded)
    return unicodedata.normalize("NFC", "".join(part for part in parts if not _is_accent(part)))


def _is_accent(part: str) -> bool:
    # The classes in between tell letters apart in Indic, Thai and Japanese.
    marks = unicodedata.combining(part)
    return marks == 1 or 10 <= marks <= 36 or marks >= 200 or (marks == 0 and part in _SHAPES)


_GAPS = frozenset({"Cc", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Sk", "Zs", "Zl", "Zp"})
_MEANT = frozenset("#%&@/\\‰§¶†‡")
_MARKUP_AND_MINUS = frozenset("*_~|`\u2212")  # other dashes are gaps as well
_PARTS = frozenset(map(chr, [*range(0x1160, 0x1200), 0xFF9E, 0xFF9F]))
_SHAPES = frozenset(map(chr, [0x034F, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), 0x20E3]))

# Korean has spaces, but its particles stand at the ends of words.
_SPACELESS = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff]"
)
