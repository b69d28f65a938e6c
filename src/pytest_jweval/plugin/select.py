"""Which of the collected items run."""

import argparse
from collections.abc import Callable, Container

import pytest

from pytest_jweval.plugin.collect import CaseItem
from pytest_jweval.settings import Settings

UNKNOWN = "unknown"
"""The layer in the header of a document that is too broken to name one."""


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


def keep_chosen(config: pytest.Config, settings: Settings, items: list[pytest.Item]) -> None:
    """Apply ``--jw-layer``, ``--jw-agent``, ``--jw-tag`` and ``--jw-shard``, all of which must hold."""
    tests = list(_tests(settings))
    if not tests:
        return
    kept = [item for item in items if all(test(item) for test in tests)]
    dropped = [item for item in items if not all(test(item) for test in tests)]
    if dropped:
        items[:] = kept
        config.hook.pytest_deselected(items=dropped)


Test = Callable[[pytest.Item], bool]


def _tests(settings: Settings) -> "list[Test]":
    """One test an option that was given. A shard is of everything; the others choose among golden cases."""
    tests: list[Test] = []
    if settings.layers:
        tests.append(_cases(lambda item: item.header.layer, {*settings.layers, UNKNOWN}))
    if settings.agents:
        tests.append(_cases(lambda item: item.header.agent, {*settings.agents}))
    if settings.tags:
        tests.append(
            lambda item: (
                isinstance(item, CaseItem) and (item.is_broken or not item.tags.isdisjoint(settings.tags))
            )
        )
    if (shard := settings.shard) is not None:
        tests.append(lambda item: shard.holds(item.name if isinstance(item, CaseItem) else item.nodeid))
    return tests


def _cases(told: Callable[[CaseItem], str | None], wanted: set[str]) -> Test:
    """Golden cases that tell something wanted; and those too broken to tell, which nothing should hide."""
    return lambda item: (
        isinstance(item, CaseItem) and (told(item) in wanted or (item.is_broken and told(item) is None))
    )
