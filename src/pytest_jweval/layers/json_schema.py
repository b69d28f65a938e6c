"""A JSON Schema as an expectation. The validator is an extra, imported when a case asks for it."""

from collections.abc import Iterator
from typing import Any

from pytest_jweval.errors import CaseError, MissingExtra
from pytest_jweval.records import Answer, Miss, plain
from pytest_jweval.texts import excerpt

_MOST_SHOWN = 10


def schema_misses(schema: dict[str, Any], answer: Answer) -> Iterator[Miss]:
    """A miss for each place where the answer, as the agent gave it, is not as the schema says."""
    try:
        from jsonschema.exceptions import SchemaError
        from jsonschema.validators import validator_for
    except ModuleNotFoundError:
        raise MissingExtra("expected.json_schema", "schema") from None
    validator = validator_for(schema)
    try:
        validator.check_schema(schema)
    except SchemaError as error:
        key = ("expected", "json_schema", *error.absolute_path)
        raise CaseError([Miss(reason=f"not a JSON Schema: {error.message}", key=key)]) from None
    found = sorted(validator(schema).iter_errors(_as_given(answer)), key=lambda wrong: wrong.json_path)
    for wrong in found[:_MOST_SHOWN]:
        where = wrong.json_path.replace("$", "answer", 1)
        yield Miss(
            reason=f"{where}: {excerpt(wrong.message)}",
            key=tuple(wrong.absolute_schema_path),
            expected=wrong.validator_value,
            got=excerpt(repr(wrong.instance)),
        )


def _as_given(answer: Answer) -> Any:
    """The agent's own shape where it has one that JSON knows, else the findings as they were read."""
    given = plain(answer.raw)
    if isinstance(given, dict | list) or isinstance(answer.raw, str):
        return given
    return plain(answer.model_dump())
