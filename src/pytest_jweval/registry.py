"""Name → object, for everything that a project can add to.

An entry is the object itself, or a class or function that makes it when it is first needed, so
that registering costs nothing. So an entry that is a function itself is registered as ``lambda: it``.
"""

import inspect
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pytest_jweval.errors import UnknownName

if TYPE_CHECKING:
    from pytest_jweval.ports import LLM, NLI, Chunker, Embedder, Judge, Layer, ReportFormat, Store

T = TypeVar("T")


class Shelf(Mapping[str, T], Generic[T]):
    """The entries of one kind.

    The first entry of a name stays: hooks are called nearest first, so a project's conftest
    beats an installed plugin, which beats what is built in.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._entries: dict[str, Any] = {}
        self._ready: set[str] = set()

    def __setitem__(self, name: str, entry: Any) -> None:
        self._entries.setdefault(name, entry)

    def __getitem__(self, name: str) -> T:
        if name not in self._entries:
            raise KeyError(name)
        if name not in self._ready:
            entry = self._entries[name]
            self._entries[name] = entry() if _makes(entry) else entry
            self._ready.add(name)  # what a factory made is never called, also if it is a function itself
        return self._entries[name]  # type: ignore[no-any-return]  # an entry is what its author registered

    def named(self, name: str) -> T:
        """Like ``shelf[name]``, but an unknown name is an `UnknownName` with a suggestion."""
        if name not in self._entries:
            raise UnknownName(self.kind, name, self._entries)
        return self[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def _makes(entry: object) -> bool:
    return inspect.isclass(entry) or inspect.isroutine(entry) or isinstance(entry, partial)


class Registry:
    """One shelf a kind; handed to every ``pytest_jweval_register`` hook."""

    def __init__(self) -> None:
        self.layers: Shelf[Layer] = Shelf("layer")
        self.judges: Shelf[Judge] = Shelf("judge")
        self.llms: Shelf[LLM] = Shelf("LLM backend")
        self.embedders: Shelf[Embedder] = Shelf("embedder")
        self.nli: Shelf[NLI] = Shelf("NLI backend")
        self.chunkers: Shelf[Chunker] = Shelf("chunker")
        self.stores: Shelf[Store] = Shelf("store")
        self.readers: Shelf[Any] = Shelf("reader")
        self.dimensions: Shelf[Any] = Shelf("dimension")
        self.reports: Shelf[ReportFormat] = Shelf("report format")
