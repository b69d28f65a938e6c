"""What every record has in common: frozen, strict, and errors in the author's words.

pydantic finds what is wrong; ``misses_of`` says it in the words of somebody who wrote a YAML file.
"""

import reprlib
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from pytest_jweval.errors import CaseError, suggestion
from pytest_jweval.records.plain import plain
from pytest_jweval.texts import excerpt

T = TypeVar("T")
R = TypeVar("R", bound=BaseModel)


class Record(BaseModel):
    """Unknown keys are refused, ``"3"`` is no number, and nothing changes once it is made."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


Plain = Annotated[Any, BeforeValidator(plain)]
"""Whatever is put in, what is kept can be written to a report."""


class Miss(Record):
    """One thing that is not as it should be, and where in the case that was asked for."""

    reason: str
    key: Annotated[tuple[str | int, ...], Field(strict=False)] = ()
    expected: Plain = None
    got: Plain = None
    line: int | None = None
    column: int | None = None


def _given(value: T) -> T:
    if value is None:
        raise PydanticCustomError("no_value", "has no value")
    return value


Given = Annotated[T | None, BeforeValidator(_given)]
"""A key that may be left out but not left empty: an empty expectation would check nothing."""

Text = Annotated[str, Field(min_length=1)]
Listed = Annotated[tuple[T, ...], Field(strict=False, min_length=1)]
"""A list with at least one entry; kept as a tuple."""


def parse(model: type[R], data: Mapping[str, Any], at: tuple[str | int, ...] = ()) -> R:
    """``data`` as a record, or a `CaseError` with one miss for each thing that is wrong."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise CaseError(misses_of(error, model, at)) from None


def misses_of(
    error: ValidationError, model: type[BaseModel], at: tuple[str | int, ...] = ()
) -> tuple[Miss, ...]:
    """One miss an error, its key counted from the top of the case."""
    details = error.errors(include_url=False)
    return tuple(Miss(reason=_in_words(detail, model, at), key=(*at, *detail["loc"])) for detail in details)


def _in_words(detail: ErrorDetails, model: type[BaseModel], at: tuple[str | int, ...]) -> str:
    key = dotted((*at, *detail["loc"]))
    last = str(detail["loc"][-1]) if detail["loc"] else ""
    if detail["type"] == "extra_forbidden":
        known = model.model_fields if len(detail["loc"]) == 1 else ()
        return f"unknown key {last!r}{suggestion(last, known)}"
    if detail["type"] == "missing":
        return f"{key!r} is missing"
    if detail["input"] is None:
        return f"{key!r} has no value"
    wanted = _WANTED.get(detail["type"])
    if wanted:
        return f"{key!r} must be {wanted}, not {_named(detail['input'])}"
    if detail["type"] in _EMPTY and not detail["input"]:
        return f"{key!r} must not be empty"
    if detail["type"] == "value_error" or not key:
        return str(detail["ctx"]["error"]) if "ctx" in detail else detail["msg"]
    return f"{key!r}: {detail['msg'][0].lower()}{detail['msg'][1:]}, not {_named(detail['input'])}"


def dotted(key: tuple[str | int, ...]) -> str:
    """``("expected", "tags", 0)`` as an author reads it: ``expected.tags[0]``."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in key)
    return text.removeprefix(".")


_EMPTY = {"too_short", "string_too_short"}
_WANTED = {
    "string_type": "text",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
}


def _named(value: object) -> str:
    """``the text 'three'``, ``a list``: what the author sees in the file, not Python's class."""
    if isinstance(value, str):
        return f"the text {excerpt(value, 60)!r}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    return reprlib.repr(value)
