"""Pages that have gone are known, and good pages are never taken for them."""

from __future__ import annotations

import json
import time
from html import escape
from importlib.resources import files

import pytest

from pytest_jweval.web.gone import why_gone
from pytest_jweval.web.notices import _plain, soft_404

URL = "https://library.example/books/genesis"


def gone(html: str) -> str | None:
    return why_gone(200, URL, URL, html)


def document(title: str, heading: str, *paragraphs: str, menu: str = "") -> str:
    said = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
    top = (
        f"<nav>{''.join(f'<a href=#>{escape(item)}</a> ' for item in menu.split(', '))}</nav>" if menu else ""
    )
    name = f"<h1>{escape(heading)}</h1>" if heading else ""
    return f"<!doctype html><title>{escape(title)}</title><body>{top}<main>{name}{said}</main></body>"


MENU = "Home, Books, Verses, Languages, About us, Contact, Search, Help, Privacy, Terms"
LONG_MENU = ", ".join(f"Department of old manuscripts number {number}" for number in range(30))

SOFT_404 = {
    "en: title and heading": document(
        "Page not found | Library", "Page not found", "Try the search.", menu=MENU
    ),
    "en: number before": document("404 - Page Not Found", "404", "Sorry."),
    "en: number behind": document("Page not found (404)", "Oops!", "Go back to the shelves."),
    "en: bare words": document("404 Not Found", "Not Found", "web server 1.2"),
    "en: title only": document("Not found – Parish library", "", "Home"),
    "en: heading only": document(
        "Parish library", "Sorry, that page can’t be found", "Maybe a search helps?"
    ),
    "en: sentence only": document("Parish library", "", "The page you were looking for no longer exists."),
    "en: requested URL": document("Library", "", "The requested URL was not found on this server."),
    "en: we could not": document("Library", "Hmm", "We couldn’t find the page you asked for. Try the menu."),
    "en: nothing here": document("Nothing found", "Oops", "It seems there is nothing at this location."),
    "en: moved or gone": document(
        "Library", "Gone fishing?", "The page you followed a link to may have been removed."
    ),
    "en: framework": document("404: This page could not be found", "404", "This page could not be found."),
    "en: capitals": document("PAGE NOT FOUND", "ERROR 404", "THE PAGE YOU REQUESTED COULD NOT BE FOUND."),
    "en: long menu": document(
        "Page not found", "This page doesn't exist", "Please look around.", menu=LONG_MENU[:1500]
    ),
    "en: code and sentence": document(
        "Error 404", "", "The page you want is not here. " * 4, menu=LONG_MENU[:800]
    ),
    "en: codes alone": document("Error 404 | Library", "Error 404", "Home"),
    "en: no markup": "404 Not Found: page not found",
    "es: title and heading": document("Página no encontrada - Biblioteca", "Página no encontrada", "Volver"),
    "es: no accents": document("PAGINA NO ENCONTRADA", "", "Volver al inicio"),
    "es: sentence": document(
        "Biblioteca", "¡Vaya!", "La página que buscas no existe o ha cambiado de dirección."
    ),
    "es: polite": document("Biblioteca", "Lo sentimos", "La página que ha solicitado ya no está disponible."),
    "es: we could not": document(
        "Error 404", "Ups…", "No hemos podido encontrar la página. Usa el buscador."
    ),
    "es: short": document("Biblioteca parroquial", "", "Esta página no existe"),
    "pt: title and heading": document("Página não encontrada | Biblioteca", "Erro 404", "Voltar"),
    "pt: sentence": document("Biblioteca", "Ops!", "A página que você procura não existe ou foi removida."),
    "pt: we could not": document("Erro 404", "Desculpe", "Não conseguimos encontrar a página."),
    "pt: Portugal": document("Ficheiro não encontrado", "", "Voltar ao início"),
    "fr: title": document("Page introuvable – Bibliothèque", "Oups !", "Retour à l’accueil"),
    "fr: sentence": document("Bibliothèque", "Désolé", "La page que vous recherchez n’existe plus."),
    "fr: requested": document("Erreur 404", "", "La page demandée n'a pas été trouvée."),
    "fr: we cannot": document("Bibliothèque", "", "Nous ne trouvons pas la page. Essayez la recherche."),
    "de: title": document("Seite nicht gefunden · Bücherei", "Hoppla", "Zur Startseite"),
    "de: sentence": document(
        "Bücherei", "Fehler 404", "Die von Ihnen angeforderte Seite wurde nicht gefunden."
    ),
    "de: relative": document("Bücherei", "", "Die Seite, die Sie suchen, gibt es leider nicht mehr."),
    "de: we could not": document("Bücherei", "Huch!", "Wir konnten die Seite leider nicht finden."),
    "it: title": document("Pagina non trovata | Biblioteca", "Ops", "Torna alla home"),
    "it: sentence": document("Biblioteca", "Spiacenti", "La pagina che stai cercando non esiste."),
    "it: gone": document("Errore 404", "", "La pagina richiesta è stata rimossa o spostata."),
}


