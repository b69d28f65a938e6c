"""Cosines, and what they say about an answer."""

from __future__ import annotations

import math
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_jweval.judges.embedding import Opinion, cosine, joined, opinion, similarity
from pytest_jweval.records import Answer, Finding
from pytest_jweval.testing import HashingEmbedder

numbers = st.floats(-1e6, 1e6, width=32)
vectors = st.integers(1, 20).flatmap(
    lambda length: st.tuples(*[st.lists(numbers, min_size=length, max_size=length)] * 2)
)


class Fixed:
    """Gives the vectors that it was made with, and notes what it was asked."""

    name = "fixed"
    bands = (0.8, 0.5)

    def __init__(self, *vectors):
        self.vectors = vectors
        self.asked = []

    def embed(self, texts):
        self.asked.append(list(texts))
        return self.vectors


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([1, 0], [1, 0], 1),
        ([1, 0], [0, 1], 0),
        ([1, 0], [-1, 0], -1),
        ([3, 4], [4, 3], 0.96),
        ([3, 4], [30, 40], 1),
        ([0, 0], [1, 2], 0),
        ([0, 0], [0, 0], 0),
        ([], [], 0),
        (array("f", [3, 4]), (4.0, 3.0), 0.96),
    ],
)
def test_a_cosine_is_the_angle_of_two_directions(first, second, expected):
    assert cosine(first, second) == pytest.approx(expected)


@given(vectors)
def test_a_cosine_is_symmetric_and_within_its_bounds(pair):
    first, second = pair
    assert -1 <= cosine(first, second) <= 1
    assert cosine(first, second) == cosine(second, first)


def test_vectors_of_different_lengths_are_an_error():
    with pytest.raises(ValueError, match="vectors of 2 and 3 numbers can't be compared"):
        cosine([1, 2], [1, 2, 3])


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_an_error(wrong):
    with pytest.raises(ValueError, match="NaN or infinity"):
        cosine([1.0, wrong], [1.0, 1.0])


def test_a_similarity_is_what_is_reported():
    assert similarity(Fixed([3, 4], [4, 3.00001]), "candidate", "golden") == 0.96
    assert similarity(Fixed([1, 3], [3, 1]), "candidate", "golden") == 0.6
    assert similarity(Fixed([1, 1], [1, 0]), "candidate", "golden") == 0.7071


@pytest.mark.parametrize(("candidate", "golden"), [("", "a"), ("a", " \n"), ("", "")])
def test_a_text_that_says_nothing_is_like_nothing_and_no_model_is_asked(candidate, golden):
    embedder = Fixed([1, 1], [1, 1])
    assert similarity(embedder, candidate, golden) == 0
    assert embedder.asked == []


def test_equal_texts_are_wholly_alike():
    assert similarity(HashingEmbedder(), "For God so loved the world", "For God so loved the world") == 1


def test_both_texts_are_asked_for_at_once():
    embedder = Fixed([1, 1], [1, 1])
    similarity(embedder, "candidate", "golden")
    assert embedder.asked == [["candidate", "golden"]]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, "pass"),
        (0.7801, "pass"),
        (0.78, "pass"),
        (0.7799, "undecided"),
        (0.55, "undecided"),
        (0.5499, "fail"),
        (0, "fail"),
        (-1, "fail"),
    ],
)
def test_both_bounds_belong_to_what_is_above_them(value, expected):
    assert opinion(value, 0.78, 0.55) == expected


def test_without_a_band_between_them_nothing_is_undecided():
    assert [opinion(value, 0.6, 0.6) for value in (0.5999, 0.6)] == [Opinion.FAIL, Opinion.PASS]


def test_whoever_never_wants_to_fail_by_wording_can_say_so():
    assert opinion(-1, 0.7, -1) is Opinion.UNDECIDED


@pytest.mark.parametrize("bounds", [(0.5, 0.6), (1.1, 0.5), (0.5, -1.1), (math.nan, 0.5), (0.5, math.nan)])
def test_bounds_that_cant_be_met_are_an_error(bounds):
    with pytest.raises(ValueError, match="thresholds must be"):
        opinion(0.7, *bounds)


def test_findings_are_joined_as_paragraphs_in_their_order():
    answer = Answer(findings=(Finding(text="Paul wrote it."), Finding(text=" \n"), Finding(text="In Rome.")))
    assert joined(answer) == "Paul wrote it.\n\nIn Rome."
    assert joined(Answer()) == ""
