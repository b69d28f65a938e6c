"""What all five agents promise."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_jweval.reference import agents
from pytest_jweval.reference.answers import Answer
from pytest_jweval.reference.passages import read_corpus

QUESTIONS: dict[str, dict[str, Any]] = {
    "apologetics": {"question": "Is the Trinity biblical?"},
    "conversation_assistant": {"topic": "creation", "audience": "atheist"},
    "meeting_helper": {"url_or_ref": "Romans 12:1", "kind": "public_talk"},
    "research_topic": {"topic": "Kingdom of God"},
    "verse_explainer": {"reference": "John 3:16"},
}
EACH_AGENT = pytest.mark.parametrize("agent", QUESTIONS)
EACH_KEY = pytest.mark.parametrize(
    ("agent", "key"), [(name, key) for name in QUESTIONS for key in QUESTIONS[name]]
)


def test_there_are_five_and_each_can_be_called() -> None:
    assert sorted(agents()) == sorted(QUESTIONS)
    assert all(map(callable, agents().values()))


@EACH_AGENT
def test_an_answer_is_plain_data_of_the_promised_shape(ask: Callable[..., Answer], agent: str) -> None:
    answer = ask(agent, **QUESTIONS[agent])
    assert json.loads(json.dumps(answer)) == answer
    assert answer["metadata"] == {"warnings": []}
    for finding in answer["findings"]:
        assert list(finding) == ["text", "source", "url", "metadata"]
        assert all(finding.values())
        assert finding["url"] in {passage.url for passage in read_corpus("en").passages}


@EACH_KEY
def test_a_missing_key_is_named(ask: Callable[..., Answer], agent: str, key: str) -> None:
    inputs = {name: value for name, value in QUESTIONS[agent].items() if name != key}
    with pytest.raises(ValueError, match=f"^the input has no '{key}'; it has: "):
        ask(agent, language="en", **inputs)


@EACH_AGENT
def test_an_empty_input_is_said_to_hold_nothing(ask: Callable[..., Answer], agent: str) -> None:
    with pytest.raises(ValueError, match="; it has: nothing$"):
        ask(agent)


@EACH_KEY
@pytest.mark.parametrize("value", [None, 3, ["John 3:16"], {"text": "hell"}, b"hell"])
def test_a_value_that_is_no_text_is_refused_by_name(
    ask: Callable[..., Answer], agent: str, key: str, value: object
) -> None:
    with pytest.raises(TypeError, match=f"^the input '{key}' must be a text, not {type(value).__name__}$"):
        ask(agent, **{**QUESTIONS[agent], key: value})


@EACH_AGENT
def test_a_language_that_is_no_text_is_refused(ask: Callable[..., Answer], agent: str) -> None:
    with pytest.raises(TypeError, match="^the input 'language' must be a text, not NoneType$"):
        ask(agent, **QUESTIONS[agent], language=None)


@EACH_AGENT
def test_an_unknown_language_is_a_warning_and_no_finding(ask: Callable[..., Answer], agent: str) -> None:
    answer = ask(agent, **QUESTIONS[agent], language="xx")
    assert answer["findings"] == []
    assert answer["metadata"]["warnings"][0] == "there is no corpus in language 'xx', only in en, es, pt"


@EACH_AGENT
def test_asking_changes_neither_the_input_nor_the_next_answer(ask: Callable[..., Answer], agent: str) -> None:
    inputs = dict(QUESTIONS[agent])
    first = ask(agent, **inputs)
    first["findings"].clear()
    assert inputs == QUESTIONS[agent]
    assert ask(agent, **inputs)["findings"]


@EACH_AGENT
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(text=st.text(), language=st.sampled_from(["en", "es", "pt", "xx", ""]))
def test_no_text_raises_and_an_answer_without_findings_says_why(
    ask: Callable[..., Answer], agent: str, text: str, language: str
) -> None:
    inputs = {key: value if key == "kind" else text for key, value in QUESTIONS[agent].items()}
    answer = ask(agent, **inputs, language=language)
    assert answer["findings"] or answer["metadata"]["warnings"]


def test_answers_are_the_same_in_every_process() -> None:
    program = f"""
import asyncio, json, sys
from pytest_jweval.reference import agents
from pytest_jweval.reference.passages import read_corpus
answers = []
for name, inputs in {QUESTIONS!r}.items():
    answer = agents()[name](inputs)
    answers.append(answer if isinstance(answer, dict) else asyncio.run(answer))
print(json.dumps(answers))
"""
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(printed) == 1
