"""A test on pairs alarms as often as it says, and sees what it should."""

import math
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_jweval.statistics import Alternative, holm, mcnemar_exact, mcnemar_midp, sign_flip_test

McNemar = Callable[..., float]

BOTH = pytest.mark.parametrize("test", [mcnemar_exact, mcnemar_midp])
CHANGES = st.integers(0, 60)
FEW = st.integers(0, 25)  # beyond, a p may come so near to 1 that a float says 1


@pytest.mark.parametrize(
    ("fixed", "broken", "p"), [(0, 5, 0.031), (1, 7, 0.035), (2, 9, 0.033), (3, 10, 0.046), (5, 13, 0.048)]
)
def test_so_many_must_break_before_the_exact_test_alarms(fixed: int, broken: int, p: float) -> None:
    assert mcnemar_exact(broken, fixed) == pytest.approx(p, abs=5e-4)
    assert mcnemar_exact(broken - 1, fixed) > 0.05


@pytest.mark.parametrize(
    ("broken", "fixed", "two_sided", "greater", "midp"),
    [
        (12, 3, 0.03515625, 0.017578125, 0.010635375976562493),
        (4, 4, 1.0, 0.63671875, 0.5),
        (59, 40, 0.06990057369494646, 0.03495028684747323, 0.028443966820490434),
        (0, 9, 0.00390625, 1.0, 0.9990234375),
    ],
)
def test_mcnemar_is_what_others_compute(
    broken: int, fixed: int, two_sided: float, greater: float, midp: float
) -> None:
    """statsmodels 0.15, scipy 1.17"""
    assert mcnemar_exact(broken, fixed, "two-sided") == pytest.approx(two_sided, abs=1e-12)
    assert mcnemar_exact(broken, fixed) == pytest.approx(greater, abs=1e-12)
    assert mcnemar_midp(broken, fixed) == pytest.approx(midp, abs=1e-12)


def test_where_nothing_changed_nothing_is_worse() -> None:
    assert [mcnemar_exact(0, 0, side) for side in ("greater", "less", "two-sided")] == [1, 1, 1]
    assert [mcnemar_midp(0, 0, side) for side in ("greater", "less", "two-sided")] == [0.5, 0.5, 1]


@given(broken=CHANGES, fixed=CHANGES)
def test_mcnemar_counts_throws_of_a_coin(broken: int, fixed: int) -> None:
    ways = [math.comb(broken + fixed, heads) for heads in range(broken + fixed + 1)]
    everything = 2 ** (broken + fixed)
    assert mcnemar_exact(broken, fixed) == float(Fraction(sum(ways[broken:]), everything))
    assert mcnemar_midp(broken, fixed) == float(
        Fraction(2 * sum(ways[broken + 1 :]) + ways[broken], 2 * everything)
    )


@BOTH
@given(broken=CHANGES, fixed=CHANGES)
def test_less_is_greater_with_the_roles_changed_and_two_sided_knows_no_roles(
    test: McNemar, broken: int, fixed: int
) -> None:
    assert test(broken, fixed, "less") == test(fixed, broken, "greater")
    assert test(broken, fixed, "two-sided") == test(fixed, broken, "two-sided")
    assert test(broken, fixed, "two-sided") == min(1, 2 * min(test(broken, fixed), test(fixed, broken)))


@given(broken=FEW, fixed=FEW)
def test_the_midp_of_both_sides_makes_one_and_is_below_the_exact(broken: int, fixed: int) -> None:
    assert mcnemar_midp(broken, fixed) + mcnemar_midp(fixed, broken) == pytest.approx(1, abs=1e-15)
    assert mcnemar_midp(broken, fixed) < mcnemar_exact(broken, fixed)


@BOTH
@given(broken=FEW, fixed=FEW)
def test_the_more_broke_and_the_fewer_were_fixed_the_smaller_p(
    test: McNemar, broken: int, fixed: int
) -> None:
    assert test(broken + 1, fixed) < test(broken, fixed) <= test(broken, fixed + 1)


