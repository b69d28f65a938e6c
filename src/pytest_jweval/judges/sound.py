"""Vectors that can be compared, or the reason why these can't."""

from array import array
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any, TypeAlias

from pytest_jweval.errors import ProviderError
from pytest_jweval.texts import counted, excerpt

Vector: TypeAlias = "array[float]"  # Python 3.11 can't subscript it


def readable(texts: Iterable[str]) -> list[str]:
    """Lone halves of characters, which an agent's text may hold and no model takes, as their escapes."""
    return [text.encode("utf-8", "backslashreplace").decode("utf-8") for text in texts]


def sound(name: str, texts: Sequence[str], vectors: Sequence[Iterable[float]]) -> list[Vector]:
    """What the embedder ``name`` made of the texts, in single precision: one vector each, all of one length
    and of finite numbers."""
    if len(vectors) != len(texts):
        raise ProviderError(
            f"{name} gave {counted(len(vectors), 'vector')} for {counted(len(texts), 'text')}"
        )
    made = [_numbers(name, vector) for vector in vectors]
    lengths = sorted({len(vector) for vector in made})
    if len(lengths) > 1:
        raise ProviderError(f"{name} gave vectors of {lengths[0]} and of {lengths[-1]} numbers")
    if lengths == [0]:
        raise ProviderError(f"{name} gave an empty vector")
    return made


def _numbers(name: str, vector: Any) -> Vector:
    try:
        numbers = array("f", list(vector))
    except (TypeError, OverflowError):
        raise ProviderError(f"{name} gave no vector, but {excerpt(repr(vector), 60)}") from None
    if not all(map(isfinite, numbers)):
        raise ProviderError(f"{name} gave a vector with NaN or infinity in it")
    return numbers
