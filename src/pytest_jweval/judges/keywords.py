"""Whole words in a text, whatever their case, their accents and the punctuation between them."""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from pytest_jweval.judges.words import Word, words


class Span(NamedTuple):
    """From ``begin`` to before ``end`` in the text as it was given."""

    begin: int
    end: int


def is_searchable(keyword: str) -> bool:
    """A keyword of punctuation alone can't be found."""
    return bool(words(keyword))


def forbidden_hits(text: str, keyword: str, exceptions: Iterable[str] = ()) -> list[Span]:
    """The hits that are not part of a hit of an exception: "not the central doctrine" may be said where
    "central doctrine" may not."""
    allowed = [span for exception in exceptions for span in hits(text, exception)]
    return [hit for hit in hits(text, keyword) if not any(_is_inside(hit, span) for span in allowed)]


def hits(text: str, keyword: str) -> list[Span]:
    """Where the keyword stands: its words in a row, with white space or punctuation of any kind between
    them, but not the end of a sentence, unless the keyword has one there too."""
    wanted = words(keyword)
    if not wanted:
        raise ValueError(f"the keyword {keyword!r} has no word to search for")
    there = words(text)
    may_break = _breaks(keyword, wanted)
    rows = (there[first : first + len(wanted)] for first in range(len(there) - len(wanted) + 1))
    return [
        Span(row[0].begin, row[-1].end) for row in rows if _same(row, wanted) and _holds(text, row, may_break)
    ]


def _is_inside(hit: Span, span: Span) -> bool:
    return span.begin <= hit.begin and hit.end <= span.end


def _same(row: tuple[Word, ...], wanted: tuple[Word, ...]) -> bool:
    return all(word.text == other.text for word, other in zip(row, wanted, strict=True))


def _holds(text: str, row: tuple[Word, ...], may_break: list[bool]) -> bool:
    broken = zip(_breaks(text, row), may_break, strict=True)
    return all(may or not is_broken for is_broken, may in broken) and not _is_part_of_a_number(text, row)


def _breaks(text: str, row: tuple[Word, ...]) -> list[bool]:
    """For each gap between two words, whether a sentence or a paragraph ends there."""
    gaps = (text[word.end : following.begin] for word, following in pairwise(row))
    return [bool(_END_OF_SENTENCE.search(gap)) for gap in gaps]


def _is_part_of_a_number(text: str, row: tuple[Word, ...]) -> bool:
    """``5 days`` is not in ``2.5 days``, nor ``about 2`` in ``about 2,500``."""
    begin, end = row[0].begin, row[-1].end
    before, after = text[max(begin - 2, 0) : begin + 1], text[end - 1 : end + 2]
    return bool(_INSIDE_A_NUMBER.fullmatch(before) or _INSIDE_A_NUMBER.fullmatch(after))


_END_OF_SENTENCE = re.compile(r"""[.!?…؟।]['"\u2019”»)\]*_]*\s|[。\uff01\uff1f]|\n\s*\n""")
_INSIDE_A_NUMBER = re.compile(r"\d[.,]\d")
