"""The public doubles keep the promises of their documentation."""

from __future__ import annotations

import doctest

import pytest

from pytest_jweval import testing
from pytest_jweval.errors import AgentError
from pytest_jweval.testing import ScriptedAgent


def test_the_examples_in_the_documentation_are_true():
    tried = doctest.testmod(testing)
    assert tried.attempted >= 2
    assert tried.failed == 0


def test_one_answer_is_given_to_every_question():
    agent = ScriptedAgent({"findings": []})
    assert [agent({"q": i}) for i in range(3)] == [{"findings": []}] * 3
    assert agent.questions == [{"q": 0}, {"q": 1}, {"q": 2}]


def test_a_list_is_a_script_of_answers_and_exceptions_in_order():
    agent = ScriptedAgent(["first", ValueError("down"), ["a list", "is an answer inside a script"]])
    assert agent({}) == "first"
    with pytest.raises(ValueError, match="down"):
        agent({})
    assert agent({}) == ["a list", "is an answer inside a script"]


def test_after_the_script_it_says_so():
    agent = ScriptedAgent(["only one"])
    agent({})
    with pytest.raises(AgentError, match="the script has 1 answers, and this is question 2"):
        agent({})


def test_it_shows_its_script():
    assert repr(ScriptedAgent(["a"])) == "ScriptedAgent(['a'])"
