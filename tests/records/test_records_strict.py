"""Records refuse what they don't know, never change, and say what is wrong in an author's words."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_core import PydanticCustomError

from pytest_jweval.errors import CaseError
from pytest_jweval.records import (
    Answer,
    Finding,
    Given,
    GoldenCase,
    Header,
    LayerResult,
    Listed,
    Miss,
    Record,
    Ruling,
    Text,
    Verdict,
    parse,
)
from pytest_jweval.records.strict import dotted


class Inner(Record):
    depth: int


class Sample(Record):
    word: Text = "x"
    number: Annotated[int, Field(ge=1, le=9)] = 1
    share: Annotated[float, Field(gt=0, lt=1)] = 0.5
    truth: bool = False
    words: Given[Listed[Text]] = None
    pair: Annotated[tuple[str, ...], Field(strict=False, min_length=2)] = ("a", "b")
    mapping: dict[str, Any] = {}
    inner: Inner | None = None
    either: Literal["a", "b"] = "a"
    even: int = 0

    @field_validator("even")
    @classmethod
    def _is_even(cls, value: int) -> int:
        if value % 2:
            raise PydanticCustomError("odd", "an even number is wanted")
        return value

    @model_validator(mode="after")
    def _fits(self) -> "Sample":
        if self.number == 9 and self.truth:
            raise ValueError("'number' and 'truth' don't go together")
        return self


# what is parsed: what is said of it, with the key
WORDS: list[tuple[dict[str, Any], str, tuple[str | int, ...]]] = [
    ({"wurd": 1}, "unknown key 'wurd' (did you mean 'word'?)", ("wurd",)),
    ({"inner": {"deep": 1, "depth": 1}}, "unknown key 'deep'", ("inner", "deep")),
    ({"inner": {}}, "'inner.depth' is missing", ("inner", "depth")),
    ({"inner": 3}, "'inner' must be a mapping, not 3", ("inner",)),
    ({"word": 3}, "'word' must be text, not 3", ("word",)),
    ({"word": b"x"}, "'word' must be text, not b'x'", ("word",)),
    ({"word": True}, "'word' must be text, not true", ("word",)),
    ({"word": ["x"]}, "'word' must be text, not a list", ("word",)),
    ({"word": ""}, "'word' must not be empty", ("word",)),
    ({"word": None}, "'word' has no value", ("word",)),
    ({"number": "3"}, "'number' must be a whole number, not the text '3'", ("number",)),
    ({"number": "x" * 99}, f"'number' must be a whole number, not the text '{'x' * 59}…'", ("number",)),
    ({"number": 1.5}, "'number' must be a whole number, not 1.5", ("number",)),
    ({"number": 2.0}, "'number' must be a whole number, not 2.0", ("number",)),
    ({"number": True}, "'number' must be a whole number, not true", ("number",)),
    ({"number": 0}, "'number' must be at least 1, not 0", ("number",)),
    ({"number": 10}, "'number' must be at most 9, not 10", ("number",)),
    ({"number": {"a": 1}}, "'number' must be a whole number, not a mapping", ("number",)),
    ({"share": 0}, "'share' must be greater than 0, not 0", ("share",)),
    ({"share": 1}, "'share' must be less than 1, not 1", ("share",)),
    ({"share": "0.5"}, "'share' must be a number, not the text '0.5'", ("share",)),
    ({"share": float("nan")}, "'share' must be a finite number, not nan", ("share",)),
    ({"truth": "yes"}, "'truth' must be true or false, not the text 'yes'", ("truth",)),
    ({"truth": 1}, "'truth' must be true or false, not 1", ("truth",)),
    ({"words": "a"}, "'words' must be a list, not the text 'a'", ("words",)),
    ({"words": {"a": 1}}, "'words' must be a list, not a mapping", ("words",)),
    ({"words": []}, "'words' must not be empty", ("words",)),
    ({"words": None}, "'words' has no value", ("words",)),
    ({"words": ["a", None]}, "'words[1]' has no value", ("words", 1)),
    ({"words": [None]}, "'words[0]' has no value", ("words", 0)),
    ({"words": ["a", 7]}, "'words[1]' must be text, not 7", ("words", 1)),
    ({"pair": ["a"]}, "'pair': tuple should have at least 2 items after validation, not 1", ("pair",)),
    ({"mapping": []}, "'mapping' must be a mapping, not a list", ("mapping",)),
    ({"either": "c"}, "'either' must be 'a' or 'b', not the text 'c'", ("either",)),
    ({"even": 3}, "'even': an even number is wanted, not 3", ("even",)),
    ({"number": 9, "truth": True}, "'number' and 'truth' don't go together", ()),
]


@pytest.mark.parametrize(("data", "words", "key"), WORDS, ids=[words for _, words, _ in WORDS])
def test_what_is_wrong_is_said_in_an_authors_words(
    data: dict[str, Any], words: str, key: tuple[str | int, ...]
) -> None:
    with pytest.raises(CaseError) as caught:
        parse(Sample, data)
    (miss,) = caught.value.misses
    assert (miss.reason.split(" (known: ")[0], miss.key) == (words, key)
    assert (miss.line, miss.column) == (None, None)


def test_everything_wrong_is_said_at_once_with_keys_from_the_top() -> None:
    with pytest.raises(CaseError) as caught:
        parse(Sample, {"word": 1, "words": [2, "b", ""], "nimber": 1}, ("expected",))
    assert [(miss.key, miss.reason.split(" (")[0]) for miss in caught.value.misses] == [
        (("expected", "word"), "'expected.word' must be text, not 1"),
        (("expected", "words", 0), "'expected.words[0]' must be text, not 2"),
        (("expected", "words", 2), "'expected.words[2]' must not be empty"),
        (("expected", "nimber"), "unknown key 'nimber'"),
    ]


@pytest.mark.parametrize("value", [3, True, 1.5, ["x"]])
def test_where_text_was_expected_the_miss_says_so_for_the_loader(value: Any) -> None:
    with pytest.raises(CaseError) as caught:
        parse(Sample, {"word": value})
    assert caught.value.misses[0].expected == "text"


def test_an_absent_value_is_never_taken_for_text() -> None:
    with pytest.raises(CaseError) as caught:
        parse(Sample, {"word": None})
    assert caught.value.misses[0].expected is None


def test_a_number_too_long_to_be_printed_is_still_named() -> None:
    with pytest.raises(CaseError, match="'word' must be text, not '0x"):
        parse(Sample, {"word": 10**5000})


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ((), ""),
        (("expected",), "expected"),
        (("expected", "tags", 0), "expected.tags[0]"),
        (("a", 0, "b", 1, 2), "a[0].b[1][2]"),
    ],
)
def test_keys_are_written_as_authors_read_them(key: tuple[str | int, ...], text: str) -> None:
    assert dotted(key) == text


RECORDS = [
    GoldenCase(id="a", layer="l1"),
    Finding(text="a"),
    Answer(findings=(Finding(text="a"),)),
    Miss(reason="r"),
    Ruling(verdict=Verdict.PASS),
    LayerResult(case_id="a", layer="l1", verdict=Verdict.PASS),
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_a_record_never_changes(record: Record) -> None:
    name = next(iter(type(record).model_fields))
    with pytest.raises(ValidationError, match="frozen"):
        setattr(record, name, getattr(record, name))


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_a_record_knows_only_its_own_fields(record: Record) -> None:
    fields: dict[str, Any] = {name: getattr(record, name) for name in record.model_fields_set}
    assert type(record)(**fields) == record
    with pytest.raises(ValidationError, match="extra_forbidden"):
        type(record)(**fields | {"nonsense": 1})


def test_a_header_never_changes_either() -> None:
    with pytest.raises(AttributeError):
        Header("a", "l1").case_id = "b"  # type: ignore[misc]


def test_two_records_share_no_default() -> None:
    first, second = GoldenCase(id="a", layer="l1"), GoldenCase(id="b", layer="l1")
    first.metadata["x"] = 1
    assert second.metadata == {}
