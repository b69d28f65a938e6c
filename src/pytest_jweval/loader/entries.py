"""A file's documents, each as a case that can be run or as a problem that can be shown."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_jweval.errors import CaseError
from pytest_jweval.loader.checks import Layers, case_of
from pytest_jweval.loader.compiled import Compiled, Value
from pytest_jweval.loader.document import Document
from pytest_jweval.loader.names import selectable, told
from pytest_jweval.loader.places import Trouble
from pytest_jweval.loader.reading import documents, glimpse, stamp_of
from pytest_jweval.loader.scenarios import as_case, is_scenario
from pytest_jweval.loader.source import Source
from pytest_jweval.records import UNKNOWN, GoldenCase, Header, Miss

_NO_MAPPING = "a case is a mapping with the keys id, agent, layer, input, expected"
_A_LIST = ", not a list: several cases stand apart by lines of --- (or one a line, in a .cases.jsonl)"


@dataclass(frozen=True, slots=True)
class Entry:
    """One document: a case, its ``expected`` as its layer reads it; or the misses that say why not."""

    name: str
    header: Header
    source: Source
    case: GoldenCase | None = None
    expected: Any = None
    misses: tuple[Miss, ...] = ()


def load(path: Path, shown: str, layers: Layers, compiled: Compiled | None = None) -> list[Entry]:
    """Every document of a file, in order, their names unique among themselves.

    ``shown`` is the path as people know it; ``layers`` check what their cases expect; ``compiled`` knows
    what files said in earlier runs.
    """
    try:
        stamp = stamp_of(path)
        found = documents(path, stamp)
    except Trouble as trouble:
        return [_unreadable(glimpse(path), Source(path, shown, 0, trouble.line), trouble)]
    values = compiled.values(shown, found) if compiled else [None] * len(found)
    entries = (
        _entry(document, value, Source(path, shown, ordinal, 0, stamp), layers)
        for ordinal, (document, value) in enumerate(zip(found, values, strict=True))
    )
    return list(_named_apart(entries))


def _entry(document: Document, value: Value | None, source: Source, layers: Layers) -> Entry:
    try:
        data, own = value or document.value()
        if not isinstance(data, dict):
            raise Trouble(_NO_MAPPING + (_A_LIST if isinstance(data, list) else ""), own.line, own.column)
    except Trouble as trouble:
        return _unreadable(document.text, source.at(trouble.line), trouble)
    source = source.at(own.line)
    try:
        case, expected = case_of(data, document, layers)
    except CaseError as error:
        return _broken(document.text, source, error.misses, data)
    header = Header(case.id, case.layer, case.agent, source.shown, own.line)
    return Entry(case.id, header, source, case, expected)


def _unreadable(text: str, source: Source, trouble: Trouble) -> Entry:
    miss = Miss(reason=trouble.message, line=trouble.line, column=trouble.column)
    return _broken(text, source, (miss,), {})


def _broken(text: str, source: Source, misses: tuple[Miss, ...], data: Mapping[str, Any]) -> Entry:
    """An entry for what can't be run, under the best name that can still be found for it."""
    data = as_case(data) if is_scenario(data) else data
    name = told(data, text, "id") or told(data, text, "name") or source.path.name.split(".")[0]
    layer = told(data, text, "layer") or UNKNOWN
    header = Header(selectable(name), layer, told(data, text, "agent"), source.shown, source.line)
    return Entry(header.case_id, header, source, misses=misses)


def _named_apart(entries: Iterable[Entry]) -> Iterator[Entry]:
    seen: dict[str, int] = {}
    for entry in entries:
        seen[entry.name] = count = seen.get(entry.name, 0) + 1
        yield entry if count == 1 else replace(entry, name=f"{entry.name}[{count}]")
