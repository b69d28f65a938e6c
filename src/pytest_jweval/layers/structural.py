"""L1: has the answer the right shape?

Each key of ``expected`` is one check; a check yields a miss for each thing that is wrong, with what
was seen instead.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from pytest_jweval.layers.expectations import StructuralExpected
from pytest_jweval.layers.json_schema import schema_misses
from pytest_jweval.ports import Context
from pytest_jweval.records import Answer, Miss, Ruling
from pytest_jweval.texts import counted, excerpt, fold

_NO_SOURCE = "(none)"
_SOURCES_SHOWN = 10


class Structural:
    """The layer ``l1``."""

    name = "l1"
    schema = StructuralExpected
    needs_agent = True

    def evaluate(self, context: Context) -> Ruling:
        expected: StructuralExpected = context.expected
        misses = [
            miss.model_copy(update={"key": ("expected", name, *miss.key)})
            for name in CHECKS
            if name in expected.model_fields_set
            for miss in CHECKS[name](context, getattr(expected, name))
        ]
        evidence = {
            "findings": len(context.answer.findings),
            "sources": _counted_sources(context.answer),
            "answer_ms": context.answer_ms,
        }
        return Ruling.on(misses, evidence)


def _counted_sources(answer: Answer) -> dict[str, int]:
    counts: dict[str, int] = {}  # a Counter takes five times as long to make, once a case
    for finding in answer.findings:
        name = finding.source or _NO_SOURCE
        counts[name] = counts.get(name, 0) + 1
    return counts


def _sources(answer: Answer) -> Counter[str | None]:
    return Counter(finding.source for finding in answer.findings)


def _seen(answer: Answer) -> str:
    """``(sources seen: verse_text ×2, rag ×1)``"""
    if not answer.findings:
        return "(the answer has no findings)"
    counts = _sources(answer)
    seen = [f"{_shown(source)} ×{count}" for source, count in list(counts.items())[:_SOURCES_SHOWN]]
    more = ["…"] if len(counts) > _SOURCES_SHOWN else []
    return f"(sources seen: {', '.join(seen + more)})"


def _shown(source: str | None) -> str:
    return _NO_SOURCE if source is None else excerpt(source, 60)


def _min_findings(context: Context, least: int) -> Iterator[Miss]:
    got = len(context.answer.findings)
    if got < least:
        reason = f"expected at least {counted(least, 'finding')}, got {got} {_seen(context.answer)}"
        yield Miss(reason=reason, expected=least, got=got)


def _max_findings(context: Context, most: int) -> Iterator[Miss]:
    got = len(context.answer.findings)
    if got > most:
        reason = f"expected at most {counted(most, 'finding')}, got {got} {_seen(context.answer)}"
        yield Miss(reason=reason, expected=most, got=got)


def _must_have_source(context: Context, source: str) -> Iterator[Miss]:
    if all(finding.source != source for finding in context.answer.findings):
        reason = f"no finding has the source {source!r} {_seen(context.answer)}"
        got = [_shown(source) for source in _sources(context.answer)][:_SOURCES_SHOWN]
        yield Miss(reason=reason, expected=source, got=got)


def _sources_in_order(context: Context, wanted: tuple[str, ...]) -> Iterator[Miss]:
    got = [finding.source for finding in context.answer.findings[: len(wanted)]]
    for place, source in enumerate(wanted):
        actual = got[place] if place < len(got) else None
        if actual != source:
            actually = f"{_actual(place, got)} {_seen(context.answer)}"
            reason = f"finding {place} should have the source {source!r}, but {actually}"
            yield Miss(reason=reason, key=(place,), expected=wanted, got=got)
            return


def _actual(place: int, got: list[str | None]) -> str:
    if place >= len(got):
        return f"there is no finding {place}"
    source = got[place]
    return "it has none" if source is None else f"it has {excerpt(source, 60)!r}"


def _every_finding(part: str) -> Callable[[Context, bool], Iterator[Miss]]:
    def check(context: Context, wanted: bool) -> Iterator[Miss]:
        bare = [i for i, finding in enumerate(context.answer.findings) if not getattr(finding, part)]
        if wanted and bare:
            first = excerpt(context.answer.findings[bare[0]].text, 80)
            which = ", ".join(map(str, bare[:10])) + (", …" if len(bare) > 10 else "")
            reason = (
                f"{len(bare)} of {counted(len(context.answer.findings), 'finding')} without a {part}: "
                f"{which} (the first: {first!r}) {_seen(context.answer)}"
            )
            yield Miss(reason=reason, expected=True, got=bare)

    return check


def _forbidden(context: Context, keywords: tuple[str, ...]) -> Iterator[Miss]:
    texts = [fold(finding.text) for finding in context.answer.findings]
    for place, keyword in enumerate(keywords):
        for i, text in enumerate(texts):
            if (around := _around(text, fold(keyword))) is not None:
                reason = f"forbidden {keyword!r} stands in finding {i}: {around!r} {_seen(context.answer)}"
                yield Miss(reason=reason, key=(place,), expected=f"not {keyword!r}", got=around)
                break


def _required(context: Context, keywords: tuple[str, ...]) -> Iterator[Miss]:
    texts = [finding.text for finding in context.answer.findings]
    folded = [fold(text) for text in texts]
    if not any(keyword in text for keyword in map(fold, keywords) for text in folded):
        wanted = ", ".join(map(repr, keywords))
        reason = f"no finding has any of {wanted} {_seen(context.answer)}"
        yield Miss(reason=reason, expected=keywords, got=[excerpt(text, 80) for text in texts[:10]])


def _around(text: str, keyword: str) -> str | None:
    """The keyword with some words on both sides, or ``None`` if the text hasn't got it."""
    at = text.find(keyword)
    if at < 0:
        return None
    begin, end = max(at - 30, 0), at + len(keyword) + 30
    return f"{'…' if begin else ''}{text[begin:end]}{'…' if end < len(text) else ''}"


def _max_duration(context: Context, most: int) -> Iterator[Miss]:
    if context.answer_ms > most:
        reason = f"the agent took {context.answer_ms} ms, expected at most {most} ms"
        yield Miss(reason=reason, expected=most, got=context.answer_ms)


def _json_schema(context: Context, schema: dict[str, Any]) -> Iterator[Miss]:
    yield from schema_misses(schema, context.answer)


Check = Callable[[Context, Any], Iterator[Miss]]

CHECKS: dict[str, Check] = {
    "min_findings": _min_findings,
    "max_findings": _max_findings,
    "must_have_source": _must_have_source,
    "sources_in_order": _sources_in_order,
    "must_have_citation": _every_finding("source"),
    "must_have_url": _every_finding("url"),
    "forbidden_keywords_in_findings": _forbidden,
    "required_keywords_any": _required,
    "max_duration_ms": _max_duration,
    "json_schema": _json_schema,
}
