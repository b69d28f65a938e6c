"""How often, and after which pause, a server is asked again."""

from collections.abc import Callable
from datetime import UTC
from email.utils import parsedate_to_datetime
from secrets import SystemRandom

from pytest_jweval.errors import JWEvalError

_LONGEST = 30.0

# The system's own, since all workers of a run may have been given the same seed.
_random = SystemRandom()


class Patience:
    """For one request: so many tries more, and so many seconds of waiting between them. When they are used
    up, the fault is raised as ``final``."""

    def __init__(
        self,
        retries: int,
        sleep: Callable[[float], object],
        final: type[JWEvalError],
        seconds: float = _LONGEST,
    ) -> None:
        self._retries = retries
        self._sleep = sleep
        self._final = final
        self._left = seconds
        self._tries = 0

    def wait(self, fault: JWEvalError, asked: float | None) -> None:
        """Until the next try; ``asked`` is how long the server wants to be left alone."""
        self._tries += 1
        if self._tries > self._retries:
            raise self._final(f"{fault} ({self._tries} tries)" if self._retries else str(fault)) from None
        if asked is not None and asked > self._left:
            raise self._final(f"{fault}; it asks to wait {asked:.0f} s") from None
        seconds = self._pause() if asked is None else asked
        self._left -= seconds
        self._sleep(seconds)

    def _pause(self) -> float:
        """Anything up to a limit that doubles, so that those who failed together don't come back together."""
        return _random.uniform(0, min(2.0 ** (self._tries - 1), self._left))


def seconds_of(retry_after: str, now: float) -> float | None:
    """``Retry-After`` is a number of seconds or a date; what is neither asks for nothing."""
    digits = retry_after.replace(".", "", 1)
    if digits.isascii() and digits.isdigit():
        return float(retry_after)
    try:
        date = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max((date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - now, 0.0)
