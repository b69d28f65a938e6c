"""A layer that this version can't judge is never green."""

from __future__ import annotations

import pytest

from pytest_jweval.errors import CaseError
from pytest_jweval.layers.unbuilt import Anything, Unbuilt
from pytest_jweval.ports import Context
from pytest_jweval.records import Answer, GoldenCase, parse


def test_it_accepts_any_expectation_and_answers_with_an_error_at_its_layer():
    layer = Unbuilt("l9")
    expected = parse(Anything, {"whatever": ["it", {"will": "be"}]})
    case = GoldenCase(id="case", layer="l9")
    with pytest.raises(CaseError) as caught:
        layer.evaluate(Context(case, expected, Answer()))
    (miss,) = caught.value.misses
    assert miss.reason == "layer 'l9' is not built in this version of pytest-jweval"
    assert miss.key == ("layer",)


def test_it_asks_no_agent():
    assert (Unbuilt("l9").name, Unbuilt("l9").needs_agent) == ("l9", False)
    assert repr(Unbuilt("l9")) == "Unbuilt('l9')"
