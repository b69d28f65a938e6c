"""A keyword is found as a reader finds it, and where it stands in the text as it was given."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_jweval.judges.keywords import forbidden_hits, hits, is_searchable


def found(text, keyword, *exceptions):
    return [text[span.begin : span.end] for span in forbidden_hits(text, keyword, exceptions)]


@pytest.mark.parametrize(
    ("text", "keyword", "hit"),
    [
        ("¿Es bíblica la TRINIDAD?", "trinidad", "TRINIDAD"),
        ("La resurrección de los muertos", "resurreccion", "resurrección"),
        ("La resurreccion de los muertos", "RESURRECCIÓN", "resurreccion"),
        ("a ressurreição dos mortos", "Ressurreicao", "ressurreição"),
        ("Die STRASSE ist lang", "straße", "STRASSE"),
        ("О царстве: всё о нём", "все", "всё"),
        ("ἐν ἀρχῇ ἦν ὁ λόγος", "λογος", "λόγος"),
        ("בְּרֵאשִׁית בָּרָא", "בראשית", "בְּרֵאשִׁית"),
        ("ｆｕｌｌ width", "full", "ｆｕｌｌ"),
        ("the word hy\u00adphen\u00adation", "hyphenation", "hy\u00adphen\u00adation"),
    ],
)
def test_case_accents_and_invisible_characters_dont_count(text, keyword, hit):
    assert found(text, keyword) == [hit]


@pytest.mark.parametrize(
    ("text", "keyword"),
    [
        ("a person", "son"),
        ("sonar", "son"),
        ("Gottessohn", "sohn"),
        ("under_score", "scor"),
        ("3:16", "1"),
        ("Juan 3:16", "Juan 3:1"),
        ("in 2.5 days", "5 days"),
        ("about 2,500 people", "about 2"),
        ("C", "C++"),
        ("100", "100%"),
        ("", "anything"),
        ("   ", "anything"),
    ],
)
def test_words_are_whole(text, keyword):
    assert found(text, keyword) == []


@pytest.mark.parametrize(
    ("text", "keyword", "hit"),
    [
        ("God's son.", "son", "son"),
        ("God’s word", "God's word", "God’s word"),
        ("the central\n  doctrine", "central doctrine", "central\n  doctrine"),
        ("the central\u00a0doctrine", "central doctrine", "central\u00a0doctrine"),
        ("a co‑operative bank", "co-operative bank", "co‑operative bank"),
        ("«central», doctrine", "central doctrine", "central», doctrine"),
        ("the **central** _doctrine_", "central doctrine", "central** _doctrine"),
        ("Juan 3.16", "Juan 3:16", "Juan 3.16"),
        ("in 2, 3 or 5 days", "5 days", "5 days"),
        ("100 % of it", "100%", "100 %"),
        ("C++ or C#", "c++", "C++"),
        ("Dr. Smith", "Dr. Smith", "Dr. Smith"),
        ("Dr Smith", "Dr. Smith", "Dr Smith"),
        ("so good 👍🏽 it is", "👍", "👍"),
    ],
)
def test_white_space_and_kinds_of_punctuation_dont_count(text, keyword, hit):
    assert found(text, keyword) == [hit]


@pytest.mark.parametrize(
    "text",
    [
        "It is central. Doctrine comes later.",
        "Is it central? (Doctrine is.)",
        'They said "central." Doctrine is another matter.',
        "central\n\ndoctrine",
        "central\r\n \r\ndoctrine",
    ],
)
def test_a_keyword_doesnt_reach_over_the_end_of_a_sentence_or_a_paragraph(text):
    assert found(text, "central doctrine") == []


def test_a_keyword_that_ends_a_sentence_itself_may_do_so():
    assert found("It is central. Doctrine is not.", "central. Doctrine") == ["central. Doctrine"]


@pytest.mark.parametrize(
    ("text", "keyword", "hit"),
    [
        ("これはPythonの本です。", "python", "Python"),
        ("三位一体は聖書にありますか", "三位一体", "三位一体"),
        ("三位一体", "三位 一体", "三位一体"),
        ("삼위일체는 성경에", "삼위일체", "삼위일체"),
        ("พระเจ้าทรงเป็นความรัก", "ความรัก", "ความรัก"),
        ("हिन्दी में", "हिन्दी", "हिन्दी"),
        ("ﾊﾞｲﾌﾞﾙ", "バイブル", "ﾊﾞｲﾌﾞﾙ"),
    ],
)
def test_scripts_without_spaces_need_no_boundary(text, keyword, hit):
    assert found(text, keyword) == [hit]
    decomposed = unicodedata.normalize("NFD", text)
    assert found(decomposed, keyword) == [unicodedata.normalize("NFD", hit)]


@pytest.mark.parametrize(
    ("text", "keyword"), [("かぎ", "かき"), ("삼위일체", "사"), ("हिन्दी", "हन"), ("ปา", "ป่า")]
)
def test_marks_that_make_another_letter_count(text, keyword):
    assert found(text, keyword) == []
    assert found(unicodedata.normalize("NFD", text), keyword) == []


def test_every_hit_is_told():
    assert [tuple(span) for span in hits("son, Son. SON; person", "son")] == [(0, 3), (5, 8), (10, 13)]


def test_a_hit_inside_an_exception_is_no_hit():
    exceptions = ("not the central doctrine", "no central doctrine")
    assert found("It is NOT the central-doctrine.", "central doctrine", *exceptions) == []
    assert found("There is no central doctrine.", "central doctrine", *exceptions) == []
    text = "It is not the central doctrine, they say; it is the central doctrine."
    assert [span.begin for span in forbidden_hits(text, "central doctrine", exceptions)] == [
        text.rindex("central")
    ]


def test_an_exception_that_only_touches_a_hit_excuses_nothing():
    assert found("no central doctrine", "central doctrine", "no central") == ["central doctrine"]
    assert found("central doctrine", "central doctrine", "another thing") == ["central doctrine"]


@pytest.mark.parametrize("keyword", ["", "  ", "…", "***", "\u200b", "\u0301"])
def test_a_keyword_without_words_can_never_be_found_and_says_so(keyword):
    assert not is_searchable(keyword)
    with pytest.raises(ValueError, match="has no word to search for"):
        hits("any text", keyword)
    with pytest.raises(ValueError, match="has no word to search for"):
        forbidden_hits("any text", "any", [keyword])


texts = st.text(st.characters(), max_size=40)


@given(texts, texts, texts)
@example("\ud800 half", "", "")
@example("", "ﾞ", "")
def test_a_keyword_is_found_between_any_other_words(before, keyword, after):
    if not is_searchable(keyword) or any(character in ".,!?…؟।。！？\n\r\u2029" for character in keyword):
        return
    text = f"{before} | {keyword} | {after}"
    begin, end = len(before) + 3, len(before) + 3 + len(keyword)
    spans = hits(text, keyword)
    assert any(begin <= span.begin < span.end <= end for span in spans)
    assert all(text[span.begin : span.end].strip() for span in spans)


@given(texts)
def test_a_text_has_the_same_words_however_it_is_composed(text):
    keyword = unicodedata.normalize("NFC", text)
    if is_searchable(keyword):
        assert bool(hits(unicodedata.normalize("NFD", f"a {keyword} a"), keyword))
