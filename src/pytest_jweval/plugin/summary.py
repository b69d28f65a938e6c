"""The terminal's closing words on the golden cases."""

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from pytest_jweval.records import SuiteReport, Verdict
from pytest_jweval.settings import ReportTarget
from pytest_jweval.texts import printable

_COLOURS = {"pass": "green", "fail": "red", "review": "yellow", "skip": "yellow", "error": "red"}


def write_summary(
    terminal: pytest.TerminalReporter,
    report: SuiteReport,
    written: Sequence[ReportTarget],
    unwritten: Sequence[str],
) -> None:
    """A line per layer and agent, where the reports are, and what would otherwise pass for green."""
    terminal.ensure_newline()
    quiet = terminal.config.get_verbosity() < 0
    if report.results and not quiet:
        terminal.section("golden cases", sep="-", blue=True)
        for row in _rows(report):
            for text, colour in row:
                terminal.write(text, **({colour: True} if colour else {}))
            terminal.line("")
    for target in written:
        if (
            not any(problem.startswith(f"{target.format}:{target.path} ") for problem in unwritten)
            and not quiet
        ):
            terminal.write_line(f"{target.format} report: {target.path}")
    for problem in unwritten:
        terminal.write_line(f"ERROR: {problem}", red=True)
    if report.results and all(result.verdict is Verdict.SKIP for result in report.results):
        terminal.write_line("WARNING: every golden case was skipped, so nothing was checked", yellow=True)


def _rows(report: SuiteReport) -> Iterator[list[tuple[str, str | None]]]:
    counts: dict[tuple[str, str], Counter[str]] = {}
    for result in report.results:
        counts.setdefault((result.layer, result.agent or ""), Counter())[result.verdict.value] += 1
    width_of_layer = max(len(layer) for layer, _ in counts)
    width_of_agent = max(len(agent) for _, agent in counts)
    for (layer, agent), verdicts in sorted(counts.items()):
        name = f"{printable(layer):<{width_of_layer}}  {printable(agent):<{width_of_agent}}"
        told = [(f"  {verdicts[v]} {v}", colour) for v, colour in _COLOURS.items() if verdicts[v]]
        yield [(name, None), *told]
