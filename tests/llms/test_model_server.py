"""The server of these tests says to the official clients what the real ones would."""

from __future__ import annotations

import pytest
from model_server import ModelServer, hashed, status

ollama = pytest.importorskip("ollama")
openai = pytest.importorskip("openai")


def test_vectors_come_back_in_both_languages(server):
    texts = ["uno", "dos – 神"]
    with ollama.Client(server.url) as client:
        vectors = client.embed("m", texts).embeddings
    assert [list(vector) for vector in vectors] == [hashed(text) for text in texts]
    with openai.OpenAI(api_key="k", base_url=f"{server.url}/v1", max_retries=0) as client:
        data = client.embeddings.create(model="m", input=texts).data
    assert [entry.embedding for entry in data] == [hashed(text) for text in texts]


def test_a_path_can_fail_apart_from_the_script():
    with (
        ModelServer("said", embed=lambda text: [float(len(text))]) as server,
        ollama.Client(server.url) as client,
    ):
        assert list(client.embed("m", "four").embeddings[0]) == [4.0]
        server.failing["/api/embed"] = status(500, "no vectors today")
        with pytest.raises(ollama.ResponseError, match="no vectors today"):
            client.embed("m", "four")
        assert client.chat("m", [{"role": "user", "content": "?"}]).message.content == "said"


def test_replies_may_depend_on_what_is_asked(server):
    server.says(lambda asked: asked.body["messages"][0]["content"][::-1])
    with ollama.Client(server.url) as client:
        assert client.chat("m", [{"role": "user", "content": "abc"}]).message.content == "cba"
