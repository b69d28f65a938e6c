"""Embedders behind HTTP, against a real server on loopback with all its faults."""

from __future__ import annotations

import gc
import json
import socket
import time
import warnings
from email.utils import formatdate

import pytest
from model_server import ModelServer, half, hang_up, hashed, raw, slow, status

from pytest_jweval.errors import ProviderError
from pytest_jweval.judges.embedders.endpoints import OllamaEmbedder, OpenAIEmbedder
from pytest_jweval.judges.embedders.posting import Posting

KEY = "sk-test-0123456789abcdef"


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for name in ("OLLAMA_HOST", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server():
    with ModelServer() as server:
        yield server


@pytest.fixture
def pauses(monkeypatch):
    """The pauses between tries, which are not made."""
    made: list[float] = []
    monkeypatch.setattr("pytest_jweval.patience._random.uniform", lambda _, most: most / 4)
    original = Posting.__init__

    def patient(self, *args, **options):
        original(self, *args, **{"sleep": made.append, **options})

    monkeypatch.setattr(Posting, "__init__", patient)
    return made


@pytest.fixture(params=["ollama", "openai"])
def kind(request):
    return request.param


PATHS = {"ollama": "/api/embed", "openai": "/v1/embeddings"}


def embedder(kind, server, **options):
    if kind == "ollama":
        return OllamaEmbedder("tiny", host=server.url, **options)
    return OpenAIEmbedder("tiny", base_url=f"{server.url}/v1", **options)


def body(kind, vectors):
    if kind == "ollama":
        return {"embeddings": vectors}
    return {"data": [{"index": place, "embedding": vector} for place, vector in enumerate(vectors)]}


def scripted(kind, server, *replies):
    """What is answered, one after the other, the last for good."""
    left = list(replies)
    server.failing[PATHS[kind]] = lambda _: left.pop(0) if len(left) > 1 else left[0]


def good(kind, *vectors):
    return raw(json.dumps(body(kind, [list(vector) for vector in vectors or ([1.0, 2.0],)])).encode())


TEXTS = ["In the beginning was the Word", "día – 神", "a\nb"]


def test_a_vector_comes_back_for_each_text_in_its_order(kind, server):
    vectors = embedder(kind, server).embed(TEXTS)
    assert [list(vector) for vector in vectors] == [pytest.approx(hashed(text), rel=1e-6) for text in TEXTS]


def test_ollama_is_asked_in_its_language(server):
    OllamaEmbedder("tiny", host=server.url).embed(TEXTS)
    (asked,) = server.asked
    assert asked.path == "/api/embed"
    assert asked.body == {"model": "tiny", "input": TEXTS, "truncate": False}
    assert "authorization" not in asked.headers


def test_openai_is_asked_in_its_language(server):
    OpenAIEmbedder("tiny", base_url=f"{server.url}/v1/").embed(TEXTS)
    (asked,) = server.asked
    assert asked.path == "/v1/embeddings"
    assert asked.body == {"model": "tiny", "input": TEXTS, "encoding_format": "float"}
    assert asked.headers["authorization"] == f"Bearer {KEY}"


def test_the_addresses_may_stand_in_the_environment(server, monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", server.url.removeprefix("http://127.0.0.1"))
    monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
    for made in (OllamaEmbedder(), OpenAIEmbedder()):
        assert len(made.embed(["a"])) == 1


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("1.2.3.4", "http://1.2.3.4:11434"),
        (":56789", "http://127.0.0.1:56789"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:8080", "http://127.0.0.1:8080"),
        ("http://models", "http://models"),
        ("https://models.example/ollama/", "https://models.example/ollama"),
        ("[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_the_host_is_read_as_ollama_reads_it(host, url):
    assert OllamaEmbedder(host=host)._post._url == f"{url}/api/embed"


def test_a_host_that_is_no_address_says_so():
    with pytest.raises(ProviderError, match="OLLAMA_HOST 'models:many' is no address"):
        OllamaEmbedder(host="models:many")


def test_many_texts_go_in_batches_over_one_connection(kind, server):
    texts = [f"text {number}" for number in range(150)]
    vectors = embedder(kind, server).embed(texts)
    assert [len(asked.body["input"]) for asked in server.asked] == [64, 64, 22]
    assert [list(vector) for vector in vectors] == [pytest.approx(hashed(text), rel=1e-6) for text in texts]


def test_nothing_asked_is_nothing_sent(kind, server):
    assert embedder(kind, server).embed([]) == []
    assert server.asked == []


def test_half_characters_are_sent_as_their_escapes(kind, server):
    embedder(kind, server).embed(["half \ud800"])
    assert server.asked[0].body["input"] == ["half \\ud800"]


def test_vectors_are_put_in_order_by_their_index(server):
    data = [{"index": 1, "embedding": [2.0]}, {"index": 0, "embedding": [1.0]}]
    scripted("openai", server, raw(json.dumps({"data": data}).encode()))
    assert [list(vector) for vector in embedder("openai", server).embed(["a", "b"])] == [[1.0], [2.0]]


def test_names_say_kind_and_model_and_bands_may_be_measured(kind, server):
    made = embedder(kind, server, bands=(0.9, 0.6))
    assert made.name == f"{kind}:tiny"
    assert made.bands == (0.9, 0.6)
    assert embedder(kind, server).bands == (0.78, 0.55)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (
            status(400, "the input length exceeds the context length"),
            "answered HTTP 400: the input length exc",
        ),
        (status(401, "no such user"), "answered HTTP 401: no such user"),
        (status(302, "elsewhere"), "answered HTTP 302: elsewhere"),
        (status(404, "model 'tiny' not found"), "answered HTTP 404: model 'tiny' not found"),
        (raw(b"[1, 2]"), "answered in no known form: TypeError"),
        (raw(b'{"error": "no"}'), "answered in no known form: KeyError"),
        (raw(b'{"embeddings": null, "data": null}'), "answered in no known form: TypeError"),
        (raw(b'{"embeddings": 7, "data": [7]}'), "answered in no known form: TypeError"),
    ],
)
def test_what_wont_pass_is_told_at_once_in_one_line(reply, reason, kind, server, pauses):
    scripted(kind, server, reply)
    with pytest.raises(ProviderError) as caught:
        embedder(kind, server).embed(["a"])
    line = str(caught.value)
    assert line.startswith(f"{kind}:tiny {reason}")
    assert "\n" not in line
    assert len(line) < 300
    assert pauses == []


@pytest.mark.parametrize(
    ("vectors", "reason"),
    [
        ([[1.0, 2.0]], "gave 1 vector for 2 texts"),
        ([[1.0], [1.0], [1.0]], "gave 3 vectors for 2 texts"),
        ([[1.0], [1.0, 2.0]], "gave vectors of 1 and of 2 numbers"),
        ([[], []], "gave an empty vector"),
        ([[1.0], [float("nan")]], "gave a vector with NaN or infinity in it"),
        ([[1.0], [float("inf")]], "gave a vector with NaN or infinity in it"),
        ([[1.0], [1e400]], "gave a vector with NaN or infinity in it"),
        ([[1.0], ["1.0"]], "gave no vector, but ['1.0']"),
        ([[1.0], [None]], "gave no vector, but [None]"),
        ([[1.0, 2.0], [0.0, 0.0]], "gave a vector of zeros for 'b'"),
    ],
)
def test_what_are_no_vectors_is_refused(vectors, reason, kind, server):
    scripted(kind, server, raw(json.dumps(body(kind, vectors)).encode()))
    with pytest.raises(ProviderError) as caught:
        embedder(kind, server).embed(["a", "b"])
    assert str(caught.value) == f"{kind}:tiny {reason}"


@pytest.mark.parametrize(
    "fault",
    [
        status(429),
        status(500),
        status(502),
        status(503),
        half(),
        hang_up(),
        raw(b"<html>busy</html>"),
        raw(b"[" * 100_000),
    ],
    ids=["429", "500", "502", "503", "half", "hang up", "no JSON", "too deep"],
)
def test_what_may_pass_is_tried_again(fault, kind, server, pauses):
    scripted(kind, server, fault, fault, good(kind))
    assert [list(vector) for vector in embedder(kind, server).embed(["a"])] == [[1.0, 2.0]]
    assert pauses == [0.25, 0.5]
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (status(503, "busy"), "answered HTTP 503: busy (4 tries)"),
        (status(429, "busy"), "answered HTTP 429: busy; it is asked too often; ask less at once (4 tries)"),
        (raw(b""), "answered no JSON: (nothing) (4 tries)"),
    ],
)
def test_what_doesnt_pass_is_given_up(fault, reason, kind, server, pauses):
    scripted(kind, server, fault)
    with pytest.raises(ProviderError) as caught:
        embedder(kind, server).embed(["a"])
    assert str(caught.value) == f"{kind}:tiny {reason}"
    assert pauses == [0.25, 0.5, 1.0]


