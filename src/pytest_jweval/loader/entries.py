"""A file's documents, each as a case that can be run or as a problem that can be shown."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_jweval.errors import CaseError
from pytest_jweval.loader import json_text, yaml_text
from pytest_jweval.loader.checks import Layers, case_of
from pytest_jweval.loader.limits import LARGEST_FILE
from pytest_jweval.loader.places import Document, Source, Trouble
from pytest_jweval.records import ID_PATTERN, GoldenCase, Header, Miss

_UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Entry:
    """One document: a case, or the misses that say why it is none."""

    name: str
    header: Header
    source: Source
    case: GoldenCase | None = None
    misses: tuple[Miss, ...] = ()


def load(path: Path, shown: str, layers: Layers) -> list[Entry]:
    """Every document of a file, in order, their names unique among themselves.

    ``shown`` is the path as people know it; ``layers`` check what their cases expect.
    """
    try:
        documents = _documents(path)
    except Trouble as trouble:
        return [_unreadable(path, shown, trouble)]
    entries = [_entry(d, Source(path, shown, i, 0, _documents), layers) for i, d in enumerate(documents)]
    return list(_named_apart(entries))


def _documents(path: Path) -> list[Document]:
    text = _text(path)
    split = next(split for suffix, split in _FORMATS.items() if path.name.endswith(suffix))
    documents = list(split(text))
    if not documents:
        raise Trouble("the file holds no case", 1)
    return documents


_FORMATS = {
    ".yaml": yaml_text.documents,
    ".yml": yaml_text.documents,
    ".json": json_text.json_documents,
    ".jsonl": json_text.jsonl_documents,
}


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise Trouble(f"the file is larger than {LARGEST_FILE // 1024**2} MB: split it", 1)
        data = path.read_bytes()
    except OSError as error:
        raise Trouble(f"the file can't be read: {error.strerror or error}", 1) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        hint = " (it looks like UTF-16)" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        raise Trouble(f"the file is not UTF-8{hint}", line, column) from None


def _unreadable(path: Path, shown: str, trouble: Trouble) -> Entry:
    source = Source(path, shown, 0, trouble.line, _documents)
    return _broken(_glimpse(path), source, [_as_miss(trouble)], {})


def _glimpse(path: Path) -> str:
    """Enough of an unreadable file to find its id, if there is one to be found."""
    try:
        with path.open("rb") as stream:
            return stream.read(65_536).decode("utf-8", "replace")
    except OSError:
        return ""


def _entry(document: Document, source: Source, layers: Layers) -> Entry:
    try:
        data, line = document.value()
        if not isinstance(data, dict):
            raise Trouble("a case is a mapping with the keys id, agent, layer, input, expected", line)
    except Trouble as trouble:
        source = replace(source, line=trouble.line)
        return _broken(document.text, source, [_as_miss(trouble)], {})
    source = replace(source, line=line)
    try:
        case = case_of(data, document, layers)
    except CaseError as error:
        return _broken("", source, error.misses, data)
    return Entry(case.id, Header(case.id, case.layer, case.agent, source.shown, line), source, case)


def _as_miss(trouble: Trouble) -> Miss:
    return Miss(reason=trouble.message, line=trouble.line, column=trouble.column)


def _broken(text: str, source: Source, misses: Iterable[Miss], data: Mapping[str, Any]) -> Entry:
    """An entry for what can't be run, under the best name that can still be found for it."""
    name = _told(data, text, "id") or _told(data, text, "name")
    layer = _told(data, text, "layer") or _UNKNOWN
    header = Header(
        _selectable(name or source.path.name.split(".")[0]),
        layer,
        _told(data, text, "agent"),
        source.shown,
        source.line,
    )
    return Entry(header.case_id, header, source, misses=tuple(misses))


def _told(data: Mapping[str, Any], text: str, key: str) -> str | None:
    if isinstance(value := data.get(key), str | int):
        return str(value)
    found = re.search(rf"""^["']?{key}["']?[ \t]*:[ \t]*["']?([^"'#\s]+)""", text, re.MULTILINE)
    found = found or re.search(rf'"{key}"\s*:\s*"([^"]+)"', text)
    return found[1] if found else None


def _selectable(name: str) -> str:
    """``name`` in the alphabet of ids, so that the item can be selected."""
    runs = ID_PATTERN.findall(name)
    return "_".join(runs)[:100] or "case"


def _named_apart(entries: Iterable[Entry]) -> Iterable[Entry]:
    seen: dict[str, int] = {}
    for entry in entries:
        seen[entry.name] = count = seen.get(entry.name, 0) + 1
        yield entry if count == 1 else replace(entry, name=f"{entry.name}[{count}]")


def duplicate(entry: Entry, first: Entry) -> Entry:
    """``entry`` as a problem, because ``first`` has its id already."""
    place_of_first = f"{first.header.path}:{first.header.line}"
    miss = Miss(
        reason=f"the id {entry.header.case_id!r} is taken: first used at {place_of_first}",
        key=("id",),
        line=entry.source.line,
        column=1,
    )
    return replace(entry, case=None, misses=(miss,))


class Ids:
    """The ids of a run; the second case of an id is a problem, not a silent twin."""

    def __init__(self) -> None:
        self._first: dict[str, Entry] = {}

    def checked(self, entry: Entry) -> Entry:
        if entry.case is None:
            return entry
        first = self._first.setdefault(entry.case.id, entry)
        same = (first.source.path, first.source.ordinal) == (entry.source.path, entry.source.ordinal)
        return entry if same else duplicate(entry, first)
