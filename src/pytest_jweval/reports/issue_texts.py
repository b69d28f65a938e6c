"""What an issue about a drifted case says.

All that isn't ours stands in a fence: there GitHub links nothing, mentions nobody, closes nothing. The
first line is hidden, and says which case the issue is about and what had drifted.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pytest_jweval.reports.drift import JudgedCase
from pytest_jweval.texts import counted

WHAT = "A page that this golden case cites is gone, or no longer says what the case looks for."
HOW = "`jweval drift --open-issues` keeps this issue, and closes it when the case passes on the live pages."
GREEN = "The case passed on the live pages: nothing drifts any more."
CHANGED = "What drifts has changed."

_PAGES_SHOWN = 10
_LONGEST_ID = 150  # GitHub takes titles of 256 characters
_MARK = re.compile(r"<!-- jweval-drift case=([0-9a-f]{32}) drift=([0-9a-f]{32}) -->")


class Mark(NamedTuple):
    """The hidden first line of an issue."""

    key: str
    fingerprint: str

    @classmethod
    def of(cls, body: str) -> "Mark | None":
        """Only the first line counts, since no page can write there."""
        found = _MARK.fullmatch(body.partition("\n")[0].strip())
        return cls(*found.groups()) if found else None


def title(case: JudgedCase) -> str:
    """An id is made of such characters anyway; others would mean something to GitHub or a shell."""
    harmless = re.sub(r"[^A-Za-z0-9_.\[\]-]+", "_", case.case_id)
    return f"Link drift: `{harmless[:_LONGEST_ID] or '_'}`"


def body(case: JudgedCase) -> str:
    return f"""\
<!-- jweval-drift case={case.key} drift={case.fingerprint} -->
{WHAT}

{_fenced(case)}

{HOW}
"""


def changed(case: JudgedCase) -> str:
    return f"{CHANGED}\n\n{_fenced(case)}\n"


def duplicate_of(number: int) -> str:
    return f"Duplicate of #{number}"


def _fenced(case: JudgedCase) -> str:
    """Between more backticks than it has in a row."""
    text = "\n".join(_lines(case))
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


def _lines(case: JudgedCase) -> Iterator[str]:
    yield case.title
    for page in case.pages[:_PAGES_SHOWN]:
        url, *details = page.lines()
        yield f"\n{url}"
        yield from (f"  {detail}" for detail in details)
    if (more := len(case.pages) - _PAGES_SHOWN) > 0:
        yield f"\nand {counted(more, 'page')} more"
