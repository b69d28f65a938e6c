"""An interval holds what it says: against published values, exact fractions and exact coverage."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_jweval.statistics import clopper_pearson, wilson_interval

Interval = Callable[..., tuple[float, float]]

EACH: list[Interval] = [wilson_interval, clopper_pearson]
BOTH = pytest.mark.parametrize("interval", EACH)
CONFIDENCES = st.floats(0.001, 0.9999)
COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))

# (successes, n, confidence): as statsmodels 0.15 and scipy 1.17 have it
WILSON = {
    (0, 7, 0.95): (0.0, 0.35433043506668743),
    (7, 7, 0.95): (0.6456695649333126, 1.0),
    (3, 10, 0.9): (0.12687658390319784, 0.558300204130165),
    (45, 50, 0.95): (0.7863976856252035, 0.9565242350681096),
    (95, 100, 0.95): (0.8882495307680808, 0.9784563208456319),
    (1, 10_000, 0.99): (1.1740655287972152e-05, 0.0008511764682251732),
    (5000, 10_000, 0.95): (0.49020206181540477, 0.5097979381845952),
    (123, 4567, 0.5): (0.02536312498962443, 0.028595795208529545),
}
EXACT = {
    (0, 7, 0.95): (0.0, 0.40961639722500337),
    (7, 7, 0.95): (0.5903836027749967, 1.0),
    (3, 10, 0.9): (0.0872644339141503, 0.6066242161054123),
    (45, 50, 0.95): (0.7818646335657977, 0.9667249064109775),
    (95, 100, 0.95): (0.8871650888945373, 0.9835681208179479),
    (1, 10_000, 0.99): (5.01254056726572e-07, 0.0007427741123960361),
    (5000, 10_000, 0.95): (0.4901513805899805, 0.5098486194100196),
    (9999, 10_000, 0.95): (0.9994429630020529, 0.9999974682224065),
    (123, 4567, 0.5): (0.025275607923919297, 0.028727381315491806),
}


@pytest.mark.parametrize("seen", WILSON)
def test_wilson_is_what_others_compute(seen: tuple[int, int, float]) -> None:
    assert wilson_interval(*seen) == pytest.approx(WILSON[seen], abs=1e-12)


@pytest.mark.parametrize("seen", EXACT)
def test_clopper_pearson_is_what_others_compute(seen: tuple[int, int, float]) -> None:
    assert clopper_pearson(*seen) == pytest.approx(EXACT[seen], abs=1e-12)


@pytest.mark.parametrize(
    ("most_errors", "errors", "accepted"),
    [(0.05, 0, 59), (0.05, 1, 93), (0.05, 2, 124), (0.05, 3, 153), (0.02, 0, 149), (0.02, 1, 236)]
    + [(0.02, 2, 313), (0.01, 0, 299), (0.01, 1, 473)],
)
def test_so_many_pairs_certify_an_error_rate_and_one_pair_less_does_not(
    most_errors: float, errors: int, accepted: int
) -> None:
    """One-sided 95 % is one end of 90 %."""
    assert clopper_pearson(errors, accepted, 0.90)[1] <= most_errors
    assert clopper_pearson(errors, accepted - 1, 0.90)[1] > most_errors


@BOTH
def test_of_nothing_nothing_is_known(interval: Interval) -> None:
    assert interval(0, 0) == (0.0, 1.0)


@BOTH
@pytest.mark.parametrize("n", [1, 2, 49, 10_000])
def test_none_and_all_reach_the_ends_of_the_scale_exactly(interval: Interval, n: int) -> None:
    assert interval(0, n)[0] == 0.0 and interval(0, n)[1] < 1
    assert interval(n, n)[1] == 1.0 and interval(n, n)[0] > 0


@BOTH
@given(counts=COUNTS, confidence=CONFIDENCES)
def test_it_contains_the_rate(interval: Interval, counts: tuple[int, int], confidence: float) -> None:
    successes, n = counts
    low, high = interval(successes, n, confidence)
    assert 0 <= low <= successes / n <= high <= 1


@BOTH
@given(counts=COUNTS, confidence=CONFIDENCES)
def test_failures_are_the_mirror_of_successes(
    interval: Interval, counts: tuple[int, int], confidence: float
) -> None:
    successes, n = counts
    low, high = interval(successes, n, confidence)
    assert interval(n - successes, n, confidence) == pytest.approx((1 - high, 1 - low), abs=1e-9)


@BOTH
@given(counts=COUNTS, confidence=CONFIDENCES)
def test_one_more_success_moves_both_ends_up(
    interval: Interval, counts: tuple[int, int], confidence: float
) -> None:
    successes, n = counts
    lower, upper = interval(successes, n + 1, confidence), interval(successes + 1, n + 1, confidence)
    assert lower[0] < upper[0] and lower[1] < upper[1]


@BOTH
@given(counts=COUNTS, confidences=st.tuples(CONFIDENCES, CONFIDENCES).map(sorted))
def test_to_be_surer_takes_more_room(
    interval: Interval, counts: tuple[int, int], confidences: list[float]
) -> None:
    narrow, wide = (interval(*counts, confidence) for confidence in confidences)
    assert wide[0] <= narrow[0] + 1e-12 and narrow[1] <= wide[1] + 1e-12


@BOTH
@pytest.mark.parametrize("confidence", [5e-324, 1e-300, math.nextafter(1, 0)])
@pytest.mark.parametrize("successes", [0, 1, 5, 9, 10])
def test_the_strangest_confidence_gives_an_interval(
    interval: Interval, confidence: float, successes: int
) -> None:
    low, high = interval(successes, 10, confidence)
    assert 0 <= low <= successes / 10 <= high <= 1


def binomial(n: int, rate: Fraction) -> list[Fraction]:
    return [math.comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in range(n + 1)]


@given(n=st.integers(1, 60), data=st.data(), confidence=st.floats(0.5, 0.999))
def test_at_the_ends_of_clopper_pearson_what_was_seen_has_just_the_chance_left_out(
    n: int, data: st.DataObject, confidence: float
) -> None:
    """Fractions know nothing of logarithms and bisection."""
    successes = data.draw(st.integers(0, n))
    low, high = map(Fraction, clopper_pearson(successes, n, confidence))
    if successes > 0:
        assert float(sum(binomial(n, low)[successes:])) == pytest.approx((1 - confidence) / 2, rel=1e-9)
    if successes < n:
        assert float(sum(binomial(n, high)[: successes + 1])) == pytest.approx((1 - confidence) / 2, rel=1e-9)


def coverage(interval: Interval, n: int) -> list[float]:
    """The exact chance that the interval at 95 % holds the true rate, for 99 true rates."""
    intervals = [interval(successes, n) for successes in range(n + 1)]
    return [
        sum(
            float(chance)
            for chance, (low, high) in zip(binomial(n, Fraction(percent, 100)), intervals, strict=True)
            if low <= percent / 100 <= high
        )
        for percent in range(1, 100)
    ]


@pytest.mark.parametrize("n", [5, 20, 50])
def test_clopper_pearson_never_covers_less_than_it_says(n: int) -> None:
    assert min(coverage(clopper_pearson, n)) >= 0.95


@pytest.mark.parametrize("n", [5, 20, 50])
def test_wilson_covers_what_it_says_on_average_in_less_room(n: int) -> None:
    covered = coverage(wilson_interval, n)
    assert sum(covered) / len(covered) == pytest.approx(0.95, abs=0.015)
    room = [sum(high - low for low, high in (interval(k, n) for k in range(n + 1))) for interval in EACH]
    assert room[0] < room[1]


@BOTH
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((-1, 5), "successes must be a whole number and not negative, not -1"),
        ((0, -5), "n must be a whole number and not negative, not -5"),
        ((6, 5), "6 successes are more than n, which is 5"),
        ((1, 0), "1 successes are more than n, which is 0"),
        ((2.5, 5), "successes must be a whole number and not negative, not 2.5"),
        ((math.nan, 5), "successes must be a whole number and not negative, not nan"),
        ((1, "5"), "n must be a whole number and not negative, not '5'"),
        ((1, None), "n must be a whole number and not negative, not None"),
        ((1, 5, 0), "confidence must be between 0 and 1, and neither of them, not 0"),
        ((1, 5, 1.0), "confidence must be between 0 and 1, and neither of them, not 1.0"),
        ((1, 5, 95), "confidence must be between 0 and 1, and neither of them, not 95"),
        ((0, 0, -0.5), "confidence must be between 0 and 1, and neither of them, not -0.5"),
        ((1, 5, math.nan), "confidence must be between 0 and 1, and neither of them, not nan"),
        ((1, 5, "0.95"), "confidence must be between 0 and 1, and neither of them, not '0.95'"),
    ],
)
def test_what_cannot_be_is_one_clear_line(interval: Interval, arguments: Any, reason: str) -> None:
    with pytest.raises(ValueError) as caught:
        interval(*arguments)
    assert str(caught.value) == reason
