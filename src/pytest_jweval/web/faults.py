"""What can go wrong on the way to a page, in words that go on behind its URL."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from pytest_jweval.errors import PageError, told
from pytest_jweval.patience import seconds_of

_ADVICE = {
    401: "it wants a login, and only pages that anybody can read can be checked",
    402: "it wants to be paid, and only pages that anybody can read can be checked",
    403: "it doesn't want to be read by programs; keep a snapshot instead",
    407: "a proxy stands in the way and wants a login",
    429: "it is asked too often; lower ini jweval_host_rate",
    451: "it may not be shown here for legal reasons; keep a snapshot instead",
}
_PASSING = frozenset({429, 502, 503, 504})


class Passing(PageError):
    """May have passed at the next try, after the ``wait`` that the server asked for, if it asked."""

    def __init__(self, text: str, wait: float | None = None) -> None:
        super().__init__(text)
        self.wait = wait


def refusal(status: int, retry_after: str | None, now: float) -> PageError:
    """Why an answer of this status says nothing about the page."""
    advice = _ADVICE.get(status)
    if advice is None:
        advice = "its server is out of order; try again later" if status >= 500 else "that is no page"
    text = f"answered HTTP {status}: {advice}"
    return Passing(text, seconds_of(retry_after or "", now)) if status in _PASSING else PageError(text)


@contextmanager
def told_plainly(seconds: float) -> Iterator[None]:
    """Faults of the network as page errors; those of programs and Ctrl-C pass through."""
    import httpcore

    try:
        yield
    except TimeoutError:
        raise Passing(f"gave no whole answer within {seconds:g} s") from None
    except ssl.SSLCertVerificationError as error:
        raise PageError(f"has no certificate that can be trusted: {error.verify_message}") from None
    except (ssl.SSLEOFError, ssl.SSLZeroReturnError):
        raise Passing("can't be reached: it hung up while the connection was made safe") from None
    except ssl.SSLError as error:
        raise PageError(f"can't be reached safely: {told(error)}") from None
    except socket.gaierror as error:
        kind = Passing if error.errno == socket.EAI_AGAIN else PageError
        raise kind(f"has a host whose address can't be found: {error.strerror}") from None
    except OSError as error:
        raise Passing(f"can't be reached: {error.strerror or error}") from None
    except (httpcore.LocalProtocolError, UnicodeEncodeError) as error:
        raise PageError(f"can't be asked for with these headers: {told(error)}") from None
