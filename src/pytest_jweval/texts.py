"""How text is compared, cut and made fit to be shown."""

import re
import unicodedata

_SPACES = re.compile(r"\s+")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_INVISIBLE_HANDS = re.compile("[\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def fold(text: str) -> str:
    """The form in which two texts are the same to a reader: compatible characters, case and
    white space don't count; accents do."""
    if text.isascii():  # the same in a fifth of the time
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Again, because casefold takes some characters apart: ΐ and its capital differ otherwise.
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", folded)).strip()


def excerpt(text: str, limit: int = 160) -> str:
    """One line of at most ``limit`` characters; a cut is shown."""
    line = _SPACES.sub(" ", text[: limit * 4]).strip()
    return line if len(line) <= limit and len(text) <= limit * 4 else f"{line[: limit - 1]}…"


def printable(text: str) -> str:
    """Control characters, lone surrogates and what turns the direction of text or breaks its line
    unseen as escapes, so that no answer can steer a terminal and every file can hold it."""
    escaped = text.encode("utf-8", "backslashreplace").decode("utf-8")
    escaped = _INVISIBLE_HANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", escaped)
    return _CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", escaped)


def counted(number: int, noun: str) -> str:
    """``1 finding``, ``2 findings``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