def test_it_waits_as_long_as_it_is_asked_to(kind, server, pauses):
    scripted(kind, server, status(429, **{"Retry-After": "7"}), good(kind))
    embedder(kind, server).embed(["a"])
    assert pauses == [7.0]


def test_it_waits_half_a_minute_in_all_and_no_longer(kind, server, pauses):
    scripted(kind, server, status(429, "busy", **{"Retry-After": "20"}))
    with pytest.raises(ProviderError, match="it asks to wait 20 s"):
        embedder(kind, server).embed(["a"])
    assert pauses == [20.0]


def test_a_date_to_wait_for_counts_from_now(kind, server, pauses):
    scripted(
        kind, server, status(503, **{"Retry-After": formatdate(time.time() + 10, usegmt=True)}), good(kind)
    )
    embedder(kind, server).embed(["a"])
    assert 8 <= pauses[0] <= 10


def test_a_slow_answer_is_given_up_and_not_asked_for_again(kind, server, pauses):
    server.failing[PATHS[kind]] = slow(5, good(kind))
    with pytest.raises(ProviderError, match=rf"^{kind}:tiny gave no answer within 0\.1 s$"):
        embedder(kind, server, timeout=0.1).embed(["a"])
    assert pauses == []


def test_where_nobody_listens_it_says_what_to_do(pauses):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(ProviderError) as caught:
        OllamaEmbedder(host=f"127.0.0.1:{port}").embed(["a"])
    assert str(caught.value).startswith("ollama:bge-m3 can't be reached: ConnectError: ")
    assert str(caught.value).endswith("; start it with `ollama serve`, or set OLLAMA_HOST")
    with pytest.raises(ProviderError, match=r"^openai:text-embedding-3-small can't be reached: ConnectError"):
        OpenAIEmbedder(base_url=f"http://127.0.0.1:{port}/v1").embed(["a"])
    assert pauses == []


