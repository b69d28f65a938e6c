"""A run without pytest: every case below a folder gives one result, whatever its file is like."""

from __future__ import annotations

import asyncio
import re
import threading
from datetime import UTC, datetime

import pytest

from pytest_jweval import Suite, SuiteReport, Verdict
from pytest_jweval.errors import UnknownName
from pytest_jweval.records import Record, Ruling
from pytest_jweval.registry import Registry
from pytest_jweval.testing import ScriptedAgent

CASE = """\
id: {id}
agent: {agent}
layer: l1
input:
  question: "{id}?"
expected:
  min_findings: {least}
"""


def case(case_id, agent="good", least=1):
    return CASE.format(id=case_id, agent=agent, least=least)


@pytest.fixture
def golden(tmp_path):
    """`golden({file: text})`: a folder with these files."""

    def make(files):
        for name, text in files.items():
            path = tmp_path / "golden" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path / "golden"

    return make


def agents():
    def raises(question):
        raise ValueError("down")

    return {"good": ScriptedAgent("found"), "empty": ScriptedAgent({"findings": []}), "raises": raises}


def verdicts(report):
    return {result.case_id: result.verdict.value for result in report.results}


MIXED = {
    "l1/good.yaml": case("good_one"),
    "l1/empty.yaml": case("empty_one", agent="empty"),
    "l1/raises.yaml": case("raises_one", agent="raises"),
    "l1/unknown_agent.yaml": case("unknown_agent", agent="goood"),
    "l1/misspelt.yaml": case("misspelt").replace("min_findings", "min_finding"),
    "l1/not_yaml.yaml": "id: not_yaml\nlayer: l1\nagent: good\ninput: [",
    "l1/two.yaml": f"{case('two_a')}---\n{case('two_b', least=2)}",
    "pairs/later.yaml": "id: later\nlayer: pairs\nagent: good\ninput: {}\nexpected: {min_kappa: 1}\n",
    "l9/nobody.yaml": "id: nobody\nlayer: l9\nagent: good\ninput: {}\nexpected: {}\n",
    "twin.yaml": case("good_one"),
    "fixtures/data.yaml": "not: a case",
    ".hidden/case.yaml": case("hidden"),
}


def test_every_case_has_one_result_and_no_file_stops_the_others(golden):
    report = Suite(golden(MIXED), agents=agents()).run()
    assert [(result.case_id, result.verdict.value) for result in report.results] == [
        ("empty_one", "fail"),
        ("good_one", "pass"),
        ("misspelt", "error"),
        ("not_yaml", "error"),
        ("raises_one", "error"),
        ("two_a", "pass"),
        ("two_b", "fail"),
        ("unknown_agent", "error"),
        ("nobody", "error"),
        ("later", "error"),
        ("good_one", "error"),
    ]


def test_reasons_name_the_place(golden):
    root = golden(MIXED)
    found = {result.path: result for result in Suite(root, agents=agents()).run().results}

    def reason(file):
        return found[f"{root.as_posix()}/{file}"].reasons[0].removeprefix(f"{root.as_posix()}/")

    assert reason("l1/misspelt.yaml").startswith("l1/misspelt.yaml:7:3: unknown key 'min_finding'")
    assert reason("l1/unknown_agent.yaml").startswith("l1/unknown_agent.yaml:2:1: unknown agent 'goood'")
    assert re.match(r"l1/not_yaml\.yaml:\d+:\d+: ", reason("l1/not_yaml.yaml"))
    assert reason("l9/nobody.yaml").startswith("l9/nobody.yaml:2:1: unknown layer 'l9'")
    assert reason("pairs/later.yaml").startswith("pairs/later.yaml:2:1: layer 'pairs' is not built")
    assert reason("twin.yaml").startswith("twin.yaml:1:")
    assert reason("twin.yaml").endswith(
        f"the id 'good_one' is taken: first used at {root.as_posix()}/l1/good.yaml:1"
    )


def test_a_failure_carries_the_line_and_column_of_the_key_that_was_missed(golden):
    root = golden(
        {"a.yaml": case("one", agent="empty"), "b.yaml": f"{case('two')}---\n{case('three', least=9)}"}
    )
    failed = [result for result in Suite(root, agents=agents()).run().results if result.verdict == "fail"]
    assert [(r.case_id, r.line, r.misses[0].line, r.misses[0].column) for r in failed] == [
        ("one", 1, 7, 3),
        ("three", 9, 15, 3),
    ]
    assert failed[0].misses[0].key == ("expected", "min_findings")


def test_the_summary_counts_each_verdict_of_each_layer(golden):
    report = Suite(golden(MIXED), agents=agents()).run()
    assert report.summary == {
        "l1": {"pass": 2, "fail": 2, "review": 0, "skip": 0, "error": 5},
        "pairs": {"pass": 0, "fail": 0, "review": 0, "skip": 0, "error": 1},
        "l9": {"pass": 0, "fail": 0, "review": 0, "skip": 0, "error": 1},
    }
    assert report.layers_run == ("l1", "l9", "pairs")


