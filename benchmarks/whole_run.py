"""A whole ``pytest -q`` of golden cases, without and with what the run before left in pytest's cache."""

from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.harness.parts import Benchmark, Contender, Figure, Limit, Plan
from benchmarks.harness.values import cpu, memory, ratio
from benchmarks.samples import bare, golden

BARE, COLD, WARM = "bare functions", "cases, cold", "cases, warm"

_FIGURES = (
    Figure("CPU time, warm", "× bare", ratio(WARM, BARE, cpu), Limit(1.15)),
    Figure("CPU time, cold", "× bare", ratio(COLD, BARE, cpu), Limit(1.5)),
    Figure("peak memory, warm", "× bare", ratio(WARM, BARE, memory), Limit(1.3)),
    Figure("peak memory, cold", "× bare", ratio(COLD, BARE, memory), Limit(1.3)),
)


def whole_run(name: str, sentence: str, write: Callable[[Path, int], None]) -> Benchmark:
    def contenders(plan: Plan) -> Sequence[Contender]:
        return (
            bare(BARE, plan.size),
            golden(COLD, write, plan.size, cold=True),
            golden(WARM, write, plan.size),
        )

    return Benchmark(name, sentence, contenders, lambda _: _FIGURES, full=Plan(10_000, 5), quick=Plan(200, 2))
