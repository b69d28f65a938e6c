"""Name → object, for everything that a project can add to.

An entry is the object itself, or a class or function that makes it when it is first needed, so
that registering costs nothing. So an entry that is a function itself is registered as ``lambda: it``.
"""

import inspect
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pytest_jweval.errors import SettingsError, UnknownName

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
        self._made: dict[str, T] = {}

    def __setitem__(self, name: str, entry: Any) -> None:
        self._entries.setdefault(name, entry)

    def __getitem__(self, name: str) -> T:
        if name not in self._entries:
            raise KeyError(name)
        if name not in self._made:
            entry = self._entries[name]
            self._made[name] = entry() if _makes(entry) else entry
        return self._made[name]

    def named(self, name: str) -> T:
        """Like ``shelf[name]``, but an unknown name is an `UnknownName` with a suggestion."""
        if name not in self._entries:
            raise UnknownName(self.kind, name, self._entries)
        return self[name]

    def of_model(self, name: str, model: str) -> T:
        """A new object of what is registered, made with this model; only what makes can do that."""
        self.named(name)
        entry = self._entries[name]
        if not _makes(entry) or not _takes_one(entry):
            raise SettingsError(f"the {self.kind} {name!r} takes no model, so {model!r} can't be chosen")
        try:
            made: T = entry(model)
        except TypeError as error:
            raise SettingsError(f"the {self.kind} {name!r} can't be made with {model!r}: {error}") from None
        return made

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def _makes(entry: object) -> bool:
    return inspect.isclass(entry) or inspect.isroutine(entry) or isinstance(entry, partial)


def _takes_one(factory: Any) -> bool:
    try:
        inspect.signature(factory).bind("model")
    except TypeError:
        return False
    return True


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
