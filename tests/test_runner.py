"""One case from start to result: what is asked how often, and what becomes of everything that breaks."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_jweval import defaults
from pytest_jweval.agents import Desk
from pytest_jweval.errors import CaseError, JWEvalError
from pytest_jweval.ports import Context
from pytest_jweval.records import GoldenCase, LayerResult, Miss, Ruling, Verdict
from pytest_jweval.registry import Registry
from pytest_jweval.runner import Job, Runner
from pytest_jweval.testing import ScriptedAgent


class Anything(BaseModel, extra="allow"):
    pass


class House:
    """A layer that rules as it is told."""

    name = "house"
    schema = Anything
    needs_agent = True

    def __init__(self, rule: Callable[[Context], Any]) -> None:
        self._rule = rule

    def evaluate(self, context: Context) -> Ruling:
        return self._rule(context)  # type: ignore[no-any-return]  # some rules are wrong on purpose


class Skip(BaseException):
    """As pytest's own: no `Exception`, so that nobody catches it by accident."""


class Stop(Exception):
    """As `pytest.exit`, which is one."""


@pytest.fixture
def registry() -> Registry:
    registry = Registry()
    defaults.pytest_jweval_register(registry, None)
    return registry


@pytest.fixture
def run(registry: Registry) -> Iterator[Callable[..., LayerResult]]:
    """`run(agent, **fields of the case)`, all in one process of the runner's."""
    runner = Runner(registry.layers, Desk(10), let_through=(Skip, Stop))

    def run(
        agent: Any = None, /, *, asker: str = "", rule: Any = None, resource: Any = None, **case: Any
    ) -> Any:
        if rule is not None:
            registry.layers._entries["house"] = House(rule)  # the shelf itself would keep the first one
            case = {"layer": "house", **case}
        fields = {"id": "case", "agent": "a", "layer": "l1", "input": {"q": 1}, **case}
        if fields["layer"] == "l1":
            fields.setdefault("expected", {"min_findings": 1})
        agents = {"a": agent} if agent is not None else {}
        return runner.run(
            Job(GoldenCase(**fields), lambda: agents, resource or (lambda _: None), asker=asker)
        )

    yield run
    runner.close()


def passes(context: Context) -> Ruling:
    return Ruling(verdict=Verdict.PASS)


def passes_noting(seen: list[Any], look: Callable[[Context], Any]) -> Callable[[Context], Ruling]:
    """A layer that passes, and leaves what it saw in a list."""

    def rule(context: Context) -> Ruling:
        seen.append(look(context))
        return passes(context)

    return rule


