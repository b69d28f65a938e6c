"""Tags that would pile up in a parser are left out."""

from pytest_jweval.web.hiding import names

# As deep as Chrome builds a page. A parser looks through all open elements at each tag: 100,000
# nested ones take it 15 seconds.
_DEEPEST = 512

# A parser repeats each of these that is left open in every block that follows: 3,000 of them and
# as many paragraphs, 50 KB of HTML, take it 1.6 GB.
_REPEATED = names("b big code em font i s small strike strong tt u")
_MOST_REPEATED = 8

# A parser of 2025 looks through all options of a list at each further one.
_MOST_OPTIONS = 1000

# They have no content, or the parser itself lets no two of them nest without another tag between.
_NEVER_NESTED = names(
    """
    area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr
    body colgroup head html p tbody td tfoot th thead tr
    """
)

# Tags whose end is often left out: the next of the family ends them, and so does the end of the list.
_ENDED_BY = {
    "a": names("a"),
    "dd": names("dd dt"),
    "dt": names("dd dt"),
    "li": names("li"),
    "nobr": names("nobr"),
    "/dl": names("dd dt"),
    "/menu": names("li"),
    "/ol": names("li"),
    "/ruby": names("rb rp rt rtc"),
    "/select": names("optgroup"),
    "/ul": names("li"),
}
_NOTHING: frozenset[str] = frozenset()


def too_deep(tags: list[str]) -> list[int]:
    """Which of these tags, written ``div`` and ``/div``, are to be left out, by index."""
    nest = _Nest()
    return [index for index, tag in enumerate(tags) if tag not in _NEVER_NESTED and not nest.takes(tag)]


class _Nest:
    """The tags that are open, or more: only the latest can be closed, so that nothing is taken for
    closed that a parser, with its many rules for tags out of order, would keep open."""

    def __init__(self) -> None:
        self._open: list[tuple[str, bool]] = []
        self._repeated = 0
        self._options = 0

    def takes(self, tag: str) -> bool:
        if tag == "option":
            self._options += 1
            return self._options <= _MOST_OPTIONS
        if tag == "select":
            self._options = 0
        ended = _ENDED_BY.get(tag, _NOTHING)
        while self._open and self._open[-1][0] in ended:
            self._open.pop()
        return self._closes(tag[1:]) if tag.startswith("/") else self._opens(tag)

    def _opens(self, tag: str) -> bool:
        repeated = tag in _REPEATED
        self._repeated += repeated
        taken = len(self._open) < _DEEPEST and not (repeated and self._repeated > _MOST_REPEATED)
        self._open.append((tag, taken))
        return taken

    def _closes(self, tag: str) -> bool:
        """An end goes with its beginning; one without any is the parser's to judge."""
        if not self._open or self._open[-1][0] != tag:
            return True
        self._repeated -= tag in _REPEATED
        return self._open.pop()[1]