@BOTH
def test_thousands_of_changes_are_no_trouble(test: McNemar) -> None:
    assert test(5000, 5000) == pytest.approx(0.5, abs=0.005)
    assert test(5100, 4900) == pytest.approx(0.023, abs=1e-3)
    assert test(10_000, 0) == 0.0  # the truth, 2^-10000, is below every float


def alarms(test: McNemar, n: int, breaks: float, fixes: float) -> float:
    """The exact chance of p <= .05 when of ``n`` cases each breaks or is fixed with these chances."""
    return sum(
        math.comb(n, b) * math.comb(n - b, f) * breaks**b * fixes**f * (1 - breaks - fixes) ** (n - b - f)
        for b in range(n + 1)
        for f in range(b)
        if b + f <= n and test(b, f) <= 0.05
    )


@pytest.mark.parametrize("n", [10, 30, 50])
@pytest.mark.parametrize("change", [0.02, 0.06, 0.2])
def test_without_a_true_change_the_midp_alarms_in_at_most_five_percent(n: int, change: float) -> None:
    exact, midp = alarms(mcnemar_exact, n, change, change), alarms(mcnemar_midp, n, change, change)
    assert exact <= midp <= 0.05


@pytest.mark.parametrize(("n", "exact", "midp"), [(30, 0.11, 0.22), (50, 0.31, 0.44)])
def test_a_drop_of_eight_points_is_seen_more_often_by_the_midp(n: int, exact: float, midp: float) -> None:
    assert alarms(mcnemar_exact, n, breaks=0.10, fixes=0.02) == pytest.approx(exact, abs=0.01)
    assert alarms(mcnemar_midp, n, breaks=0.10, fixes=0.02) == pytest.approx(midp, abs=0.01)


@BOTH
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((-1, 0), "broken must be a whole number and not negative, not -1"),
        ((0, -1), "fixed must be a whole number and not negative, not -1"),
        ((math.nan, 0), "broken must be a whole number and not negative, not nan"),
        ((0, 1.0), "fixed must be a whole number and not negative, not 1.0"),
        ((1, 0, "bigger"), "alternative must be one of greater, less, two-sided, not 'bigger'"),
        ((1, 0, None), "alternative must be one of greater, less, two-sided, not None"),
    ],
)
def test_mcnemar_of_what_cannot_be_is_one_clear_line(test: McNemar, arguments: Any, reason: str) -> None:
    with pytest.raises(ValueError) as caught:
        test(*arguments)
    assert str(caught.value) == reason


SIDES: tuple[Alternative, ...] = ("greater", "less", "two-sided")
TEN = [0.31, -0.05, 0.12, 0.0, 0.2, -0.11, 0.07, 0.4, -0.02, 0.15]
FORTY = [((step * 37) % 101 - 45) / 100 for step in range(40)]


@pytest.mark.parametrize(
    ("side", "p"), [("greater", 0.03515625), ("less", 0.96875), ("two-sided", 0.0703125)]
)
def test_sign_flips_are_what_others_compute(side: Alternative, p: float) -> None:
    """scipy.stats.permutation_test(permutation_type="samples"), every flip"""
    assert sign_flip_test(TEN, side) == p


