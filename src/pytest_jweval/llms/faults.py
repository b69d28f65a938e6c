"""What can go wrong when a model is asked: one line with the provider, the model, what happened, what to do.

Each SDK has exceptions of its own, and wraps those of the HTTP client below it in other ways. What they have
in common is the chain of causes: somewhere in it stands the server's response, or the system's own error.
"""

import json
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from pytest_jweval.errors import JWEvalError, ProviderError, told
from pytest_jweval.llms.redaction import redacted
from pytest_jweval.patience import seconds_of
from pytest_jweval.texts import excerpt, printable

T = TypeVar("T")

_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_ADVICE = {
    413: "the prompt is too long for it",
    429: "it is asked too often; lower the rate",
}


class Passing(ProviderError):
    """May have passed at the next try, after the ``wait`` that the provider asked for, if it asked."""

    def __init__(self, text: str, wait: float | None = None) -> None:
        super().__init__(text)
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Asked:
    """Who is asked. ``advice`` says what a person can do about an HTTP status, or about 0: nobody listens."""

    name: str
    model: str
    parameters: Mapping[str, Any]
    timeout: float
    advice: Mapping[int, str]

    def plainly(self, call: Callable[[], T]) -> T:
        """What ``call`` gives; whatever an SDK raises in it becomes a `ProviderError`."""
        try:
            return call()
        except JWEvalError:
            raise
        except Exception as error:  # noqa: BLE001  # three SDKs, each with the exceptions of its HTTP client
            fault = self._fault(error)
        # Not in there, because from its context one would get to the request, whose headers hold the key.
        raise fault

    def failed(self, what: str, advice: str = "") -> ProviderError:
        return ProviderError(self._line(what, advice))

    def refuses(self, said: str) -> ProviderError:
        return self.failed(f"refuses to answer: {_shown(said)}")

    def cut_off(self) -> ProviderError:
        return self.failed("was cut off by its limit of tokens", "raise it in the model's parameters")

    def silent(self) -> ProviderError:
        return self.failed("gave an empty reply")

    def _fault(self, error: Exception) -> ProviderError:
        chain = list(_chain(error))
        for link in chain:
            if isinstance(status := getattr(getattr(link, "response", None), "status_code", None), int):
                return self._answered(status, link)
        if any(isinstance(link, TimeoutError) or "Timeout" in type(link).__name__ for link in chain):
            what = f"gave no answer within {self.timeout:g} s"
            return self.failed(what, "raise its timeout, or take a smaller model")
        if any(isinstance(link, ConnectionRefusedError) for link in chain):
            return self.failed("can't be reached: nobody listens at its address", self.advice.get(0, ""))
        if any(isinstance(link, socket.gaierror) for link in chain):
            return self.failed("can't be reached: its host has no address", self.advice.get(0, ""))
        if any(isinstance(link, ssl.SSLCertVerificationError) for link in chain):
            return self.failed("has no certificate that can be trusted")
        if any(type(link).__name__ in _BROKEN_OFF or isinstance(link, ConnectionError) for link in chain):
            return Passing(self._line(f"broke off: {_shown(str(chain[-1]))}"))
        if isinstance(error, _UNREADABLE):
            return Passing(self._line(f"answered what is no JSON of its API: {_shown(told(error))}"))
        return self.failed(f"can't be asked: {_shown(told(error))}")

    def _answered(self, status: int, error: Any) -> ProviderError:
        body = error.response.text
        said = _shown(_message(body))
        advice = self.advice.get(status) or _ADVICE.get(status, "")
        if status in (400, 422) and (named := [name for name in self.parameters if name in body]):
            advice = f"take {' and '.join(named)} out of its parameters"
        line = self._line(f"answered HTTP {status}: {said}", advice)
        if status not in _PASSING or "insufficient_quota" in body:
            return ProviderError(line)
        return Passing(line, seconds_of(error.response.headers.get("retry-after", ""), time.time()))

    def _line(self, what: str, advice: str = "") -> str:
        return f"{self.name} ({self.model}) {what}{advice and f'; {advice}'}"


_UNREADABLE = (json.JSONDecodeError, UnicodeDecodeError, ValidationError, TypeError)
_BROKEN_OFF = frozenset({"RemoteProtocolError", "ReadError", "WriteError", "CloseError", "ConnectError"})


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _message(body: str) -> str:
    """What the provider says in ``{"error": "…"}`` or ``{"error": {"message": "…"}}``, else all of it."""
    try:
        error = json.loads(body)["error"]
        return str(error["message"] if isinstance(error, dict) else error)
    except (ValueError, TypeError, LookupError, RecursionError):
        return body


def _shown(text: str) -> str:
    return excerpt(printable(redacted(text[:2000])), 160) or "(nothing)"
