"""No two cases of a run have the same id."""

from pytest_jweval.loader.entries import Entry
from pytest_jweval.records import Miss


class Ids:
    """The ids of a run; the second case of an id is a problem, not a silent twin."""

    def __init__(self) -> None:
        self._first: dict[str, Entry] = {}

    def checked(self, entry: Entry) -> Entry:
        if entry.is_broken:
            return entry
        first = self._first.setdefault(entry.case_id, entry)
        return entry if first is entry or _same_place(first, entry) else _duplicate(entry, first)


def _same_place(one: Entry, other: Entry) -> bool:
    """A file may be collected twice: named twice on the command line, say."""
    return (one.ordinal, one.file.path) == (other.ordinal, other.file.path)


def _duplicate(entry: Entry, first: Entry) -> Entry:
    reason = f"the id {entry.case_id!r} is taken: first used at {first.file.shown}:{first.line}"
    return entry.broken((Miss(reason=reason, key=("id",)),))
