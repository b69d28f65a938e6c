"""What it costs to ask."""

from collections.abc import Sequence

from benchmarks.harness.parts import Benchmark, Contender, Figure, Plan
from benchmarks.harness.values import microseconds_each
from benchmarks.samples import bare, golden, one_file, one_question

_BARE, _SYNC, _ASYNC, _AGAIN = "bare functions", "sync agent", "async agent", "one question, sync agent"


def _contenders(plan: Plan) -> Sequence[Contender]:
    return (
        bare(_BARE, plan.size),
        golden(_SYNC, one_file, plan.size),
        golden(_ASYNC, one_file, plan.size, agent_is_async=True),
        golden(_AGAIN, one_question, plan.size),
    )


def _figures(plan: Plan) -> Sequence[Figure]:
    return [
        Figure(f"{name}, over bare", "µs a case", microseconds_each(name, _BARE, plan.size))
        for name in (_SYNC, _ASYNC, _AGAIN)
    ]


AGENTS = Benchmark(
    "agents",
    "What asking costs: a sync agent, an async one, and one that is asked the same again and again.",
    _contenders,
    _figures,
    full=Plan(1_000, 10),
    quick=Plan(100, 2),
)
