"""HTML made plain before a parser sees it: same words, same hidden parts, nothing else.

Comments, scripts and attributes go, words of different blocks are set apart, and what could take a
parser minutes or gigabytes is cut.
"""

import re

from pytest_jweval.web.hiding import ATTRIBUTES, SPACE, UNSEEN, hides, names
from pytest_jweval.web.nests import too_deep

# What begins on a line or in a box of its own, by the standard's own style sheet.
BLOCKS = names(
    """
    address article aside blockquote body br button caption center col colgroup dd details dialog dir div dl
    dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html
    legend li listing main menu nav ol optgroup option p plaintext pre search section select summary table
    tbody td tfoot th thead tr ul xmp
    """
)


# Inside of these a browser takes no tag for a tag, except for their own end.
_RAW = sorted(names("iframe noembed noframes noscript style textarea title"))

# A script with a comment in it may name its own end: <!-- document.write("<script></script>") -->
_SCRIPT = rf"""
    (?: [^<]++ | <(?!!--|/script[{SPACE}/>])
      | <! (?: [^<-]++ | -(?!->) | <(?!/?script[{SPACE}/>])
             | <script[{SPACE}/>] (?:(?!-->|</script[{SPACE}/>]).)*+ (?:</script[{SPACE}/>])?+
           )*+ (?:-->)?+
    )*+
"""


def _unread(name: str, content: str) -> str:
    """What is no part of the text, up to the end tag: that may end a ``<script/>`` before it as well, and
    ``<title/>`` is for the parser to judge, because in SVG it ends where it begins."""
    return rf"{name} (?=[{SPACE}/>]) {ATTRIBUTES} [{SPACE}]*+ > {content} (?=</{name}[{SPACE}/>] | \Z)"


_UNREAD = "|".join([_unread("script", _SCRIPT), *(_unread(name, ".*?") for name in _RAW)])

# Attributes as they are mostly written, none of which can hide anything.
_HARMLESS = r"""(?: [ ] (?!style|hidden|aria-hidden) [a-z][a-z0-9:_-]*+ = "[^"]*+" )*+"""

_MARKUP = re.compile(
    rf"""<(?:
      (?=[intsINTS]) (?i:{_UNREAD})
    | (/?[a-zA-Z][^{SPACE}/>]*+) {_HARMLESS} (?: > | ({ATTRIBUTES} [{SPACE}/]*+) (?:>|\Z) )
    | !-- (?: -?> | .*? (?:--!?>|\Z) )
    | !(?!\[CDATA\[|(?i:doctype)) [^>]*+ (?:>|\Z)
    | \?[^>]*+ (?:>|\Z)
    | /(?!\Z)[^>]*+ (?:>|\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)

# Two tags may not meet where a third was: <<!-- -->b> is no tag.
_NOTHING = "<!---->"

# So few can't keep a parser busy, however they nest.
_FEW_TAGS = 10_000


def plain(html: str) -> str:
    """The same page to a reader, in no more markup than decides what he sees. What is hidden is
    marked with ``hidden``."""
    pieces = _MARKUP.split(html)  # text, tag, attributes, text, tag, …
    tags = [tag or "" for tag in pieces[1::3]]
    written = [*map(_Written().__getitem__, tags)]
    for index, attributes in enumerate(pieces[2::3]):
        if attributes:
            written[index] = _written(tags[index], attributes)
    if len(tags) > _FEW_TAGS:
        for index in too_deep([*map(str.lower, tags)]):
            written[index] = f"{_NOTHING} " if written[index].endswith(" ") else _NOTHING
    pieces[1::3] = written
    pieces[2::3] = [""] * len(tags)
    return "".join(pieces)


class _Written(dict[str, str]):
    """Tags without attributes: many in a page, but few different ones."""

    def __missing__(self, tag: str) -> str:
        self[tag] = written = _written(tag, "")
        return written


def _written(tag: str, attributes: str) -> str:
    name = tag.lower()
    if name in {"", "selectedcontent"}:  # a copy of what is shown as an option
        return _NOTHING
    end = "/>" if attributes.endswith("/") else ">"
    if not name.startswith("/") and (name in UNSEEN or hides(attributes)):
        return f"<{name} hidden{end}"
    # Behind a tag it is certain to stand outside of what ends there, which may be hidden.
    gap = " " if name.lstrip("/") in BLOCKS else ""
    return f"<{name}{end}{gap}"
