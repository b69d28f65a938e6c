"""The shelves of the registry: who wins, when a factory is called, what an unknown name says."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from pytest_jweval import defaults
from pytest_jweval.errors import UnknownName
from pytest_jweval.registry import Registry, Shelf


@pytest.fixture
def shelf() -> Shelf[Any]:
    return Shelf("judge")


class Counted:
    """Counts how many were made."""

    made = 0

    def __init__(self, name: str = "") -> None:
        type(self).made += 1


def test_the_first_entry_of_a_name_stays(shelf):
    # Hooks are called nearest first: a project's conftest comes before an installed plugin.
    shelf["house"] = "conftest"
    shelf["house"] = "plugin"
    assert shelf["house"] == "conftest"


@pytest.mark.parametrize(
    "factory", [Counted, lambda: Counted("a"), partial(Counted, "a")], ids=["class", "function", "partial"]
)
def test_a_factory_is_called_once_and_only_when_needed(shelf, factory, monkeypatch):
    monkeypatch.setattr(Counted, "made", 0)
    shelf["house"] = factory
    assert ("house" in shelf, list(shelf), len(shelf)) == (True, ["house"], 1)
    assert Counted.made == 0
    assert shelf["house"] is shelf.named("house") is shelf.get("house")
    assert Counted.made == 1


def test_an_object_is_itself_also_if_it_can_be_called(shelf):
    class Judge:
        def __call__(self):
            raise AssertionError("nobody asked")

    judge = Judge()
    shelf["house"] = judge
    assert shelf["house"] is judge


def test_what_a_factory_makes_is_never_called_itself(shelf):
    def reader():
        raise AssertionError("nobody asked")

    shelf["epub"] = lambda: reader
    shelf["class"] = lambda: Counted
    for _ in range(2):
        assert shelf["epub"] is reader
        assert shelf["class"] is Counted


def test_a_factory_that_fails_is_tried_again(shelf):
    tries = []

    def factory():
        tries.append(1)
        if len(tries) == 1:
            raise ModuleNotFoundError("numpy")
        return "made"

    shelf["house"] = factory
    with pytest.raises(ModuleNotFoundError):
        shelf["house"]
    assert shelf["house"] == "made"


def test_an_unknown_name_is_a_key_error_and_by_name_a_suggestion(shelf):
    shelf["ollama"] = object()
    with pytest.raises(KeyError):
        shelf["olama"]
    with pytest.raises(UnknownName, match=r"^unknown judge 'olama' \(did you mean 'ollama'\?\)$"):
        shelf.named("olama")


def test_every_kind_that_a_hook_may_register_has_a_shelf():
    shelves = {name: shelf.kind for name, shelf in vars(Registry()).items()}
    assert shelves == {
        "layers": "layer",
        "judges": "judge",
        "llms": "LLM backend",
        "embedders": "embedder",
        "nli": "NLI backend",
        "chunkers": "chunker",
        "stores": "store",
        "readers": "reader",
        "dimensions": "dimension",
        "reports": "report format",
    }


def test_every_built_in_name_leads_to_what_it_says():
    registry = Registry()
    defaults.pytest_jweval_register(registry, None)
    assert list(registry.layers) == ["l1", "l2", "l3", "calibration", "bench", "pairs", "scenario"]
    assert all(layer.name == name for name, layer in registry.layers.items())
    assert list(registry.reports) == ["json", "md"]
    assert all(callable(form.render) for form in registry.reports.values())
