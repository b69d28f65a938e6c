"""Whatever lies in a golden folder: one failing item that says what and where, and the other cases run."""

import os
import re
import sys
import time
from pathlib import Path

import pytest
from projects import Project

GOOD = "agent: verses\nlayer: l1\ninput: {}\nexpected: {min_findings: 1}\n"

# What lies there, and a part of what its item says.
BROKEN: dict[str, tuple[str | bytes, str]] = {
    "tabs": ("\tid: tabs\n", "YAML is indented with spaces"),
    "twice_the_key": (f"id: twice_the_key\n{GOOD}agent: notes\n", "'agent' stands here again"),
    "merge_bomb": (
        "a0: &a0 {k: v}\n"
        + "".join(f"a{i}: &a{i}\n  <<: [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 9)),
        "merge keys",
    ),
    "alias_bomb": (
        "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 9)),
        "too many aliases",
    ),
    "brackets": ("id: brackets\ninput: " + "[" * 100_000, "nested deeper than 64 levels"),
    "braces": ("id: braces\ninput: " + "{a: " * 30_000, "nested deeper than 64 levels"),
    "large_number": (
        f"id: large_number\n{GOOD}metadata: {{n: {'9' * 5000}}}\n",
        "a number of 5,000 characters",
    ),
    "half_a_pair": ('id: half_a_pair\nagent: "\\ud800"\n', "not readable as YAML"),
    "utf_16": ("id: utf_16\n".encode("utf-16"), "the file is not UTF-8 (it looks like UTF-16)"),
    "latin_1": ("id: latin_1\nagent: señal\n".encode("latin-1"), "the file is not UTF-8"),
    "nul": (b"id: nul\nagent: a\x00b\n", "U+0000"),
    "empty": ("", "the file holds no case"),
    "only_comments": ("# nothing\n# here\n", "the file holds no case"),
    "a_list": ("- id: a_list\n", "a case is a mapping"),
    "a_text": ("just some words\n", "a case is a mapping"),
    "python_object": (
        "id: python_object\ninput: !!python/object/apply:os.system [true]\n",
        "tags are not read here",
    ),
    "own_tag": ("id: !secret x\n", "tags are not read here"),
    "contains_itself": (
        "id: contains_itself\ninput: &a [*a]\n",
        "names nothing that stands complete above it",
    ),
    "no_layer": ("id: no_layer\nagent: verses\ninput: {}\n", "'layer' is missing"),
    "bad_id": (f"id: a b/c\n{GOOD}", "an id is made of"),
    "misspelt": (f"id: misspelt\n{GOOD}expcted: {{}}\n", "unknown key 'expcted' (did you mean 'expected'?)"),
    "a_text_for_a_list": (
        "id: a_text_for_a_list\nagent: verses\nlayer: l1\ninput: {}\nexpected:\n  sources_in_order: rag\n",
        "'expected.sources_in_order' must be a list, not the text 'rag'",
    ),
    "nothing_expected": (
        "id: nothing_expected\nagent: verses\nlayer: l1\ninput: {}\nexpected: {}\n",
        "could never fail",
    ),
}


@pytest.fixture
def broken(project: Project) -> Project:
    for name, (content, _) in BROKEN.items():
        project.write(f"golden/l1/{name}.yaml", content if isinstance(content, bytes) else content.encode())
    project.write("golden/l1/json_brackets.json", "[" * 100_000)
    (project.root / "golden/l1/folder.yaml").mkdir()
    if sys.platform != "win32":
        (project.root / "golden/l1/dangling.yaml").symlink_to(project.root / "gone.yaml")
    with (project.root / "golden/l1/vast.yaml").open("wb") as stream:
        stream.truncate(50 * 1024 * 1024)
    for number in range(5):
        project.case(f"good_{number}")
    return project


EXPECTED = {name: reason for name, (_, reason) in BROKEN.items()} | {
    "json_brackets": "nested deeper than 64 levels",
    "folder": "the file can't be read: it is a folder",
    "vast": "the file is larger than 32 MB",
    **({} if sys.platform == "win32" else {"dangling": "the file can't be read: No such file or directory"}),
}


@pytest.mark.parametrize("workers", ["-n0", "-n2"])
def test_each_is_one_failing_item_with_its_place_and_the_others_run(broken: Project, workers: str):
    began = time.monotonic()
    run = broken.run("-p", "xdist", workers)
    assert run.exit == 1
    assert run.counts == {"failed": len(EXPECTED), "passed": 5}
    assert run.report is not None
    told = {Path(str(r.path)).name.partition(".")[0]: r for r in run.report.results if r.verdict == "error"}
    assert set(told) == set(EXPECTED)
    for name, fragment in EXPECTED.items():
        reason = "\n".join(told[name].reasons)
        assert fragment in reason
        assert re.match(rf"golden/l1/{name}\.(yaml|json):\d+:\d+: ", reason)
        assert told[name].layer == "l1"
    assert "INTERNALERROR" not in run.text + run.errors
    assert time.monotonic() - began < len(EXPECTED), "a second each at most"


def test_what_only_looks_strange_is_read_as_its_author_meant_it(project: Project):
    project.write(
        "golden/strange.yaml",
        """
        id: strange
        agent: echo
        layer: l1
        input: {language: no, day: 2026-05-30, at: 12:30:45, on: push, number: 010}
        expected:
          required_keywords_any: [no 2026-05-30 12:30:45 push 10]
          must_have_source: 607
        metadata: {added_at: 2026-05-30}
        """,
    )
    project.write(
        "conftest.py",
        """
        def echo(question):
            return [{"text": " ".join(str(value) for value in question.values()), "source": "607"}]

        def pytest_jweval_agents(config):
            return {"echo": echo}
        """,
    )
    run = project.run()
    assert run.verdicts == {"strange": "pass"}, run.text


def test_a_bad_document_costs_only_itself(project: Project):
    project.write("golden/a.yaml", f"id: one\n{GOOD}---\nid: two\nagent: [\n---\nid: three\n{GOOD}")
    assert project.run().verdicts == {"one": "pass", "two": "error", "three": "pass"}


def test_of_two_cases_with_one_id_the_second_fails_and_names_both_places(project: Project):
    project.write("golden/a.yaml", f"id: same\n{GOOD}---\nid: same\n{GOOD}")
    project.write("golden/b.yaml", f"# first a comment\nid: same\n{GOOD}")
    run = project.run("-v")
    assert run.counts == {"passed": 1, "failed": 2}
    assert "golden/a.yaml::same PASSED" in run.text
    assert "golden/a.yaml::same[2] ERROR" in run.text
    assert "golden/a.yaml:7:1: the id 'same' is taken: first used at golden/a.yaml:1" in run.text
    assert "golden/b.yaml:2:1: the id 'same' is taken: first used at golden/a.yaml:1" in run.text


def test_the_same_file_named_twice_is_no_duplicate(project: Project):
    project.case("one")
    run = project.run("golden/l1/one.yaml::one", "golden/l1/one.yaml", "golden")
    assert set(run.verdicts.values()) == {"pass"}


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="this user may read everything")
def test_an_unreadable_file_is_one_failing_item(project: Project):
    file = project.case("secret")
    file.chmod(0)
    project.case("fine")
    assert project.run().verdicts == {"secret": "error", "fine": "pass"}
