"""What is built in, registered by the hook that a stranger would use.

Each entry is a function that imports its room when the entry is first needed.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pluggy

from pytest_jweval.registry import Registry

hookimpl = pluggy.HookimplMarker("pytest")

_UNBUILT = ("calibration", "bench", "pairs", "scenario")


@hookimpl(trylast=True)
def pytest_jweval_register(registry: Registry, config: Any) -> None:
    registry.layers["l1"] = _from("layers.structural", "Structural")
    registry.layers["l2"] = _from("layers.citations", "Citations")
    registry.layers["l3"] = _from("layers.semantic", "Semantic")
    for name in _UNBUILT:
        registry.layers[name] = _from("layers.unbuilt", "Unbuilt", name)
    registry.llms["ollama"] = _from("llms.ollama", "Ollama")
    registry.llms["claude"] = _from("llms.anthropic", "Claude")
    registry.llms["openai"] = _from("llms.openai", "OpenAI")
    registry.embedders["hashing"] = _from("judges.embedders.hashing", "HashingEmbedder")
    registry.embedders["sentence-transformers"] = _from(
        "judges.embedders.sentence_transformers", "SentenceTransformersEmbedder"
    )
    registry.embedders["ollama"] = _from("judges.embedders.endpoints", "OllamaEmbedder")
    registry.embedders["openai"] = _from("judges.embedders.endpoints", "OpenAIEmbedder")
    registry.reports["json"] = _from("reports.as_json")
    registry.reports["md"] = _from("reports.as_markdown")


def _from(room: str, name: str | None = None, *arguments: str) -> Callable[[], Any]:
    """A function that gives the module of a room, or an object of a class in it."""

    def make(*more: str) -> Any:
        module = import_module(f"pytest_jweval.{room}")
        return getattr(module, name)(*arguments, *more) if name else module

    return make
