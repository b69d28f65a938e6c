"""What a benchmark is made of."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Usage:
    """What one process used, with all that it started and waited for."""

    cpu_s: float
    """User and system time."""
    wall_s: float
    peak_bytes: int
    """Of resident memory."""


Round = Mapping[str, Usage]
"""Every contender's usage, by its name. Within a round all have seen the same weather."""


@dataclass(frozen=True)
class Contender:
    name: str
    prepare: Callable[[Path], Sequence[str]]
    """Fills an empty folder with a project, and gives the command to be run in it."""
    expects: str
    """What its output says when it did its work, such as ``10000 passed``."""
    cold: bool = False
    """Whether pytest's cache folder is removed before each run."""
    autoload: bool = False
    """Whether pytest looks for installed plugins, as it does unless it is told not to."""


@dataclass(frozen=True)
class Limit:
    number: float
    at_least: bool = False

    def holds(self, value: float) -> bool:
        return value >= self.number if self.at_least else value <= self.number


@dataclass(frozen=True)
class Figure:
    """A number made of each round by itself; with a limit, it is a target."""

    sentence: str
    unit: str
    value: Callable[[Round], float | None]
    """``None`` where the round has no answer, such as a difference that drowned in noise."""
    limit: Limit | None = None


@dataclass(frozen=True)
class Plan:
    """What was asked for on the command line."""

    size: int
    rounds: int
    peers: tuple[str, ...] = ()


def _nothing(_: Plan) -> Sequence[str]:
    return ()


@dataclass(frozen=True)
class Benchmark:
    name: str
    sentence: str
    contenders: Callable[[Plan], Sequence[Contender]]
    """The first is what the others are compared with."""
    figures: Callable[[Plan], Sequence[Figure]]
    full: Plan
    """What the targets are meant for."""
    quick: Plan
    takes_size: bool = True
    takes_peers: bool = False
    remarks: Callable[[Plan], Sequence[str]] = _nothing
