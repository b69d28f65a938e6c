"""Is one run worse than another, or is it chance? Tests on pairs: the same cases, before and after.

``greater`` asks what is named first: did more cases break than were fixed, do differences lie above 0?
``less`` asks the contrary, and ``two-sided`` doubles the smaller of both p-values, up to 1.
"""

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from numbers import Real
from operator import getitem
from random import Random
from typing import Literal, TypeVar, get_args, overload

from pytest_jweval.statistics.intervals import as_count, as_share

Alternative = Literal["greater", "less", "two-sided"]
Name = TypeVar("Name")

_MOST_COUNTED = 30
_GRID = 2**40
_BITS = 8


def mcnemar_exact(broken: int, fixed: int, alternative: Alternative = "greater") -> float:
    """The exact McNemar test: were the cases that changed as likely to break as to be fixed?

    Cases that stayed as they were say nothing and aren't asked for. It never alarms more often than it
    says, and for few changes much less often: `mcnemar_midp` sees more.
    """
    return _mcnemar(broken, fixed, alternative, halves_of_seen=2)


def mcnemar_midp(broken: int, fixed: int, alternative: Alternative = "greater") -> float:
    """McNemar's test with the mid-p: what was seen counts half, what is more extreme counts whole.

    So ``greater`` and ``less`` add up to 1, and where nothing changed each is 0.5.
    """
    return _mcnemar(broken, fixed, alternative, halves_of_seen=1)


def sign_flip_test(
    differences: Iterable[float],
    alternative: Alternative = "greater",
    draws: int = 100_000,
    seed: int = 0,
) -> float:
    """How often would the sum be this large if each difference were as likely to have the other sign?

    Up to 30 differences that aren't 0, every choice of signs is counted. For more, ``draws`` choices are
    drawn, and what was seen counts as one more, so that p is never 0. Sums that differ by no more than
    rounding count as equal. The same input gives the same bits on every system.
    """
    steps = _on_a_grid(differences)
    draws, seed = as_count(draws, "draws"), as_count(seed, "seed")
    if draws == 0:
        raise ValueError("draws must be at least 1")
    _check(alternative)
    if alternative == "less" or (alternative == "two-sided" and sum(steps) < 0):
        steps = [-step for step in steps]
    p = _counted(steps) if len(steps) <= _MOST_COUNTED else _drawn(steps, draws, seed)
    return min(1.0, 2 * p) if alternative == "two-sided" else p


@overload
def holm(p_values: Mapping[Name, float]) -> dict[Name, float]: ...
@overload
def holm(p_values: Sequence[float]) -> list[float]: ...
def holm(p_values: Mapping[Name, float] | Sequence[float]) -> dict[Name, float] | list[float]:
    """Holm's adjusted p-values, in the order or under the names given: whoever rejects where they are at
    most 5 % rejects a true hypothesis in at most 5 % of such families."""
    if isinstance(p_values, Mapping):
        return _adjusted(dict(p_values))
    return list(_adjusted(dict(enumerate(p_values))).values())


def _adjusted(family: dict[Name, float]) -> dict[Name, float]:
    if not family:
        raise ValueError("there are no p-values to adjust")
    family = {name: as_share(p, f"p_values[{name!r}]") for name, p in family.items()}
    rising = sorted(family, key=family.__getitem__)
    grown = (min(1.0, (len(rising) - place) * family[name]) for place, name in enumerate(rising))
    adjusted = dict(zip(rising, accumulate(grown, max), strict=True))
    return {name: adjusted[name] for name in family}


def _mcnemar(broken: int, fixed: int, alternative: Alternative, halves_of_seen: int) -> float:
    broken, fixed = as_count(broken, "broken"), as_count(fixed, "fixed")
    _check(alternative)
    if alternative == "two-sided":
        return min(1.0, 2 * _heads(max(broken, fixed), broken + fixed, halves_of_seen))
    return _heads(broken if alternative == "greater" else fixed, broken + fixed, halves_of_seen)


def _heads(least: int, throws: int, halves_of_seen: int) -> float:
    """The chance of ``least`` or more heads; exactly ``least`` counts one half or both.
    Whole numbers up to the one division, so nothing is lost and nothing depends on the system."""
    ways = math.comb(throws, least)
    halves = halves_of_seen * ways
    for heads in range(least, throws):
        ways = ways * (throws - heads) // (heads + 1)
        halves += 2 * ways
    return halves / (1 << throws + 1)


def _check(alternative: str) -> None:
    known = get_args(Alternative)
    if alternative not in known:
        raise ValueError(f"alternative must be one of {', '.join(known)}, not {alternative!r}")


def _on_a_grid(differences: Iterable[float]) -> list[int]:
    """Differences that aren't 0 as whole steps of a trillionth of the largest, so that sums are exact."""
    values = [_finite(value, place) for place, value in enumerate(differences)]
    if not values:
        raise ValueError("there are no differences to test")
    largest = max(map(abs, values)) or 1.0
    return [step for value in values if (step := round(value / largest * _GRID))]


def _finite(value: object, place: int) -> float:
    try:
        number = float(value) if isinstance(value, Real) else math.nan
    except OverflowError:  # a whole number beyond every float
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"differences[{place}] must be a finite number, not {value!r}")
    return number


def _counted(steps: list[int]) -> float:
    """Flipping some steps leaves the sum as large when those are together no more than 0. Each half of the
    steps has few enough sums to list; what is searched for is pairs of them."""
    one, other = _sums(steps[::2]), sorted(_sums(steps[1::2]))
    as_large = sum(bisect_right(other, _slack(steps) - flipped) for flipped in one)
    return as_large / (1 << len(steps))


def _drawn(steps: list[int], draws: int, seed: int) -> float:
    """One random byte says which of eight steps are flipped, and a table knows what those make together."""
    padded = [*steps, *[0] * (-len(steps) % _BITS)]
    tables = [_sums(padded[start : start + _BITS]) for start in range(0, len(padded), _BITS)]
    random = Random(seed)  # noqa: S311  # reproducible, not secret
    slack = _slack(steps)
    flips = (random.getrandbits(_BITS * len(tables)).to_bytes(len(tables), "little") for _ in range(draws))
    as_large = sum(sum(map(getitem, tables, flip)) <= slack for flip in flips)
    return (1 + as_large) / (1 + draws)


def _sums(steps: list[int]) -> list[int]:
    """What each subset makes together; bit i of a place in the list tells whether step i is in it."""
    sums = [0]
    for step in steps:
        sums += [total + step for total in sums]
    return sums


def _slack(steps: list[int]) -> int:
    """Sums of rounded steps that ought to be equal differ by less than this."""
    return len(steps)
