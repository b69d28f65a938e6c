"""L1: words that must and must not stand in the findings."""

from __future__ import annotations

import time
import unicodedata

import pytest

NFC, NFD = (unicodedata.normalize(form, "bíblica") for form in ("NFC", "NFD"))

SAME = [
    ("doctrina central", "Es la doctrina central de la fe."),
    ("Doctrina CENTRAL", "la doctrina central"),
    ("doctrina central", "DOCTRINA CENTRAL"),
    ("doctrina central", "doctrina central"),  # alone: at both ends of the text
    ("doctrina", "doctrina central"),
    ("central", "doctrina central"),
    ("trin", "la Trinidad"),  # also inside a word
    (NFC, f"¿Es {NFD}?"),
    (NFD, f"¿Es {NFC}?"),
    ("doctrina central", "doctrina\u00a0central"),
    ("doctrina\u00a0central", "doctrina central"),
    ("doctrina central", "doctrina\n   central"),
    ("doctrina\n central", "doctrina central"),
    ("  doctrina ", "(doctrina)"),
    ("strasse", "Die Straße"),
    ("ﬁnal", "final"),  # a ligature, as PDF extractors give it
    ("Ⅳ", "iv"),
    ("神は愛", "「神は愛です」"),
    ("🙏", "Amen 🙏"),
]
DIFFERENT = [
    ("doctrina central", "la doctrina es central"),
    ("biblica", "bíblica"),  # accents count: another word in Spanish
    ("doctrina", ""),
    ("a b", "ab"),
]


@pytest.mark.parametrize(("keyword", "text"), SAME)
def test_case_form_and_white_space_dont_count(judge, keyword, text):
    assert judge([text], required_keywords_any=[keyword]).misses == ()
    assert len(judge([text], forbidden_keywords_in_findings=[keyword]).misses) == 1


@pytest.mark.parametrize(("keyword", "text"), DIFFERENT)
def test_letters_and_accents_do(judge, keyword, text):
    assert len(judge([text], required_keywords_any=[keyword]).misses) == 1
    assert judge([text], forbidden_keywords_in_findings=[keyword]).misses == ()


def test_each_forbidden_keyword_is_a_miss_with_the_words_around_it(judge):
    text = "x " * 50 + "It is the central doctrine of them. " + "y " * 50
    ruling = judge(["fine", text], forbidden_keywords_in_findings=["trinity", "Central Doctrine", "of them"])
    assert [miss.key for miss in ruling.misses] == [
        ("expected", "forbidden_keywords_in_findings", 1),
        ("expected", "forbidden_keywords_in_findings", 2),
    ]
    assert ruling.reasons[0] == (
        "forbidden 'Central Doctrine' stands in finding 1: "
        "'…x x x x x x x x x x it is the central doctrine of them. y y y y y y y y y y …' "
        "(sources seen: (none) ×2)"
    )


def test_a_keyword_is_looked_for_in_one_finding_at_a_time(judge):
    assert judge(["doctrina", "central"], forbidden_keywords_in_findings=["doctrina central"]).misses == ()


def test_one_of_the_required_keywords_in_one_finding_is_enough(judge):
    assert judge(["a", "the Hades"], required_keywords_any=["Sheol", "Hades"]).misses == ()


def test_what_was_required_is_named_beside_what_came(judge):
    ruling = judge([{"text": "other", "source": "rag"}], required_keywords_any=["Seol", "Hades"])
    assert ruling.reasons == ("no finding has any of 'Seol', 'Hades' (sources seen: rag ×1)",)
    assert (ruling.misses[0].key, ruling.misses[0].got) == (("expected", "required_keywords_any"), ["other"])


def test_an_empty_answer_has_no_keyword(judge):
    assert judge([], required_keywords_any=["a"]).reasons == (
        "no finding has any of 'a' (the answer has no findings)",
    )
    assert judge([], forbidden_keywords_in_findings=["a"]).misses == ()


def test_summary_and_excerpt_are_searched_but_not_the_metadata(judge):
    answer = [{"summary": "one", "excerpt": "two", "metadata": {"title": "three"}}]
    assert judge(answer, required_keywords_any=["two"]).misses == ()
    assert len(judge(answer, required_keywords_any=["three"]).misses) == 1


def test_a_huge_answer_is_searched_in_a_moment(judge):
    text = "Éxodo y más. " * 400_000  # 5 MB
    keywords = [f"nowhere {i}" for i in range(50)]
    began = time.perf_counter()
    ruling = judge([text], forbidden_keywords_in_findings=keywords, required_keywords_any=["más."])
    assert ruling.misses == ()
    assert time.perf_counter() - began < 10


def test_lone_surrogates_and_control_characters_are_searched_like_any_other(judge):
    assert judge(["a\ud800\x1b[31mb"], required_keywords_any=["\x1b[31mb"]).misses == ()
