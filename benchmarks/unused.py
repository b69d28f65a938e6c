"""What a plugin costs a project that doesn't use it.

Here pytest looks for installed plugins, as it does everywhere: naming one with ``-p`` would have
the naming side alone pay for the search. All others are blocked on both sides, and never imported.
"""

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from benchmarks.harness.parts import Benchmark, Contender, Figure, Limit, Plan
from benchmarks.harness.process import pytest_command
from benchmarks.harness.values import cpu, milliseconds_over, wall
from benchmarks.installed import normalised, plugins_by_package

_OURS = "pytest-jweval"
_NONE = "no plugin"


def _contenders(plan: Plan) -> Sequence[Contender]:
    return [
        _contender(_NONE, None),
        *(_contender(_named(package), package) for package in (_OURS, *_found(plan))),
    ]


def _figures(plan: Plan) -> Sequence[Figure]:
    ours = _named(_OURS)
    return [
        Figure(f"{ours}, CPU time", "ms over none", milliseconds_over(ours, _NONE, cpu), Limit(15)),
        Figure(f"{ours}, wall time", "ms over none", milliseconds_over(ours, _NONE, wall)),
        *_peers_figures(plan),
    ]


def _peers_figures(plan: Plan) -> Iterator[Figure]:
    for name in map(_named, _found(plan)):
        yield Figure(f"{name}, CPU time", "ms over none", milliseconds_over(name, _NONE, cpu))
        yield Figure(f"{name}, wall time", "ms over none", milliseconds_over(name, _NONE, wall))


def _contender(name: str, wanted: str | None) -> Contender:
    blocked = sorted(
        plugin for package, plugins in plugins_by_package().items() if package != wanted for plugin in plugins
    )

    def prepare(folder: Path) -> Sequence[str]:
        (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        (folder / "test_one.py").write_text("def test_one(): pass\n", encoding="utf-8")
        return pytest_command("-q", *(part for plugin in blocked for part in ("-p", f"no:{plugin}")))

    return Contender(name, prepare, "1 passed", autoload=True)


def _named(package: str) -> str:
    return f"{package} {version(package)}"


def _found(plan: Plan) -> list[str]:
    installed = plugins_by_package()
    return [package for package in map(normalised, plan.peers) if package in installed]


def _remarks(plan: Plan) -> Sequence[str]:
    installed = plugins_by_package()
    return [
        f"{peer} is left out: no pytest plugin of that package is installed."
        for peer in map(normalised, plan.peers)
        if peer not in installed
    ]


UNUSED = Benchmark(
    "unused",
    "A project with one test, which doesn't use the plugin, with the plugin installed and without it.",
    _contenders,
    _figures,
    full=Plan(1, 60),
    quick=Plan(1, 5),
    takes_size=False,
    takes_peers=True,
    remarks=_remarks,
)
