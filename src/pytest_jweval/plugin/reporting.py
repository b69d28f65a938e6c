"""Gathering results from pytest's reports, in the one process that sees them all.

Under xdist the controller collects nothing and workers may die, so everything is read from the reports
that arrive: an item's last header or result counts, and a header that no result followed is an ``error``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from pytest_jweval.plugin.carry import PROPERTY, unpacked

if TYPE_CHECKING:
    from pytest_jweval.plugin.session import Session
    from pytest_jweval.records import LayerResult, SuiteReport, Verdict


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
        self._report: SuiteReport | None = None
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
        if not (self._heard or self._orphans or self._session.settings.reports):
            return
        if session.config.option.collectonly:
            return  # nothing ran, and a report of a real run may stand there
        self._report = self._suite_report()
        self._write(self._report)
        if self._unwritten:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._report is None:
            return
        from pytest_jweval.plugin.summary import write_summary

        write_summary(terminalreporter, self._report, self._session.settings.reports, self._unwritten)

    def _suite_report(self) -> "SuiteReport":
        from pytest_jweval.records import SuiteReport

        return SuiteReport.of(self._results(), started_at=self._started, finished_at=datetime.now(UTC))

    def _results(self) -> "Iterator[LayerResult]":
        for heard in self._heard.values():
            yield _result(heard)
        from pytest_jweval.records import Verdict

        for nodeid, reason in self._orphans.items():
            if (header := self._header_from_file(nodeid)) is not None:
                yield _without_result(header, Verdict.ERROR, reason)

    def _header_from_file(self, nodeid: str) -> dict[str, Any] | None:
        """The header of an item whose worker died before its first report, from the file itself."""
        from pytest_jweval.loader import load
        from pytest_jweval.paths import SUFFIXES

        path, _, name = nodeid.partition("::")
        if not path.endswith(SUFFIXES):
            return None
        entries = load(self._session.config.rootpath / path, path, self._session.registry.layers)
        return next((entry.header.to_dict() for entry in entries if entry.name == name), None)

    def _write(self, report: "SuiteReport") -> None:
        from pytest_jweval.files import write_atomically

        for target in self._session.settings.reports:
            path = self._session.config.invocation_params.dir / target.path
            text = self._session.registry.reports[target.format].render(report)
            try:
                write_atomically(path, text)
            except OSError as error:
                self._unwritten.append(
                    f"{target.format}:{target.path} can't be written: {error.strerror or error}"
                )


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


def _result(heard: _Heard) -> "LayerResult":
    from pytest_jweval.records import LayerResult, Verdict

    last = unpacked(heard.properties) or {}
    if "verdict" not in last:
        if heard.failed is None and heard.skipped is not None:
            return _without_result(last, Verdict.SKIP, heard.skipped)
        return _without_result(
            last, Verdict.ERROR, heard.failed or "the run ended before there was a verdict"
        )
    result = LayerResult(**last)
    if heard.failed and result.verdict in (Verdict.PASS, Verdict.SKIP):
        return result.model_copy(
            update={"verdict": Verdict.ERROR, "reasons": (heard.failed, *result.reasons)}
        )
    return result


def _without_result(header: dict[str, Any], verdict: "Verdict", reason: str) -> "LayerResult":
    from pytest_jweval.records import LayerResult

    return LayerResult(**header, verdict=verdict, reasons=(reason,))
