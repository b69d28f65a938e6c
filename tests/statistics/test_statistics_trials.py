"""Asking stops as soon as the answer is known, and errs as often as was promised.

No dice: every way through a rule is walked, with its chance.
"""

import math
from collections import defaultdict
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_jweval.statistics import Sprt, Trials, decided


def walked(rule: Trials | Sprt, rate: float) -> tuple[dict[bool | None, float], float]:
    """The exact chance of each verdict, and how many trials it takes on average, at a true pass rate."""
    verdicts: dict[bool | None, float] = {True: 0.0, False: 0.0, None: 0.0}
    mean, under_way = 0.0, defaultdict(float, {(0, 0): 1.0})
    while under_way:
        following: defaultdict[tuple[int, int], float] = defaultdict(float)
        for (passed, failed), chance in under_way.items():
            if rule.finished(passed, failed):
                verdicts[rule.verdict(passed, failed)] += chance
                mean += chance * (passed + failed)
            else:
                following[passed + 1, failed] += chance * rate
                following[passed, failed + 1] += chance * (1 - rate)
        under_way = following
    return verdicts, mean


RATES = (0.50, 0.60, 0.80, 0.90, 0.95, 0.99)


@pytest.mark.parametrize(
    ("pass_at_least", "samples", "chances"),
    [
        (1, 1, (0.50, 0.60, 0.80, 0.90, 0.95, 0.99)),
        (2, 3, (0.50, 0.65, 0.90, 0.97, 0.99, 1.00)),
        (3, 3, (0.13, 0.22, 0.51, 0.73, 0.86, 0.97)),
        (4, 5, (0.19, 0.34, 0.74, 0.92, 0.98, 1.00)),
        (5, 5, (0.03, 0.08, 0.33, 0.59, 0.77, 0.95)),
        (9, 10, (0.01, 0.05, 0.38, 0.74, 0.91, 1.00)),
    ],
)
def test_stopping_early_changes_no_chance_of_a_fixed_rule(
    pass_at_least: int, samples: int, chances: tuple[float, ...]
) -> None:
    for rate, chance in zip(RATES, chances, strict=True):
        verdicts, mean = walked(Trials(samples, pass_at_least), rate)
        to_the_end = sum(
            math.comb(samples, k) * rate**k * (1 - rate) ** (samples - k)
            for k in range(pass_at_least, samples + 1)
        )
        assert verdicts[True] == pytest.approx(to_the_end, abs=1e-12)
        assert verdicts[True] == pytest.approx(chance, abs=0.0051)
        assert verdicts[None] == 0
        assert mean < samples or samples == 1


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.data())
def test_a_case_is_decided_exactly_when_no_further_trial_can_change_it(
    trials: list[bool], data: st.DataObject
) -> None:
    """Against all that could still come."""
    samples = data.draw(st.integers(len(trials), len(trials) + 4))
    pass_at_least = data.draw(st.integers(1, samples))
    passed = sum(trials)
    ends = {
        passed + sum(rest) >= pass_at_least for rest in product((True, False), repeat=samples - len(trials))
    }
    expected = ends.pop() if len(ends) == 1 else None
    assert decided(passed, len(trials) - passed, samples, pass_at_least) is expected
    rule = Trials(samples, pass_at_least)
    assert rule.verdict(passed, len(trials) - passed) is expected
    assert rule.finished(passed, len(trials) - passed) is (expected is not None)


@pytest.mark.parametrize(
    ("passed", "failed", "outcome"),
    [(0, 0, None), (3, 1, None), (4, 0, True), (4, 1, True), (0, 1, None), (0, 2, False), (3, 2, False)],
)
def test_four_of_five(passed: int, failed: int, outcome: bool | None) -> None:
    assert decided(passed, failed, samples=5, pass_at_least=4) is outcome


@pytest.mark.parametrize(("rate", "mean"), [(0.60, 6.3), (0.95, 8.9), (0.99, 7.4)])
def test_a_sequential_test_asks_this_often_on_average(rate: float, mean: float) -> None:
    assert walked(Sprt(), rate)[1] == pytest.approx(mean, abs=0.05)


def test_a_sequential_test_errs_as_rarely_as_it_says() -> None:
    bad, good = walked(Sprt(), 0.60)[0], walked(Sprt(), 0.95)[0]
    assert bad[True] == pytest.approx(0.040, abs=5e-4)
    assert good[False] == pytest.approx(0.023, abs=5e-4)
    assert good[None] == pytest.approx(0.024, abs=5e-4)
    assert bad[None] == pytest.approx(0.016, abs=5e-4)


def test_a_sequential_test_asks_less_than_a_fixed_one_that_errs_as_rarely() -> None:
    fixed = Trials(samples=14, pass_at_least=12)
    assert walked(fixed, 0.60)[0][True] <= 0.05
    assert walked(fixed, 0.95)[0][False] <= 0.05
    means = [walked(Sprt(), rate)[1] for rate in (0.60, 0.95)]
    assert max(means) < 0.65 * 14
    assert sum(means) / 2 < 0.60 * 14


@pytest.mark.parametrize("rates", [(0.5, 0.9), (0.7, 0.95), (0.8, 0.99)])
@pytest.mark.parametrize("alpha", [0.01, 0.1])
@pytest.mark.parametrize("beta", [0.02, 0.2])
def test_whatever_its_rates_and_errors_it_keeps_walds_bounds(
    rates: tuple[float, float], alpha: float, beta: float
) -> None:
    rule = Sprt(*rates, alpha=alpha, beta=beta, cap=120)
    assert walked(rule, rates[0])[0][True] <= alpha / (1 - beta)
    assert walked(rule, rates[1])[0][False] <= beta / (1 - alpha)


