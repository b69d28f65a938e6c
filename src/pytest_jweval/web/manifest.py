"""Where each snapshot comes from: one ``manifest.json`` beside the pages, made to be read in a diff."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, Field

from pytest_jweval.errors import CaseError, PageError
from pytest_jweval.files import write_atomically
from pytest_jweval.records.strict import Record, Text, parse
from pytest_jweval.texts import excerpt

_FORMAT = 1


def _in_whole_seconds_of_utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(microsecond=0)


Moment = Annotated[AwareDatetime, AfterValidator(_in_whole_seconds_of_utc), Field(strict=False)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
PageName = Annotated[str, Field(pattern=r"^[0-9a-f]{64}\.html$")]


class PageMeta(Record):
    """A page as it was fetched. ``sha256`` and ``bytes`` are those of the file that was written then."""

    url: Text
    final_url: Text | None = None
    fetched_at: Moment
    status: int
    etag: Text | None = None
    last_modified: Text | None = None
    sha256: Digest
    bytes: Annotated[int, Field(ge=0)]


class _Contents(Record):
    format: Literal[1]
    pages: dict[PageName, PageMeta]


class Manifest:
    """Knows nothing of locks: whoever writes holds one since before reading."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: tuple[object, dict[str, PageMeta]] = (None, {})

    def known(self) -> Mapping[str, PageMeta]:
        """The entries, parsed again only when the file was replaced. Good for looking, not for writing:
        two replacements within a tick of the file system's clock may look like none."""
        signature = self._signature()
        if signature is None or signature != self._known[0]:
            self._known = (signature, self.read())
        return self._known[1]

    def read(self) -> dict[str, PageMeta]:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise PageError(f"{self.path} can't be read: {error.strerror or error}") from None
        try:
            return _pages(json.loads(data))
        except (ValueError, RecursionError, CaseError) as error:
            why = excerpt(str(error))
            raise PageError(
                f"{self.path} is damaged: {why} (restore it, or delete it and fetch the pages again)"
            ) from None

    def write(self, pages: Mapping[str, PageMeta]) -> None:
        entries = {name: meta.model_dump(mode="json", exclude_none=True) for name, meta in pages.items()}
        contents = {"format": _FORMAT, "pages": entries}
        write_atomically(self.path, json.dumps(contents, ensure_ascii=False, indent=2, sort_keys=True) + "\n")

    def _signature(self) -> object:
        try:
            found = self.path.stat()
        except OSError:
            return None  # reading says what is wrong
        return found.st_mtime_ns, found.st_size, found.st_ino


def _pages(contents: Any) -> dict[str, PageMeta]:
    if not isinstance(contents, dict):
        raise ValueError("it must be a mapping")  # noqa: TRY004  # of JSON, not of Python: caught as such above
    written_by = contents.get("format")
    if isinstance(written_by, int) and written_by > _FORMAT:
        raise ValueError(f"it has format {written_by}, and this pytest-jweval knows format {_FORMAT} only")
    return parse(_Contents, contents).pages
