"""The best name that can still be found for what can't be run."""

import re
from collections.abc import Mapping
from typing import Any

from pytest_jweval.records import ID_PATTERN

_SCANNED = 65_536
_LONGEST = 100
_VALUE = r"""["']?([^\x00-\x20"'#,{}\[\]!&*|>%@`][^\x00-\x20"'#,{}\[\]]*)"""


def told(data: Mapping[str, Any], text: str, key: str) -> str | None:
    """The text at a top-level key; found by a scan of the lines, if the document can't be read."""
    value = data.get(key)
    if isinstance(value, str) or (value is None and data):
        return value or None
    beginning = text[:_SCANNED]
    found = re.search(
        rf"""^(?:---[ \t]+)?(?:\{{[ \t]*)?["']?{key}["']?[ \t]*:[ \t]+{_VALUE}""", beginning, re.MULTILINE
    )
    found = found or re.search(rf'[{{,\s]"{key}"\s*:\s*{_VALUE}', beginning)
    return found[1] if found else None


def selectable(name: str) -> str:
    """``name`` in the alphabet of ids, so that the item can be selected."""
    return "_".join(ID_PATTERN.findall(name[: 4 * _LONGEST]))[:_LONGEST] or "case"
