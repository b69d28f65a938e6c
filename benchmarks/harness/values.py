"""What figures are made of: each gives a function of one round."""

from collections.abc import Callable

from benchmarks.harness.parts import Round, Usage

Value = Callable[[Round], float | None]
Measure = Callable[[Usage], float]


def cpu(usage: Usage) -> float:
    return usage.cpu_s


def wall(usage: Usage) -> float:
    return usage.wall_s


def memory(usage: Usage) -> float:
    return usage.peak_bytes


def ratio(name: str, base: str, measure: Measure = cpu) -> Value:
    return lambda usages: measure(usages[name]) / measure(usages[base])


def milliseconds_over(name: str, base: str, measure: Measure = cpu) -> Value:
    return lambda usages: 1e3 * (measure(usages[name]) - measure(usages[base]))


def microseconds_each(name: str, base: str, more: int) -> Value:
    """CPU time for each of the ``more`` cases that ``name`` has and ``base`` has not."""

    def value(usages: Round) -> float | None:
        seconds = usages[name].cpu_s - usages[base].cpu_s
        return 1e6 * seconds / more if seconds > 0 and more else None

    return value


def each_second(name: str, base: str, more: int) -> Value:
    microseconds = microseconds_each(name, base, more)

    def value(usages: Round) -> float | None:
        each = microseconds(usages)
        return None if each is None else 1e6 / each

    return value


def quotient(above: Value, below: Value) -> Value:
    def value(usages: Round) -> float | None:
        over, under = above(usages), below(usages)
        return None if over is None or not under else over / under

    return value
