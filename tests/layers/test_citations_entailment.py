"""L2 with `entails: true`: what a finding says must follow from the page that it cites."""

from __future__ import annotations

import pytest

from pytest_jweval.testing import MemoryPages, ScriptedNLI

PAGE = "https://example.org/returns"
OTHER = "https://example.org/other"
PAGES = MemoryPages({PAGE: "<p>You may send it back at no cost.</p>", OTHER: "<p>Something else.</p>"})
FREE = "Returns are free."


def says(text, url=PAGE):
    return {"text": text, "url": url}


def test_a_finding_that_follows_from_its_page_passes(cited):
    nli = ScriptedNLI({FREE: ("entails", 0.9)})
    assert cited([says(FREE)], PAGES, nli=nli, expected_citations=[PAGE], entails=True).verdict == "pass"
    assert nli.asked == [("You may send it back at no cost.", FREE)]


@pytest.mark.parametrize(
    ("label", "does"),
    [("neutral", "does not entail"), ("contradicts", "contradicts"), ("", "does not entail")],
)
def test_a_finding_that_does_not_follow_fails_with_the_likest_passage(cited, label, does):
    nli = ScriptedNLI({FREE: (label, 0.8)})
    ruling = cited([says("x"), says(FREE)], PAGES, nli=nli, expected_citations=[PAGE], entails=True)
    assert ruling.verdict == "fail"
    assert (
        f"memory:{PAGE} {does} finding 1 (scripted, 0.80): {FREE!r}; "
        "the likest passage: 'You may send it back at no cost.'"
    ) in ruling.reasons


def test_only_findings_that_cite_the_page_are_compared_with_it(cited):
    nli = ScriptedNLI({FREE: ("entails", 0.9)}, default=("contradicts", 0.9))
    findings = [says(FREE, f"{PAGE}#free"), says("Something.", OTHER), says(" ")]
    assert cited(findings, PAGES, nli=nli, expected_citations=[PAGE], entails=True).verdict == "pass"
    assert [claim for _, claim in nli.asked] == [FREE]


def test_without_an_nli_judge_nobody_can_say_and_the_verdict_is_review(cited):
    ruling = cited([says(FREE)], PAGES, expected_citations=[PAGE], entails=True)
    assert ruling.verdict == "review"
    asked = f"whether finding 0 follows from memory:{PAGE}"
    assert ruling.reasons == (f"nobody can say {asked}: no NLI judge is set up (fixture jw_nli)",)


def test_a_wrong_phrase_is_worse_than_a_judge_that_is_missing(cited):
    ruling = cited(
        [says(FREE)], PAGES, expected_citations=[PAGE], support_phrases=["pay nothing"], entails=True
    )
    assert ruling.verdict == "fail"
    assert "nobody can say" in ruling.reasons[1]


def test_a_judge_that_breaks_is_an_error(cited):
    nli = ScriptedNLI({FREE: TimeoutError("busy")})
    ruling = cited([says(FREE)], PAGES, nli=nli, expected_citations=[PAGE], entails=True)
    assert ruling.verdict == "error"
    assert ruling.reasons == ("the NLI judge scripted raised TimeoutError: busy",)


def test_without_entails_no_judge_is_asked(cited):
    nli = ScriptedNLI({}, default=ValueError("asked"))
    assert cited([says(FREE)], PAGES, nli=nli, expected_citations=[PAGE]).verdict == "pass"
    assert nli.asked == []
