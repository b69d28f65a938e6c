"""The moment at which something must be over, however many small steps it takes."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Deadline:
    """Begins to run when it is made."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds; never none, because a `TimeoutError` is raised first."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """The time in here doesn't count."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._end += time.monotonic() - began
