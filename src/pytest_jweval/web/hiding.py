"""What keeps a part of a page from its reader."""

import html
import re

# White space of HTML, which is less than that of Unicode.
SPACE = r" \t\n\r\f"

_NAME = rf"[^{SPACE}/>][^{SPACE}/>=]*+"
_VALUE = rf""" "[^"]*+(?:"|\Z) | '[^']*+(?:'|\Z) | [^{SPACE}>"'][^{SPACE}>]*+ """

# For verbose patterns: whatever may stand between a tag's name and its ``>``.
ATTRIBUTES = rf"(?: [{SPACE}/]*+ {_NAME} (?: [{SPACE}]*+ = [{SPACE}]*+ (?:{_VALUE})?+ )?+ )*+"


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What browsers show nothing of, or something else for. The text of a field is what a visitor may type.
UNSEEN = names(
    """
    audio canvas datalist desc iframe noembed noframes noscript object rp script style template textarea
    title video
    """
)

_ATTRIBUTE = re.compile(rf"({_NAME}) (?: [{SPACE}]*+ = [{SPACE}]*+ ({_VALUE})?+ )?+", re.VERBOSE)
_CSS_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)


def hides(attributes: str) -> bool:
    """Whether an element with these attributes, as they stand in its tag, is for nobody's eyes."""
    found = attributes_of(attributes)
    return (
        "hidden" in found
        or found.get("aria-hidden", "").strip().lower() == "true"
        or _displays_nothing(found.get("style", ""))
    )


def attributes_of(attributes: str) -> dict[str, str]:
    """By lower-case name; of two with the same name the first counts."""
    found: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(attributes):
        bare = value[1:].removesuffix(value[0]) if value[:1] in {"'", '"'} else value
        found.setdefault(name.lower(), html.unescape(bare))
    return found


def _displays_nothing(style: str) -> bool:
    """The last declaration counts, and the last important one counts more."""
    usual = important = ""
    for declaration in _CSS_COMMENT.sub("", style).lower().split(";"):
        name, _, value = declaration.partition(":")
        display, _, urgency = value.partition("!")
        if name.strip() != "display":
            continue
        if urgency.strip() == "important":
            important = display.strip()
        else:
            usual = display.strip()
    return (important or usual) == "none"
