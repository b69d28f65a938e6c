import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ConfigDict, InstanceOf

from pytest_jweval.loader import load, yaml_text
from pytest_jweval.paths import case_files
from pytest_jweval.records import Given, Listed, Record, Text
from pytest_jweval.registry import Registry
from pytest_jweval.schema import as_text, built_in_layers, case_schema

REPOSITORY = Path(__file__).parents[1]
GOLDEN = REPOSITORY / "golden"
SHIPPED = GOLDEN / "case.schema.json"

VALIDATOR = Draft202012Validator(case_schema())

START = {
    "id": "l1_one",
    "agent": "apologetics",
    "layer": "l1",
    "input": {"question": "?"},
    "expected": {"min_findings": 1},
}


def read(text):
    return [document.value()[0] for document in yaml_text.documents(text)]


def is_valid(data):
    return VALIDATOR.is_valid(data)


def loads(tmp_path, text, layers=None):
    path = tmp_path / "case.yaml"
    path.write_text(text, encoding="utf-8")
    entries = load(path, "case.yaml", built_in_layers() if layers is None else layers)
    return all(entry.case is not None for entry in entries)


def test_the_shipped_schema_is_the_one_that_is_generated():
    assert SHIPPED.read_text(encoding="utf-8") == as_text(case_schema()), (
        "refresh it with: jweval schema --out golden/case.schema.json"
    )


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(case_schema())


def yaml_cases():
    return [path for path in case_files(GOLDEN) if path.suffix in (".yaml", ".yml")]


def test_there_are_shipped_cases_to_check():
    assert len(yaml_cases()) >= 12


@pytest.mark.parametrize("path", yaml_cases(), ids=lambda path: path.name)
def test_every_shipped_case_is_valid(path):
    for data in read(path.read_text(encoding="utf-8")):
        assert [error.message for error in VALIDATOR.iter_errors(data)] == []


@pytest.mark.parametrize("path", yaml_cases(), ids=lambda path: path.name)
def test_every_shipped_case_tells_the_editor_where_the_schema_is(path):
    first = path.read_text(encoding="utf-8").splitlines()[0]
    modeline, _, target = first.partition("$schema=")
    assert modeline == "# yaml-language-server: "
    assert (path.parent / target).resolve() == SHIPPED


L1 = "id: a\nagent: b\nlayer: l1\ninput: {q: x}\n"

RIGHT = {
    "the smallest case": f"{L1}expected: {{min_findings: 1}}",
    "every key": f"""{L1}expected:
  min_findings: 1
  max_findings: 3
  must_have_source: topic_index
  sources_in_order: [topic_index]
  must_have_citation: true
  must_have_url: false
  forbidden_keywords_in_findings: [x]
  required_keywords_any: [x, y]
  max_duration_ms: 1
  json_schema: {{type: array}}
metadata: {{added_at: 2026-05-30}}
tags: [a]
marks: [slow]
must_pass: true
samples: 5
pass_at_least: 4
""",
    "an id of digits": "id: 607\nagent: b\nlayer: l1\ninput: {}\nexpected: {min_findings: 1}",
    "an agent named by a number": "id: a\nagent: 607\nlayer: l1\ninput: {}\nexpected: {min_findings: 1}",
    "a number as a text": f"{L1}expected: {{must_have_source: 2.50}}",
    "numbers and words as texts": f"{L1}expected: {{required_keywords_any: [1914, 1.5, true, no]}}",
    "numbers as tags": f"{L1}expected: {{min_findings: 1}}\ntags: [2026, 1.5]",
    "an empty input": "id: a\nagent: b\nlayer: l1\ninput: {}\nexpected: {min_findings: 1}",
    "no tags": f"{L1}expected: {{min_findings: 1}}\ntags: []",
    "null inside what is free": f"{L1}expected: {{min_findings: 1}}\nmetadata: {{why: ~}}",
    "a layer to come, with anything expected": "id: a\nlayer: bench\nexpected: {support: [x], y: {z: 1}}",
    "a layer to come, with nothing expected": "id: a\nlayer: bench",
    "a scenario": "name: voice\nsurface: advisor\nconversation: [{user: hello}]\ntags: [x]",
    "a scenario with its own keys": "name: voice\nsurface: a\nconversation: []\ndimensionConfig: {x: 1}",
    "a scenario with a number for a name": "name: 607\nsurface: advisor\nconversation: []",
    "a scenario with an agent": "name: voice\nsurface: a\nconversation: []\nagent: 607",
    "a scenario under a layer": "id: a\nlayer: scenario\nexpected: {surface: a, conversation: []}",
}

