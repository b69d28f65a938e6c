"""A ruling, or what broke on the way to one, as the result of its case: with lines, and with a traceback that
begins where the project's own code does."""

import importlib
import os
import traceback
from pathlib import Path
from types import FrameType

from pytest_jweval.errors import CaseError, JWEvalError, told
from pytest_jweval.loader import Entry, Source
from pytest_jweval.records import GoldenCase, LayerResult, Ruling, Verdict
from pytest_jweval.texts import excerpt

_TRACEBACK_SHOWN = 20_000
_HOUSE = Path(__file__).parent
_PLUMBING = (
    str(_HOUSE / "runner.py"),
    f"{_HOUSE / 'agents'}{os.sep}",
    f"{_HOUSE / 'plugin'}{os.sep}",
    str(importlib.__file__),
    "<frozen importlib",
)


def broken(error: Exception | None) -> Ruling:
    """The ``error`` that says what broke."""
    if isinstance(error, CaseError):
        reasons = tuple(miss.reason for miss in error.misses) or (str(error),)
        return Ruling(verdict=Verdict.ERROR, misses=error.misses, reasons=reasons)
    assert error is not None, "nothing broke"
    cause = error.__cause__ if isinstance(error, JWEvalError) else error
    reason = excerpt(str(error), 1000) if isinstance(error, JWEvalError) else told(error)
    evidence = {"traceback": _traceback(cause)} if cause else {}
    return Ruling(verdict=Verdict.ERROR, reasons=(reason,), evidence=evidence)


def _traceback(error: BaseException) -> str:
    """From the first frame that isn't ours: the way from our code to the agent's helps nobody."""
    frames = error.__traceback__
    while frames and frames.tb_next and _is_plumbing(frames.tb_frame):
        frames = frames.tb_next
    text = "".join(traceback.format_exception(type(error), error, frames))
    return text if len(text) <= _TRACEBACK_SHOWN else f"…{text[-_TRACEBACK_SHOWN:]}"


def _is_plumbing(frame: FrameType) -> bool:
    module = str(frame.f_globals.get("__name__"))
    return frame.f_code.co_filename.startswith(_PLUMBING) or module.startswith("pluggy.")


def result_of(
    case: GoldenCase, ruling: Ruling, source: Source | None = None, duration_ms: int = 0
) -> LayerResult:
    """The ruling on a case as a result, its misses at their lines."""
    # Not validated: the case and the ruling were, and evidence may be large.
    result = LayerResult.model_construct(
        case_id=case.id,
        layer=case.layer,
        agent=case.agent,
        duration_ms=duration_ms,
        path=source.shown if source else None,
        line=source.line if source else None,
        **vars(ruling),
    )
    if source is None or not result.misses:
        return result
    result = source.pinpoint(result)
    return _with_places(result) if result.verdict is Verdict.ERROR else result


def result_of_broken(entry: Entry) -> LayerResult:
    """The ``error`` of a document that is no case that can be run."""
    result = LayerResult(**entry.header.to_dict(), verdict=Verdict.ERROR, misses=entry.misses)
    return _with_places(entry.source.pinpoint(result))


def _with_places(result: LayerResult) -> LayerResult:
    """Reasons as ``path:line:column: what is wrong``, which editors and people can follow."""
    missed = {miss.reason for miss in result.misses}
    placed = (f"{result.path}:{miss.line}:{miss.column}: {miss.reason}" for miss in result.misses)
    others = (reason for reason in result.reasons if reason not in missed)
    return result.model_copy(update={"reasons": (*placed, *others)})
