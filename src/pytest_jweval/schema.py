"""The JSON Schema of a case file, by which an editor completes, explains and checks what is typed.

It is made from the models that the loader checks with, and says what the loader says, as far as a JSON
Schema can: it sees one document and no sums, so an id that is taken and ``min_findings`` above
``max_findings`` stay the loader's.
"""

import json
from collections.abc import Mapping
from typing import Any, get_args
from urllib.parse import quote

from pydantic import BaseModel
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUserError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import ValidationError, core_schema

from pytest_jweval import defaults
from pytest_jweval.ports import Layer
from pytest_jweval.records import ID_PATTERN, Given, GoldenCase
from pytest_jweval.registry import Registry

_ID = {"pattern": f"^{ID_PATTERN.pattern}$"}
_ANYTHING: dict[str, Any] = {"type": "object"}
# Where a text belongs, the loader takes `607`, `2.50` and `true` for what the author wrote.
_TEXT = ["string", "number", "boolean"]


def case_schema(layers: Mapping[str, Layer] | None = None) -> dict[str, Any]:
    """A JSON Schema (draft 2020-12) of one case document; ``layers`` are those built in, if not given."""
    layers = built_in_layers() if layers is None else layers
    expected = {name: _expected(name, layer.schema) for name, layer in layers.items()}
    case = _case(layers, expected)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A golden case",
        "description": "One document of a case file of pytest-jweval: what to ask which agent, and how the "
        "answer is judged. A mapping with surface and conversation, and no layer, is a scenario.",
        "if": {"required": ["surface", "conversation"], "not": {"required": ["layer"]}},
        "then": {"$ref": "#/$defs/scenario"},
        "else": {"$ref": "#/$defs/case"},
        "$defs": {
            "case": case,
            "scenario": _scenario(case, expected),
            **{f"expected_{name}": schema for name, schema in expected.items() if schema != _ANYTHING},
        },
    }


def as_text(schema: dict[str, Any]) -> str:
    """Pure ASCII, so that it stays JSON on every terminal."""
    return json.dumps(schema, indent=2) + "\n"


def built_in_layers() -> Mapping[str, Layer]:
    registry = Registry()
    defaults.pytest_jweval_register(registry, None)
    return registry.layers


def _case(layers: Mapping[str, Layer], expected: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    schema = _of_model(GoldenCase, "case")
    schema["description"] = "What to ask which agent, and how the answer is judged."
    properties = schema["properties"]
    properties["id"] = {**properties["id"], **_ID, "type": ["string", "integer", "boolean"]}
    properties["layer"] = {**properties["layer"], "type": "string", "enum": sorted(layers)}
    properties["layer"].pop("minLength", None)
    rules = (_rule(name, layer, expected[name]) for name, layer in layers.items())
    return {**schema, "allOf": [rule for rule in rules if rule["then"]]}


def _rule(name: str, layer: Layer, expected: dict[str, Any]) -> dict[str, Any]:
    """What a case must have besides, once it says which layer judges it."""
    required = ["agent", "input"] if layer.needs_agent else []
    if not _accepts_nothing(layer.schema):
        required.append("expected")
    then: dict[str, Any] = {"required": required} if required else {}
    if expected != _ANYTHING:
        then["properties"] = {"expected": {"$ref": f"#/$defs/{_pointer(f'expected_{name}')}"}}
    return {"if": {"properties": {"layer": {"const": name}}, "required": ["layer"]}, "then": then}


def _accepts_nothing(model: type[BaseModel]) -> bool:
    try:
        model.model_validate({})
    except ValidationError:
        return False
    return True


def _expected(layer: str, model: type[BaseModel]) -> dict[str, Any]:
    try:
        schema = _of_model(model, f"expected_{layer}")
    except (PydanticInvalidForJsonSchema, PydanticUserError):
        return _ANYTHING  # a model that no JSON Schema can describe; the loader still checks with it
    if not schema.get("properties") and schema.get("additionalProperties") is True:
        return _ANYTHING
    if not _accepts_nothing(model):
        schema.setdefault("minProperties", 1)
    return schema


def _scenario(case: dict[str, Any], expected: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """A scenario stands in its file without id and layer; its name is its id."""
    known = expected.get("scenario", _ANYTHING)
    own = case["properties"]
    told = "Names the scenario in node ids, reports and baselines: letters, digits, _ and -; unique in a run."
    name = {
        **own["id"],
        "description": f"{told}\n\nExample: name: steady_voice",
        "examples": ["steady_voice"],
    }
    properties = {
        "name": name,
        "surface": {"description": "The prompt that is talked to, as pytest_jweval_prompt knows it."},
        "conversation": {"description": "The turns, in order."},
        **known.get("properties", {}),
    }
    for key, of_case in {"name": name, "agent": own["agent"], "tags": own["tags"]}.items():
        if key in properties or known.get("additionalProperties") is not False:
            properties[key] = {**properties.get(key, {}), **of_case}
    return {
        **known,
        "description": "A conversation, each turn of which is scored on its dimensions.",
        "properties": properties,
        "required": list(dict.fromkeys(["name", *known.get("required", ())])),
    }


def _of_model(model: type[BaseModel], at: str) -> dict[str, Any]:
    """A model's schema, to stand at ``$defs/<at>``; the models it is made of stand below it."""
    template = f"#/$defs/{_pointer(at)}/$defs/{{model}}"
    schema = model.model_json_schema(ref_template=template, schema_generator=_AsWritten)
    for part in (schema, *schema.get("$defs", {}).values()):
        part.pop("title", None)
        _explain(part)
    return schema


def _explain(schema: dict[str, Any]) -> None:
    """Descriptions as an editor shows them: with the line that an author would write."""
    if "description" in schema:
        schema["description"] = schema["description"].replace("``", "`")
    for name, part in schema.get("properties", {}).items():
        if part.get("examples"):
            example = json.dumps(part["examples"][0], ensure_ascii=False)
            bare = example.strip('"') if isinstance(part["examples"][0], str) else example
            part["description"] = f"{part.get('description', '')}\n\nExample: {name}: {bare}".strip()


def _pointer(name: str) -> str:
    return quote(name.replace("~", "~0").replace("/", "~1"))


class _AsWritten(GenerateJsonSchema):
    """pydantic's generator, for what an author writes rather than for what a model holds."""

    def function_before_schema(self, schema: core_schema.BeforeValidatorFunctionSchema) -> JsonSchemaValue:
        """A key that is `Given` may be left out, and has no other way to say nothing."""
        inner = schema["schema"]
        if schema["function"]["function"] is _REFUSES_NULL and inner["type"] == "nullable":
            return self.generate_inner(inner["schema"])
        return super().function_before_schema(schema)

    def str_schema(self, schema: core_schema.StringSchema) -> JsonSchemaValue:
        return {**super().str_schema(schema), "type": _TEXT}

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """An editor would offer `false` and empty lists as something to write."""
        described = super().default_schema(schema)
        if not described.get("default"):
            described.pop("default", None)
        return described

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:  # noqa: ARG002
        """Keys stay in the order in which a person would explain them."""
        return value

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002  # a key is its own title
        return False


_REFUSES_NULL = get_args(Given)[1].func
