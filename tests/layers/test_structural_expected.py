"""L1: what a case can't expect is refused before anybody is asked."""

from __future__ import annotations

import pytest

from pytest_jweval.errors import CaseError
from pytest_jweval.layers.expectations import StructuralExpected
from pytest_jweval.layers.structural import CHECKS, Structural
from pytest_jweval.records import parse


def refused(expected):
    with pytest.raises(CaseError) as caught:
        parse(StructuralExpected, expected, ("expected",))
    return caught.value.misses


@pytest.mark.parametrize(
    "expected",
    [
        {},
        {"min_findings": 0},
        {"must_have_citation": False},
        {"must_have_url": False, "must_have_citation": False, "min_findings": 0},
    ],
)
def test_a_case_that_could_never_fail(expected):
    (miss,) = refused(expected)
    assert miss.reason.startswith("nothing is expected, so the case could never fail")
    assert miss.key == ("expected",)


@pytest.mark.parametrize(
    ("expected", "reason"),
    [
        (
            {"min_findings": 3, "max_findings": 2},
            "'min_findings' needs at least 3 findings, 'max_findings' is 2",
        ),
        (
            {"sources_in_order": ["a", "b"], "max_findings": 1},
            "'sources_in_order' needs at least 2 findings, 'max_findings' is 1",
        ),
        (
            {"must_have_source": "a", "max_findings": 0},
            "'must_have_source' needs at least 1 finding, 'max_findings' is 0",
        ),
        (
            {"required_keywords_any": ["a"], "max_findings": 0},
            "'required_keywords_any' needs at least 1 finding, 'max_findings' is 0",
        ),
        (
            {"required_keywords_any": ["The Trinity"], "forbidden_keywords_in_findings": ["x", "TRINITY"]},
            "'required_keywords_any' wants what 'forbidden_keywords_in_findings' forbids",
        ),
    ],
)
def test_a_case_that_could_never_pass(expected, reason):
    assert [miss.reason for miss in refused(expected)] == [reason]


@pytest.mark.parametrize(
    "expected",
    [
        {"max_findings": 0},
        {"min_findings": 2, "max_findings": 2},
        {"required_keywords_any": ["trinity", "soul"], "forbidden_keywords_in_findings": ["trinity"]},
        {"required_keywords_any": ["soul"], "forbidden_keywords_in_findings": ["immortal soul"]},
    ],
)
def test_what_can_pass_and_fail_is_accepted(expected):
    assert parse(StructuralExpected, expected).model_fields_set == set(expected)


@pytest.mark.parametrize(
    ("expected", "key", "reason"),
    [
        ({"min_findings": "3"}, ("min_findings",), "must be a whole number, not the text '3'"),
        ({"min_findings": -1}, ("min_findings",), "not -1"),
        ({"min_findings": True}, ("min_findings",), "must be a whole number, not true"),
        ({"min_findings": None}, ("min_findings",), "has no value"),
        ({"max_duration_ms": 0}, ("max_duration_ms",), "not 0"),
        ({"must_have_citation": "yes"}, ("must_have_citation",), "must be true or false"),
        ({"must_have_source": ""}, ("must_have_source",), "blank"),
        ({"must_have_source": " \u00a0"}, ("must_have_source",), "blank"),
        ({"sources_in_order": "rag"}, ("sources_in_order",), "must be a list, not the text 'rag'"),
        ({"sources_in_order": []}, ("sources_in_order",), "must not be empty"),
        ({"required_keywords_any": ["a", " \n"]}, ("required_keywords_any", 1), "blank"),
        ({"forbidden_keywords_in_findings": ["a", ""]}, ("forbidden_keywords_in_findings", 1), "blank"),
        ({"json_schema": {}}, ("json_schema",), "must not be empty"),
        ({"json_schema": "s.json"}, ("json_schema",), "must be a mapping, not the text 's.json'"),
        ({"min_finding": 3}, ("min_finding",), "unknown key 'min_finding' (did you mean 'min_findings'?)"),
    ],
)
def test_wrong_values_are_refused_at_their_key(expected, key, reason):
    (miss,) = refused(expected)
    assert miss.key == ("expected", *key)
    assert reason in miss.reason


def test_every_key_has_its_check_and_says_what_it_means():
    assert set(CHECKS) == set(StructuralExpected.model_fields)
    assert all(field.description for field in StructuralExpected.model_fields.values())


def test_the_layer_is_l1_and_asks_an_agent():
    assert (Structural.name, Structural.schema, Structural.needs_agent) == ("l1", StructuralExpected, True)
