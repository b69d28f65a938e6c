"""An agent behind an HTTP endpoint: the input is POSTed as JSON, the answer comes back as JSON."""

import json
import re
import weakref
from threading import Lock
from typing import TYPE_CHECKING, Any

from pytest_jweval.errors import AgentError, AgentTimeout, told
from pytest_jweval.texts import excerpt

if TYPE_CHECKING:
    import httpx

_JSON = {"content-type": "application/json", "accept": "application/json"}


class HttpAgent:
    """Keeps one client, so that asking many questions opens few connections; it is closed with the agent."""

    def __init__(self, url: str, *, timeout: float | None = 60.0) -> None:
        self.url = url
        self._timeout = timeout
        self._lock = Lock()
        self._client: httpx.Client | None = None

    def __call__(self, question: dict[str, Any]) -> Any:
        reply = self._posted(_as_json(question))
        if reply.is_redirect:
            raise AgentError(f"{self} redirects to {reply.headers['location']!r}: name that URL instead")
        if not reply.is_success:
            raise AgentError(f"{self} answered HTTP {reply.status_code}: {_shown(reply.text)}")
        try:
            return reply.json()
        except (ValueError, RecursionError):
            raise AgentError(f"{self} answered no JSON: {_shown(reply.text)}") from None

    def _posted(self, body: bytes) -> "httpx.Response":
        import httpx

        try:
            return self._open_client().post(self.url, content=body, headers=_JSON)
        except httpx.TimeoutException:
            raise AgentTimeout(f"{self} gave no answer within {self._timeout:g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise AgentError(f"{self} gave no answer: {told(error)}") from None

    def _open_client(self) -> "httpx.Client":
        import httpx

        with self._lock:  # two first questions may come at once
            if self._client is None:
                self._client = httpx.Client(timeout=self._timeout)
                weakref.finalize(self, self._client.close)
            return self._client

    def __str__(self) -> str:
        """The URL without what may be secret in it."""
        return re.sub("//[^/]*@", "//", re.split("[?#]", self.url)[0])

    def __repr__(self) -> str:
        return f"HttpAgent({str(self)!r})"


def _as_json(question: dict[str, Any]) -> bytes:
    try:
        return json.dumps(question, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise AgentError(f"the input can't be sent as JSON: {told(error)}") from None


def _shown(text: str) -> str:
    return excerpt(text) or "(nothing)"
