"""What came out of all rounds."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.harness.machine import Machine
from benchmarks.harness.parts import Benchmark, Figure, Plan, Round
from benchmarks.harness.spread import Spread
from benchmarks.harness.values import Measure, ratio


@dataclass(frozen=True)
class Outcome:
    benchmark: Benchmark
    plan: Plan
    machine: Machine
    names: Sequence[str]
    rounds: Sequence[Round]

    def usage(self, name: str, measure: Measure) -> Spread:
        return Spread.of(measure(usages[name]) for usages in self.rounds)

    def ratio(self, name: str, measure: Measure) -> Spread:
        """To the first contender: of each round, as a ratio of medians would mix the weather."""
        value = ratio(name, self.names[0], measure)
        return Spread.of(value(usages) or 0.0 for usages in self.rounds)

    def figure(self, figure: Figure) -> Spread | None:
        """``None`` if any round has no answer: those that have one would be the lucky ones."""
        values = [figure.value(usages) for usages in self.rounds]
        known = [value for value in values if value is not None]
        return Spread.of(known) if len(known) == len(values) else None

    def word(self, figure: Figure) -> str:
        """Whether the target was reached, by the median."""
        if figure.limit is None:
            return ""
        spread = self.figure(figure)
        if spread is None:
            return "not judged"
        return "reached" if figure.limit.holds(spread.median) else "not reached"
