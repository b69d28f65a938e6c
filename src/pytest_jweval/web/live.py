"""Pages as they are on the web now, each fetched once a run."""

import json
import threading
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

from pytest_jweval.errors import PageError
from pytest_jweval.files import write_atomically
from pytest_jweval.web.charset import decoded
from pytest_jweval.web.fetch import Fetched, Fetcher
from pytest_jweval.web.gone import why_gone
from pytest_jweval.web.kept import KeptPages, Use
from pytest_jweval.web.minify import minified
from pytest_jweval.web.page import Page
from pytest_jweval.web.text import read_text
from pytest_jweval.web.together import Together
from pytest_jweval.web.urls import page_url

_THREADS = 8


class LivePages:
    """``use`` says which pages become snapshots; with ``only_missing`` a page that has one is not fetched.

    ``folder`` is shared by the processes of a run; whichever asks for a page first fetches it. ``over`` is
    set at the end, and ends all waiting.
    """

    def __init__(
        self,
        kept: KeptPages,
        fetcher: Fetcher,
        folder: Path,
        *,
        over: threading.Event,
        use: Use = "use",
        only_missing: bool = False,
    ) -> None:
        self.at_close = ExitStack()
        self._kept = kept
        self._fetcher = fetcher
        self.folder = folder
        self._together = Together(folder, over)
        self._use = use
        self._only_missing = only_missing
        self._over = over
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="jweval-pages")
        self._lock = threading.Lock()
        self._coming: dict[str, Future[Page]] = {}

    def expect(self, urls: Iterable[str]) -> dict[str, "Future[Page]"]:
        """Begin to fetch them, so that no case has to wait for all the others' pages."""
        urls = list(dict.fromkeys(urls))
        self._fetcher.guard.allow(urls)
        return {url: self._future(url) for url in urls}

    def allow(self, urls: Iterable[str]) -> None:
        """Their hosts may be fetched from, and a redirect may lead there."""
        self._fetcher.guard.allow(urls)

    def page(self, url: str) -> Page:
        # Only a case's own pages are asked for here, so its hosts are those that a case has named.
        self._fetcher.guard.allow([url])
        return self._future(url).result()

    def kept(self, url: str) -> Page | None:
        """The page as it was kept before this run."""
        before = self._before(url)
        if before.exists():
            return Page(url, read_text(before.read_text("utf-8")), self._kept.where(url))
        return self._kept.kept(url)

    def finish(self) -> None:
        """Wait for what is on its way, which other processes may be waiting for; begin nothing more."""
        self._threads.shutdown(cancel_futures=True)

    def close(self) -> None:
        """What is still on its way is given up."""
        self._over.set()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._fetcher.close()
        self.at_close.close()
        self._threads.shutdown()

    def _future(self, url: str) -> "Future[Page]":
        asked = page_url(url)
        with self._lock:
            if asked not in self._coming:
                self._coming[asked] = self._threads.submit(self._looked_at, asked)
            return self._coming[asked]

    def _looked_at(self, url: str) -> Page:
        try:
            told = self._together.once(f"page {url}", lambda: json.dumps(self._fetched(url)))
        except OSError as error:  # of the folder that the processes share; a lock that is never free is one
            raise PageError(f"{url} can't be fetched together with other processes: {error}") from None
        found: dict[str, Any] = json.loads(told)
        if "error" in found:
            raise PageError(found["error"])
        if found.get("kept") and (page := self._kept.kept(url)):
            return page
        text, gone = read_text(found["html"]), found["gone"]
        return Page(url, text, url, live=True, gone=gone, gone_by_wording=bool(gone and found["by_wording"]))

    def _fetched(self, url: str) -> dict[str, Any]:
        """An outage is told to the others as well: eight processes need not find out eight times."""
        if self._only_missing and self._kept.snapshots.has(url):
            return {"kept": True}
        meta = self._kept.snapshots.as_fetched(url)
        try:
            fetched = self._fetcher.fetch(
                url, etag=meta.etag if meta else None, last_modified=meta.last_modified if meta else None
            )
        except PageError as error:
            if self._over.is_set():  # which says nothing about the page; the next process asks for itself
                raise
            return {"error": str(error)}
        if self._over.is_set():
            raise PageError(f"{url} is not fetched: the run is over")
        html = self._html(url, fetched)
        gone = why_gone(fetched.status, url, fetched.final_url, html) or _why_empty(html)
        if not gone:
            self._keep(url, html, fetched)
        return {
            "html": html,
            "gone": gone,
            "by_wording": not why_gone(fetched.status, url, fetched.final_url, ""),
        }

    def _html(self, url: str, fetched: Fetched) -> str:
        if fetched.unchanged:  # asked only on the strength of a snapshot
            return self._kept.snapshots.read(url) or ""
        text = decoded(fetched.body, fetched.content_type)
        is_plain = (fetched.content_type or "").lower().lstrip().startswith("text/plain")
        return f"<pre>{escape(text)}</pre>" if is_plain else text

    def _keep(self, url: str, html: str, fetched: Fetched) -> None:
        snapshots = self._kept.snapshots
        if self._use == "use" or (self._use == "missing" and snapshots.has(url)):
            return
        if fetched.unchanged:
            snapshots.touch(url, datetime.now(UTC))
            return
        if (before := snapshots.read(url)) is not None:
            write_atomically(self._before(url), before)
        snapshots.save(
            url,
            minified(html),
            status=fetched.status,
            etag=fetched.etag,
            last_modified=fetched.last_modified,
            fetched_at=datetime.now(UTC),
            final_url=fetched.final_url,
        )

    def _before(self, url: str) -> Path:
        """Where the snapshot of before goes when this run writes a new one: it is needed to see a change."""
        return self.folder / f"before-{self._kept.snapshots.path(url).name}"


def _why_empty(html: str) -> str | None:
    return None if read_text(html).shown else "has no text that a reader could see"
