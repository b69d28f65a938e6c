"""The passage of a page that is most like a phrase."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from pytest_jweval.web.text import PageText
from pytest_jweval.web.wording import comparable, place_of

_REMOTELY_ALIKE = 0.3
_CHARACTERS_AROUND = 30

# Comparing takes the square of a phrase's length, so of a long one only the beginning is compared,
# and only with passages that share some clues with it: runs of characters, the rarer the better.
_LONGEST = 240
_SHORTEST_CLUE = 3
_LONGEST_CLUE = 6
_MOST_CLUES = 60
_MOST_PLACES = 200
_MOST_PASSAGES = 5


@dataclass(frozen=True, slots=True)
class Nearest:
    """A passage as it is shown, and how like the phrase it is: 1.0 means that the phrase stands there."""

    text: str
    similarity: float


def nearest(page: PageText, phrase: str) -> Nearest | None:
    """None when nothing on the page is even remotely alike."""
    wanted = comparable(phrase)
    if (at := place_of(wanted, page.folded)) >= 0:
        return Nearest(_shown(page, at, at + min(len(wanted), _LONGEST)), 1.0)
    wanted = wanted[:_LONGEST]
    passages = [_trimmed(page.folded, begin, wanted) for begin in _likely_begins(page.folded, wanted)]
    ranked = [(_matcher(page.folded[begin:end], wanted).ratio(), -begin, end) for begin, end in passages]
    similarity, begin, end = max(ranked, default=(0.0, 0, 0))
    if similarity < _REMOTELY_ALIKE:
        return None
    return Nearest(_shown(page, -begin, end), min(round(similarity, 2), 0.99))


def _likely_begins(text: str, wanted: str) -> list[int]:
    """Where the phrase would begin if the clues that the text shares with it stood at their places."""
    near = len(wanted) // 4 + 1
    votes: Counter[int] = Counter()
    begins: dict[int, int] = {}
    for offset, clue in _clues(wanted):
        places = [*_places(text, clue)]
        for place in places:
            begin = place - offset
            begins.setdefault(begin // near, begin)
            votes[begin // near] += _MOST_PLACES // len(places)
    # A passage that lies on the border of two stretches has its votes in both.
    both = {stretch: votes[stretch] + votes.get(stretch + 1, 0) for stretch in votes}
    likeliest = sorted(both, key=lambda stretch: (-both[stretch], stretch))
    return [begins[stretch] for stretch in likeliest[:_MOST_PASSAGES]]


def _clues(wanted: str) -> Iterator[tuple[int, str]]:
    """The longer the phrase, the longer they may be, and still some of them survive what was altered."""
    length = min(max(len(wanted) // 8, _SHORTEST_CLUE), _LONGEST_CLUE)
    last = max(len(wanted) - length, 0)
    for offset in range(0, last + 1, last // _MOST_CLUES + 1):
        yield offset, wanted[offset : offset + length]


def _places(text: str, clue: str) -> Iterator[int]:
    at = text.find(clue) if clue else -1
    for _ in range(_MOST_PLACES):
        if at < 0:
            return
        yield at
        at = text.find(clue, at + 1)


def _trimmed(text: str, begin: int, wanted: str) -> tuple[int, int]:
    """The stretch around ``begin`` that answers to the phrase, in whole words."""
    begin = max(begin - len(wanted) // 4, 0)
    stretch = text[begin : begin + len(wanted) * 3 // 2]
    alike = [
        block for block in _matcher(stretch, wanted).get_matching_blocks() if block.size >= _SHORTEST_CLUE
    ]
    if not alike:
        return begin, begin
    first, last = alike[0], alike[-1]
    return _whole_words(text, begin + first.a, begin + last.a + last.size)


def _whole_words(text: str, begin: int, end: int) -> tuple[int, int]:
    """Wider by half a word on each side, unless what stands there is longer than a word."""
    start = text.rfind(" ", max(begin - _CHARACTERS_AROUND, 0), begin) + 1
    stop = text.find(" ", end, end + _CHARACTERS_AROUND)
    if not start and begin > _CHARACTERS_AROUND:
        start = begin
    if stop < 0:
        stop = len(text) if len(text) - end < _CHARACTERS_AROUND else end
    return start, stop


def _matcher(passage: str, wanted: str) -> SequenceMatcher[str]:
    return SequenceMatcher(None, passage, wanted, autojunk=False)


def _shown(page: PageText, begin: int, end: int) -> str:
    """The passage with some words around it, and ``…`` where it is cut."""
    shown = page.shown
    begin, end = _place_in_shown(page, begin), _place_in_shown(page, end)
    start, stop = max(begin - _CHARACTERS_AROUND, 0), min(end + _CHARACTERS_AROUND, len(shown))
    start, stop = _whole_words(shown, start, stop)
    return f"{'…' if start else ''}{shown[start:stop]}{'…' if stop < len(shown) else ''}"


def _place_in_shown(page: PageText, place: int) -> int:
    """Words have the same number in both forms, and inside of a word the lengths hardly differ."""
    number = page.folded.count(" ", 0, place)
    inside = place - page.folded.rfind(" ", 0, place) - 1
    words = page.shown.split(" ", number)
    return sum(map(len, words[:number])) + number + min(inside, len(words[-1].partition(" ")[0]))
