"""The heart of it: a true quotation is found however its page is typeset, an altered one never."""

import random
import re
import unicodedata
from collections.abc import Callable

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pytest_jweval.web.text import read_text, says

# Verses of the King James Version, the Reina-Valera of 1909 and the Almeida of 1911, and our own sentences.
CORPUS = [
    "For God so loved the world, that he gave his only begotten Son.",
    "In the beginning God created the heaven and the earth.",
    "And the evening and the morning were the first day.",
    "The LORD is my shepherd; I shall not want.",
    "Jesus wept, and the Jews said, Behold how he loved him!",
    "The office doesn't open before 9:30, and it won't open on 21 May.",
    'He wrote "find five different flags" on page 316 of the first half-finished file.',
    "Porque de tal manera amó Dios al mundo, que ha dado á su Hijo unigénito.",
    "En el principio crió Dios los cielos y la tierra.",
    "Jehová es mi pastor; nada me faltará.",
    "¿Quién eres tú, que no temes la lluvia de los 40 días?",
    "El niño de Núñez no comió 12 piñas, sino 3 ó 4.",
    "No princípio criou Deus os céus e a terra.",
    "Porque Deus amou o mundo de tal maneira que deu o seu Filho unigênito.",
    "A lição não começa às 7:15, e a irmã já está no salão.",
]
TEXT = " ".join(CORPUS)
VOCABULARY = sorted({word.strip('.,;!?¿"') for word in TEXT.split()})
NEGATIONS = ["not", "no", "não", "never", "nunca", "jamais"]
ACUTE = {letter: f"{plain}acute" for letter, plain in zip("áéíóú", "aeiou", strict=True)}
ENTITIES = {**ACUTE, "ñ": "ntilde", "ã": "atilde", "ç": "ccedil", '"': "quot", "'": "apos"}
LIGATURES = {"ffi": "ﬃ", "fi": "ﬁ", "fl": "ﬂ", "ff": "ﬀ"}

WORDLESS = [
    "<wbr>",
    "<!-- x -->",
    "<b></b>",
    "<span hidden>x</span>",
    "<a id='v1'></a>",
    "<script>x</script>",
]
INLINE = ["b", "i", "em", "span class='a b'", 'a href="/x?y=1&z=<p>"', "sup", "FONT color=red"]
BLOCKS = ["<br>", "</p><p>", "<hr/>", "<div>", "</p>\n\n<ul><li>"]

chance = st.integers(0, 2**32).map(random.Random)


@st.composite
def quotations(draw: st.DrawFn, at_least: int = 1) -> tuple[str, str]:
    """A sentence and some words of it that stand together."""
    sentence = draw(st.sampled_from(CORPUS))
    words = sentence.split()
    begin = draw(st.integers(0, len(words) - at_least))
    return sentence, " ".join(words[begin : draw(st.integers(begin + at_least, len(words)))])


@settings(max_examples=600, derandomize=True, deadline=None)
@given(quotation=quotations(), dice=chance)
def test_a_true_quotation_is_found_however_its_page_is_typeset(
    quotation: tuple[str, str], dice: random.Random
) -> None:
    sentence, quoted = quotation
    assert says(read_text(page(sentence, dice)), quoted)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(quotation=quotations(), dice=chance)
def test_a_true_quotation_is_found_however_a_person_types_it(
    quotation: tuple[str, str], dice: random.Random
) -> None:
    sentence, quoted = quotation
    typed = pressed(curly(decomposed(quoted, dice), dice), dice)
    assert says(read_text(page(sentence, dice)), f" {typed}\n")


@settings(max_examples=600, derandomize=True, deadline=None)
@given(quotation=quotations(at_least=3), dice=chance, data=st.data())
def test_an_altered_quotation_is_never_found(
    quotation: tuple[str, str], dice: random.Random, data: st.DataObject
) -> None:
    sentence, quoted = quotation
    altered = data.draw(st.sampled_from(ALTERATIONS))(quoted.split(), data.draw)
    assume(not stands_in(sentence, altered))  # by chance it may be a quotation, too
    assert not says(read_text(page(sentence, dice)), altered), altered


@settings(max_examples=300, derandomize=True, deadline=None)
@given(quotation=quotations(at_least=2), dice=chance, data=st.data())
def test_what_only_the_machine_reads_is_no_quotation(
    quotation: tuple[str, str], dice: random.Random, data: st.DataObject
) -> None:
    sentence, quoted = quotation
    form = data.draw(st.sampled_from(UNSEEN))
    text = sentence.replace('"', "&quot;").replace("'", "&#39;")
    others = " ".join(each for each in CORPUS if not stands_in(each, quoted))
    html = page(others, dice) + form.replace("{}", text) + "<p>zzz"
    assert says(read_text(html), "zzz")
    assert not says(read_text(html), quoted)


UNSEEN = [
    "<!-- {} -->",
    "<!--{}--!>",
    "<script>var text = '{}'</script>",
    '<script type="application/ld+json">{"text": "{}"}</script>',
    "<style>p::before { content: '{}' }</style>",
    "<p title='{}'>x</p>",
    '<img alt="{}">',
    '<meta name="description" content="{}">',
    '<input value="{}" placeholder="{}">',
    "<title>{}</title>",
    "<textarea>{}</textarea>",
    "<template><p>{}</p></template>",
    "<noscript><p>{}</p></noscript>",
    "<iframe>{}</iframe>",
    "<canvas><b>{}</b></canvas>",
    "<video src=x>{}</video>",
    "<object data=x><p>{}</p></object>",
    "<svg><title>{}</title><desc>{}</desc></svg>",
    "<p hidden>{}</p>",
    "<div hidden><section><p>a</p><p>{}</p></section></div>",
    "<div aria-hidden='true'><b>{}</b></div>",
    '<div style="color: red; DISPLAY :none !important"><p>{}</p></div>',
    "<!{}>",
]


