"""A case is a pytest item like any other: its id, its place, and what selects and reports it."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from projects import Project, ids

MANY = """
    id: first
    agent: verses
    layer: l1
    input: {q: 1}
    expected: {min_findings: 1}
    ---
    # a comment above the second
    agent: notes
    id: second
    layer: l1
    input: {q: 2}
    expected:
      min_findings: 5
"""


def test_the_node_id_is_the_path_and_the_authors_id(project: Project):
    project.write("golden/l1/two.yaml", MANY)
    project.case("three")
    found = ids(project.run("--co", "-q").text)
    assert found == ["golden/l1/three.yaml::three", "golden/l1/two.yaml::first", "golden/l1/two.yaml::second"]


def test_editing_and_reordering_a_file_changes_no_other_id(project: Project):
    project.write("golden/a.yaml", MANY)
    before = ids(project.run("--co", "-q").text)
    first, second = (project.root / "golden/a.yaml").read_text().split("---\n")
    new = first.replace("first", "new")
    project.write("golden/a.yaml", f"{second}---\n# more\n{new}---\n{first}")
    after = ids(project.run("--co", "-q").text)
    assert set(after) == {*before, "golden/a.yaml::new"}


def test_an_id_can_be_run_by_its_node_id(project: Project):
    project.write("golden/a.yaml", MANY)
    run = project.run("golden/a.yaml::first")
    assert (run.exit, run.verdicts) == (0, {"first": "pass"})


def test_an_unknown_node_id_is_pytests_own_error(project: Project):
    project.write("golden/a.yaml", MANY)
    run = project.run("golden/a.yaml::nobody")
    assert run.exit == 4
    assert "not found" in run.errors


def items_of(project: Project) -> list[pytest.Item]:
    items, _ = project.pytester.inline_genitems(*project.plugins, "golden")
    return list(items)


def test_the_place_of_an_item_is_the_line_of_its_id_counted_from_0(project: Project):
    file = project.write("golden/a.yaml", MANY)
    first, second = items_of(project)
    assert first.reportinfo() == (file, 0, "first")
    assert second.reportinfo() == (file, 8, "second")
    assert second.location == (str(Path("golden", "a.yaml")), 8, "second")
    assert file.read_text().splitlines()[8] == "id: second"


def test_the_rules_of_the_editors_adapters_hold(project: Project):
    """What VS Code's adapter reads of an item; a callspec would lose it the tests of the whole workspace."""
    project.write("golden/a.yaml", MANY)
    project.write("golden/bad.yaml", "id: [")
    project.write("golden/again.yaml", MANY)
    items = items_of(project)
    assert len({item.nodeid for item in items}) == len(items) == 5
    for item in items:
        assert item.name and item.path.is_absolute() and item.parent is not None
        assert not hasattr(item, "callspec")
        assert isinstance(item.location[1], int) and item.location[1] >= 0
        assert item.parent.path == item.path
        assert item.nodeid.endswith(f"::{item.name}")
        assert "." not in item.name and ":" not in item.name and "/" not in item.name


def test_what_foreign_plugins_look_for_is_there(project: Project):
    project.case("one")
    (item,) = items_of(project)
    assert isinstance(item, pytest.Function)
    assert isinstance(item.parent, pytest.Module)
    assert callable(item.obj) and callable(item.function)
    assert item.cls is None and item.module is None
    assert "request" in item.fixturenames


def test_k_and_m_select(project: Project):
    project.case("one", tags=["blue"])
    project.case("two", marks=["slow"])
    assert project.run("-k", "one").verdicts == {"one": "pass"}
    assert project.run("-k", "blue").verdicts == {"one": "pass"}
    assert project.run("-m", "slow").verdicts == {"two": "pass"}
    assert project.run("-m", "l1 and not slow").verdicts == {"one": "pass"}
    assert project.run("-m", "l2").exit == pytest.ExitCode.NO_TESTS_COLLECTED


def test_last_failed_runs_the_failed_one_again(project: Project):
    project.write("golden/a.yaml", MANY)
    project.case("other")
    assert project.run().verdicts == {"first": "pass", "second": "fail", "other": "pass"}
    assert project.run("--lf").verdicts == {"second": "fail"}


