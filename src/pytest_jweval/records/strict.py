"""What every record has in common: frozen, strict, and errors in the author's words.

pydantic finds what is wrong; ``misses_of`` says it in the words of somebody who wrote a YAML file.
"""

import reprlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationError,
)
from pydantic_core import CoreSchema, ErrorDetails, PydanticCustomError, core_schema

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


@dataclass(frozen=True)
class OrText:
    """An annotation: a text alone stands for a mapping with only this key."""

    key: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self._spelled_out, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        whole = handler(schema)
        text = handler.resolve_ref_schema(whole)["properties"][self.key]
        explained = ("description", "examples")
        return {"anyOf": [{name: text[name] for name in text if name not in explained}, whole]}

    def _spelled_out(self, value: object) -> object:
        return {self.key: value} if isinstance(value, str) else value


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
    return tuple(_miss(detail, model, at) for detail in details if not _echoes(detail))


def _echoes(detail: ErrorDetails) -> bool:
    """Entries that were refused one by one also make their list too short, which is no news."""
    value = detail["input"]
    entries = len(value) if isinstance(value, list | tuple) else 0
    return detail["type"] == "too_short" and detail["ctx"]["actual_length"] < entries


def _miss(detail: ErrorDetails, model: type[BaseModel], at: tuple[str | int, ...]) -> Miss:
    given = detail["input"] is not None
    return Miss(
        reason=_in_words(detail, model, at),
        key=(*at, *detail["loc"]),
        expected=_WANTED.get(detail["type"]) if given else None,
    )


def _in_words(detail: ErrorDetails, model: type[BaseModel], at: tuple[str | int, ...]) -> str:
    kind, message, value = detail["type"], detail["msg"], detail["input"]
    key = dotted((*at, *detail["loc"]))
    last = str(detail["loc"][-1]) if detail["loc"] else ""
    if kind == "extra_forbidden":
        known = model.model_fields if len(detail["loc"]) == 1 else ()
        return f"unknown key {last!r}{suggestion(last, known)}"
    if kind == "missing":
        return f"{key!r} is missing"
    if value is None:
        return f"{key!r} has no value"
    if wanted := _WANTED.get(kind) or _bounded(message):
        return f"{key!r} must be {wanted}, not {_named(value)}"
    if kind in _EMPTY and not value:
        return f"{key!r} must not be empty"
    if kind == "value_error" or not key:
        return str(detail["ctx"]["error"]) if "ctx" in detail else message
    seen = "" if value == "" or isinstance(value, Mapping | list | tuple) else f", not {_named(value)}"
    return f"{key!r}: {message[0].lower()}{message[1:]}{seen}"


def _bounded(message: str) -> str:
    """``at least 1``, from pydantic's ``Input should be greater than or equal to 1``."""
    rest = message.removeprefix("Input should be ")
    if rest == message:
        return ""
    return rest.replace("greater than or equal to", "at least").replace("less than or equal to", "at most")


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
    # Through plain, because Python refuses to print an integer of thousands of digits.
    return reprlib.repr(plain(value) if isinstance(value, int) else value)