@pytest.mark.parametrize("kind", SOFT_404)
def test_a_page_that_says_it_isnt_there_has_gone(kind):
    said = gone(SOFT_404[kind])
    assert said
    assert said.startswith("says of itself that it isn't there: ")


VERSES = {
    "en": [
        "In the beginning God created the heaven and the earth.",
        "The people that walked in darkness have seen a great light.",
        "Seek, and ye shall find; knock, and it shall be opened unto you.",
        "He was sought for by many, and was not found among the dead.",
        "And Enoch walked with God, and he was not found, for God took him.",
        "There is nothing hidden that shall not be made known.",
        "If you lose the page you were reading, a ribbon will help you to find it.",
        "This page of the codex was copied twice, because the first copy has been lost.",
    ],
    "es": [
        "En el principio creó Dios los cielos y la tierra.",
        "El pueblo que andaba en tinieblas vio gran luz.",
        "Buscad, y hallaréis; llamad, y se os abrirá.",
        "No se encuentra en toda la tierra otro como él.",
        "La página del códice que falta se copió en otro taller.",
        "No encontramos mal alguno en este hombre.",
        "Lo que era desde el principio, lo que hemos oído, ya no existe temor que lo calle.",
        "El amor no hace mal al prójimo, y no se ha encontrado ley contra él.",
    ],
    "pt": [
        "No princípio criou Deus os céus e a terra.",
        "O povo que andava em trevas viu uma grande luz.",
        "Buscai, e encontrareis; batei, e abrir-se-vos-á.",
        "Não foi encontrado entre eles quem fizesse o bem.",
        "Esta página do livro conta a história de um pastor.",
    ],
    "fr": [
        "Au commencement, Dieu créa les cieux et la terre.",
        "Le trésor, longtemps introuvable, était caché dans un champ.",
        "La page suivante raconte la vie d’un berger.",
    ],
    "de": [
        "Am Anfang schuf Gott Himmel und Erde.",
        "Sie suchten ihn und haben ihn nicht gefunden.",
        "Die Seite ist gesprungen, und die Harfe schweigt.",
    ],
    "it": [
        "In principio Dio creò il cielo e la terra.",
        "Lo cercarono a lungo e non lo hanno trovato.",
        "Questa pagina racconta la vita di un pastore.",
    ],
}

ARTICLES = {
    "What a page-not-found error is": (
        "A server answers with the number 404 when the page was not found. Visitors then read a line such as "
        "“The page you are looking for could not be found”. A good notice says where to go on. "
    ),
    "Page not found: how to keep old links alive": (
        "Links rot. After ten years, half of them lead to a page that says “page not found”. Redirects help. "
    ),
    "Error 404": (
        "Error 404 is a status of the protocol. It means that the requested page could not be found there. "
    ),
    "Error 404 – Enciclopedia libre": (
        "El error 404 es un código de estado: la página solicitada no se ha encontrado. Se ve a menudo. "
    ),
    "Página não encontrada – um guia": (
        "A mensagem “a página que você procura não existe” aparece quando um endereço mudou. "
    ),
    "Seite nicht gefunden – was tun?": (
        "Der Fehler 404 sagt: Die angeforderte Seite wurde nicht gefunden. Weiterleitungen helfen. "
    ),
    "HTTP 404": "The number 404 stands for a page that nobody could find; 410 for one that has gone. ",
    "The year 404": "In the year 404 the last games were held. Nothing was found at this place later. ",
}