class TestAskingOnce:
    def test_two_layers_share_one_answer(self, run):
        agent = ScriptedAgent(["only once"])
        assert run(agent, asker="l1 case").verdict is Verdict.PASS
        seen: list[Any] = []
        run(agent, asker="house case", rule=passes_noting(seen, lambda c: c.answer))
        assert seen[0].findings[0].text == "only once"
        assert len(agent.questions) == 1

    def test_cases_of_different_ids_share_it_without_being_told_apart(self, run):
        agent = ScriptedAgent("a")
        run(agent, id="one")
        run(agent, id="two")
        assert len(agent.questions) == 1

    def test_the_same_case_run_again_asks_anew(self, run):
        agent = ScriptedAgent(["first", "second", "third"])
        for _ in range(3):
            run(agent, asker="golden/a.yaml::case")
        assert len(agent.questions) == 3

    def test_after_a_rerun_the_others_hear_the_newer_answer(self, run):
        agent = ScriptedAgent([[], "found at the second try"])
        assert [run(agent, asker="l1").verdict for _ in range(2)] == ["fail", "pass"]
        assert run(agent, asker="other").verdict is Verdict.PASS

    def test_a_broken_answer_is_shared_too(self, run):
        agent = ScriptedAgent([ValueError("down")])
        results = [run(agent, asker=asker) for asker in ("l1", "l2")]
        assert [result.reasons for result in results] == [("the agent raised ValueError: down",)] * 2

    def test_another_agent_is_asked_for_itself(self, run):
        agents = [ScriptedAgent("a"), ScriptedAgent("a")]
        for number, agent in enumerate(agents):
            run(agent, asker=str(number))
        assert [len(agent.questions) for agent in agents] == [1, 1]

    @pytest.mark.parametrize(
        "inputs",
        [
            [{"q": 1}, {"q": True}, {"q": 1.0}, {"q": "1"}],
            [{"q": {"1": "a"}}, {"q": {1: "a"}}],
            [{"q": [1]}, {"q": (1,)}],
            [{"q": None}, {"q": ""}, {}],
            [{"q": "é"}, {"q": "e\u0301"}],
        ],
        ids=["numbers", "keys", "sequences", "nothing", "forms of a letter"],
    )
    def test_different_inputs_are_different_questions(self, run, inputs):
        agent = ScriptedAgent("a")
        for number, question in enumerate(inputs):
            run(agent, asker=str(number), input=question)
        assert agent.questions == inputs

    def test_the_order_of_keys_makes_no_difference(self, run):
        agent = ScriptedAgent("a")
        run(agent, asker="1", input={"q": 1, "r": {"s": 2, "t": 3}})
        run(agent, asker="2", input={"r": {"t": 3, "s": 2}, "q": 1})
        assert len(agent.questions) == 1

    @pytest.mark.parametrize(
        "value",
        [date(2026, 5, 30), {1, 2}, float("nan"), threading.Lock(), b"a"],
        ids=lambda v: type(v).__name__,
    )
    def test_what_json_cant_hold_is_asked_each_time(self, run, value):
        agent = ScriptedAgent("a")
        for number in range(2):
            assert run(agent, asker=str(number), input={"q": value}).verdict is Verdict.PASS
        assert len(agent.questions) == 2

    def test_an_agent_that_changes_its_input_changes_nobody_elses(self, run):
        case_input = {"q": ["a"], "nested": {"b": 1}}

        def agent(question):
            question["q"].append("more")
            del question["nested"]
            return "a"

        seen: list[Any] = []
        for number in range(2):
            run(agent, asker=str(number), input=case_input)
        other = ScriptedAgent("a")
        run(other, asker="other", input=case_input, rule=passes_noting(seen, lambda c: c.case.input))
        assert other.questions == [{"q": ["a"], "nested": {"b": 1}}]
        assert seen == [{"q": ["a"], "nested": {"b": 1}}]

    def test_what_cant_be_copied_is_handed_over_as_it_is(self, run):
        lock = threading.Lock()
        agent = ScriptedAgent("a")
        run(agent, input={"lock": lock})
        assert agent.questions[0]["lock"] is lock


