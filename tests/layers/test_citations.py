"""L2: the cited pages are opened, and must say so."""

from __future__ import annotations

import pytest

from pytest_jweval.errors import AddressRefused, PageError
from pytest_jweval.testing import MemoryPages

JOHN = "https://example.org/en/john-3"
ACTS = "https://example.org/en/acts-4"
PAGES = {
    JOHN: "<h1>John 3</h1><p>For God so <b>loved</b> the world</p>",
    ACTS: "<p>none other name under heaven given among men</p>",
}


def test_a_cited_page_that_says_so_passes_and_the_evidence_tells_by_what(cited):
    ruling = cited(
        [JOHN],
        MemoryPages(PAGES),
        expected_citations=[JOHN],
        support_phrases=["loved it", "God so loved the world"],
    )
    assert ruling.verdict == "pass"
    assert ruling.reasons == ()
    assert ruling.evidence["citations"] == [
        {
            "url": JOHN,
            "cited": True,
            "page": f"memory:{JOHN}",
            "live": False,
            "phrase": "God so loved the world",
        }
    ]
    assert ruling.evidence["cited"] == [JOHN]
    assert "live" not in ruling.evidence
    assert "drift" not in ruling.evidence


def test_a_page_that_nobody_cited_is_missed_at_its_place_in_the_list(cited):
    ruling = cited([ACTS], MemoryPages(PAGES), expected_citations=[ACTS, JOHN])
    assert ruling.verdict == "fail"
    assert ruling.reasons == (f"expected_citations[1] is not cited: {JOHN} (cited: {ACTS})",)
    assert ruling.misses[0].key == ("expected", "expected_citations", 1)


def test_an_answer_without_urls_says_so(cited):
    ruling = cited([], MemoryPages(PAGES), expected_citations=[JOHN])
    assert ruling.reasons == (f"expected_citations[0] is not cited: {JOHN} (the answer cites no URL)",)


@pytest.mark.parametrize(
    "url",
    [
        f"{JOHN}#study=discover",
        f"{JOHN}/",
        "HTTPS://EXAMPLE.ORG/en/john-3",
        "https://example.org:443/en/john-3",
        "https://example.org/en/john%2D3",
        "https://example.org/en/x/../john-3",
    ],
)
def test_the_same_page_may_be_written_otherwise(cited, url):
    assert cited([url], MemoryPages(PAGES), expected_citations=[JOHN]).verdict == "pass"
    assert cited([JOHN], MemoryPages(PAGES), expected_citations=[url]).verdict == "pass"


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/en/john-3",
        "https://www.example.org/en/john-3",
        "https://example.org/en/John-3",
        "https://example.org/en/john-3?page=2",
        "https://example.org:8443/en/john-3",
        "https://example.org/en/john-33",
    ],
)
def test_another_page_is_another_page(cited, url):
    assert cited([url], MemoryPages(PAGES), expected_citations=[JOHN]).verdict == "fail"


def test_a_page_that_does_not_say_so_shows_the_nearest_passage(cited):
    ruling = cited(
        [JOHN], MemoryPages(PAGES), expected_citations=[JOHN], support_phrases=["God so hated the world"]
    )
    assert ruling.verdict == "fail"
    [reason] = ruling.reasons
    assert reason.startswith(
        "expected_citations[0] is cited, but its page doesn't say 'God so hated the world': "
        f"{JOHN} in memory:{JOHN}; nearest (0."
    )
    assert "God so loved the world" in reason
    [miss] = ruling.misses
    assert miss.expected == ["God so hated the world"]
    assert "loved" in miss.got["text"]
    assert 0.6 < miss.got["similarity"] < 1


def test_a_page_that_has_nothing_like_it_says_so(cited):
    ruling = cited(
        [JOHN], MemoryPages({JOHN: "<p></p>"}), expected_citations=[JOHN], support_phrases=["x y z"]
    )
    assert "; it has nothing like it" in ruling.reasons[0]


@pytest.mark.parametrize(
    "html",
    [
        "<!-- so loved the world -->",
        "<script>'so loved the world'</script>",
        "<style>/* so loved the world */</style>",
        "<p title='so loved the world'>nothing</p>",
        "<p hidden>so loved the world</p>",
        "<p aria-hidden=true>so loved the world</p>",
        "<p style='display: none'>so loved the world</p>",
        "<template>so loved the world</template>",
        "<head><title>so loved the world</title></head>",
    ],
)
def test_what_no_reader_sees_does_not_count(cited, html):
    ruling = cited(
        [JOHN], MemoryPages({JOHN: html}), expected_citations=[JOHN], support_phrases=["so loved the world"]
    )
    assert ruling.verdict == "fail"


def test_a_page_may_have_phrases_of_its_own(cited):
    expected = {
        "expected_citations": [JOHN, {"url": ACTS, "support_phrases": ["other name under heaven"]}],
        "support_phrases": ["so loved the world"],
    }
    assert cited([JOHN, ACTS], MemoryPages(PAGES), **expected).verdict == "pass"
    swapped = MemoryPages({JOHN: PAGES[JOHN], ACTS: PAGES[JOHN]})
    ruling = cited([JOHN, ACTS], swapped, **expected)
    assert ruling.verdict == "fail"
    assert [miss.key[-1] for miss in ruling.misses] == [1]
    assert "'other name under heaven'" in ruling.reasons[0]


