"""Which of the collected items run."""

import argparse
from collections.abc import Callable, Container, Iterator

import pytest

from pytest_jweval.plugin.collect import CaseItem
from pytest_jweval.plugin.session import Session
from pytest_jweval.settings import Settings


def join_repeated_marks(config: pytest.Config, layers: Container[str]) -> None:
    """``-m l1 -m l2`` means both. pytest alone lets the last ``-m`` win, and still does wherever one of
    them is more than the name of a layer, or comes from ``addopts``."""
    given = _marks_on_command_line(config)
    if len(given) > 1 and all(mark.strip() in layers for mark in given):
        config.option.markexpr = " or ".join(dict.fromkeys(mark.strip() for mark in given))


def _marks_on_command_line(config: pytest.Config) -> list[str]:
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("-m", action="append", default=[])
    try:
        known, _ = parser.parse_known_args([str(arg) for arg in config.invocation_params.args])
    except argparse.ArgumentError:
        return []  # "-m" without a value: pytest says so itself
    return list(known.m)


def keep_chosen(session: Session, items: list[pytest.Item]) -> None:
    """Apply ``--jw-layer``, ``--jw-agent``, ``--jw-tag`` and ``--jw-shard``, all of which must hold."""
    if session.settings.live or session.settings.snapshots != "use":
        session.all_items = [*items]  # whichever of them are chosen, the hosts that cases name are the same
    tests = list(_tests(session.settings, session.registry.layers))
    kept: list[pytest.Item] = []
    dropped: list[pytest.Item] = []
    for item in items:
        (kept if all(test(item) for test in tests) else dropped).append(item)
    if dropped:
        items[:] = kept
        session.config.hook.pytest_deselected(items=dropped)


Test = Callable[[pytest.Item], bool]


def _tests(settings: Settings, layers: Container[str]) -> Iterator[Test]:
    """One test an option that was given. A shard is of everything; the others choose among golden cases.

    What is too broken to tell its layer, agent or tags is chosen by each: nothing should hide it.
    """
    if settings.layers:
        yield _cases(
            lambda case: case.header.layer in settings.layers, lambda case: case.header.layer not in layers
        )
    if settings.agents:
        yield _cases(
            lambda case: case.header.agent in settings.agents, lambda case: case.header.agent is None
        )
    if settings.tags:
        yield _cases(lambda case: not case.tags.isdisjoint(settings.tags), lambda _: True)
    if (shard := settings.shard) is not None:
        yield lambda item: shard.holds(item.name if isinstance(item, CaseItem) else item.nodeid)


def _cases(wanted: Callable[[CaseItem], bool], untold: Callable[[CaseItem], bool]) -> Test:
    return lambda item: isinstance(item, CaseItem) and (wanted(item) or (item.is_broken and untold(item)))
