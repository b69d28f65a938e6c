"""The report as a Markdown page: the counts, then what was not green, with its reasons."""

import re
from collections.abc import Iterable, Iterator

from pytest_jweval.records import LayerResult, SuiteReport, Verdict
from pytest_jweval.texts import counted, excerpt, printable

_ORDER = (Verdict.FAIL, Verdict.ERROR, Verdict.REVIEW, Verdict.SKIP)
_LONGEST_REASON = 1000


def render(report: SuiteReport) -> str:
    """Everything an agent wrote is escaped: a table stays a table, and a tag stays text."""
    return printable("\n".join(_lines(report))) + "\n"


def _lines(report: SuiteReport) -> Iterator[str]:
    seconds = (report.finished_at - report.started_at).total_seconds()
    yield "# Golden cases"
    yield ""
    yield f"{counted(len(report.results), 'case')}, {report.started_at:%Y-%m-%d %H:%M:%S %Z}, {seconds:.1f} s"
    yield ""
    yield from _summary(report)
    for verdict in _ORDER:
        yield from _section(verdict, [result for result in report.results if result.verdict is verdict])


def _summary(report: SuiteReport) -> Iterator[str]:
    if not report.results:
        yield "No golden case ran."
        return
    verdicts = [verdict.value for verdict in Verdict]
    yield f"| layer | {' | '.join(verdicts)} |"
    yield f"|---|{'---:|' * len(verdicts)}"
    for layer, counts in report.summary.items():
        yield f"| {_escaped(layer)} | {' | '.join(str(counts.get(verdict, 0)) for verdict in verdicts)} |"


def _section(verdict: Verdict, results: Iterable[LayerResult]) -> Iterator[str]:
    for number, result in enumerate(results):
        if number == 0:
            yield ""
            yield f"## {verdict.value}"
        yield ""
        yield f"### {_escaped(result.case_id)}"
        yield ""
        agent = f", agent {_escaped(result.agent)}" if result.agent else ""
        place = f", {_code(f'{result.path}:{result.line}')}" if result.path else ""
        yield f"{_escaped(result.layer)}{agent}{place}, {result.duration_ms} ms"
        yield ""
        yield from (f"- {_item(reason)}" for reason in result.reasons or ("no reason was given",))


_SPECIAL = re.compile(r"[\\`*\[\]<>|&~#$]")
# Inside a word underscores mean nothing to Markdown, so ids stay readable.
_UNDERSCORES = re.compile(r"(?<![^\W_])_+|_+(?![^\W_])")
_LIST_OR_RULE = re.compile(r"^(\d{1,9}(?=[.)])|(?=[-+=]))")


def _escaped(text: str) -> str:
    """Plain text for one line of Markdown."""
    line = _SPECIAL.sub(r"\\\g<0>", " ".join(text.split()))
    return _UNDERSCORES.sub(lambda found: r"\_" * len(found[0]), line)


def _item(text: str) -> str:
    """Plain text at the beginning of a line or list item, where it must not begin a list of its own."""
    return _LIST_OR_RULE.sub(r"\g<1>\\", _escaped(excerpt(text, _LONGEST_REASON)))


def _code(text: str) -> str:
    """Text as it is, between more backticks than it has in a row."""
    line = " ".join(text.split())
    fence = "`" * (max(map(len, re.findall("`+", line)), default=0) + 1)
    return f"{fence} {line} {fence}" if "`" in line else f"{fence}{line}{fence}"
