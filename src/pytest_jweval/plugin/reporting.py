"""Gathering results from pytest's reports, in the one process that sees them all.

Under xdist the controller collects nothing and workers may die, so everything is read from the reports
that arrive: an item's last header or result counts, and a header that no result followed is an ``error``.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from pytest_jweval.plugin.carry import carried
from pytest_jweval.plugin.collect import shown

if TYPE_CHECKING:
    from pytest_jweval.plugin.session import Session
    from pytest_jweval.plugin.summary import Counts
    from pytest_jweval.values import ReportTarget


class Reporting:
    """A plugin of its own, registered where reports arrive: on the controller, or in the only process."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._started = datetime.now(UTC)
        # By node id: what the reports of an item said so far, and what went wrong on the way.
        self._heard: dict[str, str] = {}
        self._skipped: dict[str, str] = {}
        self._failed: dict[str, str] = {}
        self._orphans: dict[str, str] = {}
        self._counts: Counts | None = None
        self._written: list[ReportTarget] = []
        self._unwritten: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        nodeid = report.nodeid
        if (text := carried(report.user_properties)) is not None:
            self._heard[nodeid] = text
        elif nodeid not in self._heard:
            if report.failed and report.when not in ("setup", "call", "teardown"):
                self._orphans[nodeid] = _first_line(report)
            return
        if report.when == "setup":  # the first report of a run, or of a rerun
            self._skipped.pop(nodeid, None)
            self._failed.pop(nodeid, None)
        if report.skipped:
            self._skipped[nodeid] = _skip_reason(report)
        elif report.failed:
            self._failed[nodeid] = _failure_reason(report)

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
        results: Iterable[dict[str, Any]] = self._last_words()
        if reports:
            results = list(results)
            self._write(reports, results)
        self._counts = Counter((said["layer"], said["agent"], said["verdict"]) for said in results)
        if self._unwritten:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        warnings = list(self._warnings())
        if self._counts is None and not warnings:
            return
        from pytest_jweval.plugin.summary import write_summary

        write_summary(terminalreporter, self._counts or {}, self._written, self._unwritten, warnings)

    def _warnings(self) -> "Iterator[str]":
        """What would otherwise pass for green."""
        for folder in self._session.golden.missing():
            yield f"ini jweval_golden names {folder!r}, and there is no such folder"
        unchecked = {"skip", "review"} if self._session.settings.review == "skip" else {"skip"}
        if self._counts and all(verdict in unchecked for _, _, verdict in self._counts):
            yield "every golden case was skipped, so nothing was checked"

    def _last_words(self) -> "Iterator[dict[str, Any]]":
        """A result for every item that was heard of, as data: nobody may have asked for a report."""
        for nodeid, text in self._heard.items():
            yield _last_word(json.loads(text), self._skipped.get(nodeid), self._failed.get(nodeid))
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

    def _write(self, targets: "Sequence[ReportTarget]", results: Iterable[dict[str, Any]]) -> None:
        from pytest_jweval.errors import told
        from pytest_jweval.files import write_atomically
        from pytest_jweval.records import LayerResult, SuiteReport

        found = (LayerResult(**result) for result in results)
        report = SuiteReport.of(found, started_at=self._started, finished_at=datetime.now(UTC))
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


def _last_word(last: dict[str, Any], skipped: str | None, failed: str | None) -> dict[str, Any]:
    """What the last report said of an item, and what pytest itself made of it where that is worse."""
    if "verdict" not in last:
        if failed is None and skipped is not None:
            return {**last, "verdict": "skip", "reasons": [skipped]}
        reason = failed or "the run ended before there was a verdict"
        return {**last, "verdict": "error", "reasons": [reason]}
    if failed and last["verdict"] in ("pass", "skip"):
        return {**last, "verdict": "error", "reasons": [failed, *last["reasons"]]}
    return last
