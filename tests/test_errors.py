"""The words of everything that is raised on purpose."""

from __future__ import annotations

import pytest

from pytest_jweval import errors
from pytest_jweval.errors import CaseError, JWEvalError, MissingExtra, UnknownName, suggestion, told
from pytest_jweval.records import Miss


def test_the_tree_in_the_docstring_is_the_tree_in_the_code():
    classes = {
        name: value
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, JWEvalError)
    }
    drawn = str(errors.__doc__).split("::")[1]
    assert set(classes) == {word for word in drawn.split() if word in classes}
    assert all(value.__doc__ for value in classes.values())


@pytest.mark.parametrize(
    ("name", "known", "text"),
    [
        ("l11", ["l1", "l2"], " (did you mean 'l1'?)"),
        ("zzz", ["l2", "l1"], " (known: l1, l2)"),
        ("l1", [], ""),
    ],
)
def test_a_suggestion_is_the_nearest_name_or_all_there_are(name, known, text):
    assert suggestion(name, known) == text


def test_an_unknown_name_is_a_lookup_error():
    error = UnknownName("layer", "l11", ["l1"])
    assert isinstance(error, LookupError)
    assert (str(error), error.name) == ("unknown layer 'l11' (did you mean 'l1'?)", "l11")


def test_a_missing_extra_can_be_pasted_into_a_shell():
    assert str(MissingExtra("bench", "bench")) == "bench needs an extra: pip install 'pytest-jweval[bench]'"


def test_a_case_error_says_all_that_is_wrong():
    assert str(CaseError([Miss(reason="one"), Miss(reason="two")])) == "one; two"
    assert str(CaseError([])) == "the case can't be run"


def nested(depth):
    return ExceptionGroup("g", [nested(depth - 1)]) if depth else ValueError("deep")


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("a\n\tb"), "ValueError: a b"),
        (ValueError(" "), "ValueError"),
        (KeyError("k"), "KeyError: 'k'"),
        (
            ExceptionGroup("many", [ValueError(str(i)) for i in range(9)]),
            "ExceptionGroup: many (9 sub-exceptions): ValueError: 0; ValueError: 1; ValueError: 2",
        ),
        (nested(400), "ExceptionGroup: g (1 sub-exception): ValueError: deep"),
    ],
)
def test_an_exception_is_told_in_one_line(error, line):
    assert told(error) == line
