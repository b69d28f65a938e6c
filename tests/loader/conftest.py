"""Bytes in, entries out."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_jweval import defaults
from pytest_jweval.loader import Entry, load, yaml_text
from pytest_jweval.registry import Registry

Loaded = Callable[..., list[Entry]]


@pytest.fixture(scope="session")
def layers() -> Any:
    registry = Registry()
    defaults.pytest_jweval_register(registry, None)
    return registry.layers


@pytest.fixture(scope="session")
def loaded(tmp_path_factory: pytest.TempPathFactory, layers: Any) -> Loaded:
    """``loaded(b"id: a…")``: the entries of a new file with these bytes; shown by its bare name."""
    folder = tmp_path_factory.mktemp("cases")
    numbers = count()

    def loaded(data: bytes | str, name: str = "case.yaml") -> list[Entry]:
        path = folder / str(next(numbers)) / name
        path.parent.mkdir()
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return load(path, name, layers)

    return loaded


@pytest.fixture(scope="session")
def load_path(layers: Any) -> Callable[[Path], list[Entry]]:
    return lambda path: load(path, path.name, layers)


@pytest.fixture(params=["libyaml", "python"])
def either_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The parser that PyYAML's wheels bring along, and the one that is left without it."""
    parser = {"libyaml": yaml.CSafeLoader, "python": yaml.SafeLoader}[request.param]
    monkeypatch.setattr(yaml_text, "Parser", parser)
    return str(request.param)


@pytest.fixture
def pure_python(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(yaml_text, "Parser", yaml.SafeLoader)
        yield
