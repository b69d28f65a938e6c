"""L1: where the findings come from."""

from __future__ import annotations

import pytest


def findings(*sources):
    return [{"text": f"text {i}", "source": source} for i, source in enumerate(sources)]


ANSWER = findings("topic_index", "verse_text", "verse_text", None)
SEEN = "(sources seen: topic_index ×1, verse_text ×2, (none) ×1)"


@pytest.mark.parametrize(
    ("source", "reasons"),
    [
        ("verse_text", ()),
        ("rag", (f"no finding has the source 'rag' {SEEN}",)),
        ("Verse_text", (f"no finding has the source 'Verse_text' {SEEN}",)),
        ("none", (f"no finding has the source 'none' {SEEN}",)),
        ("(none)", (f"no finding has the source '(none)' {SEEN}",)),
    ],
)
def test_one_finding_has_the_source(judge, source, reasons):
    assert judge(ANSWER, must_have_source=source).reasons == reasons


@pytest.mark.parametrize(
    ("wanted", "place", "problem"),
    [
        (["topic_index"], None, None),
        (["topic_index", "verse_text", "verse_text"], None, None),
        (["verse_text"], 0, "finding 0 should have the source 'verse_text', but it has 'topic_index'"),
        (["topic_index", "rag"], 1, "finding 1 should have the source 'rag', but it has 'verse_text'"),
        (
            ["topic_index", "verse_text", "verse_text", "rag"],
            3,
            "finding 3 should have the source 'rag', but it has none",
        ),
        (
            ["topic_index", "verse_text", "verse_text", "rag", "rag"],
            3,
            "finding 3 should have the source 'rag', but it has none",
        ),
    ],
)
def test_the_first_findings_have_these_sources_in_order(judge, wanted, place, problem):
    ruling = judge(ANSWER, sources_in_order=wanted)
    if problem is None:
        assert ruling.misses == ()
    else:
        assert ruling.reasons == (f"{problem} {SEEN}",)
        assert ruling.misses[0].key == ("expected", "sources_in_order", place)


def test_more_sources_than_findings_says_which_finding_there_is_not(judge):
    assert judge(findings("rag"), sources_in_order=["rag", "rag"]).reasons == (
        "finding 1 should have the source 'rag', but there is no finding 1 (sources seen: rag ×1)",
    )
    assert judge([], sources_in_order=["rag"]).reasons == (
        "finding 0 should have the source 'rag', but there is no finding 0 (the answer has no findings)",
    )


@pytest.mark.parametrize(("key", "part"), [("must_have_citation", "source"), ("must_have_url", "url")])
class TestEveryFinding:
    def test_has_one(self, judge, key, part):
        assert judge([{"text": "a", part: "x"}, {"text": "b", part: "y"}], **{key: True}).misses == ()

    @pytest.mark.parametrize("empty", [None, "", " \t"])
    def test_or_the_first_without_is_shown(self, judge, key, part, empty):
        answer = [{"text": "a", part: "x"}, {"text": "bare\ntext", part: empty}, {"text": "c", part: empty}]
        ruling = judge(answer, **{key: True})
        assert ruling.reasons[0].startswith(
            f"2 of 3 findings without a {part}: 1, 2 (the first: 'bare text') (sources seen: "
        )
        assert (ruling.misses[0].key, ruling.misses[0].got) == (("expected", key), [1, 2])

    def test_false_asks_for_nothing(self, judge, key, part):
        assert judge([{"text": "a"}], min_findings=1, **{key: False}).misses == ()

    def test_an_answer_without_findings_has_none_without(self, judge, key, part):
        assert judge([], **{key: True}).misses == ()

    def test_many_are_counted_and_not_listed(self, judge, key, part):
        reason = judge([{"text": "a"}] * 200, **{key: True}).reasons[0]
        assert reason.startswith(f"200 of 200 findings without a {part}: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …")


def test_a_source_may_stand_in_the_metadata(judge):
    assert judge([{"text": "a", "metadata": {"source": "rag"}}], must_have_source="rag").misses == ()
