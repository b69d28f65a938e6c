"""The pages of a run, put together from what the run was asked for."""

import shutil
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_jweval.web.kept import KeptPages, Use

if TYPE_CHECKING:
    from pytest_jweval.web.live import LivePages


@dataclass(frozen=True, slots=True)
class Opening:
    """``root`` holds the snapshots, ``shown`` is its name for people. ``folder`` is shared by the processes
    of a run; without one, the pages have one of their own while they are open. ``cache`` outlives the run."""

    root: Path
    shown: str | None = None
    live: bool = False
    use: Use = "use"
    missing_fails: bool = False
    live_hosts: Sequence[str] = ()
    private_hosts: Sequence[str] = ()
    host_rate: float = 1.0
    folder: Path | None = None
    cache: Path | None = None

    def open(self) -> "KeptPages | LivePages":
        kept = KeptPages(self.root, shown=self.shown, missing_fails=self.missing_fails, cache=self.cache)
        return kept if self.use == "use" and not self.live else self._live(kept)

    def _live(self, kept: KeptPages) -> "LivePages":
        from pytest_jweval.web.fetch import Fetcher
        from pytest_jweval.web.guard import Guard
        from pytest_jweval.web.live import LivePages
        from pytest_jweval.web.together import Politeness

        folder = self.folder or Path(tempfile.mkdtemp(prefix="jweval-pages-"))
        folder.mkdir(parents=True, exist_ok=True)
        pause = Politeness(folder, self.host_rate, over=(over := threading.Event()))
        fetcher = Fetcher(Guard(self.live_hosts, self.private_hosts), pause=pause)
        only_missing = self.use == "missing" and not self.live
        pages = LivePages(kept, fetcher, folder, use=self.use, only_missing=only_missing, over=over)
        if self.folder is None:
            pages.at_close.callback(shutil.rmtree, folder, ignore_errors=True)
        return pages