ESSAY = (
    "Links grow old. A library that moves its shelves should leave a word where each book stood, and so "
    "should a site. Whoever changes an address owes its readers a sign that leads to the new one. "
) * 4

MIDDLING = {
    "an essay with a notice in its title": document("Page not found – an essay", "On old links", ESSAY),
    "an essay that quotes a notice": document(
        "On old links", "On old links", ESSAY, "“The page you are looking for does not exist”, it often says."
    ),
    "an essay whose heading is a code": document("On old links", "Error 404", ESSAY),
}

SHORT = {
    "a number": document("404", "404", "A leap year, which began on a Friday."),
    "a room": document("Room 404 | Hotel", "Room 404", "Two beds and a view of the sea."),
    "a road": document("Highway 404", "Highway 404", "It leads from the town to the lake."),
    "a psalm": document("Lost and not found", "Lost and not found", "A hymn in three verses."),
    "an empty page": document("Library", ""),
    "nothing at all": "",
    "help": document("Help", "Help", "Can’t find the page you are looking for? Use the search above."),
    "search": document("Search", "Search", "12 pages were found for “not found”."),
    "a sentence about it": document("Glossary", "404", "A number which servers send if they lack a page."),
    "in a comment": "<!-- <title>Page not found</title><h1>Page not found</h1> -->"
    + document("Psalms", "Psalm 1", "Blessed."),
    "in a script": document("Psalms", "Psalm 1", "Blessed is the man.")
    + "<script>'<h1>Page not found</h1>'</script>",
    "hidden": document("Psalms", "Psalm 1", "Blessed is the man.")
    + "<div hidden><h1>Page not found</h1></div>",
    "a manuscript": document(
        "Codex", "Folio 12", "The next page has been lost since 1204; its text is known."
    ),
    "Chinese": document("错误 404 – 百科", "错误 404", "错误是服务器找不到网页时发送的状态码。" * 120),
}


def _good() -> dict[str, str]:
    found = {**SHORT, **MIDDLING}
    for language, verses in VERSES.items():
        for number, verse in enumerate(verses):
            found[f"{language} {number} short"] = document(f"Verse {number}", f"Verse {number}", verse)
            found[f"{language} {number} long"] = document(
                f"Chapter {number}", verse[:40], *[verse] * 40, menu=MENU
            )
            found[f"{language} {number} with menu"] = document(verse[:30], "", verse, menu=MENU)
    for title, text in ARTICLES.items():
        found[title] = document(title, title, *[text * 3] * 12, menu=MENU)
        found[f"{title} on a site"] = document(
            f"{title} | Library", title.partition(" – ")[0], *[text * 2] * 15
        )
    return found


GOOD = _good()


def test_there_are_enough_pages_to_trust_these_tests():
    assert len(SOFT_404) >= 30
    assert len(GOOD) >= 100


@pytest.mark.parametrize("kind", GOOD)
def test_a_good_page_has_not_gone(kind):
    assert gone(GOOD[kind]) is None


@pytest.mark.parametrize(
    "address", ["https://a.example/404", "https://a.example/errors/404.html?page=not-found"]
)
def test_a_number_in_an_address_means_nothing(address):
    assert why_gone(200, address, address, document("Room 404", "Room 404", "Two beds.")) is None


@pytest.mark.parametrize("status", [404, 410])
@pytest.mark.parametrize("html", ["", SHORT["a psalm"]])
def test_a_status_needs_no_page(status, html):
    assert why_gone(status, URL, URL, html) == f"answered HTTP {status}"


