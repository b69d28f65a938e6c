"""What a golden case accepts as it is made in Python."""

from typing import Any

import pytest

from pytest_jweval.errors import CaseError
from pytest_jweval.records import ID_PATTERN, GoldenCase, parse


def wrong(**fields: Any) -> list[str]:
    with pytest.raises(CaseError) as caught:
        parse(GoldenCase, {"id": "a", "layer": "l1", **fields})
    return [miss.reason for miss in caught.value.misses]


def test_only_id_and_layer_must_be_there() -> None:
    case = GoldenCase(id="a", layer="l1")
    assert (case.agent, case.input, case.expected, case.metadata) == (None, None, {}, {})
    assert (case.tags, case.marks, case.must_pass, case.samples, case.pass_at_least) == (
        (),
        (),
        False,
        1,
        None,
    )
    with pytest.raises(CaseError, match="'id' is missing; 'layer' is missing"):
        parse(GoldenCase, {})


@pytest.mark.parametrize("name", ["a", "A-b_9", "-", "0", "l1_apologetics_trinity_es", "x" * 500])
def test_ids_are_of_letters_digits_underscores_and_dashes(name: str) -> None:
    assert GoldenCase(id=name, layer="l1").id == name
    assert ID_PATTERN.fullmatch(name)


@pytest.mark.parametrize("name", ["", " ", "a b", "a::b", "a/b", "a[b]", "é", "a\n", "a.b", "a\u200b"])
def test_other_ids_could_not_be_selected(name: str) -> None:
    (reason,) = wrong(id=name)
    assert reason.startswith("'id': an id is made of A-Z, a-z, 0-9, _ and -")


def test_tags_and_marks_are_lists_of_texts_that_may_be_empty() -> None:
    case = GoldenCase(id="a", layer="l1", tags=["x", "y"], marks=[])  # type: ignore[arg-type]  # as YAML gives it
    assert (case.tags, case.marks) == (("x", "y"), ())
    assert wrong(tags="x", marks=[""]) == [
        "'tags' must be a list, not the text 'x'",
        "'marks[0]' must not be empty",
    ]


@pytest.mark.parametrize(("samples", "least"), [(1, 1), (5, 1), (5, 4), (5, 5)])
def test_as_many_samples_must_pass_as_there_can_be(samples: int, least: int) -> None:
    assert GoldenCase(id="a", layer="l1", samples=samples, pass_at_least=least).pass_at_least == least


@pytest.mark.parametrize(("samples", "least"), [(1, 2), (5, 0), (5, 6), (5, -1)])
def test_more_or_fewer_could_never_be_reached_or_missed(samples: int, least: int) -> None:
    assert wrong(samples=samples, pass_at_least=least) == [
        f"'pass_at_least': it must lie between 1 and samples ({samples}), not {least}"
    ]


def test_samples_that_are_refused_themselves_are_the_only_complaint() -> None:
    assert wrong(samples=0, pass_at_least=3) == ["'samples' must be at least 1, not 0"]


@pytest.mark.parametrize(
    "field", ["agent", "input", "expected", "metadata", "tags", "must_pass", "pass_at_least"]
)
def test_a_key_without_a_value_would_check_nothing(field: str) -> None:
    assert wrong(**{field: None}) == [f"'{field}' has no value"]
