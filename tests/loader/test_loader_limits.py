"""Files made to hurt: each is one clear problem, soon and without much memory."""

import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from pytest_jweval.loader import limits

MB = 1024 * 1024


def merge_bomb() -> str:
    anchors = [f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 9)}], k{i}: 1}}" for i in range(1, 10)]
    return "\n".join(["a0: &a0 {k: 1}", *anchors])


def alias_bomb() -> str:
    lists = [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
    return "\n".join(["a0: &a0 [x]", *lists])


# name: (file name, what makes the file, a part of the message)
SAMPLES: dict[str, tuple[str, Callable[[], str], str]] = {
    "nest of brackets": ("a.yaml", lambda: "[" * 100_000, "nested deeper than 64 levels"),
    "nest of brackets in a value": ("a.yaml", lambda: "id: a\ninput: " + "[" * 100_000, "nested deeper"),
    "nest of closed brackets": ("a.yaml", lambda: "[" * 50_000 + "]" * 50_000, "nested deeper"),
    "nest of braces": ("a.yaml", lambda: "{a: " * 100_000, "nested deeper than 64 levels"),
    "nest of dashes": ("a.yaml", lambda: "- " * 100_000, "nested deeper than 64 levels"),
    "stairs": ("a.yaml", lambda: "\n".join(" " * i + "a:" for i in range(1000)), "nested deeper"),
    "nest of brackets in JSON": ("a.json", lambda: "[" * 100_000, "nested deeper than 64 levels"),
    "nest of objects in JSON": ("a.json", lambda: '{"a":' * 100_000, "nested deeper than 64 levels"),
    "nest of brackets in JSONL": ("a.cases.jsonl", lambda: "[" * 100_000, "nested deeper than 64 levels"),
    "nest of closed brackets in JSONL": (
        "a.cases.jsonl",
        lambda: "[" * 3000 + "]" * 3000,
        "nested deeper than 64 levels",
    ),
    "merge keys": ("a.yaml", merge_bomb, "merge keys (<<) are not read here"),
    "aliases": ("a.yaml", alias_bomb, "too many aliases"),
    "many aliases": ("a.yaml", lambda: f"a: &a x\nb: [{'*a, ' * 101}]", "too many aliases (at most 100"),
    "many values": ("a.yaml", lambda: f"a: [{'1,' * 60_000}]", "more than 50,000 values"),
    "many lines": ("a.yaml", lambda: "a:\n" + "- 1\n" * 60_000, "more than 50,000 values"),
    "many keys": ("a.yaml", lambda: "".join(f"k{i}:\n" for i in range(60_000)), "more than 50,000 values"),
    "many values in JSON": ("a.json", lambda: f"[{'1,' * 60_000}1]", "more than 50,000 values"),
    "many values in JSONL": ("a.cases.jsonl", lambda: f"[{'1,' * 60_000}1]", "more than 50,000 values"),
    "many empty lists in JSON": ("a.json", lambda: f"[{'[],' * 60_000}1]", "more than 50,000 values"),
    "long integer": ("a.yaml", lambda: "id: " + "9" * 5000, "a number of 5,000 characters"),
    "long hexadecimal": ("a.yaml", lambda: "id: 0x" + "f" * 5000, "a number of 5,002 characters"),
    "long fraction": ("a.yaml", lambda: "id: 0." + "9" * 5000, "a number of 5,002 characters"),
    "long integer in JSON": ("a.json", lambda: f'{{"id": {"9" * 5000}}}', "a number of 5,000 characters"),
    "long integer in JSONL": ("a.cases.jsonl", lambda: f'{{"id": {"9" * 5000}}}', "5,000 characters"),
    "long exponent": ("a.yaml", lambda: "id: 1e" + "9" * 200, "is too large for a number"),
    "long text": ("a.yaml", lambda: "id: " + "a" * 30 * MB, "a case of 31,457,284 characters"),
    "long quoted text": ("a.yaml", lambda: f'id: "{"a" * 30 * MB}"', "at most 1,048,576"),
    "long block": ("a.yaml", lambda: "id: |\n" + "  a\n" * 7 * MB, "at most 1,048,576"),
    "long comment": ("a.yaml", lambda: "id: a\n" + "#" * 30 * MB, "at most 1,048,576"),
    "long key": ("a.yaml", lambda: "a" * 2000 + ": b", "not readable as YAML"),
    "long text in JSON": ("a.json", lambda: f'{{"id": "{"a" * 30 * MB}"}}', "at most 1,048,576"),
    "long text in JSONL": ("a.cases.jsonl", lambda: f'{{"id": "{"a" * 30 * MB}"}}', "at most 1,048,576"),
    "wide object in JSON": ("a.json", lambda: f"[{'1,' * 10 * MB}1]", "at most 1,048,576"),
    "large file": ("a.yaml", lambda: "id: a\n" * 6 * MB, "larger than 32 MB: split it"),
    "blanks": ("a.yaml", lambda: " " * 30 * MB, "the file holds no case"),
    "line ends": ("a.yaml", lambda: "\n" * 30 * MB, "the file holds no case"),
    "hashes": ("a.yaml", lambda: "#" * 30 * MB, "at most 1,048,576"),
    "lines of hashes": ("a.yaml", lambda: "#\n" * 8 * MB, "at most 1,048,576"),
    "a fence of hashes": ("a.yaml", lambda: "#" * 1_000_000 + "\n", "the file holds no case"),
    "separators": ("a.yaml", lambda: "---\n" * 4 * MB, "more than 200,000 cases in one file"),
    "documents": ("a.yaml", lambda: "1\n---\n" * 5 * MB, "more than 200,000 cases in one file"),
    "lines of JSONL": ("a.cases.jsonl", lambda: "1\n" * 15 * MB, "more than 200,000 cases in one file"),
    "blank line of JSON": ("a.json", lambda: "[" + " " * MB, "at most 1,048,576"),
}


@pytest.mark.parametrize(("name", "make", "fragment"), SAMPLES.values(), ids=SAMPLES)
def test_what_is_too_much_is_one_problem_within_a_second(
    name: str, make: Callable[[], str], fragment: str, loaded: Any
) -> None:
    data = make()
    began = time.process_time()
    (entry,) = loaded(data, name)
    assert time.process_time() - began < 1
    (miss,) = entry.misses
    assert fragment in miss.reason
    assert len(miss.reason) < 500
    assert (miss.line, miss.column) >= (1, 1)
    assert len(entry.name) <= 100


SMALL = {name: sample for name, sample in SAMPLES.items() if sample[0] == "a.yaml" and "long" not in name}


@pytest.mark.parametrize(("name", "make", "fragment"), SMALL.values(), ids=SMALL)
def test_the_limits_hold_without_libyaml(
    name: str, make: Callable[[], str], fragment: str, loaded: Any, pure_python: None
) -> None:
    (entry,) = loaded(make(), name)
    assert fragment in entry.misses[0].reason


def test_a_file_of_50_mb_is_not_even_opened(tmp_path: Any, load_path: Any) -> None:
    path = tmp_path / "huge.yaml"
    with path.open("wb") as stream:
        stream.write(b"id: a\n")
        stream.truncate(50 * MB)
    tracemalloc.start()
    (entry,) = load_path(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "larger than 32 MB" in entry.misses[0].reason
    assert entry.name == "a"
    assert peak < MB


@pytest.mark.parametrize(
    "data", ["id: " + "a" * 20 * MB, f'{{"id": [{"1," * 10 * MB}1]}}'], ids=["text", "list"]
)
@pytest.mark.parametrize("name", ["a.yaml", "a.json"])
def test_memory_stays_near_the_size_of_the_file(data: str, name: str, loaded: Any) -> None:
    tracemalloc.start()
    loaded(data, name)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6 * len(data)


@pytest.mark.parametrize("name", ["a.yaml", "a.json", "a.cases.jsonl"])
def test_what_is_just_small_enough_is_read(name: str, loaded: Any) -> None:
    deep = "[" * (limits.DEEPEST - 3) + "]" * (limits.DEEPEST - 3)
    number = "9" * limits.LONGEST_NUMBER
    many = ",".join(["0"] * (limits.MOST_VALUES - 100))
    text = "x" * (limits.LARGEST_DOCUMENT - 250_000)
    expected = f'{{"deep": [{deep}], "number": {number}, "many": [{many}], "text": "{text}"}}'
    (entry,) = loaded(f'{{"id": "a", "layer": "bench", "expected": {expected}}}', name)
    assert entry.case is not None, entry.misses
    assert entry.case.expected["number"] == int(number)
    assert len(entry.case.expected["many"]) == limits.MOST_VALUES - 100
    assert entry.case.expected["text"] == text


def test_a_hundred_aliases_are_enough_for_anybody(loaded: Any) -> None:
    (entry,) = loaded(f"id: a\nlayer: bench\nexpected:\n  a: &a [x]\n  b: [{', '.join(['*a'] * 100)}]\n")
    assert entry.case.expected["b"] == [["x"]] * 100