WRONG = {
    "no id": "agent: b\nlayer: l1\ninput: {}\nexpected: {min_findings: 1}",
    "no layer": "id: a\nagent: b\ninput: {}\nexpected: {min_findings: 1}",
    "no agent": "id: a\nlayer: l1\ninput: {}\nexpected: {min_findings: 1}",
    "no input": "id: a\nagent: b\nlayer: l1\nexpected: {min_findings: 1}",
    "nothing expected": "id: a\nagent: b\nlayer: l1\ninput: {}",
    "an empty expectation": f"{L1}expected: {{}}",
    "a misspelt key": f"{L1}expcted: {{min_findings: 1}}",
    "a misspelt key besides": f"{L1}expected: {{min_findings: 1}}\ntag: [x]",
    "a misspelt expectation": f"{L1}expected: {{min_finding: 1}}",
    "an expectation of another layer": f"{L1}expected: {{golden_answer: x}}",
    "an expectation at the top": f"{L1}min_findings: 1",
    "an unknown layer": "id: a\nagent: b\nlayer: l11\ninput: {}\nexpected: {min_findings: 1}",
    "an empty layer": "id: a\nagent: b\nlayer: ''\ninput: {}\nexpected: {min_findings: 1}",
    "a layer without a value": "id: a\nagent: b\nlayer:\ninput: {}\nexpected: {min_findings: 1}",
    "an id with a space": "id: a b\nagent: b\nlayer: l1\ninput: {}\nexpected: {min_findings: 1}",
    "an id with an accent": "id: año\nagent: b\nlayer: l1\ninput: {}\nexpected: {min_findings: 1}",
    "an id with a dot": "id: a.b\nagent: b\nlayer: l1\ninput: {}\nexpected: {min_findings: 1}",
    "an empty id": "id: ''\nagent: b\nlayer: l1\ninput: {}\nexpected: {min_findings: 1}",
    "an id with a fraction": "id: 1.5\nagent: b\nlayer: l1\ninput: {}\nexpected: {min_findings: 1}",
    "an id that is a list": "id: [a]\nagent: b\nlayer: l1\ninput: {}\nexpected: {min_findings: 1}",
    "an id without a value": "id:\nagent: b\nlayer: l1\ninput: {}\nexpected: {min_findings: 1}",
    "an agent without a value": "id: a\nagent:\nlayer: l1\ninput: {}\nexpected: {min_findings: 1}",
    "an empty agent": "id: a\nagent: ''\nlayer: l1\ninput: {}\nexpected: {min_findings: 1}",
    "an agent that is a list": "id: a\nagent: [b]\nlayer: l1\ninput: {}\nexpected: {min_findings: 1}",
    "an input that is a text": "id: a\nagent: b\nlayer: l1\ninput: x\nexpected: {min_findings: 1}",
    "an input that is a list": "id: a\nagent: b\nlayer: l1\ninput: [x]\nexpected: {min_findings: 1}",
    "an input without a value": "id: a\nagent: b\nlayer: l1\ninput:\nexpected: {min_findings: 1}",
    "an expectation that is a list": f"{L1}expected: [min_findings]",
    "a count that is a text": f"{L1}expected: {{min_findings: three}}",
    "a count in quotes": f"{L1}expected: {{min_findings: '3'}}",
    "a count with a fraction": f"{L1}expected: {{min_findings: 1.5}}",
    "a count below nothing": f"{L1}expected: {{min_findings: -1}}",
    "a count that is true": f"{L1}expected: {{min_findings: true}}",
    "a count without a value": f"{L1}expected: {{min_findings: ~}}",
    "no time at all": f"{L1}expected: {{max_duration_ms: 0}}",
    "a source that is a list": f"{L1}expected: {{must_have_source: [x]}}",
    "an empty source": f"{L1}expected: {{must_have_source: ''}}",
    "a text where a list belongs": f"{L1}expected: {{sources_in_order: topic_index}}",
    "an empty list": f"{L1}expected: {{forbidden_keywords_in_findings: []}}",
    "a list with an empty text": f"{L1}expected: {{required_keywords_any: ['']}}",
    "a list with a mapping": f"{L1}expected: {{required_keywords_any: [{{a: b}}]}}",
    "a list with no value": f"{L1}expected: {{required_keywords_any: [~]}}",
    "yes for true": f"{L1}expected: {{must_have_citation: yes}}",
    "one for true": f"{L1}expected: {{must_have_url: 1}}",
    "a JSON schema that is a text": f"{L1}expected: {{json_schema: object}}",
    "no samples": f"{L1}expected: {{min_findings: 1}}\nsamples: 0",
    "samples in words": f"{L1}expected: {{min_findings: 1}}\nsamples: five",
    "none of the samples": f"{L1}expected: {{min_findings: 1}}\npass_at_least: 0",
    "tags as a text": f"{L1}expected: {{min_findings: 1}}\ntags: doctrine",
    "marks as a mapping": f"{L1}expected: {{min_findings: 1}}\nmarks: {{slow: true}}",
    "metadata as a text": f"{L1}expected: {{min_findings: 1}}\nmetadata: x",
    "a case in a list": "- id: a\n  layer: bench",
    "a text": "id",
    "a scenario without a name": "surface: advisor\nconversation: []",
    "a scenario with a bad name": "name: my voice\nsurface: advisor\nconversation: []",
    "a scenario with a fraction for a name": "name: 6.5\nsurface: advisor\nconversation: []",
    "a scenario with tags as a text": "name: voice\nsurface: advisor\nconversation: []\ntags: slow",
    "a scenario with an empty agent": "name: voice\nsurface: advisor\nconversation: []\nagent: ''",
    "a blank keyword": f"{L1}expected: {{required_keywords_any: [' ']}}",
    "a JSON schema that asks nothing": f"{L1}expected: {{json_schema: {{}}}}",
    "half a scenario": "name: voice\nsurface: advisor",
    "a scenario with a layer": "name: voice\nsurface: advisor\nconversation: []\nlayer: scenario",
}


