"""Collecting alone."""

from collections.abc import Sequence

from benchmarks.harness.parts import Benchmark, Contender, Figure, Limit, Plan
from benchmarks.harness.values import each_second
from benchmarks.samples import files, golden, one_file

_ONE = "one case"
_WAYS = {
    "files, cold": (files, True),
    "files, warm": (files, False),
    "one file, cold": (one_file, True),
    "one file, warm": (one_file, False),
}


def _contenders(plan: Plan) -> Sequence[Contender]:
    return (
        golden(_ONE, files, 1, only_collected=True),
        *(
            golden(name, write, plan.size, cold=cold, only_collected=True)
            for name, (write, cold) in _WAYS.items()
        ),
    )


def _figures(plan: Plan) -> Sequence[Figure]:
    return [
        Figure(name, "cases/s", each_second(name, _ONE, plan.size - 1), Limit(5_000, at_least=True))
        for name in _WAYS
    ]


COLLECTION = Benchmark(
    "collection",
    "`pytest --collect-only -q`: cases per second of CPU time, beyond what a run with one case takes.",
    _contenders,
    _figures,
    full=Plan(10_000, 5),
    quick=Plan(500, 2),
)
