"""A part of a meeting, prepared from a verse."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_jweval.reference.answers import Answer


@pytest.mark.parametrize(
    ("place", "language", "kind"),
    [
        ("Romans 12:1", "en", "public_talk"),
        ("Mateo 24:14", "es", "workbook"),
        ("João 3:16", "pt", "workbook"),
        ("https://example.org/pt/romans-12", "pt", "public_talk"),
        ("https://example.org/es/meetings/matthew-24", "es", "workbook"),
    ],
)
def test_the_verse_leads_and_points_of_the_kind_follow(
    ask: Callable[..., Answer], place: str, language: str, kind: str
) -> None:
    answer = ask("meeting_helper", url_or_ref=place, language=language, kind=kind)
    first, *points = answer["findings"]
    assert first["source"] == "verse_text"
    assert {point["source"] for point in points} == {kind}
    assert {point["metadata"]["reference"] for point in points} == {first["metadata"]["reference"]}
    assert answer["metadata"]["warnings"] == []


def test_a_talk_and_a_workbook_part_differ(ask: Callable[..., Answer]) -> None:
    talk, workbook = (
        ask("meeting_helper", url_or_ref="Romans 12:1", kind=kind)["findings"]
        for kind in ("public_talk", "workbook")
    )
    assert talk[0] == workbook[0]
    assert talk[1:] != workbook[1:]


def test_a_verse_without_points_comes_alone_and_with_a_warning(ask: Callable[..., Answer]) -> None:
    answer = ask("meeting_helper", url_or_ref="Acts 4:12", language="en", kind="workbook")
    assert [finding["source"] for finding in answer["findings"]] == ["verse_text"]
    assert answer["metadata"]["warnings"] == ["no workbook points were found for 'Acts 4:12'"]


@pytest.mark.parametrize(
    "place",
    ["John 99:1", "nowhere", "https://example.org/en/nowhere", "https://example.org/es/romans-12"]
    + ["https://example.org/en/topics/hell"],
)
def test_a_place_without_a_verse_is_a_warning_and_no_finding(ask: Callable[..., Answer], place: str) -> None:
    assert ask("meeting_helper", url_or_ref=place, language="en", kind="workbook") == {
        "findings": [],
        "metadata": {"warnings": [f"no verse was found at {place!r}"]},
    }


def test_an_unknown_kind_is_refused_by_name(ask: Callable[..., Answer]) -> None:
    with pytest.raises(ValueError, match="^the input 'kind' must be public_talk or workbook, not 'sermon'$"):
        ask("meeting_helper", url_or_ref="Romans 12:1", language="en", kind="sermon")