def test_a_model_that_is_missing_says_how_to_get_it(server):
    scripted("ollama", server, status(404, 'model "tiny" not found'))
    with pytest.raises(ProviderError, match="; `ollama pull tiny` gets a model$"):
        embedder("ollama", server).embed(["a"])


@pytest.mark.parametrize("key", [None, "", "  "])
def test_openai_itself_needs_a_key_and_nothing_is_sent_without_one(key, monkeypatch):
    if key is None:
        monkeypatch.delenv("OPENAI_API_KEY")
    else:
        monkeypatch.setenv("OPENAI_API_KEY", key)
    line = "openai:text-embedding-3-small needs a key: set the environment variable OPENAI_API_KEY"
    with pytest.raises(ProviderError, match=f"^{line}$"):
        OpenAIEmbedder().embed(["a"])


@pytest.mark.parametrize("key", ["sk-día", "sk-one\nsk-two", "sk-\x07"])
def test_a_key_that_no_header_takes_is_not_shown_either(key, server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(ProviderError) as caught:
        embedder("openai", server).embed(["a"])
    assert str(caught.value) == "openai:tiny can't send what stands in OPENAI_API_KEY: that is no key"
    assert server.asked == []


def test_a_server_of_ones_own_needs_no_key(server, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    embedder("openai", server).embed(["a"])
    assert "authorization" not in server.asked[0].headers


@pytest.mark.parametrize("code", [401, 500])
def test_the_key_is_never_shown(code, server, pauses):
    scripted("openai", server, status(code, f"you said Bearer {KEY}"))
    made = embedder("openai", server)
    with pytest.raises(ProviderError) as caught:
        made.embed(["a"])
    assert "you said Bearer [key]" in str(caught.value)
    shown = [repr(made), str(caught.value), str(caught.getrepr(showlocals=True, style="long"))]
    assert all(KEY not in text for text in shown)


def test_connections_are_closed_with_the_embedder(kind, server):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        embedder(kind, server).embed(["a"])
        gc.collect()
    assert [str(warning.message) for warning in caught] == []
