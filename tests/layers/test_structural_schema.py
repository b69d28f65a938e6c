"""L1: an inline JSON Schema for the agent's own answer."""

from __future__ import annotations

import socket
import sys
from enum import Enum

import pytest

from pytest_jweval.errors import CaseError, MissingExtra
from pytest_jweval.records import Answer, Finding

SCHEMA = {
    "type": "object",
    "required": ["findings"],
    "properties": {
        "findings": {"type": "array", "items": {"required": ["score"]}},
        "status": {"enum": ["ok"]},
    },
}


class Status(Enum):
    OK = "ok"


def test_an_answer_as_the_schema_says_passes(judge):
    answer = {"findings": [{"text": "a", "score": 1}], "status": Status.OK}
    assert judge(answer, json_schema=SCHEMA).misses == ()


def test_each_place_that_differs_is_a_miss_at_its_line_of_the_schema(judge):
    answer = {"findings": [{"text": "a"}, {"text": "b", "score": 1}], "status": "bad"}
    ruling = judge(answer, json_schema=SCHEMA)
    assert ruling.reasons == (
        "answer.findings[0]: 'score' is a required property",
        "answer.status: 'bad' is not one of ['ok']",
    )
    assert [miss.key for miss in ruling.misses] == [
        ("expected", "json_schema", "properties", "findings", "items", "required"),
        ("expected", "json_schema", "properties", "status", "enum"),
    ]
    assert (ruling.misses[1].expected, ruling.misses[1].got) == (["ok"], "'bad'")


def test_many_differences_are_cut_and_counted(judge):
    ruling = judge({"findings": [{"text": "a"}] * 50}, json_schema=SCHEMA)
    assert len(ruling.reasons) == 11
    assert ruling.reasons[-1] == "… and 40 more places that are not as the schema says"


@pytest.mark.parametrize(
    ("answer", "schema"),
    [
        ("plain text", {"type": "string", "minLength": 5}),
        (["a", "b"], {"type": "array", "items": {"type": "string"}}),
        (Answer(findings=(Finding(text="a"),)), {"required": ["findings", "metadata"]}),
    ],
    ids=["text", "list", "our own Answer"],
)
def test_the_schema_is_of_the_answer_as_the_agent_gave_it(judge, answer, schema):
    assert judge(answer, json_schema=schema).misses == ()


def test_an_object_without_a_json_form_is_taken_as_it_was_read(judge):
    class Opaque:
        findings = ("a",)

    schema = {"properties": {"findings": {"items": {"required": ["text", "source", "url"]}}}}
    assert judge(Opaque(), json_schema={"type": "object", **schema}).misses == ()


@pytest.mark.parametrize(
    ("schema", "key", "reason"),
    [
        ({"type": "objekt"}, ("type",), "'objekt' is not valid under any of the given schemas"),
        ({"properties": {"a": {"minimum": "1"}}}, ("properties", "a", "minimum"), "'1' is not of type"),
        ({"$schema": "https://example.org/mine"}, ("$schema",), "unknown dialect 'https://example.org/mine'"),
        ({"$schema": 7}, ("$schema",), "unknown dialect 7"),
        (
            {"items": {"$ref": "#/$defs/gone"}},
            ("items", "$ref"),
            "the reference '#/$defs/gone' leads nowhere",
        ),
    ],
)
def test_a_schema_that_is_none_is_an_error_at_its_place(judge, schema, key, reason):
    with pytest.raises(CaseError) as caught:
        judge(["a"], json_schema=schema)
    (miss,) = caught.value.misses
    assert miss.reason.startswith(f"not a usable JSON Schema: {reason}")
    assert miss.key == ("expected", "json_schema", *key)


@pytest.mark.parametrize(
    "draft",
    [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    ],
)
def test_the_known_dialects_need_no_web(judge, draft, no_connection):
    assert judge(["a"], json_schema={"$schema": draft, "type": "array"}).misses == ()
    assert judge([{"source": "a"}], json_schema={"items": {"$ref": draft}}).misses == ()


@pytest.fixture
def no_connection(monkeypatch):
    """Every try to reach out is noted, and fails."""
    tries = []

    def reach(*args, **kwargs):
        tries.append(args)
        raise OSError("no connection here")

    monkeypatch.setattr(socket, "getaddrinfo", reach)
    monkeypatch.setattr(socket, "create_connection", reach)
    monkeypatch.setattr(socket.socket, "connect", reach)
    return tries


@pytest.mark.parametrize(
    "ref",
    [
        "http://127.0.0.1:9/s.json",
        "https://example.org/s.json",
        "file:///etc/passwd",
        "https://example.org/s.json#/$defs/a",
    ],
)
@pytest.mark.parametrize("keyword", ["$ref", "$dynamicRef"])
def test_a_reference_never_opens_a_connection(judge, no_connection, ref, keyword):
    with pytest.raises(CaseError, match="only what stands in the schema itself is looked up") as caught:
        judge(["a"], json_schema={"items": {keyword: ref}})
    assert caught.value.misses[0].key == ("expected", "json_schema", "items", keyword)
    assert no_connection == []


def test_a_reference_within_the_schema_is_followed(judge):
    schema = {"items": {"$ref": "#/$defs/short"}, "$defs": {"short": {"maxLength": 2}}}
    assert judge(["ab"], json_schema=schema).misses == ()
    assert judge(["abc"], json_schema=schema).reasons == ("answer[0]: 'abc' is too long",)


def test_without_the_extra_one_line_says_what_to_install(judge, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "jsonschema"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    with pytest.raises(MissingExtra) as caught:
        judge(["a"], json_schema={"type": "array"})
    assert str(caught.value) == ("expected.json_schema needs an extra: pip install 'pytest-jweval[schema]'")