class TestErrors:
    def test_one_case_that_breaks_leaves_the_others_as_they_are(self, run):
        def results(*agents):
            return [run(agent, id=f"c{i}", input={"q": i}).verdict.value for i, agent in enumerate(agents)]

        async def hangs(question):
            raise asyncio.CancelledError

        broken = [
            ScriptedAgent([SystemExit()]),
            ScriptedAgent([KeyboardInterrupt()]),
            hangs,
            ScriptedAgent(None),
        ]
        assert results("not callable", *broken) == ["error"] * 5
        assert results(ScriptedAgent("a"), *broken, ScriptedAgent([[]]), ScriptedAgent("a")) == [
            "pass",
            *["error"] * 4,
            "fail",
            "pass",
        ]

    def test_an_agent_that_raises_is_shown_from_its_own_code_on(self, run):
        def helper():
            raise ValueError("no such verse")

        def agent(question):
            helper()

        async def asynchronous(question):
            await asyncio.sleep(0)
            helper()

        for agent_, first in ((agent, "in agent"), (asynchronous, "in asynchronous")):
            result = run(agent_)
            assert result.verdict is Verdict.ERROR
            assert result.reasons == ("the agent raised ValueError: no such verse",)
            lines = result.evidence["traceback"].splitlines()
            assert lines[0] == "Traceback (most recent call last):"
            assert f'"{__file__}"' in lines[1]
            assert lines[1].endswith(first)
            assert lines[-1] == "ValueError: no such verse"

    def test_a_reference_agent_is_user_code_too(self, run):
        from pytest_jweval.reference import agents

        traceback = run(agents()["apologetics"], input={}).evidence["traceback"]
        assert "apologetics.py" in traceback.splitlines()[1]

    def test_a_chain_of_exceptions_is_shown_whole(self, run):
        def agent(question):
            try:
                raise KeyError("cause")
            except KeyError as error:
                raise ValueError("effect") from error

        traceback = run(agent).evidence["traceback"]
        assert traceback.index("KeyError: 'cause'") < traceback.index("ValueError: effect")

    def test_a_property_that_raises_is_shown_from_its_own_code_on(self, run):
        class Answer:
            @property
            def findings(self):
                raise ConnectionError("gone")

        result = run(ScriptedAgent(Answer()))
        assert result.reasons == ("the answer can't be read: ConnectionError: gone",)
        assert result.evidence["traceback"].splitlines()[1].endswith("in findings")

    def test_a_timeout_has_a_reason_and_its_duration(self, registry):
        end = threading.Event()
        runner = Runner(registry.layers, Desk(0.2))
        case = GoldenCase(id="c", agent="a", layer="l1", input={}, expected={"min_findings": 1})
        result = runner.run(Job(case, lambda: {"a": lambda _: end.wait(10)}))
        assert (result.verdict, result.reasons) == ("error", ("the agent gave no answer within 0.2 s",))
        assert 200 <= result.duration_ms < 2000
        end.set()
        runner.close()

    def test_a_traceback_is_cut_at_its_beginning(self, run):
        def agent(question):
            raise ValueError("x" * 100_000 + " the end")

        traceback = run(agent).evidence["traceback"]
        assert len(traceback) < 21_000
        assert traceback.rstrip().endswith("the end")

    def test_a_layer_that_raises_is_an_error(self, run):
        def rule(context):
            raise LookupError("no snapshot")

        result = run(ScriptedAgent("a"), rule=rule)
        assert (result.verdict, result.reasons) == ("error", ("LookupError: no snapshot",))
        files = [line for line in result.evidence["traceback"].splitlines() if line.startswith("  File")]
        assert [line.rpartition(" ")[2] for line in files] == ["evaluate", "rule"]

    @pytest.mark.parametrize(
        ("given", "problem"),
        [
            (None, "gave NoneType, not a Ruling"),
            (True, "gave bool, not a Ruling"),
            (
                Ruling.model_construct(verdict=Verdict.PASS, score=math.nan),
                "gave a ruling that can't be read: 'score'",
            ),
            (
                Ruling.model_construct(verdict="maybe"),
                "gave a ruling that can't be read: 'verdict'",
            ),
        ],
    )
    def test_a_layer_that_gives_no_ruling_is_an_error(self, run, given, problem):
        result = run(ScriptedAgent("a"), rule=lambda context: given)
        assert result.verdict is Verdict.ERROR
        assert result.reasons[0].startswith(f"layer 'house' {problem}")

    def test_a_layer_that_scores_nan_is_an_error(self, run):
        result = run(ScriptedAgent("a"), rule=lambda c: Ruling(verdict=Verdict.PASS, score=math.nan))
        assert result.verdict is Verdict.ERROR
        assert "finite number" in result.reasons[0]

    def test_an_async_layer_is_an_error_and_no_warning(self, run):
        async def rule(context):
            return passes(context)

        result = run(ScriptedAgent("a"), rule=rule)
        assert result.reasons == ("layer 'house' gave a coroutine: its `evaluate` must not be async",)

    def test_a_ruling_of_a_class_of_its_own_is_one(self, run):
        class More(Ruling):
            model: str = "house"

        assert run(ScriptedAgent("a"), rule=lambda c: More(verdict=Verdict.PASS)).verdict is Verdict.PASS

    def test_a_layers_own_error_keeps_its_reasons(self, run):
        def rule(context):
            return Ruling(verdict=Verdict.ERROR, reasons=("the judge is down",))

        assert run(ScriptedAgent("a"), rule=rule).reasons == ("the judge is down",)

    def test_our_own_errors_say_what_they_say(self, run):
        def rule(context):
            raise JWEvalError("one line")

        assert run(ScriptedAgent("a"), rule=rule).reasons == ("one line",)

    def test_an_error_without_misses_has_a_reason_all_the_same(self, run):
        def rule(context):
            raise CaseError([])

        assert run(ScriptedAgent("a"), rule=rule).reasons == ("the case can't be run",)

    def test_a_resource_that_breaks_is_an_error(self, run):
        def resource(name):
            raise OSError(f"no {name}")

        result = run(ScriptedAgent("a"), resource=resource, rule=lambda context: context.resource("llm"))
        assert result.reasons == ("OSError: no llm",)


