"""Documents that can be read, but are no cases that can be run: everything wrong with them, in the
order of the file, each thing at its own place and in words that say what to write."""

import json
from typing import Any

import pytest

HEAD = "id: a\nagent: x\nlayer: l1\ninput: {q: 1}\n"
GOOD = HEAD + "expected: {min_findings: 1}\n"
ALPHABET = "an id is made of A-Z, a-z, 0-9, _ and - (so that -k and node ids can name it)"

# name: (the document, its problems as line:column: words)
SAMPLES: dict[str, tuple[str, list[str]]] = {
    "misspelt key": (
        GOOD.replace("agent", "agnet"),
        [
            "1:1: 'agent' is missing (layer l1 asks an agent)",
            "2:1: unknown key 'agnet' (did you mean 'agent'?)",
        ],
    ),
    "misspelt key below": (
        HEAD + "expected:\n  min_finding: 3\n  min_findings: 3\n",
        ["6:3: unknown key 'min_finding' (did you mean 'min_findings'?)"],
    ),
    "unknown layer": (
        GOOD.replace("l1", "l11"),
        ["3:1: unknown layer 'l11' (did you mean 'l1'?)"],
    ),
    "unknown layer and a wrong type": (
        GOOD.replace("l1", "l11") + "samples: many\n",
        [
            "3:1: unknown layer 'l11' (did you mean 'l1'?)",
            "6:1: 'samples' must be a whole number, not the text 'many'",
        ],
    ),
    "no layer": (GOOD.replace("layer: l1\n", ""), ["1:1: 'layer' is missing"]),
    "no id": (GOOD.replace("id: a\n", ""), ["1:1: 'id' is missing"]),
    "nothing an agent could be asked": (
        "--- {id: a, layer: l1, expected: {min_findings: 1}}",
        [
            "1:6: 'agent' is missing (layer l1 asks an agent)",
            "1:6: 'input' is missing (layer l1 asks an agent)",
        ],
    ),
    "no value": (
        "id: ~\nagent:\nlayer: l1\ninput:\nexpected:\ntags:\n",
        [
            "1:1: 'id' has no value",
            "2:1: 'agent' has no value",
            "4:1: 'input' has no value",
            "5:1: 'expected' has no value",
            "6:1: 'tags' has no value",
        ],
    ),
    "no value below": (HEAD + "expected: {min_findings: }\n", ["5:12: 'expected.min_findings' has no value"]),
    "no value among texts": (
        HEAD + "expected:\n  required_keywords_any: [a, null, ~, b,\n    ]\n  max_findings: ~\n",
        [
            "6:30: 'expected.required_keywords_any[1]' has no value",
            "6:36: 'expected.required_keywords_any[2]' has no value",
            "8:3: 'expected.max_findings' has no value",
        ],
    ),
    "nothing but null among texts": (
        HEAD + "expected: {required_keywords_any: [null]}\n",
        ["5:36: 'expected.required_keywords_any[0]' has no value"],
    ),
    "empty texts and lists": (
        "id: ''\nagent: ''\nlayer: l1\ninput: {}\nexpected: {sources_in_order: []}\n",
        [
            f"1:1: 'id': {ALPHABET}",
            "2:1: 'agent' must not be empty",
            "5:12: 'expected.sources_in_order' must not be empty",
        ],
    ),
    "words for numbers": (
        HEAD + "samples: three\nexpected: {min_findings: yes, max_findings: '3'}\n",
        [
            "5:1: 'samples' must be a whole number, not the text 'three'",
            "6:12: 'expected.min_findings' must be a whole number, not the text 'yes'",
            "6:31: 'expected.max_findings' must be a whole number, not the text '3'",
        ],
    ),
    "truth for numbers and numbers for truth": (
        GOOD + "samples: true\nmust_pass: 1\n",
        ["6:1: 'samples' must be a whole number, not true", "7:1: 'must_pass' must be true or false, not 1"],
    ),
    "YAML 1.1's words for truth": (
        GOOD + "must_pass: yes\n",
        ["6:1: 'must_pass' must be true or false, not the text 'yes'"],
    ),
    "half a number": (GOOD + "samples: 1.5\n", ["6:1: 'samples' must be a whole number, not 1.5"]),
    "numbers out of bounds": (
        HEAD + "samples: 0\nexpected: {min_findings: -1, max_duration_ms: 0}\n",
        [
            "5:1: 'samples' must be at least 1, not 0",
            "6:12: 'expected.min_findings' must be at least 0, not -1",
            "6:30: 'expected.max_duration_ms' must be greater than 0, not 0",
        ],
    ),
    "more passes than samples": (
        GOOD + "samples: 3\npass_at_least: 4\n",
        ["7:1: 'pass_at_least': it must lie between 1 and samples (3), not 4"],
    ),
    "text for a list": (
        HEAD + "tags: doctrine\nexpected: {sources_in_order: topic_index}\n",
        [
            "5:1: 'tags' must be a list, not the text 'doctrine'",
            "6:12: 'expected.sources_in_order' must be a list, not the text 'topic_index'",
        ],
    ),
    "list for text": (
        GOOD.replace("agent: x", "agent: [x]"),
        ["2:1: 'agent' must be text, not a list"],
    ),
    "text for a mapping": (
        GOOD.replace("{q: 1}", "What is it?").replace("{min_findings: 1}", "three findings"),
        [
            "4:1: 'input' must be a mapping, not the text 'What is it?'",
            "5:1: 'expected' must be a mapping, not the text 'three findings'",
        ],
    ),
    "mapping for a list": (
        HEAD + "tags: {doctrine: true}\nexpected: {min_findings: 1}\n",
        ["5:1: 'tags' must be a list, not a mapping"],
    ),
    "id that can't be selected": (
        GOOD.replace("id: a", "id: a b::c"),
        [
            f"1:1: 'id': {ALPHABET}, not the text 'a b::c'",
        ],
    ),
    "list as id": (GOOD.replace("id: a", "id: [a]"), ["1:1: 'id' must be text, not a list"]),
    "number by an alias": (
        "id: a\nlayer: l1\nagent: x\ninput: {n: &n 7}\nexpected: {must_have_source: *n}\n",
        ["5:12: 'expected.must_have_source' must be text, not 7"],
    ),
}


