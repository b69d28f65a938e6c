"""Web pages on disk: one file a page, named after its URL, with a manifest beside them.

Everything here may be killed at any moment and run in many processes at once. A page is replaced in one
step and before the manifest is, so that a kill in between leaves a page that the manifest does not describe,
which ``check`` tells.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pytest_jweval.errors import CaseError, PageError
from pytest_jweval.files import locked, sweep, write_atomically
from pytest_jweval.records.strict import parse
from pytest_jweval.web.charset import decoded
from pytest_jweval.web.manifest import Manifest, PageMeta
from pytest_jweval.web.page_file import bytes_of, digest, encoded, is_page, page_name
from pytest_jweval.web.urls import page_url


def snapshot_path(root: str | Path, url: str) -> Path:
    return Path(root) / page_name(url)


_BY_HAND = "is not in the manifest: put there by hand, or a save was killed"


@dataclass(frozen=True, slots=True)
class Problem:
    """One file of a folder of snapshots that isn't as it should be. A ``harmless`` one can be read and judged
    by; it is only not known where it is from."""

    file: str
    reason: str
    url: str | None = None
    harmless: bool = False

    def __str__(self) -> str:
        return f"{self.file}: {self.reason}" + (f" ({self.url})" if self.url else "")


class Snapshots:
    """A folder of pages. A page that a person put there by hand is read like any other; only writing needs
    a manifest that is whole."""

    def __init__(self, root: str | Path) -> None:
        self.root = Path(root)
        self._manifest = Manifest(self.root / "manifest.json")
        self._is_swept = False

    def path(self, url: str) -> Path:
        return snapshot_path(self.root, url)

    def has(self, url: str) -> bool:
        return self.path(url).is_file()

    def read(self, url: str) -> str | None:
        data = bytes_of(self.path(url))
        return None if data is None else decoded(data)

    def meta(self, url: str) -> PageMeta | None:
        return self._manifest.known().get(page_name(url))

    def as_fetched(self, url: str) -> PageMeta | None:
        """Its entry, if the page is what the server sent then: only of that may it say "not modified"."""
        try:
            meta = self.meta(url)
        except PageError:
            return None  # the page is fetched as if for the first time, and who saves it hears what is wrong
        data = bytes_of(self.path(url))
        return meta if meta and data is not None and digest(data) == meta.sha256 else None

    def entries(self) -> Mapping[str, PageMeta]:
        """By the names of their files."""
        return self._manifest.known()

    def save(
        self,
        url: str,
        html: str,
        *,
        status: int,
        fetched_at: datetime,
        etag: str | None = None,
        last_modified: str | None = None,
        final_url: str | None = None,
    ) -> Path:
        path, data = self.path(url), encoded(html)
        meta = _meta(
            url=page_url(url),
            final_url=final_url if final_url != page_url(url) else None,
            fetched_at=fetched_at,
            status=status,
            etag=etag or None,
            last_modified=last_modified or None,
            sha256=digest(data),
            bytes=len(data),
        )
        with self._writing(in_new_folder=True) as pages:
            write_atomically(path, data)
            pages[path.name] = meta
        return path

    def touch(self, url: str, fetched_at: datetime) -> None:
        """The server said that the page is as it was."""
        with self._writing() as pages:
            name = page_name(url)
            if name not in pages:
                raise PageError(f"{url} has no entry in {self._manifest.path}")
            pages[name] = _meta(**{**dict(pages[name]), "fetched_at": fetched_at})

    def remove(self, urls: Iterable[str]) -> list[Path]:
        wanted = {page_name(url) for url in urls}
        return self._removed(wanted.intersection(self._names()))

    def prune(self, keep_urls: Iterable[str], *, dry_run: bool) -> list[Path]:
        """Remove the snapshots of all other pages, and give their paths; ``dry_run`` only gives them."""
        doomed = self._names() - {page_name(url) for url in keep_urls}
        return self._paths(doomed) if dry_run else self._removed(doomed)

    def check(self) -> list[Problem]:
        files = self._files()
        try:
            entries = self._manifest.read()
        except PageError as error:
            return [Problem(self._manifest.path.name, str(error))]
        return [
            Problem(name, reason, entries[name].url if name in entries else None, reason == _BY_HAND)
            for name in sorted(files | entries.keys())
            if (reason := self._wrong_with(name, entries.get(name)))
        ]

    def _wrong_with(self, name: str, meta: PageMeta | None) -> str | None:
        try:
            data = bytes_of(self.root / name)
        except PageError as error:
            return str(error)
        if data is None:
            return "is in the manifest, but there is no such file"
        if not data.strip():
            return "is empty"
        if meta is None:
            return _BY_HAND
        if page_name(meta.url) != name:
            return "is not named after the URL that the manifest has for it"
        if digest(data) != meta.sha256:
            return "is not what was fetched: edited by hand, or a save was killed"
        return None

    def _names(self) -> set[str]:
        return self._files() | self._manifest.read().keys()

    def _files(self) -> set[str]:
        try:
            return {path.name for path in self.root.iterdir() if is_page(path)}
        except FileNotFoundError:
            return set()
        except OSError as error:
            raise PageError(f"{self.root} can't be read: {error.strerror or error}") from None

    def _paths(self, names: Iterable[str]) -> list[Path]:
        return [self.root / name for name in sorted(names)]

    def _removed(self, names: set[str]) -> list[Path]:
        if names:
            with self._writing() as pages:
                for path in self._paths(names):
                    path.unlink(missing_ok=True)
                    pages.pop(path.name, None)
        return self._paths(names)

    @contextmanager
    def _writing(self, *, in_new_folder: bool = False) -> Iterator[dict[str, PageMeta]]:
        """The entries, to be changed while nobody else can change them or a page."""
        try:
            if in_new_folder:
                self.root.mkdir(parents=True, exist_ok=True)
            with locked(self.root / ".lock"):
                if not self._is_swept:
                    sweep(self.root)
                    self._is_swept = True
                pages = self._manifest.read()
                yield pages
                self._manifest.write(pages)
        except OSError as error:
            raise PageError(f"{self.root} can't be written: {error.strerror or error}") from None


def _meta(**fields: Any) -> PageMeta:
    try:
        return parse(PageMeta, fields)
    except CaseError as error:
        raise PageError(f"{fields['url']} can't be kept: {error}") from None