def test_there_are_enough_wrong_cases():
    assert len(WRONG) >= 30


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT.keys())
def test_what_the_loader_takes_is_valid(tmp_path, text):
    assert loads(tmp_path, text)
    assert [error.message for error in VALIDATOR.iter_errors(read(text)[0])] == []


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG.keys())
def test_what_the_loader_refuses_is_not_valid(tmp_path, text):
    assert not loads(tmp_path, text)
    assert not is_valid(read(text)[0])


VALUES = [None, "", "x", "año", 0, 1, -1, 607, 1.5, True, False, [], ["x"], [""], [None], [1], {}, {"a": 1}]
TOP = {
    **START,
    "metadata": {},
    "tags": ["x"],
    "marks": ["y"],
    "must_pass": True,
    "samples": 5,
    "pass_at_least": 1,
}
INSIDE = {
    "min_findings": 1,
    "max_findings": 700,
    "must_have_source": "x",
    "sources_in_order": ["x"],
    "must_have_citation": True,
    "must_have_url": True,
    "forbidden_keywords_in_findings": ["y"],
    "required_keywords_any": ["x"],
    "max_duration_ms": 1,
    "json_schema": {"type": "array"},
}
# A JSON Schema can't compare one key with another.
SUMS = {("max_findings", "0"), ("forbidden_keywords_in_findings", "['x']"), ("pass_at_least", "607")}


def changed_at_the_top():
    for key in (*TOP, "unknown"):
        for value in VALUES:
            yield key, value, {**TOP, key: value}
        yield key, "left out", {name: value for name, value in TOP.items() if name != key}


def changed_below_expected():
    for key in (*INSIDE, "unknown"):
        for value in VALUES:
            yield key, value, {**TOP, "expected": {**INSIDE, key: value}}


@pytest.mark.parametrize("changes", [changed_at_the_top, changed_below_expected])
def test_schema_and_loader_agree_on_every_value_of_every_key(tmp_path, changes):
    disagreed = [
        f"{key}: {value!r} (loader: {loads(tmp_path, json.dumps(data))}, schema: {is_valid(data)})"
        for key, value, data in changes()
        if (key, str(value)) not in SUMS and loads(tmp_path, json.dumps(data)) != is_valid(data)
    ]
    assert disagreed == []


DIFFERENCES = {
    "a JSON Schema can't compare one key with another": f"{L1}expected: {{min_findings: 3, max_findings: 2}}",
    "nor a number of samples with another": f"{L1}expected: {{min_findings: 1}}\npass_at_least: 2",
    "to JSON Schema 5.0 is a whole number": f"{L1}expected: {{min_findings: 5.0}}",
    "to JSON Schema an id of 5.0 is 5": "id: 5.0\nlayer: bench",
    "an expectation that can't fail has a key all the same": f"{L1}expected: {{must_have_citation: false}}",
    "and so has another": f"{L1}expected: {{min_findings: 0}}",
}


@pytest.mark.parametrize("text", DIFFERENCES.values(), ids=DIFFERENCES.keys())
def test_the_loader_refuses_more_than_a_schema_can(tmp_path, text):
    assert not loads(tmp_path, text)
    assert is_valid(read(text)[0])


