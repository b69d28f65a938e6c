"""Web pages of an ordinary size and make, each with one sentence to be found."""

import random
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

_BYTES = 150_000
_WORDS = tuple(
    """
    agua amor ancho año árbol asi aunque azul bajo barco bien blanco bosque calle camino campo casa
    cerca cielo ciudad claro como corazón cuando día donde entonces época espejo fácil familia feliz
    flor fuego grande gente hermano hijo historia hombre hora invierno jardín joven lado lejos libro
    lluvia luna luz madre mañana mar memoria mesa mundo música niño noche nombre número ojo palabra pan
    papel paso patio pequeño piedra pueblo puerta razón río rojo sal silencio siempre sol sombra tarde
    tiempo tierra todo verano verdad verde viento vida viejo voz
    """.split()  # noqa: SIM905  # a list of eighty strings is nothing to read
)


def write_pages(folder: Path, number: int) -> None:
    folder.mkdir()
    for page in range(number):
        name = sha256(f"https://example.org/pages/{page}".encode()).hexdigest()
        (folder / f"{name}.html").write_text(_page(page), encoding="utf-8")


def _page(number: int) -> str:
    chance = random.Random(number)
    head = f"<!DOCTYPE html><html lang=es><head><meta charset=utf-8><title>Página {number}</title></head>\n"
    parts, size = [head], len(head)
    said = False
    for paragraph in _paragraphs(chance):
        parts.append(paragraph)
        size += len(paragraph.encode())
        if not said and size > _BYTES * chance.random():
            parts.append(f"<p>The sentence {number} of the page is Cited Here.</p>\n")
            said = True
        if said and size > _BYTES:
            break
    return "".join([*parts, "</body></html>\n"])


def _paragraphs(chance: random.Random) -> Iterator[str]:
    while True:
        words = [_dressed(word, chance) for word in chance.choices(_WORDS, k=chance.randint(20, 80))]
        opening = f'<div class="block b{chance.randint(1, 99)}"><p id="p{chance.randint(1, 9999)}">'
        yield f"{opening}{' '.join(words)}.</p></div>\n"


def _dressed(word: str, chance: random.Random) -> str:
    """About every tenth word is a link or stands out, as on a page with many of both."""
    if chance.random() > 0.1:
        return word
    link = f'<a href="/{word}/{chance.randint(1, 999)}" class="ref">{word}</a>'
    return chance.choice([link, f"<em>{word}</em>", f"<b>{word}</b>&nbsp;", f"&ldquo;{word}&rdquo;"])
