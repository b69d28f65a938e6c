"""The terminal's closing words on the golden cases."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import pytest

from pytest_jweval.texts import printable
from pytest_jweval.values import ReportTarget

Counts = Mapping[tuple[str, str | None, str], int]
"""How many results there are of a layer, an agent and a verdict."""

_COLOURS = {"pass": "green", "fail": "red", "review": "yellow", "skip": "yellow", "error": "red"}


def write_summary(
    terminal: pytest.TerminalReporter,
    counts: Counts,
    written: Sequence[ReportTarget],
    unwritten: Sequence[str],
    warnings: Sequence[str],
) -> None:
    """A line per layer and agent, where the reports are, and what would otherwise pass for green."""
    terminal.ensure_newline()
    if terminal.config.get_verbosity() >= 0:
        if counts:
            _write_counts(terminal, counts)
        for target in written:
            terminal.write_line(f"{target.format} report: {target.path}")
    for problem in unwritten:
        terminal.write_line(f"ERROR: {problem}", red=True)
    for warning in warnings:
        terminal.write_line(f"WARNING: {warning}", yellow=True)


def _write_counts(terminal: pytest.TerminalReporter, found: Counts) -> None:
    terminal.section("golden cases", sep="-", blue=True)
    for row in _rows(found):
        for text, colour in row:
            terminal.write(text, **({colour: True} if colour else {}))
        terminal.line("")


def _rows(found: Counts) -> Iterator[list[tuple[str, str | None]]]:
    counts: dict[tuple[str, str], Counter[str]] = {}
    for (layer, agent, verdict), count in found.items():
        counts.setdefault((printable(layer), printable(agent or "")), Counter())[verdict] += count
    width_of_layer = max(len(layer) for layer, _ in counts)
    width_of_agent = max(len(agent) for _, agent in counts)
    for (layer, agent), verdicts in sorted(counts.items()):
        name = f"{layer:<{width_of_layer}}  {agent:<{width_of_agent}}"
        told = [(f"  {verdicts[v]} {v}", colour) for v, colour in _COLOURS.items() if verdicts[v]]
        yield [(name, None), *told]