def test_without_phrases_it_is_enough_that_the_page_is_there(cited):
    assert cited([JOHN], MemoryPages(PAGES), expected_citations=[JOHN]).verdict == "pass"
    gone = cited([JOHN], MemoryPages({JOHN: None}), expected_citations=[JOHN])
    assert gone.verdict == "fail"
    assert gone.reasons == (f"expected_citations[0] is gone: {JOHN}: it is None in MemoryPages",)


def test_a_page_without_snapshot_is_skipped_with_the_command_that_makes_it(cited):
    ruling = cited([JOHN], MemoryPages({}), expected_citations=[JOHN])
    assert ruling.verdict == "skip"
    assert ruling.reasons == (f"there is no snapshot of {JOHN} (`jweval snapshots build` makes it)",)


def test_one_missing_snapshot_hides_nothing_of_the_other_pages(cited):
    pages = MemoryPages({ACTS: PAGES[ACTS]})
    ruling = cited([JOHN, ACTS], pages, expected_citations=[JOHN, ACTS], support_phrases=["another text"])
    assert ruling.verdict == "fail"
    assert ruling.reasons[0].startswith("expected_citations[1] is cited, but its page doesn't say")
    assert ruling.reasons[1].startswith("there is no snapshot of")
    assert len(ruling.misses) == 1


def test_a_page_that_is_not_cited_and_has_no_snapshot_fails(cited):
    ruling = cited([], MemoryPages({}), expected_citations=[JOHN])
    assert ruling.verdict == "fail"
    assert len(ruling.reasons) == 2


@pytest.mark.parametrize("error", [PageError("the server is down"), AddressRefused("not there")])
def test_an_outage_is_an_error_and_no_wrong_answer(cited, error):
    ruling = cited([JOHN], MemoryPages({JOHN: error}), expected_citations=[JOHN])
    assert ruling.verdict == "error"
    assert ruling.reasons == (f"expected_citations[0] can't be looked at: {error}",)


def test_an_outage_hides_no_wrong_answer(cited):
    pages = MemoryPages({JOHN: PageError("down"), ACTS: PAGES[ACTS]})
    ruling = cited([JOHN, ACTS], pages, expected_citations=[JOHN, ACTS], support_phrases=["another text"])
    assert ruling.verdict == "fail"
    assert "can't be looked at: down" in ruling.reasons[1]


def test_other_pages_may_be_cited_unless_the_case_says_no(cited):
    expected = {"expected_citations": [JOHN], "support_phrases": ["loved"]}
    assert cited([ACTS, JOHN], MemoryPages(PAGES), **expected).verdict == "pass"
    ruling = cited([ACTS, JOHN, f"{JOHN}#x"], MemoryPages(PAGES), **expected, allow_extra_citations=False)
    assert ruling.verdict == "fail"
    assert ruling.reasons == (f"1 page cited that should not be: {ACTS}",)
    assert ruling.misses[0].key == ("expected", "allow_extra_citations")


def test_a_live_page_that_lost_the_phrase_drifted_if_its_snapshot_has_it(cited):
    pages = MemoryPages(
        {JOHN: "<p>For God so cherished the world</p>"}, live=True, before={JOHN: PAGES[JOHN]}
    )
    ruling = cited([JOHN], pages, expected_citations=[JOHN], support_phrases=["God so loved the world"])
    assert ruling.verdict == "fail"
    assert "the page changed, its snapshot says 'John 3 For God so loved the world'" in ruling.reasons[0]
    assert ruling.evidence["live"] is True
    [drift] = ruling.evidence["drift"]
    assert drift["url"] == JOHN
    assert drift["kind"] == "changed"
    assert drift["phrases"] == ["God so loved the world"]
    assert drift["snapshot"] == f"memory:{JOHN}"
    assert "loved" in drift["vanished"]
    assert "cherished" in drift["nearest"]["text"]


def test_a_live_page_that_never_had_the_phrase_did_not_drift(cited):
    pages = MemoryPages({JOHN: "<p>one</p>"}, live=True, before={JOHN: "<p>two</p>"})
    ruling = cited([JOHN], pages, expected_citations=[JOHN], support_phrases=["God so loved the world"])
    assert ruling.verdict == "fail"
    assert "drift" not in ruling.evidence


def test_a_live_page_that_is_gone_drifted(cited):
    pages = MemoryPages({JOHN: None}, live=True, before={JOHN: PAGES[JOHN]})
    ruling = cited([JOHN], pages, expected_citations=[JOHN], support_phrases=["loved"])
    assert ruling.evidence["drift"][0]["kind"] == "gone"
    assert ruling.evidence["drift"][0]["snapshot"] == f"memory:{JOHN}"


def test_a_live_page_that_says_so_is_marked_as_live(cited):
    ruling = cited(
        [JOHN], MemoryPages(PAGES, live=True), expected_citations=[JOHN], support_phrases=["loved"]
    )
    assert ruling.verdict == "pass"
    assert ruling.evidence["live"] is True