class TestCasesThatCantBeRun:
    def test_an_unknown_agent_is_named_with_what_was_meant(self, run):
        result = run(ScriptedAgent("a"), agent="b")
        assert result.reasons == ("unknown agent 'b' (known: a)",)
        assert result.misses[0].key == ("agent",)

    def test_without_any_agent_it_says_where_they_come_from(self, run):
        (reason,) = run(None).reasons
        assert reason == (
            "unknown agent 'a'; none is registered: see pytest_jweval_agents and ini jweval_agents"
        )

    def test_an_agent_that_cant_be_called_is_named_before_it_is(self, run):
        assert run("my_agents:explain").reasons == ("agent 'a' can't be called: it is 'my_agents:explain'",)

    def test_a_case_written_in_python_is_checked_like_one_in_a_file(self, run):
        assert run(ScriptedAgent("a"), layer="l9", expected={}).reasons[0].startswith("unknown layer 'l9'")
        assert run(ScriptedAgent("a"), expected={"min_finding": 1}).reasons == (
            "unknown key 'min_finding' (did you mean 'min_findings'?)",
        )

    def test_nobody_is_asked_for_a_case_that_cant_be_run(self, run):
        agent = ScriptedAgent("a")
        run(agent, expected={})
        assert agent.questions == []


class TestResults:
    def test_a_result_says_which_case_it_is_about(self, run):
        result = run(ScriptedAgent("a"), id="soul-en")
        assert (result.case_id, result.layer, result.agent, result.path) == ("soul-en", "l1", "a", None)

    def test_a_red_result_shows_what_came_and_a_green_one_doesnt(self, run):
        answer = [{"text": "t" * 500, "source": "rag", "url": "https://example.org"}] * 30
        red = run(ScriptedAgent([answer]), expected={"max_findings": 1}).evidence
        assert len(red["answer"]) == 20
        assert red["answer"][0] == {"source": "rag", "url": "https://example.org", "text": "t" * 199 + "…"}
        assert red["findings"] == 30
        assert "answer" not in run(ScriptedAgent([answer])).evidence

    def test_the_duration_is_the_agents_and_the_layers(self, run):
        async def agent(question):
            await asyncio.sleep(0.05)
            return "a"

        def rule(context):
            threading.Event().wait(0.05)
            return passes(context)

        for asker in ("first", "second, which has the answer already"):
            assert 95 <= run(agent, asker=asker, rule=rule).duration_ms < 1000

    def test_a_layer_is_told_how_long_the_agent_took(self, run):
        async def agent(question):
            await asyncio.sleep(0.05)
            return "a"

        seen: list[Any] = []
        run(agent, rule=passes_noting(seen, lambda c: c.answer_ms))
        assert 45 <= seen[0] < 1000

    def test_evidence_of_any_kind_is_made_plain(self, run):
        evidence = {"when": date(2026, 5, 30), "odd": "\ud800", "nan": math.nan, "verdict": Verdict.PASS}
        result = run(ScriptedAgent("a"), rule=lambda c: Ruling(verdict=Verdict.PASS, evidence=evidence))
        assert result.evidence == {"when": "2026-05-30", "odd": "\ud800", "nan": "nan", "verdict": "pass"}

    def test_a_layer_that_asks_no_agent_is_given_an_empty_answer(self, run, monkeypatch):
        monkeypatch.setattr(House, "needs_agent", False)
        seen: list[Any] = []
        run(None, rule=passes_noting(seen, lambda c: c.answer.findings))
        assert seen == [()]

    def test_misses_without_a_file_have_no_place(self, run):
        def rule(context):
            return Ruling.on([Miss(reason="wrong", key=("expected", "x"))])

        (miss,) = run(ScriptedAgent("a"), rule=rule).misses
        assert (miss.reason, miss.line) == ("wrong", None)


class TestWhatIsLetThrough:
    @pytest.mark.parametrize("raised", [Skip("later"), Stop("now")], ids=["skip", "exit"])
    def test_a_test_frameworks_own_exceptions_reach_it(self, run, raised):
        def agent(question):
            raise raised

        def rule(context):
            raise raised

        with pytest.raises(type(raised)) as from_agent:
            run(agent)
        with pytest.raises(type(raised)) as from_layer:
            run(ScriptedAgent("a"), rule=rule)
        assert from_agent.value is from_layer.value is raised

    def test_an_interrupt_while_a_layer_works_reaches_everybody(self, run):
        def rule(context):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            run(ScriptedAgent("a"), rule=rule)


def test_cases_can_be_started_before_an_earlier_one_is_judged(registry):
    together = threading.Barrier(2, timeout=5)

    def agent(question):
        together.wait()  # only both at once come through here
        return "a"

    runner = Runner(registry.layers, Desk(10))
    jobs = [
        Job(
            GoldenCase(id=f"c{i}", agent="a", layer="l1", input={"q": i}, expected={"min_findings": 1}),
            lambda: {"a": agent},
        )
        for i in range(2)
    ]
    for job in jobs:
        runner.resolve(job)
        runner.start(job)
    assert [runner.judge(job).verdict.value for job in jobs] == ["pass", "pass"]
    runner.close()
