"""Good files: which cases they hold, in every format, and on which lines those stand."""

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from pytest_jweval.loader import Entry
from pytest_jweval.paths import case_files

BODY = "agent: x\nlayer: l1\ninput: {q: 1}\nexpected: {min_findings: 1}\n"


def stand(entries: list[Entry]) -> dict[str, int | None]:
    """Which case stands on which line; fails if one is no case."""
    assert [entry.misses for entry in entries if entry.case is None] == []
    return {entry.name: entry.header.line for entry in entries}


@pytest.mark.parametrize("name", ["a.yaml", "a.yml"])
def test_one_yaml_document_is_one_case(name: str, loaded: Any) -> None:
    (entry,) = loaded(f"# about a\n\nid: a\n{BODY}tags: [t]\n", name)
    assert entry.name == entry.case.id == "a"
    assert entry.case.tags == ("t",)
    assert entry.case.expected == {"min_findings": 1}
    header = entry.header
    assert (header.case_id, header.layer, header.agent, header.path, header.line) == ("a", "l1", "x", name, 3)
    assert (entry.source.shown, entry.source.line, entry.source.ordinal) == (name, 3, 0)


def test_a_case_stands_at_its_id_wherever_that_is_written(loaded: Any) -> None:
    assert stand(loaded(f"{BODY}id: a\n")) == {"a": 5}


def test_a_json_file_is_one_case(loaded: Any) -> None:
    case = {"agent": "x", "id": "a", "layer": "l1", "input": {"q": "😀"}, "expected": {"min_findings": 1}}
    (entry,) = loaded("\n" + json.dumps(case, indent=1), "a.json")
    assert stand([entry]) == {"a": 4}
    assert entry.case.input == {"q": "😀"}


def test_a_line_of_jsonl_is_a_case(loaded: Any) -> None:
    lines = [json.dumps({"id": name, "layer": "bench"}) for name in ("a", "b")]
    assert stand(loaded(f"{lines[0]}\r\n\r\n  {lines[1]}", "many.cases.jsonl")) == {"a": 1, "b": 3}


SEPARATED = {
    "by ---": (f"id: a\n{BODY}---\nid: b\n{BODY}", [1, 7]),
    "by --- before the first": (f"---\nid: a\n{BODY}---\nid: b\n{BODY}---\n", [2, 8]),
    "by --- with a comment": (f"--- # one\nid: a\n{BODY}--- # two\n\nid: b\n{BODY}", [2, 9]),
    "by ---, comments around": (f"# 1\n---\n# 2\nid: a\n{BODY}# 3\n---\n# 4\nid: b\n{BODY}# 5", [4, 12]),
    "by --- with the first key": ("--- {id: a, layer: bench}\n--- {id: b, layer: bench}\n", [1, 2]),
    "by ...": (f"id: a\n{BODY}...\nid: b\n{BODY}...\n", [1, 7]),
    "by ... with a comment": (f"id: a\n{BODY}... # end\nid: b\n{BODY}", [1, 7]),
    "by ... and ---": (f"id: a\n{BODY}...\n---\nid: b\n{BODY}", [1, 8]),
    "with directives": (f"%YAML 1.2\n---\nid: a\n{BODY}...\n%YAML 1.2\n---\nid: b\n{BODY}", [3, 11]),
    "with empty documents": (f"---\n---\nid: a\n{BODY}---\n# nothing\n---\n---\nid: b\n{BODY}", [3, 12]),
    "with braces": ('{"id": "a",\n"layer": "bench"}\n---\n{"layer": "bench",\n"id": "b"}', [1, 5]),
    "with --- in a block": (
        f"id: a\n{BODY}metadata:\n  m: |\n    x\n    ---\n    y\n---\nid: b\n{BODY}",
        [1, 12],
    ),
    "with --- in a text": (f"id: a\n{BODY}metadata: {{m: '---\n  --- x'}}\n---\nid: b\n{BODY}", [1, 9]),
    "with a longer rule": (f"id: a\n{BODY}metadata:\n  m: x\n   ---- y\n---\nid: b\n{BODY}", [1, 10]),
    "after a fence of hashes": (f"{'#' * 200}\nid: a\n{BODY}---\n{'#' * 200}\nid: b\n{BODY}", [2, 9]),
}


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["no mark", "BOM"])
@pytest.mark.parametrize(("text", "lines"), SEPARATED.values(), ids=SEPARATED)
def test_documents_are_cases_of_their_own(
    text: str, lines: list[int], line_end: str, mark: bytes, loaded: Any, either_parser: str
) -> None:
    entries = loaded(mark + text.replace("\n", line_end).encode())
    assert stand(entries) == dict(zip("ab", lines, strict=True))