@pytest.mark.parametrize(
    "layers", [["pairs"], "pairs", ("pairs",), iter(["pairs"])], ids=["list", "text", "tuple", "iterator"]
)
def test_layers_choose_and_what_belongs_to_no_layer_is_still_shown(golden, layers):
    report = Suite(golden(MIXED), agents=agents()).run(layers=layers)
    assert verdicts(report) == {"later": "error", "nobody": "error"}


def test_an_agent_chooses_and_what_names_no_agent_is_still_shown(golden):
    files = {**MIXED, "nameless.yaml": "id: nameless\nlayer: l1\n"}
    report = Suite(golden(files), agents=agents()).run(agent="empty")
    assert verdicts(report) == {"empty_one": "fail", "nameless": "error"}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"layers": ["l11"]}, r"unknown layer 'l11' \(did you mean 'l1'\?\)"),
        ({"layers": ["l1", "l33"]}, "unknown layer 'l33'"),
        ({"agent": "emty"}, r"unknown agent 'emty' \(did you mean 'empty'\?\)"),
    ],
)
def test_a_name_that_nobody_knows_is_refused_before_anybody_is_asked(golden, asked, message):
    known = agents()
    with pytest.raises(UnknownName, match=message):
        Suite(golden(MIXED), agents=known).run(**asked)
    assert known["good"].questions == []


def test_a_missing_folder_says_so(tmp_path):
    with pytest.raises(FileNotFoundError, match="there are no cases at .*nowhere: no such file or folder"):
        Suite(tmp_path / "nowhere").run()


def test_an_empty_folder_gives_an_empty_report(tmp_path):
    before = datetime.now(UTC)
    report = Suite(str(tmp_path)).run()
    assert (report.results, report.summary, report.layers_run) == ((), {}, ())
    assert before <= report.started_at <= report.finished_at <= datetime.now(UTC)


def test_one_file_can_be_run(golden):
    root = golden(MIXED)
    assert verdicts(Suite(root / "l1" / "two.yaml", agents=agents()).run()) == {
        "two_a": "pass",
        "two_b": "fail",
    }


def test_a_report_comes_back_from_its_json(golden):
    report = Suite(golden(MIXED), agents=agents()).run()
    assert SuiteReport.from_json(report.to_json()) == report


def test_cases_with_the_same_question_share_an_answer_and_a_second_run_asks_anew(golden):
    same = case("one") + "---\n" + case("one").replace("id: one", "id: two")
    known = agents()
    suite = Suite(golden({"a.yaml": same}), agents=known)
    suite.run()
    assert len(known["good"].questions) == 1
    suite.run()
    assert len(known["good"].questions) == 2


def test_a_hanging_agent_costs_only_its_case_and_its_time(golden):
    end = threading.Event()
    root = golden({"a.yaml": case("hangs", agent="hangs"), "b.yaml": case("works")})
    suite = Suite(root, agents={**agents(), "hangs": lambda _: end.wait(10)}, agent_timeout=0.2)
    assert verdicts(suite.run()) == {"hangs": "error", "works": "pass"}
    end.set()


def test_a_run_inside_a_running_loop_works(golden):
    async def asynchronous(question):
        await asyncio.sleep(0)
        return "found"

    suite = Suite(golden({"a.yaml": case("one", agent="async")}), agents={"async": asynchronous})

    async def main():
        return suite.run()

    assert verdicts(asyncio.run(main())) == {"one": "pass"}


def test_an_interrupt_ends_the_run_and_its_threads(golden, monkeypatch):
    suite = Suite(golden({"a.yaml": case("one")}), agents={"good": lambda _: "a"})
    before = set(threading.enumerate())

    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("pytest_jweval.layers.structural.Structural.evaluate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        suite.run()
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
        assert not thread.is_alive()


def test_a_layer_of_ones_own_is_given_resources_and_the_cases_folder(golden):
    class Expected(Record):
        word: str

    seen = []

    class House:
        name = "house"
        schema = Expected
        needs_agent = False

        def evaluate(self, context):
            seen.append((context.resource("llm"), context.resource("nothing"), context.folder))
            return Ruling(verdict=Verdict.PASS if context.expected.word == "yes" else Verdict.FAIL)

    registry = Registry()
    registry.layers["house"] = House
    root = golden({"h/a.yaml": "id: one\nlayer: house\nexpected: {word: 'yes'}\n"})
    report = Suite(root, registry=registry, llm="a model").run(layers=["house"])
    assert verdicts(report) == {"one": "pass"}
    assert seen == [("a model", None, root / "h")]


def test_a_registry_can_serve_two_suites(golden):
    registry = Registry()
    root = golden({"a.yaml": case("one")})
    for _ in range(2):
        assert verdicts(Suite(root, agents=agents(), registry=registry).run()) == {"one": "pass"}
