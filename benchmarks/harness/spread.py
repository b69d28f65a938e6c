"""Many numbers as three."""

import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class Spread:
    """The middle, and where the middle half lies: a neighbour's burst moves none of them much."""

    median: float
    lower: float
    upper: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Self:
        known = list(values)
        if len(known) == 1:
            return cls(known[0], known[0], known[0])
        lower, median, upper = statistics.quantiles(known, n=4, method="inclusive")
        return cls(median, lower, upper)
