"""What drifted: pages that citation cases cite, and that are gone or say something else by now.

A report is data from outside, and what it says of a page comes from that page: every field is checked
before it is used, and shown as one printable line.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_jweval.reports.reading import UnreadableReport
from pytest_jweval.texts import excerpt, printable

if TYPE_CHECKING:
    from pytest_jweval.records import LayerResult, SuiteReport

_CITATIONS = "l2"
_KINDS = ("gone", "changed")
_PHRASES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Nearest:
    """The passage that is most like one of the phrases; ``similarity`` is 1 for the phrase itself."""

    text: str
    similarity: float


@dataclass(frozen=True, slots=True)
class DriftedPage:
    """``snapshot`` is the file that still has the page as it was; ``vanished`` is what it says there."""

    url: str
    kind: str
    reason: str
    phrases: tuple[str, ...] = ()
    snapshot: str | None = None
    nearest: Nearest | None = None
    vanished: str | None = None

    def lines(self) -> Iterator[str]:
        """The page's address, and a line for each thing that is known of it."""
        yield _line(self.url, 500)
        yield f"{self.kind}: {_line(self.reason, 400)}"
        yield from (f"looked for: {_line(phrase, 200)}" for phrase in self.phrases[:_PHRASES_SHOWN])
        if (more := len(self.phrases) - _PHRASES_SHOWN) > 0:
            yield f"looked for: {more} more"
        if self.vanished:
            yield f"it said: {_line(self.vanished, 400)}"
        if self.nearest:
            yield f"nearest ({self.nearest.similarity:.2f}): {_line(self.nearest.text, 400)}"
        if self.snapshot:
            yield f"snapshot: {_line(self.snapshot, 200)}"


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """A citation case that was judged on live pages; without drifted pages, it passed on all of them."""

    case_id: str
    path: str | None
    line: int | None
    pages: tuple[DriftedPage, ...] = ()

    @property
    def title(self) -> str:
        """``golden/l2/refunds.yaml:1 refund_window``"""
        place = f"{_line(self.path, 200)}:{self.line or 1} " if self.path else ""
        return place + _line(self.case_id, 200)

    @property
    def key(self) -> str:
        """The same in every run, on every system."""
        return _hash(self.case_id, (self.path or "").replace("\\", "/"))

    @property
    def fingerprint(self) -> str:
        """The same as long as the same pages drift in the same way. What the pages say instead may
        differ with each visit (a date, a counter, the reason that quotes them), so it has no part."""
        return _hash(*sorted([page.url, page.kind, *sorted(page.phrases)] for page in self.pages))


@dataclass(frozen=True, slots=True)
class Drift:
    """A report's citation cases that say something of the live web, in the order of the report."""

    drifted: tuple[JudgedCase, ...]
    green: tuple[JudgedCase, ...]


def drift_of(report: "SuiteReport") -> Drift:
    """An outage says nothing, nor does a snapshot: such cases are in neither list."""
    results: dict[str, list[LayerResult]] = {}
    for result in report.results:
        if result.layer == _CITATIONS:
            results.setdefault(_case(result).key, []).append(result)
    drifted: list[JudgedCase] = []
    green: list[JudgedCase] = []
    for same_case in results.values():
        pages = tuple(dict.fromkeys(page for result in same_case for page in _pages(result)))
        if pages:
            drifted.append(_case(same_case[0], pages))
        elif all(map(_is_green, same_case)):
            green.append(_case(same_case[0]))
    return Drift(tuple(drifted), tuple(green))


def _case(result: "LayerResult", pages: tuple[DriftedPage, ...] = ()) -> JudgedCase:
    return JudgedCase(result.case_id, result.path, result.line, pages)


def _is_green(result: "LayerResult") -> bool:
    return result.verdict.value == "pass" and result.evidence.get("live") is True


def _pages(result: "LayerResult") -> Iterator[DriftedPage]:
    if result.verdict.value != "fail":
        return
    try:
        yield from map(_page, _mappings(result.evidence.get("drift")))
    except _Wrong as wrong:
        raise UnreadableReport(f"has a drift that can't be read, of {_case(result).title}: {wrong}") from None


class _Wrong(Exception):
    """What is wrong with a field."""


def _mappings(entries: Any) -> Iterable[Mapping[str, Any]]:
    if entries is None:
        return ()
    if not isinstance(entries, list | tuple) or not all(isinstance(entry, Mapping) for entry in entries):
        raise _Wrong("'drift' must be a list of mappings")
    return entries


def _page(fields: Mapping[str, Any]) -> DriftedPage:
    kind = _text(fields, "kind")
    if kind not in _KINDS:
        raise _Wrong(f"'kind' must be gone or changed, not {_line(kind, 60)!r}")
    return DriftedPage(
        url=_text(fields, "url"),
        kind=kind,
        reason=_text(fields, "reason"),
        phrases=_texts(fields, "phrases"),
        snapshot=_optional_text(fields, "snapshot"),
        nearest=_nearest(fields.get("nearest")),
        vanished=_optional_text(fields, "vanished"),
    )


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not value.strip():
        raise _Wrong(f"{name!r} must be text")
    return value


def _optional_text(fields: Mapping[str, Any], name: str) -> str | None:
    return None if fields.get(name) is None else _text(fields, name)


def _texts(fields: Mapping[str, Any], name: str) -> tuple[str, ...]:
    values = fields.get(name)
    if values is None:
        return ()
    if not isinstance(values, list | tuple) or not all(isinstance(value, str) for value in values):
        raise _Wrong(f"{name!r} must be a list of texts")
    return tuple(values)


def _nearest(value: Any) -> Nearest | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise _Wrong("'nearest' must be a mapping")
    similarity = value.get("similarity")
    if isinstance(similarity, bool) or not isinstance(similarity, int | float) or not 0 <= similarity <= 1:
        raise _Wrong("'nearest.similarity' must be a number between 0 and 1")
    return Nearest(_text(value, "text"), similarity)


def _line(text: str, limit: int) -> str:
    return excerpt(printable(text), limit)


def _hash(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts).encode("ascii")).hexdigest()[:32]
