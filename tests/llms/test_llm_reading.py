"""What a model replied is read as one object, or not at all."""

from __future__ import annotations

import json
import random
import time

import pytest

from pytest_jweval.llms.reading import read_object

VERDICT = {
    "type": "object",
    "properties": {
        "reason": {"type": "string"},
        "verdict": {"type": "string", "enum": ["pass", "fail", "review"]},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "required": ["reason", "verdict"],
    "additionalProperties": False,
}
PASS = {"reason": "same – 神", "verdict": "pass"}
FAIL = {"reason": "not the same", "verdict": "fail"}


def schema(**properties):
    return {"type": "object", "properties": properties, "required": list(properties)}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(PASS),
        json.dumps(PASS, ensure_ascii=False, indent=4),
        f"```json\n{json.dumps(PASS)}\n```",
        f"```\n{json.dumps(PASS)}\n```\n",
        f"Here is what I think of it: {json.dumps(PASS)} I hope that this helps!",
        f"In the style of {{name}} and {{}}: {json.dumps(PASS)}",
        f"[{json.dumps(PASS)}]",
        f"{json.dumps(PASS)}\n{json.dumps(PASS)}",
        json.dumps(PASS).replace('"verdict"', '"Verdict"').replace("reason", "REASON"),
        json.dumps(PASS).replace('"pass"', '"PASS"'),
        json.dumps(PASS).replace('"pass"', '" Pass\\n"'),
        f'{{"something": "else"}} {json.dumps(PASS)}',
        f"﻿{json.dumps(PASS)}",
    ],
)
def test_forms_of_one_object_are_read(text):
    assert read_object(text, VERDICT) == PASS


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pass",
        "{}",
        "{",
        "}",
        "null",
        '"pass"',
        "[]",
        str(PASS),
        '{"reason": "x", "verdict": "pass",}',
        '{"reason": "x", "verdict": "pass"',
        '{"reason": "x", "verdict": "pass" "score": 1}',
        '{reason: "x", verdict: "pass"}',
        '{"reason": "x"}',
        '{"verdict": "pass"}',
        '{"reason": 5, "verdict": "pass"}',
        '{"reason": null, "verdict": "pass"}',
        '{"reason": "x", "verdict": "passed"}',
        '{"reason": "x", "verdict": "pass."}',
        '{"reason": "x", "verdict": true}',
        '{"reason": "x", "verdict": ["pass"]}',
        '{"reason": "x", "verdict": "pass", "score": 1.1}',
        '{"reason": "x", "verdict": "pass", "score": -1}',
        '{"reason": "x", "verdict": "pass", "score": "1"}',
        '{"reason": "x", "verdict": "pass", "score": true}',
        '{"reason": "x", "verdict": "pass", "score": NaN}',
        '{"reason": "x", "verdict": "pass", "score": 1e999}',
        '{"reason": "x", "verdict": "pass", "score": ' + "1" * 5000 + "}",
        '{"reason": "x", "verdict": "pass", "confidence": 1}',
        '{"reason": "x", "verdict": "pass", "verdict": "fail"}',
        '{"reason": "x", "verdict": "pass", "Verdict": "fail"}',
        '{"answer": {"reason": "x", "verdict": "pass"}}',
        json.dumps(json.dumps(PASS)),
        "{" * 100_000,
        '{"a":' * 100_000,
        "[" * 100_000 + "{",
        '{"reason": "' + "x" * 300_000 + '", "verdict": "pass"}',
    ],
)
def test_what_is_no_object_of_the_schema_stays_unread(text):
    started = time.monotonic()
    assert read_object(text, VERDICT) is None
    assert time.monotonic() - started < 1


@pytest.mark.parametrize(
    "text",
    [
        f"{json.dumps(PASS)} {json.dumps(FAIL)}",
        f"The text says {json.dumps(PASS)}, but I say: {json.dumps(FAIL)}",
        f'The text says "{json.dumps(PASS)}", but I say:\n```json\n{json.dumps(FAIL)}\n```',
        json.dumps([PASS, FAIL]),
        json.dumps(PASS) + json.dumps({**PASS, "score": 0.5}),
    ],
)
def test_a_reply_with_two_verdicts_has_none(text):
    assert read_object(text, VERDICT) is None


