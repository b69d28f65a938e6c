"""The official clients against a server that speaks their languages: what is sent, read, and what fails."""

from __future__ import annotations

import gc
import logging
import ssl
import sys
import threading
import time
import traceback

import pytest
from model_server import TOKENS_IN, TOKENS_OUT, cut, half, hang_up, raw, refusal, slow, status

from pytest_jweval.errors import MissingExtra, ProviderError
from pytest_jweval.llms.anthropic import Claude
from pytest_jweval.llms.faults import Passing
from pytest_jweval.llms.ollama import Ollama
from pytest_jweval.llms.openai import OpenAI

for sdk in ("ollama", "anthropic", "openai"):
    pytest.importorskip(sdk)

SCHEMA = {
    "type": "object",
    "properties": {
        "reason": {"type": "string"},
        "verdict": {"type": "string", "enum": ["pass", "fail", "review"]},
        "score": {"type": "integer", "minimum": 1, "maximum": 5},
    },
    "required": ["reason", "verdict"],
    "additionalProperties": False,
}
VERDICT = {"reason": "dice lo mismo – 神", "verdict": "pass"}
MESSAGES = [
    {"role": "system", "content": "You judge."},
    {"role": "user", "content": "¿Dice lo mismo? \ud800"},
]
NAMES = ["ollama", "claude", "openai"]


def client(name, url, *args, **options):
    if name == "ollama":
        return Ollama(*args, host=url, **options)
    if name == "claude":
        return Claude(*args, base_url=url, **options)
    return OpenAI(*args, base_url=f"{url}/v1", **options)


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


@pytest.fixture
def llm(name, server):
    return client(name, server.url)


def failure(llm, **options):
    with pytest.raises(ProviderError) as caught:
        llm.reply(MESSAGES, **options)
    line = str(caught.value)
    assert line.startswith(f"{llm.name} ({llm.model}) ")
    assert "\n" not in line
    assert len(line) < 400
    return caught.value


def test_the_default_models_are_those_of_the_documentation():
    models = {llm.name: llm.model for llm in (Ollama(), Claude(), OpenAI())}
    assert models == {
        "ollama": "llama3.1:8b",
        "claude": "claude-haiku-4-5-20251001",
        "openai": "gpt-4o-mini",
    }


def test_a_text_comes_back_with_what_it_cost(llm, server):
    server.says("Vuelve a leer Juan 3:16 – 神")
    reply = llm.reply(MESSAGES)
    assert (reply.text, reply.parsed, reply.recorded) == ("Vuelve a leer Juan 3:16 – 神", None, False)
    assert (reply.input_tokens, reply.output_tokens) == (TOKENS_IN, TOKENS_OUT)


def test_an_object_comes_back_as_one(llm, server):
    server.says(VERDICT)
    reply = llm.reply(MESSAGES, schema=SCHEMA)
    assert reply.parsed == VERDICT
    assert VERDICT["reason"] in reply.text


def test_what_breaks_the_schema_is_text_and_no_object(llm, server):
    server.says({"reason": "more than all", "verdict": "perfect"})
    reply = llm.reply(MESSAGES, schema=SCHEMA)
    assert reply.parsed is None
    assert "perfect" in reply.text


def test_half_characters_and_the_roles_reach_the_server(llm, server):
    server.says("ok")
    llm.reply([*MESSAGES, {"role": "assistant", "content": "?"}, {"role": "user", "content": "!"}])
    sent = server.asked[0].body
    conversation = [(each["role"], each["content"]) for each in sent["messages"]]
    system = [("system", sent["system"])] if llm.name == "claude" else []
    assert system + conversation == [
        ("system", "You judge."),
        ("user", "¿Dice lo mismo? \\ud800"),
        ("assistant", "?"),
        ("user", "!"),
    ]


def test_no_sampling_parameter_is_sent_unless_configured(name, server):
    server.says("ok")
    client(name, server.url).reply(MESSAGES, schema=SCHEMA)
    client(name, server.url, None, {"temperature": 0.5, "top_p": 0.9}).reply(MESSAGES)
    unasked, asked = (str(each.body) for each in server.asked)
    for parameter in ("temperature", "top_p", "top_k", "seed"):
        assert parameter not in unasked
    assert "'temperature': 0.5" in asked
    assert "'top_p': 0.9" in asked


