"""From a path to its documents: the only place that opens case files."""

import os
import stat
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pytest_jweval.loader import json_text, yaml_text
from pytest_jweval.loader.document import Document
from pytest_jweval.loader.limits import LARGEST_FILE
from pytest_jweval.loader.places import Lines, Trouble
from pytest_jweval.paths import SUFFIXES

_FORMATS = {
    ".yaml": yaml_text.documents,
    ".yml": yaml_text.documents,
    ".json": json_text.json_documents,
    ".jsonl": json_text.jsonl_documents,
}
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_GLIMPSE = 65_536


class Stamp(NamedTuple):
    """By which a file is known to be as it was."""

    inode: int
    changed_ns: int
    size: int


def stamp_of(path: Path) -> Stamp:
    """`Trouble` for what can't be read as a file: a folder, a dangling link, a pipe that would never end."""
    try:
        status = os.stat(path)  # noqa: PTH116  # half the time of Path.stat, once a file
    except (OSError, ValueError) as error:
        raise _unopened(error) from None
    if not stat.S_ISREG(status.st_mode):
        kind = "is a folder" if stat.S_ISDIR(status.st_mode) else "is no regular file"
        raise Trouble(f"the file can't be read: it {kind}", 1)
    return Stamp(status.st_ino, status.st_mtime_ns, status.st_size)


def documents(path: Path, stamp: Stamp) -> list[Document]:
    """Every document of a file; `Trouble` if there is none."""
    return cut(path, text_of(path, stamp))


def text_of(path: Path, stamp: Stamp) -> str:
    """All that a case file says; `Trouble` if it is none."""
    if not path.name.endswith(tuple(_FORMATS)):
        raise Trouble(f"case files end in {', '.join(SUFFIXES)}", 1)
    if stamp.size > LARGEST_FILE:
        raise Trouble(f"the file is larger than {LARGEST_FILE // 1024**2} MB: split it", 1)
    return _decoded(_bytes(path))


def cut(path: Path, text: str) -> list[Document]:
    """The documents in what ``path`` says; `Trouble` if there is none."""
    split = next(split for suffix, split in _FORMATS.items() if path.name.endswith(suffix))
    found = list(split(text))
    if not found:
        raise Trouble("the file holds no case", 1)
    return found


# When all the cases of a large file fail, it is read again once, and not once for each.
documents_again = lru_cache(maxsize=2)(documents)


def glimpse(path: Path) -> str:
    """The beginning of a file that can't be read as it should be, as far as it can be read at all."""
    try:
        stamp_of(path)
        with path.open("rb") as stream:
            data = stream.read(_GLIMPSE)
    except (OSError, Trouble):
        return ""
    return _one_kind_of_line_end(data.decode("utf-16" if data[:2] in _UTF_16 else "utf-8-sig", "replace"))


def _bytes(path: Path) -> bytes:
    try:
        with open(path, "rb") as stream:  # noqa: PTH123  # see stamp_of
            return stream.read()
    except OSError as error:
        raise _unopened(error) from None


def _unopened(error: OSError | ValueError) -> Trouble:
    return Trouble(f"the file can't be read: {getattr(error, 'strerror', None) or error}", 1)


def _decoded(data: bytes) -> str:
    try:
        return _one_kind_of_line_end(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        # Its positions count from after the mark that utf-8-sig takes away.
        whole = data.removeprefix(b"\xef\xbb\xbf")
        before = _one_kind_of_line_end(whole[: error.start].decode("utf-8", "replace"))
        line, column, _ = Lines(before, 0).spot(len(before))
        hint = " (it looks like UTF-16)" if data[:2] in _UTF_16 else ""
        raise Trouble(f"the file is not UTF-8{hint}", line, column) from None


def _one_kind_of_line_end(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