def test_a_bad_document_costs_only_itself(loaded: Any) -> None:
    good = f"id: %s\n{BODY}"
    bad = ["id: two\ntags: [x\n", 'id: "three\n', "- four\n", "id: five\nlayer: l1\n"]
    entries = loaded("---\n".join([good % "one", *bad, good % "six"]))
    assert [entry.name for entry in entries] == ["one", "two", "three", "case", "five", "six"]
    assert [entry.case is not None for entry in entries] == [True, False, False, False, False, True]
    assert entries[-1].header.line == 17


def test_unquoted_words_numbers_and_dates_mean_what_yaml_1_2_says(loaded: Any) -> None:
    written = dedent("""
        id: a
        layer: bench
        expected:
          texts: [no, yes, on, off, y, n, 2026-05-30, 12:30:45, 1_000, 0b1, 1.2.3, "1", '~', "", =, -, .]
          numbers: [7, -7, +7, 007, 0x1F, 0o17, 1.5, .5, 5., 1e3, -1.5E-2]
          words: [true, True, FALSE, null, ~, ]
          no: {on: 1, 2026-05-30: 2, 1: 3, null: 4, ~: 5, true: 6}
    """)
    expected = loaded(written)[0].case.expected
    assert " ".join(expected["texts"]) == ("no yes on off y n 2026-05-30 12:30:45 1_000 0b1 1.2.3 1 ~  = - .")
    assert expected["numbers"] == [7, -7, 7, 7, 31, 15, 1.5, 0.5, 5.0, 1000.0, -0.015]
    assert expected["words"] == [True, True, False, None, None]
    assert expected["no"] == {"on": 1, "2026-05-30": 2, "1": 3, "null": 4, "~": 5, "true": 6}


def test_where_text_belongs_the_authors_own_text_stays(loaded: Any) -> None:
    written = dedent("""
        id: 007
        agent: 1e3
        layer: l1
        input: {language: no, number: 007}
        tags: [2026-05-30, 1.50, True]
        expected:
          must_have_source: 42
          required_keywords_any: [607, 1914, true, 2026-05-30, 1e3, 007, no]
    """)
    (entry,) = loaded(written)
    assert entry.misses == ()
    assert entry.name == entry.header.case_id == "007"
    assert entry.case.agent == "1e3"
    assert entry.case.input == {"language": "no", "number": 7}
    assert entry.case.tags == ("2026-05-30", "1.50", "True")
    assert entry.case.expected == {
        "must_have_source": "42",
        "required_keywords_any": ["607", "1914", "true", "2026-05-30", "1e3", "007", "no"],
    }


def test_in_json_too(loaded: Any) -> None:
    case = '{"id": 42, "agent": "x", "layer": "l1", "input": {}, "expected": {"must_have_source": 1.50}}'
    for name in ("a.json", "a.cases.jsonl"):
        (entry,) = loaded(case, name)
        assert (entry.name, entry.case.expected) == ("42", {"must_have_source": "1.50"})


def test_aliases_give_the_same_value_again(loaded: Any) -> None:
    (entry,) = loaded("id: &i a\nlayer: bench\nexpected: {a: &l [1, 2], b: *l, c: *i}\n")
    assert entry.case.expected == {"a": [1, 2], "b": [1, 2], "c": "a"}


SCENARIO = {"name": "s1", "surface": "chat", "conversation": [{"user": "Hi"}], "tags": ["t"], "agent": "x"}


@pytest.mark.parametrize("name", ["s.json", "s.yaml"])
def test_a_scenario_is_a_case_whose_name_is_its_id(name: str, loaded: Any) -> None:
    (entry,) = loaded(json.dumps(SCENARIO, indent=1), name)
    assert (entry.name, entry.case.id, entry.case.layer, entry.header.line) == ("s1", "s1", "scenario", 2)
    assert entry.case.expected == SCENARIO
    assert (entry.case.tags, entry.case.agent) == (("t",), "x")


def test_a_mapping_with_a_layer_is_no_scenario(loaded: Any) -> None:
    (entry,) = loaded("id: a\nlayer: bench\nsurface: x\nconversation: []\n")
    assert [miss.reason.split(" (")[0] for miss in entry.misses] == [
        "unknown key 'surface'",
        "unknown key 'conversation'",
    ]


def test_ten_thousand_documents_cost_as_much_each_as_a_hundred(loaded: Any) -> None:
    """A quadratic step would make each of them a hundred times as dear."""
    import time

    def seconds_each(count: int) -> float:
        text = "---\n".join(f"id: a{i}\nlayer: bench\n" for i in range(count))
        began = time.process_time()
        assert len(loaded(text)) == count
        return (time.process_time() - began) / count

    few = min(seconds_each(100) for _ in range(5))
    assert seconds_each(10_000) < 4 * few


def test_the_shipped_cases_are_cases(load_path: Any) -> None:
    golden = Path(__file__).parents[2] / "golden"
    entries = [entry for path in case_files(golden) for entry in load_path(path)]
    assert entries
    stand(entries)
