"""An outcome for people; the same text is printed and written."""

from collections.abc import Callable, Iterator, Sequence

from benchmarks.harness.machine import Machine
from benchmarks.harness.outcome import Outcome
from benchmarks.harness.parts import Figure, Limit
from benchmarks.harness.spread import Spread
from benchmarks.harness.values import cpu, memory, wall

_NOTE = (
    "Medians, with the middle half of all rounds in brackets. A ratio (×) is taken within each round, "
    "to the first line. CPU is user and system time."
)


def as_markdown(outcome: Outcome) -> str:
    parts = ["\n".join(_head(outcome)), _usage_table(outcome), _figure_table(outcome), _NOTE]
    return "\n\n".join(parts) + "\n"


def _head(outcome: Outcome) -> Iterator[str]:
    benchmark, plan, machine = outcome.benchmark, outcome.plan, outcome.machine
    yield f"# {benchmark.name}"
    yield ""
    yield benchmark.sentence
    yield ""
    yield f"{machine.date}, {machine.cpus} CPUs, {machine.system}, {machine.python}, " + _versions(machine)
    yield f"Rounds in turn: {plan.rounds}." + (f" Size: {plan.size:,}." if benchmark.takes_size else "")
    if plan.size != benchmark.full.size:
        yield f"The targets are meant for a size of {benchmark.full.size:,}."
    yield from benchmark.remarks(plan)


def _versions(machine: Machine) -> str:
    return f"pytest {machine.pytest}, pytest-jweval {machine.pytest_jweval}."


def _usage_table(outcome: Outcome) -> str:
    rows = [
        (
            name,
            _seconds(outcome.usage(name, cpu)),
            _times(outcome.ratio(name, cpu)),
            _seconds(outcome.usage(name, wall)),
            _times(outcome.ratio(name, wall)),
            f"{outcome.usage(name, memory).median / 2**20:,.1f}",
            f"{outcome.ratio(name, memory).median:.2f}",
        )
        for name in outcome.names
    ]
    return table(("", "CPU s", "×", "wall s", "×", "peak MiB", "×"), rows)


def _figure_table(outcome: Outcome) -> str:
    rows = [
        (
            figure.sentence,
            _figure_value(figure, outcome.figure(figure)),
            _limit(figure.limit),
            outcome.word(figure),
        )
        for figure in outcome.benchmark.figures(outcome.plan)
    ]
    return table(("figure", "value", "target", ""), rows)


def _figure_value(figure: Figure, spread: Spread | None) -> str:
    return "–" if spread is None else f"{_three(spread, _number)} {figure.unit}"


def _limit(limit: Limit | None) -> str:
    return "" if limit is None else f"{'≥' if limit.at_least else '≤'} {limit.number:,}"


def _seconds(spread: Spread) -> str:
    return _three(spread, "{:.3f}".format)


def _times(spread: Spread) -> str:
    return _three(spread, "{:.2f}".format)


def _three(spread: Spread, shown: Callable[[float], str]) -> str:
    return f"{shown(spread.median)} ({shown(spread.lower)}–{shown(spread.upper)})"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Markdown whose columns also stand in line in a terminal."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [head, ["-" * max(width, 3) for width in widths], *rows]
    return "\n".join(
        "| " + " | ".join(cell.ljust(max(width, 3)) for cell, width in zip(line, widths, strict=True)) + " |"
        for line in lines
    )
