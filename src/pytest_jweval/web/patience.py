"""How often, and after which pause, a page is asked for again."""

from collections.abc import Callable
from secrets import SystemRandom

from pytest_jweval.errors import PageError
from pytest_jweval.web.faults import Passing

_LONGEST = 30.0

# The system's own, since all workers of a run may have been given the same seed.
_random = SystemRandom()


class Patience:
    """For one page: so many tries more, and so many seconds of waiting between them."""

    def __init__(self, retries: int, sleep: Callable[[float], object], seconds: float = _LONGEST) -> None:
        self._retries = retries
        self._sleep = sleep
        self._left = seconds
        self._tries = 0

    def wait(self, fault: Passing) -> None:
        """Until the next try; or the fault becomes a final one."""
        self._tries += 1
        if self._tries > self._retries:
            raise PageError(f"{fault} ({self._tries} tries)" if self._retries else str(fault)) from None
        if fault.wait is not None and fault.wait > self._left:
            raise PageError(f"{fault}; it asks to wait {fault.wait:.0f} s") from None
        seconds = self._pause() if fault.wait is None else fault.wait
        self._left -= seconds
        self._sleep(seconds)

    def _pause(self) -> float:
        """Anything up to a limit that doubles, so that those who failed together don't come back together."""
        return _random.uniform(0, min(2.0 ** (self._tries - 1), self._left))
