"""What a project can override, at any level; and ``jw_evaluate`` for tests written in Python.

The leaves are of session scope. A leaf is what the options say, ``None`` where nothing is built in yet, or
what an override like this one gives::

    @pytest.fixture(scope="session")
    def jw_llm():
        return HouseLLM()
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from pytest_jweval.plugin.session import SESSION

if TYPE_CHECKING:
    from pytest_jweval.records import GoldenCase, LayerResult


class KnownAgents(Mapping[str, Any]):
    """What `jw_agents` gives when nobody overrides it. Hooks are asked when it is looked into, so that one
    that breaks in some folder costs no case elsewhere."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._request = request

    def _all(self) -> Mapping[str, Any]:
        """What holds for the whole run: the agents of plugins, of rootdir's conftest and of ini."""
        config = self._request.config
        hook = self._request.session.gethookproxy(config.rootpath / "conftest.py")
        return config.stash[SESSION].known_agents(hook)

    def __getitem__(self, name: str) -> Any:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


@pytest.fixture(scope="session")
def jw_agents(request: pytest.FixtureRequest) -> Mapping[str, Any]:
    """Name → agent. An override adds its agents to those of hooks and ini, and wins over them."""
    return KnownAgents(request)


@pytest.fixture(scope="session")
def jw_llm(request: pytest.FixtureRequest) -> Any:
    """The judge's model."""
    return request.config.stash[SESSION].resources.llm()


@pytest.fixture(scope="session")
def jw_generator() -> Any:
    """The model that writes: scenario answers, synthesis."""
    return None


@pytest.fixture(scope="session")
def jw_nli() -> Any:
    """Says whether a premise entails a claim."""
    return None


@pytest.fixture(scope="session")
def jw_embedder(request: pytest.FixtureRequest) -> Any:
    """Makes vectors of texts."""
    return request.config.stash[SESSION].resources.embedder()


@pytest.fixture(scope="session")
def jw_pages(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Web pages, from snapshots or live."""
    from pytest_jweval.web.kept import KeptPages

    session = request.config.stash[SESSION]
    pages = session.resources.opening().open()
    with closing(pages):
        if isinstance(pages, KeptPages):
            yield pages
        else:
            pages.allow(session.pages_of(session.all_items))
            pages.expect(session.pages_of(request.session.items))
            yield pages
            if session.is_worker:
                pages.finish()


@pytest.fixture(scope="session")
def jw_store() -> Any:
    """Finds the nearest chunks."""
    return None


@pytest.fixture
def jw_judge(jw_llm: Any, request: pytest.FixtureRequest) -> Any:
    """Decides what is neither clearly right nor clearly wrong; of function scope, so that an override of
    ``jw_llm`` nearer to the test is honoured."""
    return request.config.stash[SESSION].resources.judge(jw_llm)


@pytest.fixture
def jw_evaluate(request: pytest.FixtureRequest) -> "Callable[[GoldenCase | Mapping[str, Any]], LayerResult]":
    """Run a case from a test written in Python: ``jw_evaluate({"id": …}).verdict``."""
    from pytest_jweval.plugin.running import evaluate

    return lambda case: evaluate(case, request)