def test_parameters_say_what_can_change_a_reply():
    assert Ollama("m", {"num_ctx": 8192}).parameters == {"num_ctx": 8192}
    assert Claude("m").parameters == {"max_tokens": 4096}
    assert Claude("m", {"max_tokens": 9}).parameters == {"max_tokens": 9}
    assert OpenAI("m").parameters == {}


def test_ollama_tells_options_from_what_belongs_to_the_request(server):
    server.says("ok")
    client("ollama", server.url, "m", {"num_ctx": 8192, "keep_alive": "5m", "think": False}).reply(MESSAGES)
    sent = server.asked[0].body
    assert (sent["options"], sent["keep_alive"], sent["think"]) == ({"num_ctx": 8192}, "5m", False)


def test_ollama_is_found_where_its_environment_says(server, monkeypatch):
    server.says("here")
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    assert Ollama().reply(MESSAGES).text == "here"


def test_openai_is_strict_where_a_schema_can_be(server):
    server.says(VERDICT)
    llm = client("openai", server.url)
    llm.reply(MESSAGES, schema=SCHEMA)
    llm.reply(MESSAGES, schema={**SCHEMA, "required": ["reason", "verdict", "score"]})
    forms = [asked.body["response_format"]["json_schema"] for asked in server.asked]
    assert [form["strict"] for form in forms] == [False, True]
    assert forms[0]["schema"] == SCHEMA


def test_a_server_without_schemas_is_told_the_schema_in_words_from_then_on(server):
    server.says(status(400, "response_format json_schema is not supported"), VERDICT)
    llm = client("openai", server.url)
    assert llm.reply(MESSAGES, schema=SCHEMA).parsed == VERDICT
    assert llm.reply(MESSAGES, schema=SCHEMA).parsed == VERDICT
    forms = [asked.body["response_format"]["type"] for asked in server.asked]
    assert forms == ["json_schema", "json_object", "json_object"]
    assert '"enum": ["pass", "fail", "review"]' in server.asked[1].body["messages"][0]["content"]


def test_another_refusal_of_openai_is_no_reason_to_ask_in_another_form(server):
    server.says(status(400, "this model does not exist"))
    failure(client("openai", server.url), schema=SCHEMA)
    assert len(server.asked) == 1


def test_a_claude_that_calls_no_tool_by_force_is_held_to_the_schema_otherwise(server):
    server.says(status(400, "tool_choice forces tool use is not compatible with this model"), VERDICT)
    llm = client("claude", server.url)
    assert llm.reply(MESSAGES, schema=SCHEMA).parsed == VERDICT
    first, second = (asked.body for asked in server.asked)
    assert first["tool_choice"] == {"type": "tool", "name": first["tools"][0]["name"]}
    assert "tool_choice" not in second
    score = second["output_config"]["format"]["schema"]["properties"]["score"]
    assert score == {"type": "integer"}


def test_two_calls_of_the_tool_have_said_nothing(server):
    def twice(_):
        use = {"type": "tool_use", "id": "t", "name": "answer"}
        return raw_message([{**use, "input": VERDICT}, {**use, "input": {**VERDICT, "verdict": "fail"}}])

    server.says(twice)
    assert client("claude", server.url).reply(MESSAGES, schema=SCHEMA).parsed is None


def raw_message(content):
    import json

    return raw(json.dumps({"type": "message", "content": content, "stop_reason": "tool_use"}).encode())


NO_JSON = "answered what is no JSON of its API"
OUTAGES = {
    "odd": (status(400, "prompt is odd"), "answered HTTP 400: prompt is odd", False),
    "wrong key": (status(401, "no such key"), "answered HTTP 401: no such key", False),
    "no model": (status(404, "model not found"), "answered HTTP 404: model not found; ", False),
    "too long": (status(413, "413 kB"), "answered HTTP 413: 413 kB; the prompt is too long for it", False),
    "busy": (status(429, "busy"), "answered HTTP 429: busy; it is asked too often", True),
    "not paid": (status(429, "insufficient_quota: pay"), "HTTP 429: insufficient_quota", False),
    "broken": (status(500, "oh"), "answered HTTP 500: oh", True),
    "away": (status(503), "answered HTTP 503", True),
    "overloaded": (status(529, "overloaded"), "answered HTTP 529: overloaded", True),
    "half a body": (half(), "broke off", True),
    "hung up": (hang_up(), "broke off", True),
    "a page as JSON": (raw(b"<html>Sign in</html>"), NO_JSON, True),
    "a page": (raw(b"<html>Sign in</html>", "text/html"), NO_JSON, True),
    "a list": (raw(b"[]"), NO_JSON, True),
    "no fields": (raw(b"{}"), NO_JSON, True),
    "no body": (raw(b""), NO_JSON, True),
    "no UTF-8": (raw(b'{"a": "\xff"}'), NO_JSON, True),
    "no text": ("", "gave an empty reply", False),
    "a blank text": (" \n", "gave an empty reply", False),
    "cut": (cut("half a sen"), "was cut off by its limit of tokens", False),
}


