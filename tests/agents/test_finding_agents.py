"""Agents named in ini `jweval_agents`: what a line means, and what is said when it can't be had."""

from __future__ import annotations

import doctest
import subprocess
import sys

import pytest

from pytest_jweval.agents import SpecAgents, by_keywords, finding
from pytest_jweval.errors import AgentError
from pytest_jweval.values import AgentSpec

MODULE = """
imported = []

def explain(question):
    return question["reference"]

def with_keywords(reference, language="en"):
    return f"{reference} in {language}"

class House:
    @staticmethod
    def agent(question):
        return "house"

class Instance:
    def __call__(self, question):
        return "instance"

instance = Instance()
number = 3
"""


@pytest.fixture
def agents(tmp_path, monkeypatch):
    """`agents(target)`: the agent that a line `it = target` names, in a project with a module of agents."""
    (tmp_path / "my_agents.py").write_text(MODULE)
    (tmp_path / "leaves.py").write_text("import sys\nsys.exit('no licence')\n")
    (tmp_path / "raises.py").write_text("import counted\ncounted.times += 1\nraise ValueError('no key')\n")
    (tmp_path / "counted.py").write_text("times = 0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    return lambda target, **more: SpecAgents([AgentSpec("it", target, **more)], 10)


@pytest.mark.parametrize(
    ("target", "answer"),
    [
        ("my_agents:explain", "John 3:16"),
        ("my_agents:House.agent", "house"),
        ("my_agents:instance", "instance"),
        ("my_agents:instance.__call__", "instance"),
    ],
)
def test_an_import_path_leads_to_the_agent(agents, target, answer):
    assert agents(target)["it"]({"reference": "John 3:16"}) == answer


def test_two_stars_call_it_with_keywords(agents):
    found = agents("my_agents:with_keywords", by_keywords=True)["it"]
    assert found({"reference": "Juan 3:16", "language": "es"}) == "Juan 3:16 in es"


def test_an_agent_is_imported_when_it_is_first_asked_for(agents):
    known = agents("my_agents:explain")
    assert (list(known), len(known), "it" in known, "other" in known) == (["it"], 1, True, False)
    assert "my_agents" not in sys.modules
    assert known["it"] is known["it"]
    assert "my_agents" in sys.modules


def test_an_unknown_name_is_a_key_error(agents):
    with pytest.raises(KeyError):
        agents("my_agents:explain")["other"]


HINT = " (is the package installed, or its folder in ini `pythonpath`?)"


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("nowhere:agent", "ModuleNotFoundError: No module named 'nowhere'" + HINT),
        ("my_agents:agnet", "AttributeError: module 'my_agents' has no attribute 'agnet'" + HINT),
        ("raises:agent", "ValueError: no key"),
        ("leaves:agent", "SystemExit: no licence"),
    ],
)
def test_what_cant_be_imported_says_why(agents, target, reason):
    with pytest.raises(AgentError) as caught:
        agents(target)["it"]
    assert str(caught.value) == f"agent 'it' can't be imported from '{target}': {reason}"


def test_what_cant_be_called_says_what_it_is(agents):
    with pytest.raises(AgentError, match="agent 'it': 'my_agents:number' is a int, and can't be called"):
        agents("my_agents:number")["it"]


def test_a_module_that_breaks_is_run_once_and_not_for_every_case(agents):
    known = agents("raises:agent")
    for _ in range(3):
        with pytest.raises(AgentError, match="no key"):
            known["it"]
    assert sys.modules["counted"].times == 1


def test_by_keywords_keeps_its_promise_in_its_documentation():
    tried = doctest.testmod(finding)
    assert tried.attempted >= 3
    assert tried.failed == 0
    assert by_keywords.__doc__


def test_by_keywords_shows_what_it_calls():
    assert repr(by_keywords(len)) == "by_keywords(<built-in function len>)"


def test_httpx_is_imported_only_when_an_endpoint_is_asked():
    program = """
import sys
from pytest_jweval.agents import SpecAgents
from pytest_jweval.errors import AgentError
from pytest_jweval.values import AgentSpec
agents = SpecAgents([AgentSpec("it", "http://127.0.0.1:1/")], 1)
agent = agents["it"]
assert "httpx" not in sys.modules, "imported too early"
try:
    agent({})
except AgentError:
    assert "httpx" in sys.modules
    print("asked")
"""
    command = [sys.executable, "-c", program]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "asked\n"
