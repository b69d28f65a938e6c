"""What the corpus files promise, whoever edits them next."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

import pytest

from pytest_jweval.reference.passages import LANGUAGES, read_corpus
from pytest_jweval.reference.verses import label, parse_reference
from pytest_jweval.reference.words import fold

NOTICE = "Texts of this project, written as test data; verses from public-domain translations"
KINDS = {"verse", "note", "topic", "article", "guide", "public_talk", "workbook"}


def data(language: str) -> dict[str, Any]:
    file = files("pytest_jweval.reference") / "corpus" / f"{language}.json"
    read: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return read


def outline(language: str) -> list[Any]:
    """Everything in a corpus that is not in a language: addresses, subjects, kinds and verses."""
    return [
        (
            page["url"].removeprefix(f"https://example.org/{language}/"),
            page.get("subject"),
            [
                (row["kind"], row.get("reference"), row.get("subject"), row.get("see"))
                for row in page["passages"]
            ],
        )
        for page in data(language)["pages"]
    ]


def test_there_is_one_file_for_each_language() -> None:
    folder = files("pytest_jweval.reference") / "corpus"
    assert sorted(file.name for file in folder.iterdir()) == [f"{language}.json" for language in LANGUAGES]


@pytest.mark.parametrize("language", LANGUAGES)
class TestEachLanguage:
    def test_says_what_its_texts_are(self, language: str) -> None:
        corpus = data(language)
        assert corpus["notice"] == NOTICE
        assert corpus["language"] == language
        assert corpus["translation"]

    def test_has_pages_with_addresses_of_their_own(self, language: str) -> None:
        urls = [page["url"] for page in data(language)["pages"]]
        assert sorted(urls) == sorted(set(urls))
        for url in urls:
            parts = urlsplit(url)
            assert (parts.scheme, parts.netloc) == ("https", "example.org")
            assert parts.path.startswith(f"/{language}/")
            assert fold(parts.path) == parts.path
            assert not parts.query
            assert not parts.fragment
            assert not parts.path.endswith("/")

    def test_has_no_empty_or_repeated_text(self, language: str) -> None:
        passages = read_corpus(language).passages
        texts = [passage.text for passage in passages]
        assert all(text == text.strip() and text for text in texts)
        assert all(passage.title.strip() for passage in passages)
        assert len(texts) == len(set(texts))

    def test_knows_only_the_kinds_that_agents_look_for(self, language: str) -> None:
        assert {passage.kind for passage in read_corpus(language).passages} == KINDS

    def test_points_only_to_verses_that_it_has(self, language: str) -> None:
        corpus = read_corpus(language)
        named = {passage.reference for passage in corpus.passages if passage.reference}
        seen = {verse for passage in corpus.passages for verse in passage.see}
        assert named | seen == {verse.reference for verse in corpus.of_kind("verse")}

    def test_holds_verses_on_the_page_of_their_chapter(self, language: str) -> None:
        for verse in read_corpus(language).of_kind("verse"):
            chapter = verse.reference.partition(":")[0].replace(" ", "-")
            assert verse.page == f"https://example.org/{language}/{chapter}"
            assert label(verse.reference, language).startswith(verse.title + ":")

    def test_cites_each_chapter_at_an_address_of_its_own(self, language: str) -> None:
        verses = read_corpus(language).of_kind("verse")
        cited = {(verse.page, verse.url) for verse in verses}
        assert len(cited) == len({page for page, _ in cited}) == len({url for _, url in cited})
        assert all(urlsplit(url).path.startswith(f"/{language}/") for _, url in cited)

    def test_cites_what_is_no_verse_where_it_stands(self, language: str) -> None:
        others = [passage for passage in read_corpus(language).passages if passage.kind != "verse"]
        assert all(passage.url == passage.page for passage in others)

    def test_writes_verses_so_that_they_are_read_back(self, language: str) -> None:
        for verse in read_corpus(language).of_kind("verse"):
            reference = parse_reference(label(verse.reference, language), language)
            assert reference is not None
            assert reference.verses == (verse.reference,)

    def test_gives_keywords_to_all_that_is_found_by_words(self, language: str) -> None:
        corpus = read_corpus(language)
        for kind in ("topic", "article", "guide"):
            assert all(passage.words for passage in corpus.of_kind(kind))

    def test_has_no_keyword_among_its_stopwords(self, language: str) -> None:
        corpus = read_corpus(language)
        keywords = {fold(word) for passage in corpus.passages for word in passage.words}
        assert keywords.isdisjoint(map(fold, corpus.stopwords))

    def test_has_an_entry_and_an_article_on_each_subject(self, language: str) -> None:
        corpus = read_corpus(language)
        entries = [entry.subject for entry in corpus.of_kind("topic")]
        assert len(entries) == len(set(entries)) >= 8
        assert {article.subject for article in corpus.of_kind("article")} == set(entries)
        assert {guide.subject for guide in corpus.of_kind("guide")} <= {*entries, ""}


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_language_has_the_same_pages_subjects_and_verses(language: str) -> None:
    assert outline(language) == outline("en")
