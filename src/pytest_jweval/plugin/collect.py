"""Case files as pytest collectors, cases as pytest items."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_jweval.paths import SUFFIXES
from pytest_jweval.plugin import render
from pytest_jweval.plugin.carry import PROPERTY

if TYPE_CHECKING:
    from pytest_jweval.loader import Entry
    from pytest_jweval.plugin.golden import Golden
    from pytest_jweval.records import Header, LayerResult


class CaseFailed(Exception):
    """A case whose verdict is no pass; pytest shows the rendered result instead of a traceback."""

    def __init__(self, result: "LayerResult") -> None:
        self.result = result
        super().__init__(next(iter(result.reasons), result.verdict.value))


def check(request: pytest.FixtureRequest) -> None:
    """The one test function of all cases."""
    __tracebackhide__ = True
    from pytest_jweval.plugin.running import run_item

    run_item(request)


class CaseFile(pytest.Module):
    """A module without a Python module, for fixtures of module scope and plugins that ask for one."""

    obj = None

    def collect(self) -> "Iterator[CaseItem]":
        from pytest_jweval.loader import load
        from pytest_jweval.plugin.session import SESSION

        session = self.config.stash[SESSION]
        name = shown(self.path, self.config)
        for entry in load(self.path, name, session.registry.layers, session.compiled):
            yield CaseItem.from_parent(self, name=entry.name, callobj=check, entry=session.ids.checked(entry))


class CaseItem(pytest.Function):
    """A case. Being a ``Function``, it takes part in all that pytest and its plugins do with tests."""

    def __init__(self, *, entry: "Entry", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.verdict: str | None = None
        self.has_asked = False
        self.entry = marked(self, entry)
        self._carry(self._first_words())

    @property
    def header(self) -> "Header":
        return self.entry.header

    @property
    def is_broken(self) -> bool:
        return self.entry.is_broken

    @property
    def tags(self) -> frozenset[str]:
        return frozenset(self.entry.tags)

    def setup(self) -> None:
        if self.verdict is not None:  # a rerun must not keep the result of the run before
            self._carry(self._first_words())
            self.verdict = None
        super().setup()

    def conclude(self, result: "LayerResult") -> None:
        """Keep the result where every report of this item, also a worker's, will carry it."""
        self._carry(result.to_json())
        self.verdict = result.verdict.value

    def _first_words(self) -> str:
        return json.dumps(self.header.to_dict(), ensure_ascii=True)

    def _carry(self, text: str) -> None:
        others = [known for known in self.user_properties if known[0] != PROPERTY]
        self.user_properties[:] = [*others, (PROPERTY, text)]

    def tell(self, report: pytest.TestReport) -> None:
        """What pytest's report of this item should say beyond what pytest knows."""
        if report.when == "call" and self.verdict:
            report.jweval_verdict = self.verdict  # type: ignore[attr-defined]  # reports take extra attributes
        if report.failed and report.when != "call":
            # A broken fixture's own text points to the fixture; the case it was for stands here.
            report.sections.append(("golden case", f"{self.entry.file.shown}:{self.entry.line}"))
        if report.skipped and isinstance(report.longrepr, tuple):
            path, line, _ = self.reportinfo()
            report.longrepr = (str(path), (line or 0) + 1, report.longrepr[2])

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where editors jump to; pytest counts lines from 0 here."""
        return self.path, max(self.entry.line - 1, 0), self.name

    # Function's own override takes one argument as well; a second one would break reporting.
    def repr_failure(  # type: ignore[override]
        self, excinfo: pytest.ExceptionInfo[BaseException]
    ) -> Any:
        if isinstance(excinfo.value, CaseFailed):
            return render.failure(excinfo.value.result, self.entry.source)
        return super().repr_failure(excinfo)


def folder_as_file(path: Path, parent: pytest.Collector) -> CaseFile | None:
    """A folder that is named like a case file is a mistake to be shown; any other is pytest's own affair."""
    if path.name.endswith(SUFFIXES) and _golden(parent).holds(path, parent.session):
        return CaseFile.from_parent(parent, path=path)
    return None


def lost_links(parent: pytest.Directory) -> "list[CaseFile]":
    """Case files that are links to nowhere; pytest passes over them in silence."""
    golden = _golden(parent)
    if not golden.reaches(parent.path):
        return []
    with os.scandir(parent.path) as entries:
        links = [
            Path(entry.path) for entry in entries if entry.is_symlink() and entry.name.endswith(SUFFIXES)
        ]
    lost = sorted(link for link in links if not link.exists() and golden.holds(link, parent.session))
    return [CaseFile.from_parent(parent, path=link) for link in lost]


def _golden(node: pytest.Collector) -> "Golden":
    from pytest_jweval.plugin.session import SESSION

    return node.config.stash[SESSION].golden


def shown(path: Path, config: pytest.Config) -> str:
    """As people know it: from rootdir, or in full outside of it; with ``/`` on every platform."""
    text, root = str(path), f"{config.rootpath}{os.sep}"  # pathlib takes ten times as long, once a file
    return text.removeprefix(root).replace(os.sep, "/")


def marked(item: CaseItem, entry: "Entry") -> "Entry":
    """Put the marks of the case and of its layer on the item; a mark nobody registered makes it a problem."""
    from pytest_jweval.plugin.marks import apply

    return apply(item, entry)
