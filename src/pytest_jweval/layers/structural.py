"""L1: has the answer the right shape?

Each key of ``expected`` is one check; a check yields a miss for each thing that is wrong, with what
was seen instead.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Annotated, Any

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from pytest_jweval.layers.json_schema import schema_misses
from pytest_jweval.ports import Context
from pytest_jweval.records import Answer, Given, Listed, Miss, Record, Ruling, Text
from pytest_jweval.texts import counted, excerpt, fold

Count = Annotated[int, Field(ge=0)]


class StructuralExpected(Record):
    """What an L1 case may expect; what isn't given isn't checked."""

    min_findings: Annotated[Given[Count], Field(description="At least this many findings.")] = None
    max_findings: Annotated[Given[Count], Field(description="At most this many findings.")] = None
    must_have_source: Annotated[Given[Text], Field(description="At least one finding has this source.")] = (
        None
    )
    sources_in_order: Annotated[
        Given[Listed[Text]], Field(description="The sources of the first findings, in this order.")
    ] = None
    must_have_citation: Annotated[bool, Field(description="Every finding has a source.")] = False
    must_have_url: Annotated[bool, Field(description="Every finding has a URL.")] = False
    forbidden_keywords_in_findings: Annotated[
        Given[Listed[Text]],
        Field(description="None of these texts stands in a finding (case doesn't count)."),
    ] = None
    required_keywords_any: Annotated[
        Given[Listed[Text]], Field(description="At least one of these texts stands in a finding.")
    ] = None
    max_duration_ms: Annotated[
        Given[Annotated[int, Field(gt=0)]], Field(description="The agent answers within this time.")
    ] = None
    json_schema: Annotated[
        Given[dict[str, Any]], Field(description="A JSON Schema that the agent's own answer fulfils.")
    ] = None

    @model_validator(mode="after")
    def _can_fail(self) -> "StructuralExpected":
        if not any(getattr(self, name) not in (None, False) for name in type(self).model_fields):
            raise PydanticCustomError(
                "nothing_expected",
                "nothing is expected, so the case could never fail: add min_findings: 1, say",
            )
        if None not in (self.min_findings, self.max_findings) and self.min_findings > self.max_findings:  # type: ignore[operator]  # neither is None
            raise PydanticCustomError("unreachable", "'min_findings' is larger than 'max_findings'")
        return self


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
            "sources": dict(_sources(context.answer)),
            "answer_ms": context.answer_ms,
        }
        return Ruling.on(misses, evidence)


def _sources(answer: Answer) -> Counter[str]:
    return Counter(finding.source or "none" for finding in answer.findings)


def _seen(answer: Answer) -> str:
    """``(sources seen: verse_text ×2, rag ×1)``"""
    if not answer.findings:
        return "(the answer has no findings)"
    seen = ", ".join(f"{source} ×{count}" for source, count in _sources(answer).items())
    return f"(sources seen: {seen})"


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
    if source not in _sources(context.answer):
        reason = f"no finding has the source {source!r} {_seen(context.answer)}"
        yield Miss(reason=reason, expected=source, got=list(_sources(context.answer)))


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
        return f"the answer has only {counted(len(got), 'finding')}"
    return "it has none" if got[place] is None else f"it has {got[place]!r}"


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
    for place, keyword in enumerate(keywords):
        for i, finding in enumerate(context.answer.findings):
            if (around := _around(finding.text, keyword)) is not None:
                reason = f"forbidden {keyword!r} stands in finding {i}: {around!r} {_seen(context.answer)}"
                yield Miss(reason=reason, key=(place,), expected=f"not {keyword!r}", got=around)
                break


def _required(context: Context, keywords: tuple[str, ...]) -> Iterator[Miss]:
    texts = [finding.text for finding in context.answer.findings]
    if not any(fold(keyword) in fold(text) for keyword in keywords for text in texts):
        wanted = ", ".join(map(repr, keywords))
        reason = f"no finding has any of {wanted} {_seen(context.answer)}"
        yield Miss(reason=reason, expected=keywords, got=[excerpt(text, 80) for text in texts[:10]])


def _around(text: str, keyword: str) -> str | None:
    """The keyword with some words on both sides, or ``None`` if the text hasn't got it."""
    folded, wanted = fold(text), fold(keyword)
    at = folded.find(wanted)
    if at < 0:
        return None
    begin, end = max(at - 30, 0), at + len(wanted) + 30
    return f"{'…' if begin else ''}{folded[begin:end]}{'…' if end < len(folded) else ''}"


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