@pytest.mark.parametrize(("answer", "says", "passes"), OUTAGES.values(), ids=OUTAGES)
def test_each_outage_is_one_line_and_known_to_pass_or_not(llm, server, answer, says, passes):
    server.says(answer)
    error = failure(llm)
    assert says in str(error)
    assert isinstance(error, Passing) is passes
    assert len(server.asked) == 1, "the SDK's own retries are off"


def test_a_refusal_is_no_reply(server):
    for name in ("claude", "openai"):
        server.says(refusal("I can't help with that."))
        assert "refuses to answer: I can't help with that." in str(failure(client(name, server.url)))


def test_nobody_who_listens_is_said_at_once(name):
    started = time.monotonic()
    error = failure(client(name, "http://127.0.0.1:1"))
    assert "can't be reached: nobody listens at its address" in str(error)
    assert not isinstance(error, Passing)
    assert time.monotonic() - started < 5


def test_a_host_without_an_address_is_said(name):
    assert "can't be reached: its host has no address" in str(failure(client(name, "http://no.invalid")))


def test_an_address_that_is_none_is_said(name):
    assert "can't be asked: " in str(failure(client(name, "http://127.0.0.1:port")))


def test_a_certificate_that_nobody_trusts_is_no_fault_that_passes():
    """A server with one would need files of its own; only what its failure looks like is needed here."""

    def call():
        try:
            raise ssl.SSLCertVerificationError(1, "self-signed certificate")
        except ssl.SSLError as error:
            raise RuntimeError("Connection error.") from error

    with pytest.raises(ProviderError, match="no certificate that can be trusted") as caught:
        Claude()._asked.plainly(call)
    assert not isinstance(caught.value, Passing)


def test_a_slow_model_is_given_up(name, server):
    server.says(slow(5))
    error = failure(client(name, server.url, timeout=0.2))
    assert "gave no answer within 0.2 s; raise its timeout" in str(error)
    assert not isinstance(error, Passing)


def test_the_timeout_of_all_is_a_minute(name, server, monkeypatch):
    """Ollama's own client would wait for ever."""
    server.says("ok")
    llm = client(name, server.url)
    llm.reply(MESSAGES)
    made = llm._client()
    timeout = made._client.timeout if name == "ollama" else made.timeout
    assert getattr(timeout, "read", timeout) == 60


@pytest.mark.parametrize("wait", ["7", "7.0"])
def test_how_long_the_provider_wants_to_be_left_alone_is_known(llm, server, wait):
    server.says(status(429, "busy", **{"Retry-After": wait}))
    assert failure(llm).wait == 7


def test_a_date_says_how_long_as_well(llm, server):
    from email.utils import formatdate

    server.says(status(503, "busy", **{"Retry-After": formatdate(time.time() + 20, usegmt=True)}))
    assert 17 < failure(llm).wait <= 20
    server.says(status(503, "busy", **{"Retry-After": formatdate(time.time() - 20, usegmt=True)}))
    assert failure(llm).wait == 0
    server.says(status(503, "busy", **{"Retry-After": "soon"}))
    assert failure(llm).wait is None


