"""Pages as their snapshots have them: what a run is judged on unless it goes live."""

from functools import lru_cache
from pathlib import Path
from typing import Literal

from pytest_jweval.errors import PageError
from pytest_jweval.web.page import Page
from pytest_jweval.web.parsed import ParsedPages
from pytest_jweval.web.snapshots import Snapshots
from pytest_jweval.web.text import PageText

Use = Literal["use", "missing", "refresh"]
"""Of snapshots: read them; fetch and keep those that there are none of; fetch and keep all."""

_PARSED_AT_ONCE = 1024  # a page's text takes some 100 KB, so that this is memory for the largest of suites


class KeptPages:
    """Each snapshot is read and parsed once, and its text kept in ``cache``. ``shown`` is their folder as
    people know it; without a snapshot a page is unknown, or gone if ``missing_fails``."""

    def __init__(
        self,
        root: Path,
        *,
        shown: str | None = None,
        missing_fails: bool = False,
        cache: Path | None = None,
    ) -> None:
        self.snapshots = Snapshots(root)
        self._parsed = ParsedPages(cache)
        self._shown = (root.as_posix() if shown is None else shown).rstrip("/")
        self._missing_fails = missing_fails
        self._text = lru_cache(_PARSED_AT_ONCE)(self._read)

    def page(self, url: str) -> Page | None:
        kept = self.kept(url)
        if kept is None and self._missing_fails:
            where = self.where(url)
            return Page(url, PageText("", ""), where, gone=f"there is no snapshot {where}")
        return kept

    def kept(self, url: str) -> Page | None:
        text = self._text(self.snapshots.path(url))
        return Page(url, text, self.where(url)) if text else None

    def where(self, url: str) -> str:
        return f"{self._shown}/{self.snapshots.path(url).name}"

    def close(self) -> None:
        self._text.cache_clear()

    def _read(self, path: Path) -> PageText | None:
        try:
            return self._parsed.text_of(path)
        except FileNotFoundError:
            return None
        except OSError as error:
            name = f"{self._shown}/{path.name}"
            raise PageError(f"the snapshot {name} can't be read: {error.strerror or error}") from None