def problems(entry: Any) -> list[str]:
    return [f"{miss.line}:{miss.column}: {miss.reason}" for miss in entry.misses]


@pytest.mark.parametrize(("text", "wanted"), SAMPLES.values(), ids=SAMPLES)
def test_everything_wrong_is_told_in_the_order_of_the_file(text: str, wanted: list[str], loaded: Any) -> None:
    (entry,) = loaded(text)
    assert entry.case is None
    assert problems(entry) == wanted


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_lines_are_counted_from_the_top_of_the_file(line_end: str, loaded: Any) -> None:
    text = "# note\n---\n" + GOOD + "---\n\n" + SAMPLES["misspelt key below"][0]
    entry = loaded(b"\xef\xbb\xbf" + text.replace("\n", line_end).encode())[1]
    assert [(miss.line, miss.column) for miss in entry.misses] == [(15, 3)]


@pytest.mark.parametrize("odd", ["\u2028", "\u2029", "\x85"], ids=["LS", "PS", "NEL"])
def test_characters_at_which_only_yaml_1_1_ends_a_line_move_no_place(
    odd: str, loaded: Any, either_parser: str
) -> None:
    text = GOOD.replace("{q: 1}", f'{{q: "a{odd}b", r: 1}}').replace("min_", "min")
    (entry,) = loaded(text)
    assert problems(entry)[0].startswith("5:12: unknown key 'minfindings'")
    assert loaded(text + "x: [\n")[0].misses[0].line in (6, 7)


