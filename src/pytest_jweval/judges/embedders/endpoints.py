"""Vectors from a server: Ollama, or any that speaks OpenAI's language (vLLM, LM Studio, llama.cpp …)."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from pytest_jweval.errors import ProviderError
from pytest_jweval.judges.embedders.posting import Posting
from pytest_jweval.judges.sound import Vector, readable, sound
from pytest_jweval.texts import excerpt

_BATCH = 64
_TIMEOUT = 60.0
_BANDS = (0.78, 0.55)
_OLLAMA_PORT = 11434
_OPENAI_URL = "https://api.openai.com/v1"
_OPENAI_KEY = "OPENAI_API_KEY"


class OllamaEmbedder:
    """At ``host``, at ``OLLAMA_HOST``, or at the usual port of this machine. ``bands`` belong to a model: the
    default ones are those of the sentence-transformers model, until somebody measures."""

    def __init__(
        self,
        model: str = "bge-m3",
        *,
        host: str | None = None,
        timeout: float = _TIMEOUT,
        bands: tuple[float, float] = _BANDS,
    ) -> None:
        self.name = f"ollama:{model}"
        self.bands = bands
        self._model = model
        advice = {
            0: "start it with `ollama serve`, or set OLLAMA_HOST",
            404: f"`ollama pull {model}` gets a model",
        }
        url = f"{_ollama_url(host or os.environ.get('OLLAMA_HOST', ''))}/api/embed"
        self._post = Posting(url, self.name, timeout=timeout, advice=advice)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return _in_batches(self.name, texts, self._asked)

    def _asked(self, texts: list[str]) -> list[Any]:
        # A text that is too long for the model is an error, since by default its end would be left out.
        vectors = self._post({"model": self._model, "input": texts, "truncate": False})["embeddings"]
        return list(vectors)

    def __repr__(self) -> str:
        return f"OllamaEmbedder({self._model!r})"


class OpenAIEmbedder:
    """At ``base_url``, at ``OPENAI_BASE_URL``, or at OpenAI. The key comes from ``OPENAI_API_KEY``; a server
    of one's own may need none. For ``bands`` see `OllamaEmbedder`."""

    def __init__(
        self,
        model: str = "text-embedding-3-small",
        *,
        base_url: str | None = None,
        timeout: float = _TIMEOUT,
        bands: tuple[float, float] = _BANDS,
    ) -> None:
        self.name = f"openai:{model}"
        self.bands = bands
        self._model = model
        self._base_url = (base_url or os.environ.get("OPENAI_BASE_URL") or _OPENAI_URL).rstrip("/")
        self._post = Posting(
            f"{self._base_url}/embeddings",
            self.name,
            timeout=timeout,
            advice={401: f"is {_OPENAI_KEY} the right key?"},
            secret=_key,
        )

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        if self._base_url == _OPENAI_URL and not _key():
            raise ProviderError(f"{self.name} needs a key: set the environment variable {_OPENAI_KEY}")
        if not (_key().isascii() and _key().isprintable()):
            raise ProviderError(f"{self.name} can't send what stands in {_OPENAI_KEY}: that is no key")
        return _in_batches(self.name, texts, self._asked)

    def _asked(self, texts: list[str]) -> list[Any]:
        data = self._post({"model": self._model, "input": texts, "encoding_format": "float"})["data"]
        return [part["embedding"] for part in sorted(data, key=_place)]

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self._model!r})"


def _key() -> str:
    """Read anew each time, so that no variable holds it where a traceback could show it."""
    return os.environ.get(_OPENAI_KEY, "").strip()


def _place(part: Mapping[str, Any]) -> int:
    return int(part["index"])


def _in_batches(name: str, texts: Sequence[str], asked: Callable[[list[str]], list[Any]]) -> list[Vector]:
    batches = [readable(texts[begin : begin + _BATCH]) for begin in range(0, len(texts), _BATCH)]
    return [vector for batch in batches for vector in _made(name, batch, asked)]


def _made(name: str, texts: list[str], asked: Callable[[list[str]], list[Any]]) -> Iterator[Vector]:
    try:
        vectors = asked(texts)
    except (LookupError, TypeError, ValueError) as error:
        raise ProviderError(f"{name} answered in no known form: {type(error).__name__} {error}") from None
    for text, vector in zip(texts, sound(name, texts, vectors), strict=True):
        if text.strip() and not any(vector):
            raise ProviderError(f"{name} gave a vector of zeros for {excerpt(text, 60)!r}")
        yield vector


def _ollama_url(host: str) -> str:
    """As Ollama reads ``OLLAMA_HOST``: without a scheme, its own port is meant; what a server binds to
    everywhere is asked for here."""
    scheme, _, rest = host.strip().rpartition("://")
    try:
        parts = urlsplit(f"{scheme or 'http'}://{rest}")
        port = parts.port or (None if scheme else _OLLAMA_PORT)
    except ValueError:
        raise ProviderError(f"OLLAMA_HOST {excerpt(host, 60)!r} is no address") from None
    everywhere = parts.hostname in (None, "0.0.0.0")  # noqa: S104  # nothing is bound to it here
    name = "127.0.0.1" if everywhere else parts.hostname
    name = f"[{name}]" if name and ":" in name else name
    return f"{parts.scheme}://{name}{f':{port}' if port else ''}{parts.path.rstrip('/')}"
