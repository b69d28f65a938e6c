"""An agent behind an HTTP endpoint: the input is POSTed as JSON, the answer comes back as JSON."""

from typing import Any

from pytest_jweval.errors import AgentError
from pytest_jweval.texts import excerpt


class HttpAgent:
    """Keeps one client, so that asking many questions opens few connections."""

    def __init__(self, url: str, *, timeout: float | None = 60.0) -> None:
        self.url = url
        self._timeout = timeout
        self._client: Any = None

    def __call__(self, question: dict[str, Any]) -> Any:
        import httpx

        if self._client is None:
            self._client = httpx.Client(timeout=self._timeout)
        try:
            reply = self._client.post(self.url, json=question)
        except httpx.HTTPError as error:
            raise AgentError(f"{self.url} gave no answer: {str(error) or type(error).__name__}") from error
        if not reply.is_success:
            raise AgentError(f"{self.url} answered HTTP {reply.status_code}: {excerpt(reply.text)}")
        try:
            return reply.json()
        except ValueError:
            raise AgentError(f"{self.url} answered no JSON: {excerpt(reply.text)}") from None

    def __repr__(self) -> str:
        return f"HttpAgent({self.url!r})"