def test_in_json_and_jsonl_the_places_are_as_exact(loaded: Any) -> None:
    case = {
        "id": "a",
        "layer": "l1",
        "input": {},
        "agent": 'x"😀',
        "expected": {"min_findings": "3", "min_finding": 1},
    }
    assert problems(loaded(json.dumps(case, indent=2), "a.json")[0]) == [
        "7:5: 'expected.min_findings' must be a whole number, not the text '3'",
        "8:5: unknown key 'min_finding' (did you mean 'min_findings'?)",
    ]
    line = json.dumps(case, ensure_ascii=False)
    begin, next_key = line.index('"min') + 1, line.index('"min_finding"') + 1
    assert problems(loaded(f"\n{line}", "a.cases.jsonl")[0]) == [
        f"2:{begin}: 'expected.min_findings' must be a whole number, not the text '3'",
        f"2:{next_key}: unknown key 'min_finding' (did you mean 'min_findings'?)",
    ]


# name: (the file, the names of its entries)
NAMES: dict[str, tuple[str, list[str]]] = {
    "id of a wrong case": ("id: good\nlayer: l1\n", ["good"]),
    "id as it was written": ("id: 007\nlayer: l1\n", ["007"]),
    "id found by its line": ("layer: l1\nid: found # here\ntags: [\n", ["found"]),
    "quoted id": ("\"id\": 'found'\ntags: [\n", ["found"]),
    "id in braces": ("--- {id: found, tags: [\n", ["found"]),
    "no id below another key": ("input:\n  id: no\ntags: [\n", ["some"]),
    "no id in a readable case": ("input: {id: no}\nlayer: l1\n", ["some"]),
    "no id in a comment": ("# id: no\ntags: [\n", ["some"]),
    "tag for an id": ("id: !!str no\n", ["some"]),
    "list for an id": ("id: [no]\n", ["some"]),
    "id with strange characters": ('id: "¿por qué?/x"\n', ["por_qu_x"]),
    "id of strange characters only": ("id: '¿?'\n", ["case"]),
    "name of a scenario": ("name: talk\nsurface: x\nconversation: [\n", ["talk"]),
    "the same name three times": ("- a\n---\n- b\n---\n- c\n", ["some", "some[2]", "some[3]"]),
    "the same id twice": ("id: a\nlayer: bench\n---\nid: a\nlayer: bench\n", ["a", "a[2]"]),
    "an id like a number of another": (
        "id: a\nlayer: bench\n---\nid: a\n---\nid: a[2]\n",
        ["a", "a[2]", "a_2"],
    ),
}


@pytest.mark.parametrize(("text", "names"), NAMES.values(), ids=NAMES)
def test_a_broken_entry_has_the_best_name_that_can_be_found(text: str, names: list[str], loaded: Any) -> None:
    assert [entry.name for entry in loaded(text, "some.yaml")] == names


def test_a_broken_json_file_has_the_name_that_can_be_found(loaded: Any) -> None:
    assert loaded('{"agent": "x", "id": "found", "layer": ', "some.json")[0].name == "found"
    assert loaded('{\n  "id": 42,\n', "some.json")[0].name == "42"
    assert loaded('{"id": \n', "some.part.json")[0].name == "some"
    assert loaded('{"input": {"id": "no"}, "layer": "l1"}', "some.json")[0].name == "some"


def test_a_file_in_utf_16_still_has_its_name(loaded: Any) -> None:
    assert loaded("id: found\nlayer: l1\n".encode("utf-16"))[0].name == "found"


def test_a_broken_entry_keeps_its_layer_and_agent_for_selection(loaded: Any) -> None:
    for text in ("id: a\nagent: x\nlayer: l1\ntags: [\n", "id: a\nagent: x\nlayer: l1\n"):
        (entry,) = loaded(text)
        assert (entry.header.layer, entry.header.agent) == ("l1", "x")
    (entry,) = loaded("id: a\nagent: [x]\nlayer: {l1: 1}\n")
    assert (entry.header.layer, entry.header.agent) == ("unknown", None)


def test_a_wrong_scenario_is_told_in_its_own_words(loaded: Any) -> None:
    (entry,) = loaded('{"surface": "x",\n "conversation": [], "tags": "t"}', "s.json")
    assert entry.header.layer == "scenario"
    assert problems(entry) == ["1:1: 'name' is missing", "2:22: 'tags' must be a list, not the text 't'"]
    (entry,) = loaded('{"surface": "x", "conversation": [],\n "name": "a b"}', "s.json")
    assert problems(entry)[0].startswith("2:2: 'name': an id is made of")
