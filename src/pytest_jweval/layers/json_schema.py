"""A JSON Schema as an expectation. The validator is an extra, imported when a case asks for it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pytest_jweval.errors import CaseError, MissingExtra
from pytest_jweval.records import Answer, Miss, plain
from pytest_jweval.texts import excerpt

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

_MOST_SHOWN = 10
Key = tuple[str | int, ...]


def schema_misses(schema: dict[str, Any], answer: Answer) -> Iterator[Miss]:
    """A miss for each place where the answer, as the agent gave it, is not as the schema says."""
    validator = _validator(schema)
    from referencing.exceptions import Unresolvable

    try:
        found = sorted(validator.iter_errors(_as_given(answer)), key=lambda wrong: wrong.json_path)
    except Unresolvable as error:
        # The error names a pointer without its "#", and not the place that it was written at.
        written = ((key, ref) for key, ref in _references(schema) if ref.endswith(error.ref))
        key, ref = next(written, ((), error.ref))
        reason = f"the reference {ref!r} leads nowhere: only what stands in the schema itself is looked up"
        raise _bad_schema(reason, key) from None
    for wrong in found[:_MOST_SHOWN]:
        where = wrong.json_path.replace("$", "answer", 1)
        yield Miss(
            reason=f"{where}: {excerpt(wrong.message)}",
            key=tuple(wrong.absolute_schema_path),
            expected=wrong.validator_value,
            got=excerpt(repr(wrong.instance)),
        )
    if len(found) > _MOST_SHOWN:
        yield Miss(reason=f"… and {len(found) - _MOST_SHOWN} more places that are not as the schema says")


def _validator(schema: dict[str, Any]) -> Any:
    try:
        from jsonschema.exceptions import SchemaError
        from jsonschema.validators import Draft202012Validator, validator_for
        from referencing import Registry
    except ModuleNotFoundError:
        raise MissingExtra("expected.json_schema", "schema") from None
    dialect = schema.get("$schema")
    kind: type[Validator] | None = Draft202012Validator if dialect is None else None
    if isinstance(dialect, str):
        kind = validator_for(schema, default=None)  # type: ignore[arg-type]  # None, and not a guess
    if kind is None:
        raise _bad_schema(f"unknown dialect {dialect!r}", ("$schema",))
    try:
        kind.check_schema(schema)
    except SchemaError as error:
        raise _bad_schema(error.message, tuple(error.absolute_path)) from None
    # A registry of our own, because the default one fetches whatever a `$ref` names from the web.
    return kind(schema, registry=Registry())


def _bad_schema(reason: str, key: Key) -> CaseError:
    return CaseError(
        [Miss(reason=f"not a usable JSON Schema: {reason}", key=("expected", "json_schema", *key))]
    )


def _references(part: object, key: Key = ()) -> Iterator[tuple[Key, str]]:
    items: Any = enumerate(part) if isinstance(part, list) else part.items() if isinstance(part, dict) else ()
    for name, value in items:
        if name in ("$ref", "$dynamicRef") and isinstance(value, str):
            yield (*key, name), value
        yield from _references(value, (*key, name))


def _as_given(answer: Answer) -> Any:
    """The agent's own shape where it has one that JSON knows, else the findings as they were read."""
    given = plain(answer.raw)
    if isinstance(given, dict | list) or isinstance(answer.raw, str):
        return given
    return plain(answer.model_dump())
