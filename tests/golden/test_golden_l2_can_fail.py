"""Every shipped L2 case passes for the page's sake: on another page, or with another citation, it fails."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pytest_jweval import GoldenCase, Suite, defaults
from pytest_jweval.loader import load
from pytest_jweval.records import LayerResult
from pytest_jweval.reference import agents
from pytest_jweval.registry import Registry
from pytest_jweval.testing import MemoryPages
from pytest_jweval.web.snapshots import Snapshots, snapshot_path
from pytest_jweval.web.text import visible_text

ROOT = Path(__file__).parents[2]
GOLDEN, SNAPSHOTS = ROOT / "golden" / "l2", ROOT / "snapshots"
REGISTRY = Registry()
defaults.pytest_jweval_register(REGISTRY, None)


def cases() -> list[GoldenCase]:
    entries = [
        entry for path in sorted(GOLDEN.glob("*.yaml")) for entry in load(path, path.name, REGISTRY.layers)
    ]
    return [entry.case for entry in entries if entry.case]


CASES = cases()
EACH = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


def url_of(case: GoldenCase) -> str:
    [url] = case.expected["expected_citations"]
    return str(url)


def html_of(case: GoldenCase) -> str:
    return snapshot_path(SNAPSHOTS, url_of(case)).read_text(encoding="utf-8")


def judged(case: GoldenCase, pages: Any, **others: Any) -> LayerResult:
    suite = Suite(GOLDEN, agents={**agents(), **others}, pages=pages)
    return next(result for result in suite.run("l2").results if result.case_id == case.id)


def test_there_are_the_twelve_cases() -> None:
    assert sorted(case.id.removeprefix("l2_") for case in CASES) == [
        "topic_kingdom_en",
        "topic_resurrection_es",
        "topic_soul_en",
        "topic_trinity_es",
        "verse_acts_4_12_en",
        "verse_acts_4_12_es",
        "verse_acts_4_12_pt",
        "verse_john_3_16_en",
        "verse_john_3_16_es",
        "verse_john_3_16_pt",
        "verse_romans_6_23_en",
        "verse_romans_6_23_es",
    ]


@EACH
def test_its_snapshot_is_a_stand_in_and_says_so(case: GoldenCase) -> None:
    html = html_of(case)
    assert f'<meta name="jweval-stand-in" content="{url_of(case)}">' in html
    assert "stand-in: written for the tests of pytest-jweval" in html
    assert re.search("stand-in for tests|sustituta para pruebas|substituta para testes", visible_text(html))
    assert len(html) < 3_000


@EACH
def test_it_passes_on_its_snapshot(case: GoldenCase) -> None:
    suite = Suite(GOLDEN, SNAPSHOTS, agents=agents())
    [result] = [result for result in suite.run("l2").results if result.case_id == case.id]
    assert result.verdict == "pass", result.reasons
    assert result.evidence["citations"][0]["phrase"] in case.expected["support_phrases"]


@EACH
def test_it_fails_on_a_page_without_the_phrase(case: GoldenCase) -> None:
    html = html_of(case)
    words = {word for phrase in case.expected["support_phrases"] for word in phrase.split()}
    for word in words:
        html = re.sub(rf"\b{re.escape(word)}\b", "…", html)
    result = judged(case, MemoryPages({url_of(case): html}))
    assert result.verdict == "fail"
    assert "is cited, but its page doesn't say" in result.reasons[0]
    hidden = html_of(case).replace("<main>", "<main hidden>")
    assert judged(case, MemoryPages({url_of(case): hidden})).verdict == "fail"


@EACH
def test_it_fails_when_the_page_is_not_cited(case: GoldenCase) -> None:
    def elsewhere(question: Any) -> Any:
        return [{"text": "so it is", "url": f"{url_of(case)}/another"}]

    result = judged(case, MemoryPages({url_of(case): html_of(case)}), **{str(case.agent): elsewhere})
    assert result.verdict == "fail"
    assert "is not cited" in result.reasons[0]


def test_no_snapshot_is_there_for_nothing() -> None:
    snapshots = Snapshots(SNAPSHOTS)
    assert snapshots.prune(map(url_of, CASES), dry_run=True) == []
    assert all(problem.harmless for problem in snapshots.check())
