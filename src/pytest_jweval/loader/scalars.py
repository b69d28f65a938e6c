"""What a plain scalar means: YAML's core schema, which is JSON's numbers and words and a little more."""

import math
import re

from pytest_jweval.loader.limits import LONGEST_NUMBER

Scalar = str | int | float | bool | None


class Unreadable(ValueError):
    """A scalar that is a number, but none that could be meant."""


_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(["", "~", "null", "Null", "NULL"], None),
    **dict.fromkeys(["true", "True", "TRUE"], True),
    **dict.fromkeys(["false", "False", "FALSE"], False),
}
_BASES = {"0o": 8, "0x": 16}
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


def resolved(text: str) -> Scalar:
    """The value of a scalar without quotes; what is nothing else is a text."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if _INTEGER.fullmatch(text):
        return integer(text)
    if _FLOAT.fullmatch(text):
        return finite(text)
    if _NOT_FINITE.fullmatch(text):
        raise Unreadable(f"{text} is no number that can be compared")
    return text


def integer(digits: str) -> int:
    return int(_short(digits), _BASES.get(digits[:2], 10))


def finite(digits: str) -> float:
    number = float(_short(digits))
    if math.isinf(number):
        raise Unreadable(f"{digits} is too large for a number")
    return number


def _short(digits: str) -> str:
    if len(digits) > LONGEST_NUMBER:
        raise Unreadable(f"a number of {len(digits):,} characters (put it in quotes if it is a text)")
    return digits