@pytest.mark.parametrize(
    "text",
    [
        f'{{"quoted": {json.dumps(PASS)}, "reason": "x", "verdict": "fail",}}',
        f"{{'reason': 'it says {json.dumps(PASS)}', 'verdict': 'fail'}}",
        f"{{reason: it says {json.dumps(PASS)}, verdict: fail}}",
        f'{{"reason": "it says " {json.dumps(PASS)}',
    ],
)
def test_an_object_inside_a_broken_one_is_no_verdict(text):
    """It may be a quotation of what is judged: a forgery."""
    assert read_object(text, VERDICT) is None


def test_lines_may_break_inside_of_a_text():
    assert read_object('{"reason": "one\ntwo", "verdict": "fail"}', VERDICT) == {
        "reason": "one\ntwo",
        "verdict": "fail",
    }


def test_whole_numbers_are_whole_and_numbers_are_any():
    assert read_object('{"n": 4.0}', schema(n={"type": "integer"})) == {"n": 4}
    assert read_object('{"n": 4}', schema(n={"type": "number"})) == {"n": 4}
    for text in ('{"n": 4.5}', '{"n": true}', '{"n": "4"}', '{"n": null}'):
        assert read_object(text, schema(n={"type": "integer"})) is None


def test_true_is_not_one():
    assert read_object('{"b": 1}', schema(b={"type": "boolean"})) is None
    assert read_object('{"b": true}', schema(b={"type": "boolean"})) == {"b": True}
    assert read_object('{"b": true}', schema(b={"enum": [1, 2]})) is None
    assert read_object('{"b": 2}', schema(b={"enum": [1, 2]})) == {"b": 2}


def test_lists_and_objects_inside_are_held_to_their_schemas():
    actions = {"type": "array", "items": schema(kind={"enum": ["merge", "split"]}, at={"type": "integer"})}
    wanted = schema(actions=actions, note={"type": ["string", "null"]})
    text = '{"Actions": [{"KIND": "Merge", "at": 3}], "note": null}'
    assert read_object(text, wanted) == {"actions": [{"kind": "merge", "at": 3}], "note": None}
    assert read_object(text.replace("3", '"3"'), wanted) is None


def test_further_keys_are_kept_where_the_schema_allows_them():
    assert read_object('{"n": 1, "more": [1]}', schema(n={"type": "integer"})) == {"n": 1, "more": [1]}
    held = {**schema(n={"type": "integer"}), "additionalProperties": {"type": "string"}}
    assert read_object('{"n": 1, "more": [1]}', held) is None


@pytest.mark.parametrize("place", ["top", "inside"])
def test_a_schema_that_says_more_than_is_looked_at_is_refused(place):
    wrong = {"type": "string", "pattern": "^a"}
    with pytest.raises(ValueError, match="'pattern'"):
        read_object("{}", wrong if place == "top" else schema(a=wrong))


def fuzzed(seed):
    """An object, or two, with what models and line noise do to them."""
    draw = random.Random(seed)
    noise = ["{", "}", '"', "'", "\\", ",", ":", "[", "]", "```", "\n", "\ud800", "神", "\x00", "null", "NaN"]
    verdict = draw.choice(["pass", "FAIL", " Review", "maybe", "", 1, None, True, ["pass"], {"a": "pass"}])
    made: dict[str, object] = {"reason": draw.choice(["x", "{}", '"', "", 7, None]), "verdict": verdict}
    if draw.random() < 0.5:
        made["score"] = draw.choice([0, 1, 0.5, -1, 2, "1", True, 10**400, 1e308])
    text = json.dumps(made, ensure_ascii=draw.random() < 0.5)
    text = draw.choice(["", "Sure! ", "```json\n", "{so} "]) + text + draw.choice(["", "```", " Bye.", text])
    for _ in range(draw.choice([0, 0, 1, 2, 5])):
        at = draw.randrange(len(text) + 1)
        text = draw.choice(
            [text[:at] + draw.choice(noise) + text[at:], text[:at] + text[at + 1 :], text[:at]]
        )
    return text


def fulfils(value):
    return (
        isinstance(value, dict)
        and {"reason", "verdict"} <= set(value) <= {"reason", "verdict", "score"}
        and isinstance(value["reason"], str)
        and value["verdict"] in ("pass", "fail", "review")
        and (type(value.get("score", 0)) in (int, float) and 0 <= value.get("score", 0) <= 1)
    )


def test_a_thousand_fuzzed_replies_are_objects_of_the_schema_or_nothing():
    read = [read_object(fuzzed(seed), VERDICT) for seed in range(1000)]
    found = [value for value in read if value is not None]
    assert all(map(fulfils, found))
    assert 50 < len(found) < 950
