"""The data that flows through the house: frozen, and strict about what it doesn't know."""

from pytest_jweval.records.answer import Answer as Answer
from pytest_jweval.records.answer import Finding as Finding
from pytest_jweval.records.case import ID_PATTERN as ID_PATTERN
from pytest_jweval.records.case import GoldenCase as GoldenCase
from pytest_jweval.records.plain import plain as plain
from pytest_jweval.records.result import UNKNOWN as UNKNOWN
from pytest_jweval.records.result import Header as Header
from pytest_jweval.records.result import LayerResult as LayerResult
from pytest_jweval.records.result import Ruling as Ruling
from pytest_jweval.records.result import SuiteReport as SuiteReport
from pytest_jweval.records.result import Verdict as Verdict
from pytest_jweval.records.strict import Given as Given
from pytest_jweval.records.strict import Listed as Listed
from pytest_jweval.records.strict import Miss as Miss
from pytest_jweval.records.strict import OrText as OrText
from pytest_jweval.records.strict import Record as Record
from pytest_jweval.records.strict import Text as Text
from pytest_jweval.records.strict import misses_of as misses_of
from pytest_jweval.records.strict import parse as parse

__all__ = [
    "ID_PATTERN",
    "UNKNOWN",
    "Answer",
    "Finding",
    "Given",
    "GoldenCase",
    "Header",
    "LayerResult",
    "Listed",
    "Miss",
    "OrText",
    "Record",
    "Ruling",
    "SuiteReport",
    "Text",
    "Verdict",
    "misses_of",
    "parse",
    "plain",
]