# How pages are written. Each takes a piece of plain text; what makes HTML of it comes last.


def page(text: str, dice: random.Random) -> str:
    for change in dice.sample([upper, decomposed, curly, pressed, split, padded], dice.randint(0, 4)):
        text = change(text, dice)
    html = tagged(text, dice)
    before, after = dice.sample(["<nav>home</nav>", "<p>qq<!-- b -->", "", "<script>a<b</script>", "77 "], 2)
    return f"<!doctype html><body>{before}<div class=x><p>{html}</p></div><p>{after}</p>"


def upper(text: str, _: random.Random) -> str:
    return text.upper()


def decomposed(text: str, dice: random.Random) -> str:
    return unicodedata.normalize(dice.choice(["NFD", "NFC"]), text)


def curly(text: str, dice: random.Random) -> str:
    text = re.sub('"', lambda _: dice.choice("“”„«»″"), text)
    return re.sub("'", lambda _: dice.choice("‘’′ʼ"), text).replace("-", dice.choice("-‐‑–−"))


def pressed(text: str, dice: random.Random) -> str:
    """Ligatures."""
    for letters, one in LIGATURES.items():
        if dice.random() < 0.5:
            text = text.replace(letters, one)
    return text


def split(text: str, dice: random.Random) -> str:
    """Words divided by what nobody sees."""
    return "".join(each + dice.choice(["", "", "", "\u00ad", "\u200b", "\u2060", "\ufeff"]) for each in text)


def padded(text: str, dice: random.Random) -> str:
    gaps = [" ", "\n", "\t  ", "\u00a0", "\u2009", " \u202f", "\u3000", "\r\n    "]
    return re.sub(" ", lambda _: dice.choice(gaps), text)


def tagged(text: str, dice: random.Random) -> str:
    html = []
    for each in text:
        html.append(written(each, dice))
        if dice.random() < 0.08:
            html.append(dice.choice(WORDLESS))
        elif dice.random() < 0.08:
            tag = dice.choice(INLINE)
            html[-1] = f"<{tag}>{html[-1]}</{tag.split()[0]}>"
        elif each.isspace() and dice.random() < 0.1:
            html.append(dice.choice(BLOCKS))
    return "".join(html)


def written(character: str, dice: random.Random) -> str:
    way = dice.random()
    if character in "<&" or way < 0.05:
        return f"&#{ord(character)};"
    if way < 0.1:
        return f"&#x{ord(character):{dice.choice('xX')}};"
    if way < 0.4 and character in ENTITIES:
        return f"&{ENTITIES[character]};"
    if character == "\u00a0":
        return "&nbsp;"
    return character


# How quotations go wrong.


Draw = Callable[[st.SearchStrategy[int]], int]


def replaced(words: list[str], draw: Draw) -> str:
    at = draw(st.integers(0, len(words) - 1))
    other = VOCABULARY[draw(st.integers(0, len(VOCABULARY) - 1))]
    return " ".join([*words[:at], other, *words[at + 1 :]])


def dropped(words: list[str], draw: Draw) -> str:
    at = draw(st.integers(1, len(words) - 2))
    return " ".join([*words[:at], *words[at + 1 :]])


def doubled(words: list[str], draw: Draw) -> str:
    at = draw(st.integers(0, len(words) - 1))
    return " ".join([*words[: at + 1], *words[at:]])


def swapped(words: list[str], draw: Draw) -> str:
    at = draw(st.integers(0, len(words) - 2))
    return " ".join([*words[:at], words[at + 1], words[at], *words[at + 2 :]])


def negated(words: list[str], draw: Draw) -> str:
    at = draw(st.integers(1, len(words) - 1))
    return " ".join([*words[:at], NEGATIONS[draw(st.integers(0, len(NEGATIONS) - 1))], *words[at:]])


def affirmed(words: list[str], draw: Draw) -> str:
    inner = [word for word in words[1:-1] if word not in {"not", "no", "não", "won't", "doesn't", "nada"}]
    return " ".join([words[0], *inner, words[-1]]) if len(inner) + 2 < len(words) else negated(words, draw)


def renumbered(words: list[str], draw: Draw) -> str:
    numbers = [at for at, word in enumerate(words) if re.search("[0-9]", word)]
    if not numbers:
        return replaced(words, draw)
    at = numbers[draw(st.integers(0, len(numbers) - 1))]
    digit = re.search("[0-9]+", words[at])
    assert digit
    changes = [str(int(digit[0]) + 1), f"1{digit[0]}", f"{digit[0]}0", digit[0][:-1] or "5"]
    number = changes[draw(st.integers(0, len(changes) - 1))]
    return " ".join([*words[:at], words[at].replace(digit[0], number, 1), *words[at + 1 :]])


def unaccented(words: list[str], draw: Draw) -> str:
    text = unicodedata.normalize("NFD", " ".join(words))
    return re.sub("[\u0300-\u036f]", "", text) if not text.isascii() else swapped(words, draw)


ALTERATIONS = [replaced, dropped, doubled, swapped, negated, affirmed, renumbered, unaccented]


def stands_in(text: str, phrase: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(phrase.lower())}(?!\w)", text.lower()) is not None
