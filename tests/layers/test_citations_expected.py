"""What an L2 case may expect: the misspelt, the empty and the impossible are refused with their key."""

from __future__ import annotations

import pytest

from pytest_jweval.errors import CaseError
from pytest_jweval.layers.cited import CitationsExpected
from pytest_jweval.records import parse

URL = "https://example.org/en/john-3"


def refused(**expected):
    with pytest.raises(CaseError) as caught:
        parse(CitationsExpected, expected, ("expected",))
    return [(".".join(map(str, miss.key)), miss.reason) for miss in caught.value.misses]


def test_a_url_alone_and_a_mapping_are_both_an_entry():
    expected = parse(
        CitationsExpected,
        {"expected_citations": [URL, {"url": URL, "support_phrases": ["b"]}], "support_phrases": ["a"]},
    )
    assert [expected.phrases_of(cited) for cited in expected.expected_citations] == [("a",), ("b",)]


@pytest.mark.parametrize(
    ("expected", "key"),
    [
        ({}, "expected.expected_citations"),
        ({"expected_citations": []}, "expected.expected_citations"),
        ({"expected_citations": URL}, "expected.expected_citations"),
        ({"expected_citations": None}, "expected.expected_citations"),
        ({"expected_citations": [URL, None]}, "expected.expected_citations.1"),
        ({"expected_citations": [URL], "support_phrases": []}, "expected.support_phrases"),
        ({"expected_citations": [URL], "support_phrases": "text"}, "expected.support_phrases"),
        ({"expected_citations": [URL], "support_phrases": None}, "expected.support_phrases"),
        ({"expected_citations": [URL], "support_phrases": ["a", " "]}, "expected.support_phrases.1"),
        ({"expected_citations": [URL], "support_phrases": ["\u200b\u00ad"]}, "expected.support_phrases.0"),
        ({"expected_citations": [URL], "support_phrase": ["a"]}, "expected.support_phrase"),
        ({"expected_citations": [URL], "entails": "yes"}, "expected.entails"),
        ({"expected_citations": [{"url": URL, "phrases": ["a"]}]}, "expected.expected_citations.0.phrases"),
        ({"expected_citations": [{"support_phrases": ["a"]}]}, "expected.expected_citations.0.url"),
        (
            {"expected_citations": [{"url": URL, "support_phrases": []}]},
            "expected.expected_citations.0.support_phrases",
        ),
    ],
)
def test_what_is_wrong_is_refused_with_its_key(expected, key):
    assert key in [where for where, _ in refused(**expected)]


@pytest.mark.parametrize(
    "url",
    [
        "",
        "john-3",
        "/en/john-3",
        "www.example.org/en",
        "ftp://example.org/en",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://",
        "https:///en",
        "https://example.org/a b",
        "https://example.org:port/",
        "https://example.org:0/",
        "https://[::1",
    ],
)
def test_only_web_addresses_are_pages(url):
    [(key, reason)] = refused(expected_citations=[url])
    assert key == "expected.expected_citations.0.url"
    assert "must be a web address, such as https://example.org/page" in reason
