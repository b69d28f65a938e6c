"""The public double of a model keeps to its script."""

from __future__ import annotations

import threading

import pytest

from pytest_jweval.errors import ProviderError
from pytest_jweval.llms.anthropic import Claude
from pytest_jweval.llms.ollama import Ollama
from pytest_jweval.llms.openai import OpenAI
from pytest_jweval.ports import LLM, Reply
from pytest_jweval.testing import ScriptedLLM

SCHEMA = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}
MESSAGES = [{"role": "user", "content": "¿?"}]


def test_replies_come_in_order_and_what_was_asked_is_kept():
    llm = ScriptedLLM(["a text", {"score": 4, "reason": "神"}])
    assert llm.name == "scripted"
    assert llm.reply(MESSAGES) == Reply("a text")
    assert llm.reply([], schema=SCHEMA) == Reply('{"score": 4, "reason": "神"}', {"score": 4, "reason": "神"})
    assert llm.asked == [MESSAGES, []]
    assert llm.schemas == [None, SCHEMA]


def test_a_text_is_read_as_a_models_would_be():
    said = ScriptedLLM(['So: {"score": 4}', "no object", {"score": "four"}])
    assert [said.reply(MESSAGES, schema=SCHEMA).parsed for _ in range(3)] == [{"score": 4}, None, None]


def test_a_reply_is_given_as_it_is_and_an_exception_raised():
    reply = Reply("text", {"any": 1}, 5, 6)
    llm = ScriptedLLM([reply, ProviderError("busy"), KeyboardInterrupt()])
    assert llm.reply(MESSAGES) is reply
    with pytest.raises(ProviderError, match="busy"):
        llm.reply(MESSAGES)
    with pytest.raises(KeyboardInterrupt):
        llm.reply(MESSAGES)


def test_after_the_script_it_says_so():
    with pytest.raises(ProviderError, match="the script has 0 replies, and this is call 1"):
        ScriptedLLM([]).reply(MESSAGES)


def test_threads_get_each_reply_once():
    llm = ScriptedLLM([str(number) for number in range(200)])
    said: list[str] = []

    def ask_often() -> None:
        said.extend(llm.reply(MESSAGES).text for _ in range(20))

    threads = [threading.Thread(target=ask_often) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(said, key=int) == [str(number) for number in range(200)]


def test_it_is_a_model_to_a_type_checker_as_the_real_ones_are():
    models: list[LLM] = [ScriptedLLM([]), Claude(), Ollama(), OpenAI()]
    assert [model.name for model in models] == ["scripted", "claude", "ollama", "openai"]


def test_it_shows_its_script():
    assert repr(ScriptedLLM(["a"])) == "ScriptedLLM(['a'])"
