"""What a judge is worth is said with its doubt, and never where nobody can know."""

import dataclasses
import math
import random
from collections.abc import Hashable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_jweval.statistics import (
    Agreement,
    agreement_of,
    cohen_kappa,
    corrected_rate,
    kappa_interval,
    wilson_interval,
)

PAIRS = st.lists(st.tuples(*[st.sampled_from(["pass", "fail", "review"])] * 2), min_size=1, max_size=40)
TRUTHS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40)


def unzipped(pairs: list[Any]) -> tuple[list[Any], list[Any]]:
    return [one for one, _ in pairs], [other for _, other in pairs]


def raters(table: list[list[int]]) -> tuple[list[int], list[int]]:
    """Rows are what the first said, columns what the second did."""
    return unzipped(
        [
            (row, column)
            for row, counts in enumerate(table)
            for column, n in enumerate(counts)
            for _ in range(n)
        ]
    )


# table: kappa, low, high, as statsmodels 0.15 has them
KNOWN = [
    ([[20, 5], [10, 15]], 0.4, 0.151092290476661, 0.6489077095233389),
    ([[45, 15], [25, 15]], 0.13043478260869554, -0.06293827779258965, 0.3238078430099807),
    ([[90, 10], [5, 95]], 0.85, 0.7770843017352997, 0.9229156982647004),
    ([[22, 3, 1], [4, 17, 6], [0, 2, 30]], 0.7149444560888701, 0.5908037450229902, 0.8390851671547501),
]


@pytest.mark.parametrize(("table", "kappa", "low", "high"), KNOWN)
def test_kappa_is_what_others_compute(table: list[list[int]], kappa: float, low: float, high: float) -> None:
    assert cohen_kappa(*raters(table)) == pytest.approx(kappa, abs=1e-12)
    assert kappa_interval(*raters(table)) == pytest.approx((low, high), abs=1e-12)


@given(PAIRS)
def test_kappa_does_not_care_who_is_first_nor_what_labels_are_called(pairs: list[tuple[str, str]]) -> None:
    first, second = unzipped(pairs)
    assert cohen_kappa(first, second) == cohen_kappa(second, first)
    assert kappa_interval(first, second) == kappa_interval(second, first)
    other: dict[str, Hashable] = {"pass": None, "fail": ("día", 1), "review": "神"}
    assert cohen_kappa([other[one] for one in first], [other[one] for one in second]) == cohen_kappa(
        first, second
    )


@given(PAIRS)
def test_kappa_lies_in_its_interval_and_on_its_scale(pairs: list[tuple[str, str]]) -> None:
    low, high = kappa_interval(*unzipped(pairs))
    assert -1 <= low <= cohen_kappa(*unzipped(pairs)) <= high <= 1


@given(PAIRS)
def test_no_sample_gives_an_interval_without_any_width(pairs: list[tuple[str, str]]) -> None:
    low, high = kappa_interval(*unzipped(pairs))
    assert low < high


@pytest.mark.parametrize(
    ("first", "second", "kappa"),
    [("pf", "pf", 1), ("pf", "fp", -1), ("ppff", "pfpf", 0), ("pfpf", "pppp", 0), ("p", "f", 0)],
    ids=["all agree", "none agrees", "by lot", "a judge who passes all", "one of each"],
)
def test_kappa_at_its_landmarks(first: str, second: str, kappa: float) -> None:
    assert cohen_kappa(first, second) == kappa


@pytest.mark.parametrize("n", [1, 100])
def test_where_both_say_one_thing_throughout_kappa_is_zero_and_nothing_is_known(n: int) -> None:
    assert cohen_kappa(["pass"] * n, ["pass"] * n) == 0
    assert kappa_interval(["pass"] * n, ["pass"] * n) == (-1, 1)


def test_full_agreement_of_few_is_less_sure_than_that_of_many() -> None:
    lows = [kappa_interval("pf" * n, "pf" * n)[0] for n in (1, 10, 100, 1000)]
    assert lows == sorted(lows)
    assert lows[0] < 0 and lows[1] == pytest.approx(2 * wilson_interval(20, 20)[0] - 1) and lows[3] > 0.99
    assert kappa_interval("pf" * 10, "pf" * 10)[1] == 1