def test_stepwise_and_exitfirst_stop_at_the_first_failure(project: Project):
    project.case("a_good")
    project.case("b_bad", expected={"min_findings": 9})
    project.case("c_good")
    assert project.run("-x").verdicts == {"a_good": "pass", "b_bad": "fail"}
    assert project.run("--sw").verdicts == {"a_good": "pass", "b_bad": "fail"}
    assert project.run("--sw").verdicts == {"b_bad": "fail"}


def test_the_terminal_shows_reason_excerpt_and_place(project: Project):
    project.write("golden/a.yaml", MANY)
    run = project.run()
    assert run.exit == 1
    block = run.text.split("____ second ____")[1].split("\n", 1)[1].split("----")[0]
    assert block.splitlines()[:9] == [
        "expected at least 5 findings, got 2 (sources seen: rag ×2)",
        "",
        "    11 | input: {q: 2}",
        "    12 | expected:",
        ">   13 |   min_findings: 5",
        "",
        "the answer:",
        "  0  rag: a note",
        "  1  rag: another",
    ]
    assert block.splitlines()[9:11] == ["", "golden/a.yaml:13"]


def test_every_miss_is_shown_at_its_own_line(project: Project):
    project.case("one", expected={"min_findings": 2, "must_have_source": "rag", "max_findings": 9})
    project.write(
        "golden/l1/one.yaml",
        "id: one\nagent: verses\nlayer: l1\ninput: {}\nexpected:\n  min_findings: 2\n  must_have_source: rag\n",
    )
    text = project.run().text
    assert ">    6 |   min_findings: 2" in text
    assert ">    7 |   must_have_source: rag" in text
    assert "no finding has the source 'rag' (sources seen: verse_text ×1)" in text


def test_setup_show_and_fixtures_work(project: Project):
    project.case("one")
    run = project.run("--setup-show")
    assert run.exit == 0
    assert "golden/l1/one.yaml::one (fixtures used: request)" in run.text
    assert "SETUP    S jw_agents" in run.text


def test_junit_xml_holds_the_result_as_a_property(project: Project):
    project.write("golden/a.yaml", MANY)
    project.run("--junitxml=out.xml")
    cases = ET.parse(project.root / "out.xml").getroot().findall(".//testcase")
    results = [json.loads(case.find(".//property[@name='jweval']").attrib["value"]) for case in cases]  # type: ignore[union-attr]
    assert [(r["case_id"], r["verdict"], r["line"]) for r in results] == [
        ("first", "pass", 1),
        ("second", "fail", 9),
    ]
    assert len(cases[1].findall(".//property[@name='jweval']")) == 1
    assert cases[1].find("failure") is not None


def test_without_the_cache_plugin_everything_works(project: Project):
    project.case("one")
    run = project.run("-p", "no:cacheprovider")
    assert (run.exit, run.verdicts) == (0, {"one": "pass"})
    assert not (project.root / ".pytest_cache").exists()


def test_without_our_plugin_the_project_still_starts(project: Project, monkeypatch: pytest.MonkeyPatch):
    """`-p no:jweval` takes the entry point away; a conftest hook marked optional is no error then."""
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    project.plugins = []
    project.case("one")
    project.write("test_plain.py", "def test_plain(): pass\n")
    with_us = project.plain_run("-q", "-p", "no:randomly", subprocess=True)
    with_us.assert_outcomes(passed=2)
    without = project.plain_run("-p", "no:jweval", "-q", "-p", "no:randomly", subprocess=True)
    without.assert_outcomes(passed=1)


def test_from_another_working_directory(project: Project, tmp_path: Path):
    project.case("one")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    run = project.run(
        str(project.root / "golden"),
        f"--rootdir={project.root}",
        "-c",
        str(project.root / "pytest.ini"),
        cwd=elsewhere,
    )
    assert (run.exit, run.verdicts) == (0, {"one": "pass"})
    assert run.report is not None
    assert run.report.results[0].path == "golden/l1/one.yaml"


