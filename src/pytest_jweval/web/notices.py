"""Pages that say "not found", though their server says they are there.

To call a good page gone is worse than to miss one that is, since the phrase looked for isn't on that
either. So a page must be short, and say it in more than one place unless it is very short.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pytest_jweval.texts import fold

# In characters, since not every script has spaces between its words.
_A_LINE = 150
_A_NOTICE = 500
_A_PAGE = 2000
_A_NAME = 300

_BETWEEN_PARTS = re.compile(r"\s+[-–—·•:]\s+|\s*[|«»]\s*")
_WORD = re.compile(r"[^\W_]+")


def soft_404(title: str, headings: Iterable[str], shown: str) -> str | None:
    """The words by which a page says that it isn't there."""
    if len(shown) > _A_PAGE:
        return None
    names = [title], list(headings)
    said = [*filter(None, map(_notice, names)), *_sentences(shown)]
    codes = [code for code in map(_code, names) if code]
    if said and (len(shown) <= _A_NOTICE or len(said) + len(codes) > 1):
        return said[0]
    if len(shown) > _A_LINE:
        return None
    return _mentioned(shown, doubtful=bool(codes)) or (codes[0] if len(codes) > 1 else None)


def _notice(names: Iterable[str]) -> str | None:
    """A name, or a part of one, that says nothing else. Much is said *about* pages that aren't found."""
    words = gone_words()
    for part in _parts(names):
        bare = words.around.sub("", _plain(part)).strip()
        if bare in words.notices or words.whole_sentence.fullmatch(bare):
            return part.strip()
    return None


def _code(names: Iterable[str]) -> str | None:
    """``Error 404``; the bare number may be a year, a road or a room."""
    words = gone_words()
    for part in _parts(names):
        plain = _plain(part)
        if not words.around.sub("", plain).strip() and re.search(r"\b(?:404|410)\b.|.\b(?:404|410)\b", plain):
            return part.strip()
    return None


def _parts(names: Iterable[str]) -> Iterator[str]:
    """A title often has the name of its site behind a line or a dot."""
    for name in names:
        yield from _BETWEEN_PARTS.split(name[:_A_NAME])


def _sentences(shown: str) -> list[str]:
    found = gone_words().sentence.search(_plain(shown))
    return [found[0]] if found else []


def _mentioned(shown: str, *, doubtful: bool) -> str | None:
    """Of two words, as in "not found", only if there is another reason to think so."""
    plain = f" {_plain(shown)} "
    notices = (notice for notice in gone_words().notices if f" {notice} " in plain)
    return max((notice for notice in notices if doubtful or notice.count(" ") > 1), key=len, default=None)


def _plain(text: str) -> str:
    """Words only; accents don't count, because many leave them out in titles and headings."""
    decomposed = unicodedata.normalize("NFD", fold(text))
    return " ".join(_WORD.findall("".join(char for char in decomposed if not unicodedata.combining(char))))


@dataclass(frozen=True, slots=True)
class GoneWords:
    """``data/soft_404.json``, made ready."""

    languages: frozenset[str]
    addresses: frozenset[str]
    notices: frozenset[str]
    around: re.Pattern[str]
    sentence: re.Pattern[str]
    whole_sentence: re.Pattern[str]


@cache
def gone_words() -> GoneWords:
    file = files("pytest_jweval.web") / "data" / "soft_404.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    by_language = data["words"].values()
    around = _any(word for words in by_language for word in words["around"])
    sentence = "|".join(_sentence(**one) for words in by_language for one in words["sentences"])
    return GoneWords(
        languages=frozenset(data["languages"]),
        addresses=frozenset(data["addresses"]),
        notices=frozenset(notice for words in by_language for notice in words["notices"]),
        around=re.compile(rf"^(?:{around}\b ?)+|(?:\b ?{around})+$"),
        sentence=re.compile(rf"\b(?:{sentence})\b"),
        # Some words more may stand behind it: "… any more", "… on this server".
        whole_sentence=re.compile(rf"(?:{sentence})(?: \w+){{0,4}}"),
    )


def _sentence(first: list[str], gap: int, then: list[str]) -> str:
    return rf"{_any(first)} (?:\w+ ){{0,{gap}}}?{_any(then)}"


def _any(phrases: Iterable[str]) -> str:
    return f"(?:{'|'.join(sorted(phrases, key=len, reverse=True))})"