HOMES = [
    "/",
    "",
    "/es/",
    "/es",
    "/pt-br/",
    "/pt_BR",
    "/zh-hans/",
    "/en/index.html",
    "/index.php",
    "/home",
    "/EN/Home/",
]


@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize("asked", ["/books/genesis", "/es/libros/", "/books.html", "/?page=12", "/about"])
def test_a_page_that_leads_to_the_home_page_has_gone(asked, home):
    final = f"https://library.example{home}"
    assert why_gone(200, f"https://library.example{asked}", final, "<p>Welcome") == (
        f"redirects to the home page {final}"
    )


def test_the_home_page_may_be_that_of_another_host():
    assert why_gone(200, URL, "https://new-library.example/", "<p>Welcome")


@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize("asked", HOMES)
def test_a_home_page_may_lead_to_another(asked, home):
    assert (
        why_gone(200, f"http://library.example{asked}", f"https://www.library.example{home}", "<p>Hi") is None
    )


@pytest.mark.parametrize(
    ("asked", "final"),
    [
        ("/books/genesis", "/books/genesis/"),
        ("/books/genesis", "/es/books/genesis"),
        ("/books/genesis", "/books/"),
        ("/old/genesis", "/genesis"),
        ("/books/genesis", "/?p=12"),
        ("/books/genesis", "/qa/"),
        ("/books/genesis", "/faq"),
        ("/books/genesis", "/en/genesis/index.html"),
        ("/books/genesis", "/homer"),
        ("/books/404", "/shelf/404"),
        ("/es/", "/es/"),
        ("/es/#part", "/es/"),
    ],
)
def test_a_page_that_leads_to_another_page_is_there(asked, final):
    host = "https://library.example"
    assert (
        why_gone(200, host + asked, host + final, document("Genesis", "Genesis", "In the beginning.")) is None
    )


@pytest.mark.parametrize(
    "final", ["/404", "/404.html", "/es/404/", "/not-found", "/errors/page-not-found.php?from=x"]
)
def test_a_page_that_leads_to_an_error_page_has_gone(final):
    host = "https://library.example"
    assert why_gone(200, f"{host}/books/genesis", host + final, "<p>Hi") == (
        f"redirects to the error page {host}{final}"
    )


def test_what_a_page_says_cant_steer_a_terminal_or_fill_it():
    said = gone(document("\x1b\u202ePage not found", "", ""))
    assert said
    assert said.isprintable()
    assert len(said) < 200


@pytest.mark.parametrize(
    "html",
    [
        "<h1>" * 100_000,
        "<title>" * 100_000,
        "<title " * 100_000,
        "<!--" * 100_000,
        "<title>" + "error " * 200_000 + "x</title>",
        "<h1>" + "404 " * 200_000,
        "<p>" + "the page you " * 40_000,
        "\0\ud800<title>\ud800",
        "<div>" * 100_000,
    ],
    ids=[
        "headings",
        "titles",
        "open titles",
        "comments",
        "errors",
        "numbers",
        "pages",
        "surrogates",
        "nests",
    ],
)
def test_a_hostile_page_takes_no_time(html):
    began = time.perf_counter()
    gone(html)
    assert time.perf_counter() - began < 3


def test_the_word_lists_are_written_as_pages_are_compared():
    lists = json.loads(
        files("pytest_jweval.web").joinpath("data", "soft_404.json").read_text(encoding="utf-8")
    )
    sentences = [phrases for words in lists["words"].values() for phrases in words["sentences"]]
    phrases = [
        *(phrase for words in lists["words"].values() for phrase in words["around"] + words["notices"]),
        *(phrase for sentence in sentences for phrase in sentence["first"] + sentence["then"]),
    ]
    assert len(phrases) > 500
    assert [phrase for phrase in phrases if phrase != _plain(phrase)] == []


def test_a_title_a_heading_and_a_text_are_enough_to_judge():
    assert soft_404("Page not found | Library", ["Oops"], "Oops Try the search") == "Page not found"
    assert soft_404("Genesis", ["Genesis"], "In the beginning") is None