def test_a_refused_parameter_is_named_and_nothing_is_asked_again(name, server):
    server.says(status(400, "`temperature` is deprecated for this model"))
    line = str(failure(client(name, server.url, None, {"temperature": 0})))
    assert line.endswith("; take temperature out of its parameters")
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("name", "variable"), [("claude", "ANTHROPIC_API_KEY"), ("openai", "OPENAI_API_KEY")]
)
@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_key_is_one_line(monkeypatch, name, variable, value):
    if value is None:
        monkeypatch.delenv(variable)
    else:
        monkeypatch.setenv(variable, value)
    llm = Claude() if name == "claude" else OpenAI()
    line = f"{name} needs a key: set the environment variable {variable}"
    with pytest.raises(ProviderError) as caught:
        llm.reply(MESSAGES)
    assert str(caught.value) == line
    assert llm.unavailable() == line


def test_a_server_of_ones_own_needs_no_key(server, monkeypatch):
    server.says("ok")
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
    assert OpenAI("local").reply(MESSAGES).text == "ok"
    assert OpenAI("local").unavailable() is None


def everything_told_of(llm):
    """Of a failure: its text, and its traceback with the locals of all frames."""
    try:
        llm.reply(MESSAGES, schema=SCHEMA)
    except ProviderError as error:
        chain = [error, error.__context__, error.__cause__]
        told = traceback.TracebackException.from_exception(error, capture_locals=True)
        return "".join([*map(repr, chain), *told.format()])
    return ""


def test_keys_are_in_no_error_no_log_no_repr_and_no_traceback(llm, server, caplog, keys):
    caplog.set_level(logging.DEBUG)
    told = []
    for answer in (status(401, f"wrong: {' '.join(keys)}"), raw(keys[0].encode()), half(), "ok"):
        server.says(answer)
        told.append(everything_told_of(llm))
    assert [bool(text) for text in told] == [True, True, True, False]
    told += [repr(llm), str(llm), repr(vars(llm))]
    told += [f"{record.getMessage()} {record.args}" for record in caplog.records]
    for key in keys:
        # Whole, and the middle of it: a part of a key is a leak as well.
        assert not [text for text in told if key in text or key[10:30] in text]
    sent = " ".join(server.asked[0].headers.values())
    assert any(key in sent for key in keys), "the key itself did reach the server"


def test_a_missing_sdk_names_its_extra(name, monkeypatch):
    sdk = "anthropic" if name == "claude" else name
    monkeypatch.setitem(sys.modules, sdk, None)
    llm = client(name, "http://127.0.0.1:1")
    with pytest.raises(MissingExtra, match=rf"the LLM backend {name} needs an extra: .*\[{name}\]"):
        llm.reply(MESSAGES)
    assert "needs an extra" in llm.unavailable()


def test_ollama_says_beforehand_whether_it_can_be_asked(server):
    assert client("ollama", server.url).unavailable() is None
    assert client("ollama", server.url, "mistral").unavailable() == (
        "ollama (mistral) is not on this machine; `ollama pull mistral` gets a model"
    )
    server.models = ["mistral:latest"]
    assert client("ollama", server.url, "mistral").unavailable() is None
    assert {asked.path for asked in server.asked} == {"/api/tags"}
    assert (
        client("ollama", "http://127.0.0.1:1")
        .unavailable()
        .endswith("nobody listens at its address; start it with `ollama serve`, or set OLLAMA_HOST")
    )
    server.failing["/api/tags"] = status(500, "oh")
    assert "HTTP 500: oh" in client("ollama", server.url).unavailable()


def test_ollama_that_says_nothing_is_given_two_seconds(server):
    server.failing["/api/tags"] = slow(10)
    started = time.monotonic()
    assert "no answer within 2 s" in client("ollama", server.url).unavailable()
    assert time.monotonic() - started < 5


def test_many_threads_share_one_client(llm, server):
    server.says("ok")
    server.latency = 0.05
    threads = [threading.Thread(target=llm.reply, args=(MESSAGES,)) for _ in range(16)]
    started = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.asked) == 16
    assert time.monotonic() - started < 8, "sixteen at once, not one after the other"


def test_a_client_leaves_no_open_connection_behind(name, server):
    """Under `-W error` a socket that is left to the garbage collector fails the run."""
    server.says("ok")
    llm = client(name, server.url)
    llm.reply(MESSAGES)
    made = llm._client()
    inner = made._client
    assert not inner.is_closed
    del llm
    gc.collect()
    assert inner.is_closed
    del made


def test_an_address_never_shows_its_password(server):
    line = str(failure(Ollama(host="http://someone:s3cret-pass@127.0.0.1:1")))
    assert "s3cret" not in line
