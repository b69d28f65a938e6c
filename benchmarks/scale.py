"""Whether a case costs the same among many as among few."""

from collections.abc import Sequence

from benchmarks.harness.parts import Benchmark, Contender, Figure, Limit, Plan
from benchmarks.harness.values import Value, microseconds_each, quotient
from benchmarks.samples import golden, one_file

_ONE = "one case"
_YARDSTICK = 1_000
_STEPS = (100, _YARDSTICK, 10_000)


def sizes(largest: int) -> list[int]:
    return [*(step for step in _STEPS if step < largest), largest]


def _contenders(plan: Plan) -> Sequence[Contender]:
    return [golden(_name(size), one_file, size, cold=True) for size in (1, *sizes(plan.size))]


def _figures(plan: Plan) -> Sequence[Figure]:
    each = [Figure(_name(size), "µs a case", _each(size)) for size in sizes(plan.size)]
    sentence = f"a case of {_name(plan.size)} beside one of {_name(_YARDSTICK)}"
    return [*each, Figure(sentence, "×", _growth(plan.size), Limit(1.3))]


def _growth(largest: int) -> Value:
    if largest <= _YARDSTICK:
        return lambda _: None
    return quotient(_each(largest), _each(_YARDSTICK))


def _each(size: int) -> Value:
    return microseconds_each(_name(size), _ONE, size - 1)


def _name(size: int) -> str:
    return _ONE if size == 1 else f"{size:,} cases"


SCALE = Benchmark(
    "scale",
    "CPU time a case, cold, from a hundred to a hundred thousand cases in one file, beyond a run with one.",
    _contenders,
    _figures,
    full=Plan(100_000, 3),
    quick=Plan(1_000, 2),
)
