"""From a line of ini ``jweval_agents`` to something that can be called."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from importlib import import_module
from typing import Any

from pytest_jweval.errors import AgentError, told
from pytest_jweval.ports import Agent
from pytest_jweval.values import AgentSpec, is_http


class by_keywords:  # noqa: N801  # used like a function, by users
    """An agent that is called as ``fn(**input)`` instead of ``fn(input)``; ``fn`` may be async.

    >>> def explain(reference, language="en"):
    ...     return f"{reference} ({language})"
    >>> agent = by_keywords(explain)
    >>> agent({"reference": "John 3:16", "language": "es"})
    'John 3:16 (es)'

    In ini ``jweval_agents``, two stars at the end of a line say the same::

        jweval_agents =
            verses = my_project.agents:explain **
    """

    def __init__(self, fn: Callable[..., Any]) -> None:
        self.fn = fn

    def __call__(self, question: dict[str, Any]) -> Any:
        return self.fn(**question)

    def __repr__(self) -> str:
        return f"by_keywords({self.fn!r})"


class SpecAgents(Mapping[str, Agent]):
    """The agents of ini ``jweval_agents``, each imported when it is first asked for: one that can't be
    imported breaks only the cases that name it, and is tried once."""

    def __init__(self, specs: Iterable[AgentSpec], timeout: float) -> None:
        self._specs = {spec.name: spec for spec in specs}
        self._timeout = timeout
        self._agents: dict[str, Agent] = {}
        self._broken: dict[str, AgentError] = {}

    def __getitem__(self, name: str) -> Agent:
        if name in self._broken:
            raise self._broken[name].with_traceback(None)
        if name not in self._agents:
            try:
                self._agents[name] = agent_from(self._specs[name], self._timeout)
            except AgentError as error:
                self._broken[name] = error
                raise
        return self._agents[name]

    def __contains__(self, name: object) -> bool:
        return name in self._specs

    def __iter__(self) -> Iterator[str]:
        return iter(self._specs)

    def __len__(self) -> int:
        return len(self._specs)


def agent_from(spec: AgentSpec, timeout: float) -> Agent:
    """The agent a spec names; an `AgentError` that says what to do if it can't be had."""
    if is_http(spec.target):
        from pytest_jweval.agents.http import HttpAgent

        return HttpAgent(spec.target, timeout=timeout or None)
    agent = _imported(spec)
    return by_keywords(agent) if spec.by_keywords else agent


def _imported(spec: AgentSpec) -> Agent:
    module, _, attribute = spec.target.partition(":")
    try:
        found = reduce(getattr, attribute.split("."), import_module(module))
    except (Exception, SystemExit) as error:  # a module that is imported can raise anything
        missing = isinstance(error, ImportError | AttributeError)
        hint = " (is the package installed, or its folder in ini `pythonpath`?)" if missing else ""
        reason = f"agent {spec.name!r} can't be imported from {spec.target!r}: {told(error)}{hint}"
        raise AgentError(reason) from error
    if not callable(found):
        kind = type(found).__name__
        raise AgentError(f"agent {spec.name!r}: {spec.target!r} is a {kind}, and can't be called")
    return found
