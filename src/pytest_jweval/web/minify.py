"""A page without what no reader sees, so that a repository can hold it and a diff of it can be read."""

import re

from pytest_jweval.web.hiding import _ATTRIBUTE, ATTRIBUTES, SPACE, hides
from pytest_jweval.web.markup import _MARKUP, BLOCKS
from pytest_jweval.web.text import visible_text

_WORDLESS = frozenset({"embed", "img", "input", "link", "meta", "source", "template"})
_UNREAD = frozenset({"iframe", "noembed", "noframes", "noscript", "script", "style", "textarea"})
_END_A_LINE = frozenset({f"/{name}" for name in BLOCKS} | {"br", "hr"})
_TEMPLATES = {"template": 1, "/template": -1}
_KEPT = frozenset({"href", "lang"})
_KEPT_IF_HIDDEN = _KEPT | {"hidden", "aria-hidden", "style"}
_SPACES = re.compile(f"[{SPACE}]+")
_TITLE = re.compile(rf"<title {ATTRIBUTES} [{SPACE}]*+ > (.*)", re.VERBOSE | re.DOTALL | re.IGNORECASE)
_TOP = re.compile(r"(?:<!doctype[^>]*> ?)?(?:<html(?: [^>]*)?> ?)?(?:<head>)?", re.IGNORECASE)

# Text that would mean something else if what comes after the next markup came at once.
_UNFINISHED = re.compile(r"(?:&#?\w*|</?)\Z")
_NOTHING = "<!---->"


def minified(html: str) -> str:
    """The page with the same visible text, title and links; each block ends a line, which no reader sees.

    Minifying it again changes nothing. Where markup itself is shown, as in ``xmp``, or rescues what stands
    around it, none can be taken away unseen: such a page is given back as it came.
    """
    smaller = _rewritten(html)
    return smaller if visible_text(smaller) == visible_text(html) else html


def _rewritten(html: str) -> str:
    page = re.sub(" +", " ", "".join(_pieces(html.removeprefix("\ufeff"))))
    page = page.replace("\n ", "\n").strip(" \n")
    top = _TOP.match(page)
    head = top.end() if top else 0
    return f'{page[:head]}<meta charset="utf-8">{page[head:]}\n'


def _pieces(html: str) -> list[str]:
    pieces = [""]
    end = templates = 0
    for found in _MARKUP.finditer(html):
        if not templates:
            pieces.append(_SPACES.sub(" ", html[end : found.start()]))
        end = found.end()
        templates = max(templates + _TEMPLATES.get((found[1] or "").lower(), 0), 0)
        if not templates:
            pieces.append(_markup(found) or (_NOTHING if _UNFINISHED.search(pieces[-1]) else ""))
    return pieces if templates else [*pieces, _SPACES.sub(" ", html[end:])]


def _markup(found: re.Match[str]) -> str:
    """What is kept of a tag, or of an element up to its end that is not read as HTML."""
    tag = (found[1] or "").lower()
    if not tag:
        title = _TITLE.match(found[0])
        return f"<title>{_SPACES.sub(' ', title[1]).strip()}" if title else ""
    if tag.lstrip("/") in _WORDLESS | _UNREAD:
        return ""
    line_end = "\n" if tag in _END_A_LINE else ""
    if tag.startswith("/"):
        return f"<{tag}>{line_end}"
    attributes = found[0].removeprefix(f"<{found[1]}").removesuffix(">")
    end = "/" if attributes.endswith("/") else ""
    return f"<{tag}{_attributes(attributes)}{end}>{line_end}"


def _attributes(written: str) -> str:
    """As they were written, but in double quotes: who takes a value apart and puts it together again may
    break a link like ``?a=1&copy=2``."""
    kept = _KEPT_IF_HIDDEN if hides(written) else _KEPT
    values: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(written):
        if name.lower() in kept:
            bare = value[1:].removesuffix(value[0]) if value[:1] in {"'", '"'} else value
            values.setdefault(name.lower(), _SPACES.sub(" ", bare).replace('"', "&quot;"))
    return "".join(f' {name}="{value}"' for name, value in values.items())
