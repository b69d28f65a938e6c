"""How sure a rate is that was seen in ``n`` trials.

Intervals are two-sided: each end leaves out ``(1 - confidence) / 2``, so a one-sided bound at 95 % is one
end of the interval at 90 %. Where nothing was tried nothing is known: at ``n = 0`` they are ``(0, 1)``.
"""

import math
from numbers import Real
from operator import index
from statistics import NormalDist
from typing import SupportsIndex


def wilson_interval(successes: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval, without continuity correction: right on average, also for few trials
    and rates near 0 or 1."""
    successes, n = _counts(successes, n)
    z = normal_quantile(confidence)
    if n == 0:
        return 0.0, 1.0
    rate = successes / n
    middle = rate + z * z / (2 * n)
    reach = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    shrink = 1 + z * z / n
    # Rounding must not push an end past the rate itself, nor off the end of the scale.
    low = min((middle - reach) / shrink, rate) if successes > 0 else 0.0
    high = max((middle + reach) / shrink, rate) if successes < n else 1.0
    return low, high


def clopper_pearson(successes: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact interval: it never covers less than it says, so it is the one to certify with.
    The price is width."""
    successes, n = _counts(successes, n)
    left_out = (1 - as_share(confidence, "confidence", open_ended=True)) / 2
    return _lower_end(successes, n, left_out), 1 - _lower_end(n - successes, n, left_out)


def normal_quantile(confidence: float) -> float:
    """How many standard errors a two-sided interval reaches to each side: 1.96 at 0.95."""
    left_out = (1 - as_share(confidence, "confidence", open_ended=True)) / 2
    return -NormalDist().inv_cdf(left_out)  # the lower tail, because 1 - left_out may round to 1


def as_count(number: object, name: str) -> int:
    """``number`` if it counts something, else a ValueError."""
    if not isinstance(number, SupportsIndex) or index(number) < 0:
        raise ValueError(f"{name} must be a whole number and not negative, not {number!r}")
    return index(number)


def as_share(number: object, name: str, *, open_ended: bool = False) -> float:
    """``number`` if it lies between 0 and 1 (``open_ended``: and is neither), else a ValueError."""
    if isinstance(number, Real):
        share = float(number)
        if 0 < share < 1 or (not open_ended and share in {0, 1}):  # NaN is neither
            return share
    kind = "between 0 and 1, and neither of them" if open_ended else "from 0 to 1"
    raise ValueError(f"{name} must be {kind}, not {number!r}")


def _counts(successes: int, n: int) -> tuple[int, int]:
    successes, n = as_count(successes, "successes"), as_count(n, "n")
    if successes > n:
        raise ValueError(f"{successes} successes are more than n, which is {n}")
    return successes, n


def _lower_end(successes: int, n: int, left_out: float) -> float:
    """The rate at which ``successes`` or more still have the chance ``left_out``."""
    if successes == 0:
        return 0.0
    low, high = 0.0, successes / n
    while low < (rate := (low + high) / 2) < high:  # until floats have nothing between them
        if _chance_of_at_least(successes, n, rate) < left_out:
            low = rate
        else:
            high = rate
    return low


def _chance_of_at_least(successes: int, n: int, rate: float) -> float:
    """The upper tail of a binomial for a ``rate`` up to ``successes / n``, where its terms only shrink."""
    ways = math.lgamma(n + 1) - math.lgamma(successes + 1) - math.lgamma(n - successes + 1)
    term = math.exp(ways + successes * math.log(rate) + (n - successes) * math.log1p(-rate))
    odds = rate / (1 - rate)
    chance = 0.0
    for count in range(successes, n + 1):
        chance, before = chance + term, chance
        if chance == before:  # what follows is smaller still
            break
        term *= (n - count) / (count + 1) * odds
    return chance