def by_brute_force(differences: list[int], side: Alternative) -> float:
    seen = sum(differences)
    sums = [
        sum(sign * each for sign, each in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    above, below = (sum(one >= seen for one in sums), sum(one <= seen for one in sums))
    count = {"greater": above, "less": below, "two-sided": min(2 * min(above, below), len(sums))}[side]
    return count / len(sums)


@given(
    differences=st.lists(st.integers(-9, 9), min_size=1, max_size=10),
    side=st.sampled_from(SIDES),
    unit=st.sampled_from([1, 0.1, 1 / 3, 1e-300, 1e300]),
)
def test_sign_flips_are_those_of_brute_force_in_any_unit(
    differences: list[int], side: Alternative, unit: float
) -> None:
    """Also where sums that ought to be equal differ by rounding: 0.1 + 0.2 and 0.3."""
    expected = by_brute_force(differences, side)
    assert sign_flip_test([each * unit for each in differences], side) == expected


@given(differences=st.lists(st.floats(-1, 1), min_size=1, max_size=12), data=st.data())
def test_neither_order_nor_zeros_nor_the_seed_matter_where_every_flip_is_counted(
    differences: list[float], data: st.DataObject
) -> None:
    p = sign_flip_test(differences)
    shuffled = data.draw(st.permutations([*differences, 0.0, -0.0, 0]))
    assert sign_flip_test(shuffled, draws=1, seed=99) == p


@pytest.mark.parametrize("n", [1, 7, 20, 30])
def test_the_smallest_p_is_that_no_sign_was_flipped(n: int) -> None:
    assert sign_flip_test([0.5] * n) == 2.0**-n
    assert sign_flip_test([-0.5] * n, "less") == 2.0**-n
    assert sign_flip_test([-0.5] * n, "two-sided") == 2.0 ** (1 - n)


def test_differences_that_are_all_zero_show_nothing() -> None:
    assert [sign_flip_test([0.0] * 50, side) for side in SIDES] == [1, 1, 1]


def test_beyond_thirty_differences_flips_are_drawn_the_same_on_every_python_and_system() -> None:
    assert sign_flip_test(FORTY) == 0.15639843601563985
    assert sign_flip_test(FORTY, seed=1) == 0.15341846581534185
    assert sign_flip_test(FORTY, "less") == 0.8461015389846102
    assert sign_flip_test(FORTY, "two-sided", draws=5000, seed=7) == 0.3143371325734853


def test_drawing_flips_leaves_the_random_numbers_of_others_alone() -> None:
    random.seed(3)
    before = random.getstate()
    sign_flip_test(FORTY, draws=10)
    assert random.getstate() == before


@pytest.mark.parametrize("n", [31, 32, 33, 40, 41])
def test_drawn_flips_come_near_the_exact_count(n: int) -> None:
    """Of equal differences only the number of signs counts, and that is McNemar's exact test."""
    positive = n // 2 + 5
    differences = [0.25] * positive + [-0.25] * (n - positive)
    exact = mcnemar_exact(positive, n - positive)
    error = math.sqrt(exact * (1 - exact) / 20_000)
    assert sign_flip_test(differences, draws=20_000) == pytest.approx(exact, abs=5 * error)


def test_a_drawn_p_is_never_zero() -> None:
    assert sign_flip_test([1.0] * 100, draws=999) == 0.001
    assert sign_flip_test([1.0] * 100, "less", draws=999) == 1.0


def test_without_a_true_difference_it_alarms_in_at_most_five_percent() -> None:
    """Every choice of signs is equally likely then, so this is all that can happen."""
    sizes = [0.31, 0.05, 0.12, 0.2, 0.11, 0.07, 0.4, 0.02]
    ps = [
        sign_flip_test([sign * size for sign, size in zip(signs, sizes, strict=True)])
        for signs in product((1, -1), repeat=len(sizes))
    ]
    for level in (0.01, 0.05, 0.1):
        assert sum(p <= level for p in ps) <= level * len(ps)
    assert sum(p <= 0.05 for p in ps) > 0.03 * len(ps)  # nor is it blind


@settings(max_examples=20)
@given(st.lists(st.floats(-1e308, 1e308), min_size=1, max_size=40))
def test_any_finite_differences_give_a_chance(differences: list[float]) -> None:
    for side in SIDES:
        assert 0 < sign_flip_test(differences, side, draws=50) <= 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (([],), "there are no differences to test"),
        (([0.1, math.nan],), "differences[1] must be a finite number, not nan"),
        (([math.inf],), "differences[0] must be a finite number, not inf"),
        ((["0.1"],), "differences[0] must be a finite number, not '0.1'"),
        (([None],), "differences[0] must be a finite number, not None"),
        (([0.1], "bigger"), "alternative must be one of greater, less, two-sided, not 'bigger'"),
        (([0.1], "greater", 0), "draws must be at least 1"),
        (([0.1], "greater", -5), "draws must be a whole number and not negative, not -5"),
        (([0.1], "greater", 10, 0.5), "seed must be a whole number and not negative, not 0.5"),
        (([0.1], "greater", 10, None), "seed must be a whole number and not negative, not None"),
    ],
)
def test_sign_flips_of_what_cannot_be_are_one_clear_line(arguments: Any, reason: str) -> None:
    with pytest.raises(ValueError) as caught:
        sign_flip_test(*arguments)
    assert str(caught.value) == reason


