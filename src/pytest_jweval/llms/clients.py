"""What the clients of all providers have in common."""

import os
import weakref
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, Generic, Protocol, TypeVar

from pytest_jweval.errors import MissingExtra, ProviderError
from pytest_jweval.ports import Message


class _Closes(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=_Closes)


class OnFirstUse(Generic[C]):
    """One client for all threads, made when it is first needed, and closed with who has it."""

    def __init__(self, make: Callable[[], C]) -> None:
        self._make = make
        self._lock = Lock()
        self._client: C | None = None

    def __call__(self) -> C:
        with self._lock:
            if self._client is None:
                self._client = self._make()
                weakref.finalize(self, self._client.close)
            return self._client


def why_not_made(client: OnFirstUse[Any]) -> str | None:
    """Why a client can't be asked, as far as that is known without asking; ``None`` if nothing is known."""
    try:
        client()
    except (MissingExtra, ProviderError) as error:
        return str(error)
    return None


def key_from(variable: str, provider: str) -> str:
    """Only ever from the environment: what stands in a file or a command line ends up in logs."""
    if key := os.environ.get(variable, "").strip():
        return key
    raise ProviderError(f"{provider} needs a key: set the environment variable {variable}")


def sendable(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Role and content, with half characters, which an agent's text may hold, as their escapes."""
    return [{"role": message["role"], "content": _whole(message["content"])} for message in messages]


def _whole(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
