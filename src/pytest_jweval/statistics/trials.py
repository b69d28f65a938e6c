"""How often to ask the same thing, and when to stop.

A rule is shown how many trials passed and failed, after each of them. `verdict` is true, false or None:
not known yet. `finished` says that asking on is no use; without a verdict that is a case for review.
"""

import math
from dataclasses import dataclass

from pytest_jweval.statistics.intervals import as_count, as_share


def decided(passed: int, failed: int, samples: int, pass_at_least: int) -> bool | None:
    """The outcome of ``pass_at_least`` of ``samples``, as soon as no further trial can change it."""
    return Trials(samples, pass_at_least).verdict(passed, failed)


@dataclass(frozen=True)
class Trials:
    """A fixed number of trials, of which so many must pass."""

    samples: int
    pass_at_least: int

    def __post_init__(self) -> None:
        if not 1 <= as_count(self.pass_at_least, "pass_at_least") <= as_count(self.samples, "samples"):
            raise ValueError(
                f"pass_at_least must lie between 1 and samples ({self.samples}), not {self.pass_at_least}"
            )

    def verdict(self, passed: int, failed: int) -> bool | None:
        _check(passed, failed, self.samples)
        if passed >= self.pass_at_least:
            return True
        return False if failed > self.samples - self.pass_at_least else None

    def finished(self, passed: int, failed: int) -> bool:
        return self.verdict(passed, failed) is not None


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential test of a pass rate of ``p1`` (good) against ``p0`` (bad).

    Without a cap, a case of rate ``p0`` is passed with a chance of at most about ``alpha``, one of rate
    ``p1`` failed with at most about ``beta``. After ``cap`` trials without a verdict it gives up.
    """

    p0: float = 0.60
    p1: float = 0.95
    alpha: float = 0.05
    beta: float = 0.05
    cap: int = 20

    def __post_init__(self) -> None:
        for name in ("p0", "p1", "alpha", "beta"):
            as_share(getattr(self, name), name, open_ended=True)
        if self.p0 >= self.p1:
            raise ValueError(f"p0 ({self.p0}) must be less than p1 ({self.p1})")
        if self.alpha + self.beta >= 1:
            raise ValueError(f"alpha and beta must add up to less than 1, not {self.alpha + self.beta}")
        if as_count(self.cap, "cap") == 0:
            raise ValueError("cap must be at least 1")

    def verdict(self, passed: int, failed: int) -> bool | None:
        """To be believed at the first count that gives one: later trials may lead back into doubt."""
        _check(passed, failed, self.cap)
        evidence = passed * (math.log(self.p1) - math.log(self.p0))
        evidence += failed * (math.log1p(-self.p1) - math.log1p(-self.p0))
        if evidence >= math.log((1 - self.beta) / self.alpha):
            return True
        return False if evidence <= math.log(self.beta / (1 - self.alpha)) else None

    def finished(self, passed: int, failed: int) -> bool:
        return passed + failed >= self.cap or self.verdict(passed, failed) is not None


def _check(passed: int, failed: int, most: int) -> None:
    if as_count(passed, "passed") + as_count(failed, "failed") > most:
        raise ValueError(f"{passed} passed and {failed} failed are more than {most} trials")
