from __future__ import annotations

import pytest
from model_server import ModelServer

KEYS = {
    "ANTHROPIC_API_KEY": "sk-ant-api03-" + "planted-For-Tests_0123456789" * 2,
    "OPENAI_API_KEY": "sk-proj-" + "plantedForTests0123456789" * 2,
    "OLLAMA_API_KEY": "ollama-key-planted-for-tests-0123",
}


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    """Keys of our own, and none of who runs the tests; loopback is never asked through a proxy."""
    for name in ("OLLAMA_HOST", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    for name, key in KEYS.items():
        monkeypatch.setenv(name, key)
    monkeypatch.setenv("NO_PROXY", "*")


@pytest.fixture
def keys():
    return list(KEYS.values())


@pytest.fixture
def server():
    with ModelServer() as server:
        yield server
