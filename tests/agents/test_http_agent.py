"""An agent behind an HTTP endpoint, against a real server on loopback."""

from __future__ import annotations

import gc
import socket
import time
import warnings
from datetime import date

import pytest

from pytest_jweval.agents import normalised
from pytest_jweval.agents.http import HttpAgent
from pytest_jweval.errors import AgentError, AgentTimeout


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "*")


@pytest.fixture
def ask(endpoint):
    def ask(question=None, **options):
        return HttpAgent(endpoint.url, **options)(question if question is not None else {"question": "?"})

    return ask


def test_the_input_is_posted_as_json(ask, endpoint):
    question = {"question": "¿Es la Trinidad bíblica?", "nested": {"a": [1, None, True]}, "odd": "\ud800"}
    ask(question)
    assert endpoint.asked == [{"type": "application/json", "input": question}]


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        ({"findings": [{"text": "amó Dios al mundo", "source": "verse_text"}]}, ["amó Dios al mundo"]),
        ([{"text": "a"}, "b"], ["a", "b"]),
        ("ein Text – 神", ["ein Text – 神"]),
        ({"findings": []}, []),
    ],
    ids=["object", "list", "string", "nothing found"],
)
def test_a_json_answer_has_the_same_shapes_as_any_other(ask, endpoint, body, texts):
    endpoint.answers(body)
    assert [finding.text for finding in normalised(ask()).findings] == texts


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (500, b"Traceback: boom\n  at line 3", "answered HTTP 500: Traceback: boom at line 3"),
        (404, b"", "answered HTTP 404: (nothing)"),
        (401, '{"detail": "¿quién?"}'.encode(), 'answered HTTP 401: {"detail": "¿quién?"}'),
        (200, b"<html>Sign in</html>", "answered no JSON: <html>Sign in</html>"),
        (200, b"", "answered no JSON: (nothing)"),
        (200, b'"\xff\xfe"', "answered no JSON"),
        (200, b"[" * 100_000, "answered no JSON: [[["),
        (204, b"", "answered no JSON: (nothing)"),
    ],
)
def test_what_is_no_answer_says_what_came(ask, endpoint, status, body, reason):
    endpoint.answers(body, status)
    with pytest.raises(AgentError) as caught:
        ask()
    assert reason in str(caught.value)
    assert str(caught.value).startswith(endpoint.url)
    assert len(str(caught.value)) < 300


def test_a_redirect_names_where_it_leads(ask, endpoint):
    endpoint.answers({}, 307, location="https://elsewhere.example/ask")
    with pytest.raises(AgentError, match="redirects to 'https://elsewhere.example/ask': name that URL"):
        ask()
    assert len(endpoint.asked) == 1


def test_a_slow_endpoint_is_a_timeout(ask, endpoint):
    endpoint.delay = 1
    began = time.monotonic()
    with pytest.raises(AgentTimeout, match=r"gave no answer within 0\.1 s"):
        ask(timeout=0.1)
    assert time.monotonic() - began < 0.9


def test_a_refused_connection_says_so():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(AgentError, match=f"http://127.0.0.1:{port}/ gave no answer: ConnectError"):
        HttpAgent(f"http://127.0.0.1:{port}/")({})


@pytest.mark.parametrize("url", ["http://[::1/ask", "http://exa mple/ask"])
def test_a_url_that_cant_be_one_says_so(url):
    with pytest.raises(AgentError, match="gave no answer: "):
        HttpAgent(url)({})


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ({"on": date(2026, 5, 30)}, "TypeError: Object of type date is not JSON serializable"),
        ({"score": float("nan")}, "ValueError: Out of range float values are not JSON compliant"),
    ],
)
def test_an_input_that_is_no_json_is_not_sent(ask, endpoint, question, reason):
    with pytest.raises(AgentError) as caught:
        ask(question)
    assert str(caught.value).startswith(f"the input can't be sent as JSON: {reason}")
    assert endpoint.asked == []


def test_many_questions_share_one_connection(endpoint):
    agent = HttpAgent(endpoint.url)
    for number in range(5):
        agent({"number": number})
    assert [asked["input"]["number"] for asked in endpoint.asked] == [0, 1, 2, 3, 4]
    assert len(endpoint.connections) == 1


def test_the_connection_is_closed_with_the_agent(endpoint):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        HttpAgent(endpoint.url)({})
        gc.collect()
    assert [str(warning.message) for warning in caught] == []


def test_reports_never_show_what_may_be_secret_in_the_url(endpoint):
    endpoint.answers(b"", 500)
    secret = endpoint.url.replace("http://", "http://me:pa55word@") + "?key=s3cret#part"
    agent = HttpAgent(secret)
    with pytest.raises(AgentError) as caught:
        agent({})
    for text in (str(caught.value), repr(agent), str(agent)):
        assert endpoint.url in text
        assert "pa55word" not in text
        assert "s3cret" not in text


def test_a_slow_endpoint_is_the_same_timeout_at_the_desk(desk, endpoint):
    endpoint.delay = 1
    with pytest.raises(AgentTimeout, match=r"within 0\.2 s"):
        desk(0.2).ask(HttpAgent(endpoint.url, timeout=None), {}).reply()
