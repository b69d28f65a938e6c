"""JSON to an endpoint and back, with patience; whatever goes wrong is one line."""

import json
import time
import weakref
from collections.abc import Callable, Mapping
from threading import Lock
from typing import TYPE_CHECKING, Any

from pytest_jweval.errors import ProviderError, told
from pytest_jweval.patience import Patience, seconds_of
from pytest_jweval.texts import excerpt, printable

if TYPE_CHECKING:
    import httpx

_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_ADVICE = {429: "it is asked too often; ask less at once"}


class Posting:
    """``who`` is how the endpoint is named in errors, and ``advice`` what to do about an HTTP status, or
    about 0: it can't be reached. ``secret`` gives the key to send, when the first request is made."""

    def __init__(
        self,
        url: str,
        who: str,
        *,
        timeout: float,
        advice: Mapping[int, str],
        secret: Callable[[], str | None] = lambda: None,
        retries: int = 3,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._url = url
        self._who = who
        self._timeout = timeout
        self._advice = {**_ADVICE, **advice}
        self._secret = secret
        self._retries = retries
        self._sleep = sleep
        self._lock = Lock()
        self._client: httpx.Client | None = None

    def __call__(self, body: Mapping[str, Any]) -> Any:
        data = json.dumps(body).encode()
        patience = Patience(self._retries, self._sleep, ProviderError)
        while True:
            try:
                return self._posted(data)
            except _Passing as fault:
                patience.wait(fault, fault.wait)

    def _posted(self, body: bytes) -> Any:
        import httpx

        try:
            reply = self._open_client().post(self._url, content=body)
        except httpx.TimeoutException:
            raise ProviderError(f"{self._who} gave no answer within {self._timeout:g} s") from None
        except (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError) as error:
            raise _Passing(f"{self._who} broke off: {told(error)}") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ProviderError(f"{self._who} can't be reached: {told(error)}{self._advised(0)}") from None
        if not reply.is_success:
            self._refuse(reply)
        try:
            return reply.json()
        except (ValueError, RecursionError):
            raise _Passing(f"{self._who} answered no JSON: {self._shown(reply.text)}") from None

    def _refuse(self, reply: "httpx.Response") -> None:
        status = reply.status_code
        said = (
            f"{self._who} answered HTTP {status}: {self._shown(_message(reply.text))}{self._advised(status)}"
        )
        if status not in _PASSING:
            raise ProviderError(said)
        raise _Passing(said, seconds_of(reply.headers.get("retry-after", ""), time.time()))

    def _open_client(self) -> "httpx.Client":
        import httpx

        with self._lock:  # two first requests may come at once
            if self._client is None:
                # Only here: tracebacks may show local variables, and no error passes through this frame.
                key = self._secret()
                headers = {"content-type": "application/json"} | (
                    {"authorization": f"Bearer {key}"} if key else {}
                )
                self._client = httpx.Client(timeout=self._timeout, headers=headers)
                weakref.finalize(self, self._client.close)
            return self._client

    def _advised(self, status: int) -> str:
        return f"; {self._advice[status]}" if status in self._advice else ""

    def _shown(self, text: str) -> str:
        key = self._secret()
        return excerpt(printable(text.replace(key, "[key]") if key else text)) or "(nothing)"


class _Passing(ProviderError):
    """May have passed at the next try, after the ``wait`` that was asked for, if any was."""

    def __init__(self, text: str, wait: float | None = None) -> None:
        super().__init__(text)
        self.wait = wait


def _message(body: str) -> str:
    """What stands in ``{"error": "…"}`` or ``{"error": {"message": "…"}}``, else all of it."""
    try:
        error = json.loads(body)["error"]
        return str(error["message"] if isinstance(error, dict) else error)
    except (ValueError, TypeError, LookupError, RecursionError):
        return body
