"""What was found out: of one answer (`Ruling`), one case (`LayerResult`), one run (`SuiteReport`)."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, FiniteFloat

from pytest_jweval.records.plain import plain
from pytest_jweval.records.strict import Miss, Record


class Verdict(StrEnum):
    """Five, because an outage is no wrong answer and "can't tell" is neither."""

    PASS = "pass"  # noqa: S105  # no password
    FAIL = "fail"
    REVIEW = "review"
    SKIP = "skip"
    ERROR = "error"


UNKNOWN = "unknown"
"""The layer in the header of a document that is too broken to name one."""


@dataclass(frozen=True, slots=True)
class Header:
    """What is known of a case before it ran; ``path`` is as shown to people, ``line`` counts from 1."""

    case_id: str
    layer: str
    agent: str | None = None
    path: str | None = None
    line: int | None = None

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


Reasons = Annotated[tuple[str, ...], Field(strict=False)]
Misses = Annotated[tuple[Miss, ...], Field(strict=False)]
Evidence = Annotated[dict[str, Any], BeforeValidator(plain)]
AnyVerdict = Annotated[Verdict, Field(strict=False)]


class Ruling(Record):
    """What a layer says of one answer. Each miss is a reason as well."""

    verdict: AnyVerdict
    score: FiniteFloat | None = None
    reasons: Reasons = ()
    misses: Misses = ()
    evidence: Evidence = {}
    warned: bool = False

    @classmethod
    def on(cls, misses: Iterable[Miss], evidence: dict[str, Any] | None = None) -> "Ruling":
        """``fail`` if anything was missed, else ``pass``."""
        missed = tuple(misses)
        return cls(
            verdict=Verdict.FAIL if missed else Verdict.PASS,
            reasons=tuple(miss.reason for miss in missed),
            misses=missed,
            evidence=evidence or {},
        )


class LayerResult(Record):
    """A ruling, with the case it is about and the time it took."""

    case_id: str
    layer: str
    agent: str | None = None
    verdict: AnyVerdict
    score: FiniteFloat | None = None
    reasons: Reasons = ()
    misses: Misses = ()
    evidence: Evidence = {}
    duration_ms: int = 0
    path: str | None = None
    line: int | None = None
    warned: bool = False

    def to_json(self) -> str:
        """One line of pure ASCII, the form in which a result travels between processes."""
        return _LINE.encode(vars(self))


# Made once: json.dumps would make another for each result.
_LINE = json.JSONEncoder(ensure_ascii=True, default=plain)


class SuiteReport(Record):
    """A run's results, in the order of their files and lines."""

    format: Literal[1] = 1
    started_at: datetime
    finished_at: datetime
    layers_run: Annotated[tuple[str, ...], Field(strict=False)]
    results: Annotated[tuple[LayerResult, ...], Field(strict=False)]
    summary: dict[str, dict[str, int]] = {}
    diff_vs_baseline: dict[str, Any] | None = None

    @classmethod
    def of(
        cls, results: Iterable[LayerResult], *, started_at: datetime, finished_at: datetime
    ) -> "SuiteReport":
        """The same report whichever process made which result."""
        ordered = tuple(sorted(results, key=lambda r: (r.path or "", r.line or 0, r.case_id)))
        return cls(
            started_at=started_at,
            finished_at=finished_at,
            layers_run=tuple(sorted({result.layer for result in ordered})),
            results=ordered,
            summary=cls.summarize(ordered),
        )

    @staticmethod
    def summarize(results: Iterable[LayerResult]) -> dict[str, dict[str, int]]:
        """Verdicts counted per layer; every verdict is there, also at 0."""
        counts: dict[str, dict[str, int]] = {}
        for result in results:
            layer = counts.setdefault(result.layer, {verdict.value: 0 for verdict in Verdict})
            layer[result.verdict.value] += 1
        return dict(sorted(counts.items()))

    def to_json(self) -> str:
        """Readable by people and by `from_json`; a lone surrogate is written as its JSON escape."""
        text = json.dumps(plain(self.model_dump(mode="python")), ensure_ascii=False, indent=2)
        return text.encode("utf-8", "backslashreplace").decode("utf-8")

    @classmethod
    def from_json(cls, text: str) -> "SuiteReport":
        return cls.model_validate(json.loads(text), strict=False)