def test_a_judge_who_never_changes_is_not_known_to_be_worth_nothing() -> None:
    low, high = kappa_interval("pf" * 5, "pp" * 5)
    assert low == pytest.approx(-high) and high == pytest.approx(2 * wilson_interval(5, 10)[1] - 1)


def test_more_confidence_takes_more_room() -> None:
    first, second = raters(KNOWN[0][0])
    ends = [kappa_interval(first, second, confidence) for confidence in (0.5, 0.9, 0.99)]
    assert sorted(ends, reverse=True) == ends
    assert [high for _, high in ends] == sorted(high for _, high in ends)


@pytest.mark.parametrize("n", [100, 400])
def test_the_interval_of_kappa_covers_what_it_says(n: int) -> None:
    """Two raters who each err in 10 %: the true kappa of fair coins is .8 · .8 = .64."""
    dice = random.Random(11)
    covered = 0
    for _ in range(400):
        truth = [dice.random() < 0.5 for _ in range(n)]
        first, second = ([label != (dice.random() < 0.1) for label in truth] for _ in range(2))
        low, high = kappa_interval(first, second)
        covered += low <= 0.64 <= high
    assert 0.92 <= covered / 400 <= 0.98


def test_an_agreement_says_how_often_the_judge_is_right_about_each_class() -> None:
    labels, opinions = [True] * 50 + [False] * 50, [True] * 45 + [False] * 5 + [True] * 20 + [False] * 30
    found = agreement_of(labels, opinions)
    assert (found.n, found.passes, found.fails) == (100, 50, 50)
    assert (found.agreement, found.agreement_interval) == (0.75, wilson_interval(75, 100))
    assert (found.true_pass, found.true_pass_interval) == (0.9, wilson_interval(45, 50))
    assert (found.true_fail, found.true_fail_interval) == (0.6, wilson_interval(30, 50))
    assert found.balanced_accuracy == 0.75
    assert found.kappa == cohen_kappa(labels, opinions) == 0.5
    assert found.kappa_interval == kappa_interval(labels, opinions)


def test_its_confidence_is_that_of_every_interval() -> None:
    labels, opinions = (list(map(bool, ratings)) for ratings in raters([[6, 3], [2, 7]]))
    wide, narrow = (agreement_of(labels, opinions, confidence) for confidence in (0.99, 0.5))
    for field in dataclasses.fields(Agreement):
        if field.name.endswith("_interval"):
            (low, high), (inner_low, inner_high) = getattr(wide, field.name), getattr(narrow, field.name)
            assert low < inner_low < inner_high < high


@pytest.mark.parametrize("label", [True, False])
def test_of_a_class_without_labels_nothing_is_known(label: bool) -> None:
    found = agreement_of([label] * 20, [label] * 19 + [not label])
    there, missing = ("true_pass", "true_fail") if label else ("true_fail", "true_pass")
    assert getattr(found, there) == 0.95
    assert getattr(found, missing) is None and getattr(found, f"{missing}_interval") == (0, 1)
    assert found.balanced_accuracy is None
    assert found.kappa == 0


@given(TRUTHS)
def test_an_agreement_adds_up(pairs: list[tuple[bool, bool]]) -> None:
    found = agreement_of(*unzipped(pairs))
    right = (found.true_pass or 0) * found.passes + (found.true_fail or 0) * found.fails
    assert found.agreement * found.n == pytest.approx(right)
    assert found.passes + found.fails == found.n == len(pairs)


def test_an_agreement_takes_what_can_be_read_only_once() -> None:
    labels, opinions = [True, False, True], [True, True, False]
    assert agreement_of(iter(labels), iter(opinions)) == agreement_of(labels, opinions)
    assert cohen_kappa(iter("pfp"), iter("ppf")) == cohen_kappa("pfp", "ppf")


def test_an_agreement_stays_as_it_is() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        agreement_of([True], [True]).kappa = 1.0  # type: ignore[misc]  # what is tested


