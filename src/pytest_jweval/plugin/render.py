"""A result as terminal text."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from pytest_jweval.texts import excerpt, printable

if TYPE_CHECKING:
    from pytest_jweval.loader import Source
    from pytest_jweval.records import LayerResult, Miss

Status = tuple[str, str, str | tuple[str, dict[str, bool]]]

_WORDS: dict[str, Status] = {
    "review": ("failed", "R", ("REVIEW", {"yellow": True})),
    "error": ("failed", "E", ("ERROR", {"red": True})),
}
_MOST_MISSES = 20


def status(report: pytest.TestReport) -> Status | None:
    """A review and an error are failed items, under names that tell them from a wrong answer."""
    verdict = getattr(report, "jweval_verdict", None)
    if not report.failed or verdict not in _WORDS:
        return None
    return _WORDS[verdict]


def failure(result: "LayerResult", source: "Source") -> str:
    """The reason; the lines of the file that asked for it; the place, as a line that editors link."""
    return printable("\n".join(_lines(result, source)))


def _lines(result: "LayerResult", source: "Source") -> Iterator[str]:
    yield _one_line(next(iter(result.reasons), result.verdict.value))
    for number, (reason, miss) in enumerate(zip(result.reasons, result.misses, strict=False)):
        if number == _MOST_MISSES:
            yield f"… and {len(result.misses) - number} more"
            break
        if number:
            yield from ("", _one_line(reason))
        yield from _excerpt(miss, source)
    yield from map(_one_line, result.reasons[max(len(result.misses), 1) :])
    yield from _answer(result)
    if traceback := result.evidence.get("traceback"):
        yield from ("", str(traceback).rstrip())
    first = result.misses[0] if result.misses else None
    yield from ("", f"{result.path}:{first.line if first else result.line}")


def _excerpt(miss: "Miss", source: "Source") -> Iterator[str]:
    lines = source.lines_around(miss.line or 1)
    if lines:
        yield ""
    for number, text in lines:
        yield f"{'>' if number == miss.line else ' '} {number:>4} | {text}"


def _answer(result: "LayerResult") -> Iterator[str]:
    findings = result.evidence.get("answer")
    if not isinstance(findings, list) or not findings:
        return
    yield from ("", "the answer:")
    for number, finding in enumerate(findings[:_MOST_MISSES]):
        where = " ".join(str(part) for part in (finding["source"] or "no source", finding["url"]) if part)
        yield f"  {number}  {excerpt(where, 400)}: {_one_line(str(finding['text']))}"


def _one_line(text: str) -> str:
    """What an agent or a judge wrote must not begin a line: some CIs take such lines for commands."""
    return " ".join(text.splitlines())