def test_its_verdict_is_where_walds_ratio_of_chances_crosses_his_bounds() -> None:
    """In fractions: chances of 1/2 and 3/4, bounds of (1 - 1/5) / (3/10) and (1/5) / (1 - 3/10)."""
    rule = Sprt(0.5, 0.75, alpha=0.3, beta=0.2)
    for passed, failed in product(range(11), repeat=2):
        ratio = Fraction(3, 2) ** passed * Fraction(1, 2) ** failed
        expected = True if ratio >= Fraction(8, 3) else False if ratio <= Fraction(2, 7) else None
        assert rule.verdict(passed, failed) is expected


def test_the_better_the_case_the_likelier_it_passes() -> None:
    passing = [walked(Sprt(), percent / 100)[0][True] for percent in range(101)]
    assert passing == sorted(passing)
    assert (passing[0], passing[-1]) == (0, 1)


def test_it_takes_seven_passes_or_two_failures_to_be_sure_at_once() -> None:
    rule = Sprt()
    assert [rule.verdict(passed, 0) for passed in (0, 6, 7, 20)] == [None, None, True, True]
    assert [rule.verdict(0, failed) for failed in (0, 1, 2, 20)] == [None, None, False, False]


def test_without_a_verdict_at_the_cap_it_gives_up() -> None:
    rule = Sprt()
    in_doubt = [passed for passed in range(21) if rule.verdict(passed, 20 - passed) is None]
    assert in_doubt == [16, 17]
    for passed in in_doubt:
        assert rule.finished(passed, 20 - passed)
        assert not rule.finished(passed - 1, 20 - passed)


def test_a_cap_too_small_for_any_verdict_ends_in_doubt() -> None:
    rule = Sprt(cap=1)
    assert not rule.finished(0, 0)
    for count in ((1, 0), (0, 1)):
        assert rule.finished(*count) and rule.verdict(*count) is None


@pytest.mark.parametrize("rates", [(1e-320, 0.5), (0.5, math.nextafter(1, 0)), (0.5, 0.5 + 2**-52)])
def test_the_strangest_rates_give_a_verdict_or_none(rates: tuple[float, float]) -> None:
    rule = Sprt(*rates)
    assert {rule.verdict(p, f) for p in range(11) for f in range(11)} <= {True, False, None}
    assert rule.verdict(0, 0) is None
    assert rule.verdict(20, 0) in {True, None} and rule.verdict(0, 20) in {False, None}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((1, 1, 0, 0), "pass_at_least must lie between 1 and samples (0), not 0"),
        ((0, 0, 5, 0), "pass_at_least must lie between 1 and samples (5), not 0"),
        ((0, 0, 5, 6), "pass_at_least must lie between 1 and samples (5), not 6"),
        ((0, 0, -5, 1), "samples must be a whole number and not negative, not -5"),
        ((0, 0, 5, 2.5), "pass_at_least must be a whole number and not negative, not 2.5"),
        ((-1, 0, 5, 4), "passed must be a whole number and not negative, not -1"),
        ((0, math.nan, 5, 4), "failed must be a whole number and not negative, not nan"),
        ((3, 3, 5, 4), "3 passed and 3 failed are more than 5 trials"),
    ],
)
def test_trials_that_cannot_be_are_one_clear_line(arguments: Any, reason: str) -> None:
    with pytest.raises(ValueError) as caught:
        decided(*arguments)
    assert str(caught.value) == reason


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"p0": 0}, "p0 must be between 0 and 1, and neither of them, not 0"),
        ({"p1": 1.0}, "p1 must be between 0 and 1, and neither of them, not 1.0"),
        ({"alpha": math.nan}, "alpha must be between 0 and 1, and neither of them, not nan"),
        ({"beta": -0.1}, "beta must be between 0 and 1, and neither of them, not -0.1"),
        ({"p0": 0.95, "p1": 0.6}, "p0 (0.95) must be less than p1 (0.6)"),
        ({"p0": 0.95}, "p0 (0.95) must be less than p1 (0.95)"),
        ({"alpha": 0.5, "beta": 0.5}, "alpha and beta must add up to less than 1, not 1.0"),
        ({"cap": 0}, "cap must be at least 1"),
        ({"cap": 2.5}, "cap must be a whole number and not negative, not 2.5"),
    ],
)
def test_a_sequential_test_that_cannot_be_is_one_clear_line(options: Any, reason: str) -> None:
    with pytest.raises(ValueError) as caught:
        Sprt(**options)
    assert str(caught.value) == reason


@pytest.mark.parametrize(
    ("passed", "failed", "reason"),
    [
        (11, 10, "11 passed and 10 failed are more than 20 trials"),
        (-1, 0, "passed must be a whole number and not negative, not -1"),
        (0, 0.5, "failed must be a whole number and not negative, not 0.5"),
    ],
)
def test_counts_that_cannot_be_are_one_clear_line(passed: Any, failed: Any, reason: str) -> None:
    with pytest.raises(ValueError) as caught:
        Sprt().verdict(passed, failed)
    assert str(caught.value) == reason
