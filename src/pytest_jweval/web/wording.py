"""The ways of writing one thing that are the same to a reader."""

# ruff: noqa: RUF001  # characters that look like others are what this is about

import re
from unicodedata import category, normalize

from pytest_jweval.texts import caseless

# Soft hyphens, zero-width characters, marks of direction, variants of one character's shape.
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)

_SAME = {
    "'": "´‘’‚‛′‵‹›ʹʻʼʽ׳＇❛❜\u0374\u0384\u1ffd",
    '"': "“”„‟″‶«»״＂❝❞〝〞〟",
    "-": "‐‑‒–—―−⁃⁻₋➖﹘﹣－︱︲֊־᐀᠆⸗⸚⸺⸻⹀⹝゠〜〰\U00010d6e\U00010ead",
    "'n": "ŉ",
    "'''": "‴‷",
    "''''": "⁗",
}

# Compatibility makes a space and a mark of these, and a space would make two words of one.
_ACCENTS_ALONE = "¨¯¸˘˙˚˛˜˝ͺ΅᾽᾿῀῁῍῎῏῝῞῟῭΅῾‗‾゛゜ﱞﱟﱠﱡﱢﱣﷺﷻ﹉﹊﹋﹌ﹰﹲﹴﹶﹸﹺﹼﹾ￣"

_PLAINLY = {character: plain for plain, characters in _SAME.items() for character in characters}
_PLAINLY |= {accent: normalize("NFKC", accent).replace(" ", "") for accent in _ACCENTS_ALONE}

_WITHOUT_WIDTH = re.compile(f"[{_UNSEEN}]")
_WRITTEN_PLAINLY = re.compile(f"[{_UNSEEN}{''.join(_PLAINLY)}]")

# Thai, Lao, Tibetan, Myanmar, Khmer, New Tai Lue, Tai Tham, Balinese, Javanese, kana, Bopomofo, Han, Yi.
_UNSPACED = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u1b00-\u1b7f\u2e80-\u2fff"
    "\u3005-\u3007\u3021-\u3029\u3031-\u318f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua000-\ua4cf\ua980-\ua9df\ua9e0-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff]"
)


def comparable(text: str) -> str:
    """The form in which two texts are the same to a reader, however they are typed or typeset."""
    return " ".join(alike(text).split())


def alike(text: str) -> str:
    """The same, but for white space: word by word, no word becomes two."""
    return caseless(text if text.isascii() else _WRITTEN_PLAINLY.sub(_plainly, text))


def without_unseen(text: str) -> str:
    """Without the characters that take no place, so that a word they divide is whole."""
    return text if text.isascii() else _WITHOUT_WIDTH.sub("", text)


_LONG_NUMBER = re.compile(
    r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,.]?\d)"
    r"|(?<![\d.,])\d{1,3}(?:\.\d{3})+(?:,\d+)?(?![\d,.]?\d)"
    r"|(?<![\d.,:])\d+[.,]\d+(?![\d,.]?\d)"
    r"|\d+/\d+"
    r"|(?<![\w)])-\d+"
)
"""With separators of thousands or of decimals, of either habit; a fraction; one below zero."""

_DENIED = re.compile(r"(?<!\w)(?:non|not|no|un|anti|sin|sem|n\u00e3o)-$")
"""What turns the word behind it into its opposite."""


def place_of(phrase: str, text: str) -> int:
    """Where the phrase stands in the text as whole words, or -1; both are comparable."""
    at = text.find(phrase) if phrase else -1
    while at >= 0:
        end = at + len(phrase)
        apart = not _one_word(text[at - 1 : at], phrase[0]) and not _one_word(phrase[-1], text[end : end + 1])
        if apart and not _cuts_a_number(text, at, end) and not _DENIED.search(text, max(at - 6, 0), at):
            break
        at = text.find(phrase, at + 1)
    return at


def _cuts_a_number(text: str, begin: int, end: int) -> bool:
    """``500 people`` is not in ``1,500 people``, nor ``1`` in ``1.5``; but ``17`` is in ``3:16,17``."""
    return any(
        found.start() < edge < found.end()
        for edge in (begin, end)
        for found in _LONG_NUMBER.finditer(text, max(edge - 40, 0), edge + 40)
    )


def _one_word(left: str, right: str) -> bool:
    return _of_words(left) and _of_words(right)


def _of_words(character: str) -> bool:
    """A letter, a digit or a mark on one, in a script that sets words apart."""
    return (
        bool(character)
        and (character.isalnum() or category(character)[0] == "M")
        and not _UNSPACED.match(character)
    )


def _plainly(found: re.Match[str]) -> str:
    return _PLAINLY.get(found[0], "")
