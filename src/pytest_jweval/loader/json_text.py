"""JSON and JSONL text as documents.

Lines of JSONL go through the standard reader, for speed. What that one refuses, and every JSON file,
is read by the slower reader in ``placed_json``, which knows where it is.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from pytest_jweval.loader import placed_json
from pytest_jweval.loader.document import Document, too_many_documents
from pytest_jweval.loader.limits import DEEPEST, MOST_DOCUMENTS, MOST_VALUES
from pytest_jweval.loader.places import Spots
from pytest_jweval.loader.scalars import finite, integer


def json_documents(text: str) -> Iterator[Document]:
    """The whole file is one document."""
    if text and not text.isspace():
        yield Document(text, 0, placed_json.read)


def jsonl_documents(text: str) -> Iterator[Document]:
    """A document a line; empty lines don't count."""
    if text.count("\n") > MOST_DOCUMENTS:
        raise too_many_documents()
    for number, line in enumerate(text.split("\n")):
        if line.strip():
            yield Document(line, number, read_line)


def read_line(document: Document, spots: Spots, deep: bool) -> Any:
    """The value of a document of one line, whose place is known before it is read."""
    if not deep and _is_simple(document.text):
        try:
            return json.loads(
                document.text,
                object_pairs_hook=_unique,
                parse_constant=_refuse,
                parse_int=integer,
                parse_float=finite,
            )
        except ValueError:
            pass  # read again below, by the reader that can say where the fault is
    return placed_json.read(document, spots, deep)


_HALF = re.compile(r"\\u[dD][89a-fA-F]")


def _is_simple(text: str) -> bool:
    """Whether no limit can be passed, and no text can hold half a surrogate pair."""
    opened = text.count("[") + text.count("{")
    return opened < DEEPEST and opened + text.count(",") < MOST_VALUES and not _HALF.search(text)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key stands twice")
    return result


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")
