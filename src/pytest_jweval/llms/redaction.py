"""Secrets out of what is about to be written, each replaced by ``[redacted:kind]``.

The key of a recording is made of the redacted form as well: a secret that was there while recording
neither reaches the disk nor keeps the recording from being found.
"""

import json
import math
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import Any
from urllib.parse import quote

from pytest_jweval.llms.shapes import AROUND, NAME, RUN, TOKENS

_OF_SECRETS = re.compile(r".*(?:_KEY|_TOKEN|_SECRET|PASSWORD|_PASS)", re.IGNORECASE)
_SHORTEST = 8
_MARK = re.compile(r"\[redacted:[a-z-]+\]")
_HINTS = re.compile(r"(?i)PRIVATE KEY|cookie|bearer|basic|://|pass|pwd|key|secret|token")


def redacted(text: str) -> str:
    """The text without what looks like a secret, or is one of the environment's."""
    if len(text) < _SHORTEST:
        return text
    # Again, because what stood glued to a secret may be known as one when that is gone.
    while (clean := _once(text)) != text:
        text = clean
    return text


def _once(text: str) -> str:
    for secret in _of_environment():
        text = text.replace(secret, _mark("environment"))
    if _HINTS.search(text):
        for kind, pattern in AROUND.items():
            text = pattern.sub(partial(_without_secret, kind), text)
    return RUN.sub(_without_tokens, text)


def redacted_data(value: Any) -> Any:
    """JSON data, its keys and texts redacted, and what stands under a name like ``api_key`` altogether.

    What is no JSON is a `TypeError` or a `ValueError`: half of it would be found under a wrong key.
    """
    if isinstance(value, str):
        return redacted(value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is no number of JSON")
        return value
    if isinstance(value, Mapping):
        return {redacted(_name(key)): _under(key, item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [redacted_data(item) for item in value]
    raise TypeError(f"{type(value).__name__} is no JSON")


def secrets_in(value: Any) -> list[str]:
    """The kinds of secrets in JSON data or a text: what redaction would still replace."""
    before, after = (Counter(_MARK.findall(json.dumps(data))) for data in (value, redacted_data(value)))
    return sorted(mark.removeprefix("[redacted:").removesuffix("]") for mark in after - before)


def _under(name: str, value: Any) -> Any:
    secret = isinstance(value, str) and len(value) >= _SHORTEST and NAME.fullmatch(name)
    return _mark("named") if secret and not _MARK.fullmatch(value) else redacted_data(value)


def _name(key: object) -> str:
    if isinstance(key, str):
        return key
    raise TypeError(f"{type(key).__name__} is no key of JSON")


def _without_secret(kind: str, found: re.Match[str]) -> str:
    secret = found.groupdict().get("secret")
    if secret is None:
        return _mark(kind)
    if _MARK.fullmatch(secret):
        return found[0]
    start, end = (place - found.start() for place in found.span("secret"))
    return found[0][:start] + _mark(kind) + found[0][end:]


def _without_tokens(run: re.Match[str]) -> str:
    return _without_shapes(run[0])


@lru_cache(maxsize=4096)  # because the same addresses stand in many prompts
def _without_shapes(run: str) -> str:
    for kind, pattern in TOKENS.items():
        run = pattern.sub(_mark(kind), run)
    return run


def _mark(kind: str) -> str:
    return f"[redacted:{kind}]"


_MARKS = "".join(map(_mark, (*AROUND, *TOKENS, "environment")))


def _of_environment() -> list[str]:
    """The longest first, since one may stand in another; also as JSON and URLs write them."""
    values = {
        value.strip()
        for name, value in os.environ.items()
        if _OF_SECRETS.fullmatch(name) and len(value.strip()) >= _SHORTEST and value.strip() not in _MARKS
    }
    written = chain.from_iterable((value, quote(value, safe=""), json.dumps(value)[1:-1]) for value in values)
    return sorted(set(written), key=len, reverse=True)
