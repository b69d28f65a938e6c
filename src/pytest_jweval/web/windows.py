"""The part of a page that is likest to a claim, small enough for a model that compares two texts."""

from collections import Counter
from itertools import accumulate

from pytest_jweval.web.text import PageText, comparable

_WORDS = 260  # about 350 tokens


def best_window(page: PageText, claim: str, words: int = _WORDS) -> str:
    """The ``words`` words of the page with the most of the claim's words in them, rare ones counting more."""
    shown, folded = page.shown.split(" "), page.folded.split(" ")
    if len(folded) <= words:
        return page.shown
    wanted = set(comparable(claim).split(" "))
    often = Counter(word for word in folded if word in wanted)
    worth = list(accumulate((1 / often[word] if word in wanted else 0.0 for word in folded), initial=0.0))
    gains = [round(worth[end] - worth[end - words], 9) for end in range(words, len(worth))]
    best = max(gains)
    # Several in a row are equally good: in the middle one, what was found stands in the middle, too.
    first = gains.index(best)
    last = next((at for at in range(first, len(gains)) if gains[at] != best), len(gains)) - 1
    start = (first + last) // 2
    return " ".join(shown[start : start + words])
