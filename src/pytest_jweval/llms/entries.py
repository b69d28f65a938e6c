"""One recording as one file, made to be read in a diff, and known to be whole."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pytest_jweval.errors import ProviderError
from pytest_jweval.files import write_atomically
from pytest_jweval.llms.keys import digest, key_of
from pytest_jweval.texts import excerpt

_FORMAT = 1


class Damaged(ProviderError):
    """A file that can't be what was written; its text goes on behind the file's name."""


@dataclass(frozen=True, slots=True)
class Entry:
    """``request`` has the parts of the key; its secrets, and those of the ``reply``, are redacted.

    Plain JSON data, and no model of pydantic: that refuses the half characters which agents do say.
    """

    kind: str
    request: Mapping[str, Any]
    reply: Any
    recorded_at: datetime

    @property
    def key(self) -> str:
        return key_of(self.kind, self.request)

    @property
    def contents(self) -> dict[str, Any]:
        """As it is written. The checksum is over all of it, so that no part can change unseen."""
        contents = {
            "format": _FORMAT,
            "kind": self.kind,
            "request": self.request,
            "reply": self.reply,
            "recorded_at": self.recorded_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        return {**contents, "checksum": digest(contents)}


def write_entry(path: Path, entry: Entry) -> None:
    """Two that write the same entry at once are both right, so nobody has to wait."""
    text = json.dumps(entry.contents, ensure_ascii=False, indent=2, sort_keys=True)
    try:
        write_atomically(path, text + "\n")
    except OSError as error:
        raise ProviderError(f"{path} can't be written: {error.strerror or error}") from None


def read_entry(path: Path) -> Entry | None:
    """``None`` if nothing is recorded there."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Damaged(f"can't be read: {error.strerror or error}") from None
    try:
        entry = _entry(json.loads(data))
    except (ValueError, RecursionError) as error:
        raise Damaged(f"is damaged: {excerpt(str(error))}") from None
    if entry.key != path.stem:
        raise Damaged("is damaged: its name is that of another recording")
    return entry


def _entry(contents: Any) -> Entry:
    if not isinstance(contents, dict):
        raise ValueError("it must be a mapping")  # noqa: TRY004  # of JSON, not of Python: caught as such above
    written_by = contents.get("format")
    if isinstance(written_by, int) and written_by > _FORMAT:
        raise ValueError(f"it has format {written_by}, and this pytest-jweval knows format {_FORMAT} only")
    for name, kind in _FIELDS.items():
        if not isinstance(contents.get(name), kind):
            raise ValueError(f"{name!r} is missing or has no value that it may have")  # noqa: TRY004  # see above
    entry = Entry(
        contents["kind"],
        contents["request"],
        contents.get("reply"),
        datetime.fromisoformat(contents["recorded_at"]),
    )
    if entry.contents != contents:
        raise ValueError("its checksum is that of other contents")
    return entry


_FIELDS = {"format": int, "kind": str, "request": dict, "recorded_at": str, "checksum": str}