def test_a_whole_number_beyond_every_float_is_refused() -> None:
    with pytest.raises(ValueError, match=r"differences\[0\] must be a finite number, not 1000"):
        sign_flip_test([10**400])


def test_holm_is_what_others_compute() -> None:
    """statsmodels.stats.multitest.multipletests(method="holm")"""
    assert holm([0.01, 0.04, 0.03, 0.005, 0.5]) == pytest.approx([0.04, 0.09, 0.09, 0.025, 0.5], abs=1e-15)


def test_holm_keeps_names_and_their_order() -> None:
    adjusted = holm({"pt": 0.04, "es": 0.01, "en": 0.03})
    assert list(adjusted) == ["pt", "es", "en"]
    assert adjusted == pytest.approx({"pt": 0.06, "es": 0.03, "en": 0.06})


P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(P_VALUES)
def test_holm_lies_between_the_plain_p_and_bonferronis(ps: list[float]) -> None:
    for p, adjusted in zip(ps, holm(ps), strict=True):
        assert p <= adjusted <= min(1, len(ps) * p)
    assert min(holm(ps)) == min(1, len(ps) * min(ps))


@given(P_VALUES)
def test_holm_keeps_the_order_of_p_values(ps: list[float]) -> None:
    adjusted = holm(ps)
    rising = sorted(range(len(ps)), key=ps.__getitem__)
    assert [adjusted[place] for place in rising] == sorted(adjusted)
    for one, other in product(range(len(ps)), repeat=2):
        assert ps[one] != ps[other] or adjusted[one] == adjusted[other]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.data())
def test_holm_does_not_care_in_which_order_they_come(ps: list[float], data: st.DataObject) -> None:
    places = data.draw(st.permutations(range(len(ps))))
    assert holm([ps[place] for place in places]) == [holm(ps)[place] for place in places]


@given(P_VALUES, st.floats(0.001, 0.999))
def test_holm_rejects_what_stepping_down_rejects(ps: list[float], level: float) -> None:
    rejected = 0
    for left, p in zip(range(len(ps), 0, -1), sorted(ps), strict=True):
        if left * p > level:
            break
        rejected += 1
    assert sum(adjusted <= level for adjusted in holm(ps)) == rejected


@pytest.mark.parametrize(
    ("p_values", "reason"),
    [
        ([], "there are no p-values to adjust"),
        ({}, "there are no p-values to adjust"),
        ([0.5, 1.01], "p_values[1] must be from 0 to 1, not 1.01"),
        ([-0.1], "p_values[0] must be from 0 to 1, not -0.1"),
        ([math.nan], "p_values[0] must be from 0 to 1, not nan"),
        ({"es": None}, "p_values['es'] must be from 0 to 1, not None"),
    ],
)
def test_holm_of_what_is_no_p_is_one_clear_line(p_values: Any, reason: str) -> None:
    with pytest.raises(ValueError) as caught:
        holm(p_values)
    assert str(caught.value) == reason