def test_a_golden_folder_outside_rootdir(project: Project, tmp_path_factory: pytest.TempPathFactory):
    outside = tmp_path_factory.mktemp("outside") / "golden"
    project.case("one", file=str(outside / "one.yaml"))
    project.case("inside")
    project.write("verse_agent.py", "def verses(question): return 'a text'")
    project.ini("pythonpath = .\njweval_agents = verses = verse_agent:verses\n")
    run = project.run(str(outside), "-c", str(project.root / "pytest.ini"))
    assert run.report is not None, run.errors
    assert [(r.case_id, r.verdict.value, r.path) for r in run.report.results] == [
        ("one", "pass", (outside / "one.yaml").as_posix())
    ]


@pytest.mark.parametrize("folder", ["with space", "ñandú-日本", "a[b]"])
def test_folders_of_any_name(project: Project, folder: str):
    project.case("one", file=f"golden/{folder}/fälle 1.yaml", expected={"min_findings": 3})
    run = project.run("golden")
    assert run.verdicts == {"one": "fail"}
    assert f"golden/{folder}/fälle 1.yaml:5" in run.text


def test_json_yml_and_jsonl_are_case_files_too(project: Project):
    case = {"agent": "verses", "layer": "l1", "input": {}, "expected": {"min_findings": 1}}
    project.write("golden/a.json", json.dumps({"id": "in_json", **case}, indent=1))
    project.write("golden/b.yml", json.dumps({"id": "in_yml", **case}))
    lines = [json.dumps({"id": f"line_{i}", **case}) for i in range(3)]
    project.write("golden/c.cases.jsonl", "\n".join(lines))
    project.write("golden/d.jsonl", "not ours")
    project.write("golden/case.schema.json", "{}")
    run = project.run()
    assert run.verdicts == dict.fromkeys(["in_json", "in_yml", "line_0", "line_1", "line_2"], "pass")
    assert run.report is not None
    assert {r.case_id: r.line for r in run.report.results}["line_2"] == 3


def test_xfail_and_skip_marks_from_a_file(project: Project):
    project.case("expected_to_fail", marks=["xfail"], expected={"min_findings": 9})
    project.case("left_out", marks=["skip"])
    run = project.run("-rsx")
    assert (run.exit, run.counts) == (0, {"skipped": 1, "xfailed": 1})
    assert run.verdicts == {"expected_to_fail": "fail", "left_out": "skip"}
    assert "golden/l1/left_out.yaml: unconditional skip" in run.text


def test_review_is_a_failed_item_under_its_own_name(project: Project):
    own_layer(project, "review")
    project.case("unsure", layer="own", expected={})
    run = project.run()
    assert (run.exit, run.verdicts) == (1, {"unsure": "review"})
    assert "golden/own/unsure.yaml R" in run.text
    assert "\nREVIEW golden/own/unsure.yaml::unsure" in run.text
    assert "cannot tell\n" in run.text


def test_review_can_be_a_skip(project: Project):
    own_layer(project, "review")
    project.ini("jweval_review = skip\n")
    project.case("unsure", layer="own", expected={})
    run = project.run("-rs")
    assert (run.exit, run.verdicts, run.counts) == (0, {"unsure": "review"}, {"skipped": 1})
    assert "WARNING: every golden case was skipped, so nothing was checked" in run.text
    assert "golden/own/unsure.yaml:1: cannot tell" in run.text


def test_skipped_by_its_layer_is_a_skip_with_the_reason_and_never_silently_green(project: Project):
    own_layer(project, "skip")
    project.case("unsure", layer="own", expected={})
    run = project.run("-rs")
    assert (run.exit, run.verdicts) == (0, {"unsure": "skip"})
    assert "golden/own/unsure.yaml:1: cannot tell" in run.text
    assert "every golden case was skipped, so nothing was checked" in run.text


def own_layer(project: Project, verdict: str) -> None:
    project.write(
        "conftest.py",
        f"""
        from pydantic import BaseModel
        from pytest_jweval import Ruling

        class Nothing(BaseModel):
            pass

        class Own:
            name = "own"
            schema = Nothing
            needs_agent = False

            def evaluate(self, context):
                return Ruling(verdict="{verdict}", reasons=["cannot tell"])

        def pytest_jweval_register(registry, config):
            registry.layers["own"] = Own
        """,
    )