@pytest.mark.parametrize(
    ("observed", "true_pass", "true_fail", "rate"),
    [
        (0.90, 0.90, 0.85, 1.0),
        (0.90, 0.95, 0.90, 0.941),
        (0.5, 1, 1, 0.5),
        (0.05, 0.9, 0.9, 0.0),
        (1.0, 0.9, 0.9, 1.0),
    ],
)
def test_the_rate_behind_what_a_judge_reported(
    observed: float, true_pass: float, true_fail: float, rate: float
) -> None:
    assert corrected_rate(observed, true_pass, true_fail) == pytest.approx(rate, abs=5e-4)


@given(st.floats(0, 1), st.floats(0.51, 1), st.floats(0.5, 1))
def test_correcting_finds_the_rate_that_the_errors_hid(
    rate: float, true_pass: float, true_fail: float
) -> None:
    observed = rate * true_pass + (1 - rate) * (1 - true_fail)
    assert corrected_rate(observed, true_pass, true_fail) == pytest.approx(rate, abs=1e-12)


@given(st.integers(0, 300), st.integers(1, 300), st.integers(1, 300))
def test_a_judge_no_better_than_a_coin_says_nothing(hits: int, passes: int, times: int) -> None:
    """Also where the two shares make 1 only but for rounding."""
    hits = min(hits, passes)
    true_pass, true_fail = hits / passes, (passes - hits) * times / (passes * times)
    assert corrected_rate(0.8, true_pass, true_fail) is None
    assert corrected_rate(0.8, true_pass, true_fail / 2) is None


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ([], [], "there are no labels to compare"),
        ("pp", "p", "two raters must rate the same things, not 2 and 1"),
        ("", "p", "two raters must rate the same things, not 0 and 1"),
        ([math.nan], ["p"], "NaN is no label: it equals nothing, not even itself"),
        (["p"], [math.nan], "NaN is no label: it equals nothing, not even itself"),
    ],
)
def test_labels_that_cannot_be_compared_are_one_clear_line(first: Any, second: Any, reason: str) -> None:
    for compare in (cohen_kappa, kappa_interval):
        with pytest.raises(ValueError) as caught:
            compare(first, second)
        assert str(caught.value) == reason


@pytest.mark.parametrize(
    ("labels", "opinions", "reason"),
    [
        ([], [], "there are no labels to compare"),
        ([True, False], [True], "two raters must rate the same things, not 2 and 1"),
        ([True, "fail"], [True, True], "labels[1] must be true or false, not 'fail'"),
        ([True], [None], "opinions[0] must be true or false, not None"),
        ([True], [1], "opinions[0] must be true or false, not 1"),
        ([math.nan], [True], "labels[0] must be true or false, not nan"),
    ],
)
def test_what_is_no_pass_and_no_fail_is_one_clear_line(labels: Any, opinions: Any, reason: str) -> None:
    with pytest.raises(ValueError) as caught:
        agreement_of(labels, opinions)
    assert str(caught.value) == reason


@pytest.mark.parametrize("confidence", [0, 1, 95, math.nan])
def test_an_impossible_confidence_is_refused_also_where_nothing_is_known(confidence: float) -> None:
    for labels in ([True], [True, False]):
        with pytest.raises(ValueError, match="confidence must be between 0 and 1, and neither of them"):
            kappa_interval(labels, labels, confidence)
        with pytest.raises(ValueError, match="confidence must be between 0 and 1, and neither of them"):
            agreement_of(labels, labels, confidence)


@pytest.mark.parametrize(
    ("rates", "reason"),
    [
        ((1.2, 0.9, 0.9), "observed must be from 0 to 1, not 1.2"),
        ((0.8, -0.1, 0.9), "true_pass must be from 0 to 1, not -0.1"),
        ((0.8, 0.9, None), "true_fail must be from 0 to 1, not None"),
        ((math.nan, 0.1, 0.1), "observed must be from 0 to 1, not nan"),
    ],
)
def test_rates_that_are_none_are_one_clear_line(rates: Any, reason: str) -> None:
    with pytest.raises(ValueError) as caught:
        corrected_rate(*rates)
    assert str(caught.value) == reason
