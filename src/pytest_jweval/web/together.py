"""What the processes of one run find out together, through files in the folder that they share.

Locks are the system's, and vanish with the process that holds them, so nobody waits for the dead.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path

from pytest_jweval.files import locked, write_atomically

_LONGEST_WAIT = 600.0
_LOOKS_UP_EVERY = 0.5


class Together:
    """The first process that asks for something does the work; the others wait, and read what it wrote.

    When ``over`` is set, nobody waits any more.
    """

    def __init__(self, folder: Path, over: threading.Event | None = None) -> None:
        self._folder = folder
        self._over = over or threading.Event()

    def once(self, name: str, work: Callable[[], str]) -> str:
        """What ``work`` gave, in whichever process. If it raises, nothing is kept and the next one tries."""
        path = self._folder / f"{_key(name)}.txt"
        with _held(path.with_suffix(".lock"), self._over):
            if path.exists():
                return path.read_bytes().decode("utf-8", "surrogatepass")
            text = work()
            write_atomically(path, text.encode("utf-8", "surrogatepass"))
            return text


class Politeness:
    """At most ``at_once`` requests to a host at a time, and no more than ``rate`` a second, however many
    processes and threads there are. When ``over`` is set, nobody waits any more."""

    def __init__(
        self,
        folder: Path,
        rate: float,
        at_once: int = 4,
        *,
        over: threading.Event | None = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        self._over = over or threading.Event()
        self._folder = folder
        self._pause = 1 / rate
        self._at_once = at_once
        self._clock = clock  # of the system, not of the process: others go by it as well
        self._sleep = sleep or self._over.wait

    @contextmanager
    def __call__(self, host: str) -> Iterator[None]:
        turn, start = self._next_turn(host)
        with _held(self._file(host, f".{turn % self._at_once}.lock"), self._over):
            if (wait := start - self._clock()) > 0:
                self._sleep(wait)
            yield

    def _next_turn(self, host: str) -> tuple[int, float]:
        path = self._file(host, ".turn")
        with _held(self._file(host, ".lock"), self._over):
            said = path.read_text("ascii").split() if path.exists() else ["0", "0"]
            turn, start = int(said[0]), max(float(said[1]), self._clock())
            write_atomically(path, f"{turn + 1} {start + self._pause!r}")
        return turn, start

    def _file(self, host: str, suffix: str) -> Path:
        return self._folder / f"host-{_key(host)}{suffix}"


@contextmanager
def _held(path: Path, over: threading.Event) -> Iterator[None]:
    """A lock that is waited for in short steps, to look up whether it is still worth waiting."""
    deadline = time.monotonic() + _LONGEST_WAIT
    with ExitStack() as holding:
        while True:
            try:
                holding.enter_context(locked(path, _LOOKS_UP_EVERY))
                break
            except TimeoutError:
                if over.is_set() or time.monotonic() > deadline:
                    raise
        yield


def _key(name: str) -> str:
    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
