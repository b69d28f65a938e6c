"""JSON and JSONL that can't be read: each is one problem, at its place."""

import time
from typing import Any

import pytest

# name: (what the file holds, a part of the message, line:column)
SAMPLES: dict[str, tuple[str | bytes, str, str]] = {
    "a word": ("hello", "hello is no JSON value (a text stands in double quotes)", "1:1"),
    "brace never closed": ('{"id": "a"', "expected ',' or '}'", "1:11"),
    "bracket never closed": ('{"id": ["a"', "expected ',' or ']'", "1:12"),
    "bracket closed by a brace": ('{"tags": ["a"}}', "expected ',' or ']'", "1:14"),
    "no comma": ('{\n "id": "a"\n "agent": "b"\n}', "expected ',' or '}'", "3:2"),
    "comma at the end of an object": ('{"id": "a",\n}', "expected a key in double quotes", "2:1"),
    "comma at the end of a list": ('{"tags": ["a", ]}', "expected a value", "1:16"),
    "comma first": ('{"tags": [, "a"]}', "expected a value", "1:11"),
    "no colon": ('{"id" "a"}', "expected ':'", "1:7"),
    "no value": ('{"id": }', "expected a value", "1:8"),
    "key without quotes": ("{id: 1}", "expected a key in double quotes", "1:2"),
    "single quotes": ("{'id': 'a'}", "expected a key in double quotes", "1:2"),
    "number as a key": ('{1: "a"}', "expected a key in double quotes", "1:2"),
    "comment": ('{\n  // the id\n  "id": "a"}', "expected a key in double quotes", "2:3"),
    "Python's words": ('{"id": True}', "True is no JSON value", "1:8"),
    "NaN": ('{"n": NaN}', "NaN is no JSON value", "1:7"),
    "infinity": ('{"n": -Infinity}', "expected a value", "1:7"),
    "plus sign": ('{"n": +1}', "expected a value", "1:7"),
    "leading zero": ('{"n": 01}', "expected ',' or '}'", "1:8"),
    "hexadecimal": ('{"n": 0x1F}', "expected ',' or '}'", "1:8"),
    "point without digits": ('{"n": 1.}', "expected ',' or '}'", "1:8"),
    "float too large": ('{"n": 1e999}', "1e999 is too large for a number", "1:7"),
    "quote never closed": ('{"id": "a}', "Unterminated string", "1:8"),
    "line end in a text": ('{"id": "a\nb"}', "Invalid control character", "1:10"),
    "tab in a text": ('{"id": "a\tb"}', "Invalid control character", "1:10"),
    "unknown escape": (r'{"id": "a\q"}', "Invalid \\escape", "1:10"),
    "escape cut short": (r'{"id": "\u12"}', "Invalid \\uXXXX escape", "1:10"),
    "first half of a surrogate pair": (r'{"id": "\ud83d"}', "half a surrogate pair", "1:8"),
    "second half of a surrogate pair": (r'{"id": "a\uDE00"}', "half a surrogate pair", "1:8"),
    "surrogate pair the wrong way round": (r'{"id": "\ude00\ud83d"}', "half a surrogate pair", "1:8"),
    "half a surrogate pair in a key": (r'{"a": 1, "\ud83d": 2}', "half a surrogate pair", "1:10"),
    "same key twice": ('{"id": "a",\n "id": "b"}', "the key 'id' stands here again (first in line 1)", "2:2"),
    "same key, others between": (
        '{\n"id": "a",\n"b": 1,\n"c": 2, "id": "b"}',
        "the key 'id' stands here again (first in line 2)",
        "4:9",
    ),
    "same key, once escaped": (r'{"id": "a", "\u0069d": "b"}', "the key 'id' stands here again", "1:13"),
    "same key below": ('{"input": {"q": 1,\n"q": 2}}', "'q' stands here again (first in line 1)", "2:1"),
    "two values": ('{"id": "a"}  {"id": "b"}', "nothing may follow the end of the value", "1:14"),
    "list of cases": ('\n [{"id": "a"}]', "not a list: several cases stand apart", "2:2"),
    "text": ('"hello"', "a case is a mapping with the keys", "1:1"),
    "null": ("null", "a case is a mapping with the keys", "1:1"),
    "NUL": (b'{"id": \x00}', "expected a value", "1:8"),
    "no-break space": ('{"id":\u00a01}', "expected a value", "1:7"),
    "Latin-1": ('{"id": "ñ"}'.encode("latin-1"), "the file is not UTF-8", "1:9"),
    "UTF-16": ('{"id": "a"}'.encode("utf-16"), "it looks like UTF-16", "1:1"),
    "empty": (b"", "the file holds no case", "1:1"),
    "blank": (b" \n\n", "the file holds no case", "1:1"),
}


@pytest.mark.parametrize(("data", "fragment", "at"), SAMPLES.values(), ids=SAMPLES)
def test_what_is_no_json_is_one_problem_at_its_place(data: Any, fragment: str, at: str, loaded: Any) -> None:
    began = time.process_time()
    (entry,) = loaded(data, "case.json")
    assert time.process_time() - began < 1
    (miss,) = entry.misses
    assert entry.case is None
    assert fragment in miss.reason
    assert f"{miss.line}:{miss.column}" == at


ONE_LINE = {
    name: sample for name, sample in SAMPLES.items() if isinstance(sample[0], str) and "\n" not in sample[0]
}


@pytest.mark.parametrize(("data", "fragment", "at"), ONE_LINE.values(), ids=ONE_LINE)
def test_a_line_of_jsonl_that_is_no_json_costs_only_itself(
    data: str, fragment: str, at: str, loaded: Any
) -> None:
    good = '{"id": "%s", "layer": "bench", "expected": {}}'
    first, bad, last = loaded("\n".join([good % "first", "", data, good % "last"]), "many.cases.jsonl")
    assert (first.case.id, first.source.line) == ("first", 1)
    assert (last.case.id, last.source.line) == ("last", 4)
    (miss,) = bad.misses
    assert fragment in miss.reason
    assert f"{miss.line}:{miss.column}" == at.replace("1:", "3:", 1)
