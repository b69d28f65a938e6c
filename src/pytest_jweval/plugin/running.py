"""Running one case inside a test: as an item of its own, or as ``jw_evaluate(case)``."""

from collections import ChainMap
from collections.abc import Mapping
from typing import Any

import pytest

from pytest_jweval.errors import CaseError
from pytest_jweval.plugin.collect import CaseFailed, CaseItem
from pytest_jweval.plugin.fixtures import KnownAgents
from pytest_jweval.plugin.session import SESSION, Session
from pytest_jweval.ports import Agent
from pytest_jweval.records import GoldenCase, LayerResult, Verdict, parse
from pytest_jweval.results import result_of_broken
from pytest_jweval.runner import Job


def run_item(request: pytest.FixtureRequest) -> None:
    """Run the requesting item's case; anything but a pass is raised."""
    __tracebackhide__ = True
    item: CaseItem = request.node
    session = item.config.stash[SESSION]
    result = _result_of(item, request, session)
    item.conclude(result)
    if result.verdict is Verdict.SKIP or (
        result.verdict is Verdict.REVIEW and session.settings.review == "skip"
    ):
        pytest.skip("; ".join(result.reasons) or result.verdict.value)
    if result.verdict is not Verdict.PASS:
        raise CaseFailed(result)


def _result_of(item: CaseItem, request: pytest.FixtureRequest, session: Session) -> LayerResult:
    entry = item.entry
    if entry.is_broken:
        return result_of_broken(entry)
    try:
        case, expected = entry.checked()
    except CaseError as error:  # its layer, a project's own, isn't what it was when the case was read
        return result_of_broken(entry.broken(error.misses))
    job = _job(case, request, session)
    job.source, job.expected = entry.source, expected
    result = session.runner.run(job)
    if session.askers is not None and session.askers.is_last(item):
        session.runner.forget(job)
    return _announced(case, result, item)


def evaluate(case: "GoldenCase | Mapping[str, Any]", request: pytest.FixtureRequest) -> LayerResult:
    """The result of a case that was written in Python."""
    golden = case if isinstance(case, GoldenCase) else parse(GoldenCase, case)
    session = request.config.stash[SESSION]
    return _announced(golden, session.runner.run(_job(golden, request, session)), request.node)


def _job(case: GoldenCase, request: pytest.FixtureRequest, session: Session) -> Job:
    return Job(
        case=case,
        agents=lambda: _agents(request, session),
        resource=lambda name: request.getfixturevalue(f"jw_{name}"),
        asker=f"{request.node.nodeid} {case.layer} {case.id}",
    )


def _agents(request: pytest.FixtureRequest, session: Session) -> Mapping[str, Agent]:
    """From the nearest: the fixture ``jw_agents`` where a project overrides it, conftest hooks, ini."""
    node = request.node
    folder = node.path.parent if isinstance(node, CaseItem) else None
    if folder in session.agents_of_folders:
        return session.agents_of_folders[folder]
    known = session.known_agents(node.ihook)
    by_fixture = request.getfixturevalue("jw_agents")
    if isinstance(by_fixture, KnownAgents):
        # Only a conftest brings hooks or overrides a fixture for a case, so what holds for one holds for
        # its folder.
        if folder is not None:
            session.agents_of_folders[folder] = known
        return known
    passed_on = KnownAgents(request)
    own = {name: agent for name, agent in by_fixture.items() if passed_on.get(name) is not agent}
    return ChainMap(own, known)  # type: ignore[arg-type]  # read only


def _announced(case: GoldenCase, result: LayerResult, node: Any) -> LayerResult:
    """The result, after the project's hooks have seen it; a hook that raises breaks the case, and says so."""
    try:
        node.ihook.pytest_jweval_result(case=case, result=result)
    except Exception as error:  # noqa: BLE001  # a stranger's hook may raise anything
        reason = f"a pytest_jweval_result hook raised {type(error).__name__}: {error}"
        return result.model_copy(update={"verdict": Verdict.ERROR, "reasons": (reason, *result.reasons)})
    return result