def test_an_error_below_expected_is_found_at_its_own_key():
    data = {**START, "expected": {"min_findings": "three"}}
    assert [list(error.absolute_path) for error in VALIDATOR.iter_errors(data)] == [
        ["expected", "min_findings"]
    ]


def properties():
    defs = case_schema()["$defs"]
    return [
        (place, name, schema)
        for place in ("case", "expected_l1")
        for name, schema in defs[place]["properties"].items()
    ]


@pytest.mark.parametrize(("place", "name", "schema"), properties(), ids=lambda part: str(part)[:40])
def test_every_key_is_explained_with_an_example_that_works(tmp_path, place, name, schema):
    words, _, example = schema["description"].partition("\n\nExample: ")
    assert len(words.split()) >= 4
    assert example.startswith(f"{name}: ")
    written = read(example)[0]
    assert written == {name: schema["examples"][0]}
    others = {"samples": 5} if name == "pass_at_least" else {}
    data = {**START, **others, **written} if place == "case" else {**START, "expected": written}
    assert is_valid(data)
    assert loads(tmp_path, json.dumps(data))


def test_no_key_may_be_left_empty():
    assert '"null"' not in as_text(case_schema())


def test_the_layers_are_offered():
    assert case_schema()["$defs"]["case"]["properties"]["layer"]["enum"] == sorted(built_in_layers())


class Tone(Record):
    tone: Text
    at_most: Given[Listed[int]] = None
    perhaps: str | None = None


def layers_with(name, schema, needs_agent=True):
    registry = Registry()
    registry.layers[name] = type("Own", (), {"name": name, "schema": schema, "needs_agent": needs_agent})
    for built_in, layer in built_in_layers().items():
        registry.layers[built_in] = layer
    return registry.layers


@pytest.mark.parametrize(
    ("expected", "right"),
    [
        ({"tone": "warm"}, True),
        ({"tone": 7, "at_most": [1]}, True),
        ({"tone": "warm", "perhaps": None}, True),
        ({}, False),
        ({"tone": ""}, False),
        ({"tone": "warm", "at_most": []}, False),
        ({"tone": "warm", "at_most": None}, False),
        ({"tone": "warm", "of": "voice"}, False),
    ],
)
def test_a_layer_of_the_project_is_checked_key_by_key(tmp_path, expected, right):
    layers = layers_with("l4", Tone)
    data = {**START, "layer": "l4", "expected": expected}
    assert Draft202012Validator(case_schema(layers)).is_valid(data) is right
    assert loads(tmp_path, json.dumps(data), layers) is right


def test_a_layer_that_asks_no_agent_needs_neither_agent_nor_input():
    validator = Draft202012Validator(case_schema(layers_with("l4", Tone, needs_agent=False)))
    assert validator.is_valid({"id": "a", "layer": "l4", "expected": {"tone": "warm"}})
    assert not validator.is_valid({"id": "a", "layer": "l4"})


class Nested(Record):
    inner: Tone


@pytest.mark.parametrize("name", ["l4", "a/b ~c%"])
def test_models_inside_models_are_found_under_every_name(name):
    validator = Draft202012Validator(case_schema(layers_with(name, Nested)))
    assert validator.is_valid({**START, "layer": name, "expected": {"inner": {"tone": "warm"}}})
    assert not validator.is_valid({**START, "layer": name, "expected": {"inner": {"tone": []}}})


class Undescribable(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    what: InstanceOf[Registry] | None = None


def test_a_layer_that_no_json_schema_can_describe_accepts_anything():
    validator = Draft202012Validator(case_schema(layers_with("l4", Undescribable)))
    assert validator.is_valid({**START, "layer": "l4", "expected": {"whatever": [1]}})
    assert not validator.is_valid({**START, "expected": {"whatever": [1]}})


class Conversation(Record):
    name: Text
    surface: Text
    conversation: Listed[Text]
    user: str


def test_a_scenario_is_checked_by_its_layer_once_that_has_a_model():
    registry = Registry()
    registry.layers["scenario"] = type(
        "Own", (), {"name": "scenario", "schema": Conversation, "needs_agent": False}
    )
    validator = Draft202012Validator(case_schema(registry.layers))
    scenario = {"name": "a", "surface": "b", "conversation": ["c"], "user": "d"}
    assert validator.is_valid(scenario)
    assert not validator.is_valid({**scenario, "user": []})
    assert not validator.is_valid({**scenario, "name": "not an id"})
    assert not validator.is_valid({key: value for key, value in scenario.items() if key != "user"})
    assert not validator.is_valid({**scenario, "usr": "x"})
