"""Gathering results from pytest's reports, in the one process that sees them all.

Under xdist the controller collects nothing and workers may die, so everything is read from the reports
that arrive: an item's last header or result counts, and a header that no result followed is an ``error``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from pytest_jweval.plugin.carry import PROPERTY, unpacked
from pytest_jweval.plugin.collect import shown

if TYPE_CHECKING:
    from pytest_jweval.plugin.session import Session
    from pytest_jweval.settings import ReportTarget


@dataclass(slots=True)
class _Heard:
    """What the reports of one item said so far."""

    properties: list[tuple[str, object]]
    skipped: str | None = None
    failed: str | None = None


class Reporting:
    """A plugin of its own, registered where reports arrive: on the controller, or in the only process."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._started = datetime.now(UTC)
        self._heard: dict[str, _Heard] = {}
        self._orphans: dict[str, str] = {}
        self._results: list[dict[str, Any]] | None = None
        self._written: list[ReportTarget] = []
        self._unwritten: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        ours = [(name, value) for name, value in report.user_properties if name == PROPERTY]
        if ours:
            heard = self._heard.setdefault(report.nodeid, _Heard(ours))
            heard.properties = ours
        elif report.nodeid in self._heard:
            heard = self._heard[report.nodeid]
        elif report.failed and report.when not in ("setup", "call", "teardown"):
            self._orphans[report.nodeid] = _first_line(report)
            return
        else:
            return
        _note(heard, report)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        reports = self._session.settings.reports
        option = session.config.option
        if (
            option.collectonly
            or option.setuponly
            or option.setupplan
            or not (self._heard or self._orphans or reports)
        ):
            return  # nothing ran, and a report of a real run may stand where this one would go
        self._results = list(self._last_words())
        if reports:
            self._write(reports)
        if self._unwritten:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        warnings = list(self._warnings())
        if self._results is None and not warnings:
            return
        from pytest_jweval.plugin.summary import write_summary

        write_summary(terminalreporter, self._results or [], self._written, self._unwritten, warnings)

    def _warnings(self) -> "Iterator[str]":
        """What would otherwise pass for green."""
        for folder in self._session.golden.missing():
            yield f"ini jweval_golden names {folder!r}, and there is no such folder"
        unchecked = {"skip", "review"} if self._session.settings.review == "skip" else {"skip"}
        if self._results and all(result["verdict"] in unchecked for result in self._results):
            yield "every golden case was skipped, so nothing was checked"

    def _last_words(self) -> "Iterator[dict[str, Any]]":
        """A result for every item that was heard of, as data: nobody may have asked for a report."""
        for heard in self._heard.values():
            yield _last_word(heard)
        for nodeid, reason in self._orphans.items():
            if (header := self._header_from_file(nodeid)) is not None:
                yield {**header, "verdict": "error", "reasons": [reason]}

    def _header_from_file(self, nodeid: str) -> dict[str, Any] | None:
        """The header of an item whose worker died before its first report, from the file itself."""
        from pytest_jweval.loader import load
        from pytest_jweval.paths import SUFFIXES

        path, _, name = nodeid.partition("::")
        if not path.endswith(SUFFIXES):
            return None
        roots = (self._session.config.rootpath, *self._session.golden.folders)
        file = next((root / path for root in roots if (root / path).is_file()), None)
        if file is None:
            return None
        entries = load(file, shown(file, self._session.config), self._session.registry.layers)
        return next((entry.header.to_dict() for entry in entries if entry.name == name), None)

    def _write(self, targets: "Sequence[ReportTarget]") -> None:
        from pytest_jweval.errors import told
        from pytest_jweval.files import write_atomically
        from pytest_jweval.records import LayerResult, SuiteReport

        results = (LayerResult(**result) for result in self._results or ())
        report = SuiteReport.of(results, started_at=self._started, finished_at=datetime.now(UTC))
        for target in targets:
            path = self._session.config.invocation_params.dir / target.path.expanduser()
            name = f"{target.format}:{target.path}"
            try:
                write_atomically(path, self._session.registry.reports[target.format].render(report))
            except OSError as error:
                self._unwritten.append(f"{name} can't be written: {error.strerror or error}")
            except Exception as error:  # noqa: BLE001  # a stranger's format must not cost the other reports
                self._unwritten.append(f"{name} can't be made: {told(error)}")
            else:
                self._written.append(target)


def _note(heard: _Heard, report: pytest.TestReport) -> None:
    if report.when == "setup":
        heard.skipped = heard.failed = None  # the first report of a run, or of a rerun
    if report.skipped:
        heard.skipped = _skip_reason(report)
    elif report.failed:
        heard.failed = _failure_reason(report)


def _failure_reason(report: pytest.TestReport) -> str:
    words = {"setup": "the setup failed: ", "teardown": "the teardown failed: "}
    return f"{words.get(str(report.when), '')}{_first_line(report)}"


def _first_line(report: pytest.TestReport) -> str:
    """Of a long traceback, the line with the exception."""
    crash = getattr(report.longrepr, "reprcrash", None)
    lines = (crash.message if crash else str(report.longrepr)).strip().splitlines()
    marked = (line[1:].strip() for line in lines if line.startswith("E "))
    return next(marked, lines[0] if lines else "no reason was given")


def _skip_reason(report: pytest.TestReport) -> str:
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2].removeprefix("Skipped: ")
    return str(getattr(report, "wasxfail", "") or _first_line(report))


def _last_word(heard: _Heard) -> dict[str, Any]:
    """What the last report said of an item, and what pytest itself made of it where that is worse."""
    last = unpacked(heard.properties) or {}
    if "verdict" not in last:
        if heard.failed is None and heard.skipped is not None:
            return {**last, "verdict": "skip", "reasons": [heard.skipped]}
        reason = heard.failed or "the run ended before there was a verdict"
        return {**last, "verdict": "error", "reasons": [reason]}
    if heard.failed and last["verdict"] in ("pass", "skip"):
        return {**last, "verdict": "error", "reasons": [heard.failed, *last["reasons"]]}
    return last
