"""A file's documents, each as a case that can be run or as a problem that can be shown."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from sys import intern
from typing import Any
from zlib import crc32

from pytest_jweval.errors import CaseError
from pytest_jweval.loader.checks import Checked, Layers, case_of, checked_case
from pytest_jweval.loader.compiled import Compiled, Row
from pytest_jweval.loader.document import Document
from pytest_jweval.loader.names import selectable, told
from pytest_jweval.loader.places import Spot, Trouble
from pytest_jweval.loader.reading import cut, glimpse, stamp_of, text_of
from pytest_jweval.loader.scenarios import as_case, is_scenario
from pytest_jweval.loader.source import Source
from pytest_jweval.records import UNKNOWN, GoldenCase, Header, Miss

_SLACK = 1_000
_NO_MAPPING = "a case is a mapping with the keys id, agent, layer, input, expected"
_A_LIST = ", not a list: several cases stand apart by lines of --- (or one a line, in a .cases.jsonl)"


@dataclass(frozen=True, slots=True)
class Entry:
    """One document: a case; or the misses that say why it is none that can be run.

    A run may have a hundred thousand of them, so an entry keeps a case as one text, and makes it anew for
    whoever wants it: a case and its parts weigh ten times as much, and the garbage collector visits each.
    """

    name: str
    case_id: str
    layer: str
    agent: str | None
    file: Source = field(repr=False)
    ordinal: int
    line: int
    layers: Layers = field(repr=False, compare=False)
    tags: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    written: "str | dict[str, Any] | None" = None
    question: int = 0
    """The same for all that ask the same agent the same, and for hardly anybody else."""
    misses: tuple[Miss, ...] = ()

    @property
    def is_broken(self) -> bool:
        return self.written is None

    @property
    def header(self) -> Header:
        return Header(self.case_id, self.layer, self.agent, self.file.shown, self.line)

    @property
    def source(self) -> Source:
        return self.file.at(self.line, self.ordinal)

    @property
    def case(self) -> GoldenCase | None:
        return None if self.written is None else self.checked().case

    @property
    def expected(self) -> Any:
        """What the case expects, as its layer reads it."""
        return None if self.written is None else self.checked().expected

    def checked(self) -> Checked:
        """The case, checked once more: what an earlier run found right may be wrong for today's layer."""
        data = json.loads(self.written) if isinstance(self.written, str) else self.written
        return checked_case(data or {}, self.layers)

    def broken(self, misses: tuple[Miss, ...]) -> "Entry":
        """The same document as a problem, each miss at its place."""
        return replace(self, written=None, misses=self.source.placed(misses))


def load(path: Path, shown: str, layers: Layers, compiled: Compiled | None = None) -> list[Entry]:
    """Every document of a file, in order, their names unique among themselves.

    ``shown`` is the path as people know it; ``layers`` check what their cases expect; ``compiled`` knows
    what files said in earlier runs.
    """
    try:
        stamp = stamp_of(path)
        text = text_of(path, stamp)
        rows = compiled.rows(shown, text) if compiled else None
        found = _Found(Source(path, shown, 0, 0, stamp), text, layers)
        entries = found.read() if rows is None else found.known(rows)
    except Trouble as trouble:
        return [_unreadable(glimpse(path), Source(path, shown, 0, trouble.line), trouble, layers)]
    if compiled and rows is None:
        compiled.keep(shown, text, [_row(entry) for entry in entries])
    return list(_named_apart(entries))


@dataclass(frozen=True, slots=True)
class _Found:
    """A file that could be opened."""

    file: Source
    text: str
    layers: Layers

    def read(self) -> list[Entry]:
        return [self._entry(document, ordinal) for ordinal, document in enumerate(self._documents())]

    def known(self, rows: Iterable[Row | None]) -> list[Entry]:
        """What an earlier run found right is taken as it was; all else is read, to hear what is wrong."""
        documents: list[Document] = []
        entries = []
        for ordinal, row in enumerate(rows):
            if row is not None and row[1] in self.layers:
                entries.append(self._entry_of(row, ordinal))
            else:
                documents = documents or self._documents()
                entries.append(self._entry(documents[ordinal], ordinal))
        return entries

    def _documents(self) -> list[Document]:
        return cut(self.file.path, self.text)

    def _entry_of(self, row: Row, ordinal: int) -> Entry:
        case_id, layer, agent, line, tags, marks, written, question = row
        layer, agent = intern(layer), agent and intern(agent)
        return Entry(
            case_id,
            case_id,
            layer,
            agent,
            self.file,
            ordinal,
            line,
            self.layers,
            tuple(tags),
            tuple(marks),
            written,
            question,
        )

    def _entry(self, document: Document, ordinal: int) -> Entry:
        source = self.file.at(0, ordinal)
        try:
            data, own = _mapping(document)
        except Trouble as trouble:
            return _unreadable(document.text, source.at(trouble.line, ordinal), trouble, self.layers)
        try:
            data, case = case_of(data, document, self.layers)
        except CaseError as error:
            source = source.at(own.line, ordinal)
            return _broken(document.text, source, error.misses, data, self.layers)
        text = json.dumps(data, ensure_ascii=False)
        asks = _question(case)
        row = (case.id, case.layer, case.agent, own.line, case.tags, case.marks, text, asks)
        entry = self._entry_of(row, ordinal)
        # Written out, aliases can make a hundred times as much of a text: they stay what they are.
        return entry if len(text) <= 2 * len(document.text) + _SLACK else replace(entry, written=data)


def _mapping(document: Document) -> tuple[dict[str, Any], Spot]:
    data, own = document.value()
    if not isinstance(data, dict):
        raise Trouble(_NO_MAPPING + (_A_LIST if isinstance(data, list) else ""), own.line, own.column)
    return data, own


def _row(entry: Entry) -> Row | None:
    if not isinstance(entry.written, str):
        return None
    return (
        entry.case_id,
        entry.layer,
        entry.agent,
        entry.line,
        entry.tags,
        entry.marks,
        entry.written,
        entry.question,
    )


def _question(case: GoldenCase) -> int:
    return crc32(json.dumps([case.agent, case.input], sort_keys=True).encode())


def _unreadable(text: str, source: Source, trouble: Trouble, layers: Layers) -> Entry:
    miss = Miss(reason=trouble.message, line=trouble.line, column=trouble.column)
    return _broken(text, source, (miss,), {}, layers)


def _broken(
    text: str, source: Source, misses: tuple[Miss, ...], data: Mapping[str, Any], layers: Layers
) -> Entry:
    """An entry for what can't be run, under the best name that can still be found for it."""
    data = as_case(data) if is_scenario(data) else data
    name = told(data, text, "id") or told(data, text, "name") or source.path.name.split(".")[0]
    name = selectable(name)
    layer, agent = told(data, text, "layer") or UNKNOWN, told(data, text, "agent")
    return Entry(name, name, layer, agent, source, source.ordinal, source.line, layers, misses=misses)


def _named_apart(entries: Iterable[Entry]) -> Iterator[Entry]:
    seen: dict[str, int] = {}
    for entry in entries:
        seen[entry.name] = count = seen.get(entry.name, 0) + 1
        yield entry if count == 1 else replace(entry, name=f"{entry.name}[{count}]")
