"""How far two raters agree, and what a judge's opinion is worth where a person's label is known."""

import math
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from pytest_jweval.statistics.intervals import as_share, normal_quantile, wilson_interval

Interval = tuple[float, float]


@dataclass(frozen=True)
class Agreement:
    """A judge beside a person's labels. What can't be known without a pass or a fail is None."""

    n: int
    passes: int
    fails: int
    agreement: float
    agreement_interval: Interval
    kappa: float
    kappa_interval: Interval
    true_pass: float | None
    true_pass_interval: Interval
    true_fail: float | None
    true_fail_interval: Interval
    balanced_accuracy: float | None


def agreement_of(labels: Iterable[bool], opinions: Iterable[bool], confidence: float = 0.95) -> Agreement:
    """True is a pass. ``true_pass`` is the share of labelled passes that the judge passes, too,
    ``true_fail`` that of labelled fails; balanced accuracy is their mean."""
    labels, opinions = _truths(labels, "labels"), _truths(opinions, "opinions")
    table = _Table.of(labels, opinions)
    passes, passes_seen = table.first[True], table.cells[True, True]
    fails, fails_seen = table.first[False], table.cells[False, False]
    true_pass, true_fail = _rate(passes_seen, passes), _rate(fails_seen, fails)
    return Agreement(
        n=table.n,
        passes=passes,
        fails=fails,
        agreement=table.same / table.n,
        agreement_interval=wilson_interval(table.same, table.n, confidence),
        kappa=cohen_kappa(labels, opinions),
        kappa_interval=kappa_interval(labels, opinions, confidence),
        true_pass=true_pass,
        true_pass_interval=wilson_interval(passes_seen, passes, confidence),
        true_fail=true_fail,
        true_fail_interval=wilson_interval(fails_seen, fails, confidence),
        balanced_accuracy=None if true_pass is None or true_fail is None else (true_pass + true_fail) / 2,
    )


def cohen_kappa(first: Iterable[Hashable], second: Iterable[Hashable]) -> float:
    """Cohen's kappa, unweighted: 1 is full agreement, 0 what chance alone would give.

    Where both say one and the same thing throughout, chance explains all of it: kappa is 0, so that no
    floor is passed by labels that could not have told the raters apart.
    """
    return float(_Table.of(first, second).kappa)


def kappa_interval(
    first: Iterable[Hashable], second: Iterable[Hashable], confidence: float = 0.95
) -> Interval:
    """By the large-sample error of Fleiss, Cohen and Everitt (1969), cut to -1 and 1.

    That error is 0 where all agree, none do, or one rater never changes. No sample is so sure: there
    the ends are those of Wilson's interval of the agreement, less what chance gives. Where chance
    explains everything, nothing is known: (-1, 1).
    """
    table, z = _Table.of(first, second), normal_quantile(confidence)
    if table.chance == 1:
        return -1.0, 1.0
    kappa, variance = float(table.kappa), table.variance_of_kappa()
    if variance == 0:
        ends = wilson_interval(table.same, table.n, confidence)
        low, high = (float(table.beyond_chance(Fraction(end))) for end in ends)
    else:
        reach = z * math.sqrt(variance)
        low, high = kappa - reach, kappa + reach
    return max(-1.0, min(low, kappa)), min(1.0, max(high, kappa))


def corrected_rate(observed: float, true_pass: float, true_fail: float) -> float | None:
    """The pass rate behind the one that a judge of known errors reported (Rogan and Gladen), cut to 0..1.

    None if the judge is no better than a coin, for then its reports say nothing about the rate.
    """
    observed = as_share(observed, "observed")
    better_than_coin = as_share(true_pass, "true_pass") + as_share(true_fail, "true_fail") - 1
    if better_than_coin <= 0:
        return None
    return min(1.0, max(0.0, (observed + true_fail - 1) / better_than_coin))


@dataclass(frozen=True)
class _Table:
    """Two raters' labels, counted; shares are fractions, so that what is 0 is exactly 0."""

    n: int
    cells: Counter[tuple[Hashable, Hashable]]
    first: Counter[Hashable]
    second: Counter[Hashable]

    @classmethod
    def of(cls, first: Iterable[Hashable], second: Iterable[Hashable]) -> "_Table":
        pairs = _pairs(first, second)
        return cls(len(pairs), Counter(pairs), *(Counter(labels) for labels in zip(*pairs, strict=True)))

    @property
    def same(self) -> int:
        return sum(count for (one, other), count in self.cells.items() if one == other)

    @property
    def chance(self) -> Fraction:
        """How often they would agree if each gave the labels as often, but by lot."""
        return Fraction(sum(count * self.second[label] for label, count in self.first.items()), self.n**2)

    @property
    def kappa(self) -> Fraction:
        return Fraction(0) if self.chance == 1 else self.beyond_chance(Fraction(self.same, self.n))

    def variance_of_kappa(self) -> Fraction:
        kappa, chance = self.kappa, self.chance
        added = (self._spread(*pair, kappa) * count for pair, count in self.cells.items())
        spread = sum(added, Fraction(0))
        return (spread / self.n - (kappa - chance * (1 - kappa)) ** 2) / (self.n * (1 - chance) ** 2)

    def beyond_chance(self, agreement: Fraction) -> Fraction:
        return (agreement - self.chance) / (1 - self.chance)

    def _spread(self, one: Hashable, other: Hashable, kappa: Fraction) -> Fraction:
        """What a pair of labels adds to the variance."""
        if one == other:
            return (1 - (1 - kappa) * Fraction(self.first[one] + self.second[one], self.n)) ** 2
        return ((1 - kappa) * Fraction(self.second[one] + self.first[other], self.n)) ** 2


def _pairs(first: Iterable[Hashable], second: Iterable[Hashable]) -> list[tuple[Hashable, Hashable]]:
    ones, others = list(first), list(second)
    if len(ones) != len(others):
        raise ValueError(f"two raters must rate the same things, not {len(ones)} and {len(others)}")
    if not ones:
        raise ValueError("there are no labels to compare")
    for label in (*ones, *others):
        if isinstance(label, float) and math.isnan(label):
            raise ValueError("NaN is no label: it equals nothing, not even itself")
    return list(zip(ones, others, strict=True))


def _truths(labels: Iterable[object], name: str) -> list[bool]:
    truths = []
    for place, label in enumerate(labels):
        if not isinstance(label, bool):  # a text such as "fail" would count as true
            reason = f"{name}[{place}] must be true or false, not {label!r}"
            raise ValueError(reason)  # noqa: TRY004  # as any other bad input
        truths.append(label)
    return truths


def _rate(hits: int, n: int) -> float | None:
    return hits / n if n else None
