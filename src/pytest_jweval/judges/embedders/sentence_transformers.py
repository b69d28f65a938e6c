"""Vectors of meaning, from a model of sentence-transformers on this machine."""

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from math import fsum
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from pytest_jweval.errors import MissingExtra, ProviderError, told
from pytest_jweval.judges.sound import readable

DEFAULT_MODEL = "paraphrase-multilingual-MiniLM-L12-v2"
_BATCH = 64
_KIND = "sentence-transformers"


class SentenceTransformersEmbedder:
    """``model`` is a name on the Hugging Face hub, or a folder. Nothing is ever downloaded.

    What is denied is nearly as near as what is said: a model of this kind finds the subject of a text, and
    is no judge of negations.
    """

    bands = (0.78, 0.55)

    def __init__(self, model: str = DEFAULT_MODEL, *, device: str = "cpu") -> None:
        self.name = f"{_KIND}:{model}"
        self._model_name = model
        self._device = device
        self._model: _Model | None = None
        self._lock = Lock()

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        with self._lock:  # neither loading nor the tokenizers are made for several threads
            if self._model is None:
                self._model = _loaded(self._model_name, self._device)
            model = self._model
            windows = [
                (place, window)
                for place, text in enumerate(readable(texts))
                for window in _windows(text, model)
            ]
            vectors = _encoded(model, [window for _, window in windows])
        parts = zip(windows, vectors, strict=True)
        return [
            _mean([(len(window), vector) for (_, window), vector in of_one])
            for _, of_one in groupby(parts, key=lambda part: part[0][0])
        ]

    def __repr__(self) -> str:
        return f"SentenceTransformersEmbedder({self._model_name!r})"


class _Model(Protocol):
    """What is used of a ``SentenceTransformer``."""

    max_seq_length: int | None
    tokenizer: Any

    def encode(self, texts: list[str], **options: Any) -> Any: ...


def _loaded(name: str, device: str) -> _Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those that these libraries have for their own authors
        try:
            from sentence_transformers import SentenceTransformer
            from transformers.utils import logging
        except ModuleNotFoundError:
            raise MissingExtra(f"the embedder {_KIND}", "embeddings") from None
        folder = _folder(name)
        try:
            with _no_progress_bars(logging):
                model: _Model = SentenceTransformer(str(folder), device=device, local_files_only=True)
        except Exception as error:  # noqa: BLE001  # many libraries read a model, each with errors of its own
            raise ProviderError(f"the embedding model {name!r} can't be loaded: {told(error)}") from None
    return model


def _folder(name: str) -> Path:
    """Where the model is on this machine. By its name, even ``local_files_only`` would have the hub asked."""
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    if Path(name).exists():
        return Path(name)
    for repository in (name, f"{_KIND}/{name}"):
        for file in ("modules.json", "config.json"):
            with suppress(HFValidationError):  # a path of a folder that isn't there is no name
                home = os.environ.get("SENTENCE_TRANSFORMERS_HOME")
                if isinstance(found := try_to_load_from_cache(repository, file, cache_dir=home), str):
                    return Path(found).parent
    fetching = f"from sentence_transformers import SentenceTransformer as S; S({name!r})"
    raise ProviderError(
        f'the embedding model {name!r} is not on this machine; fetch it once: python -c "{fetching}"'
    )


@contextmanager
def _no_progress_bars(logging: Any) -> Iterator[None]:
    had_bars = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if had_bars:
            logging.enable_progress_bar()


def _encoded(model: _Model, windows: list[str]) -> list[list[float]]:
    encoded = model.encode(windows, batch_size=_BATCH, show_progress_bar=False, normalize_embeddings=True)
    vectors: list[list[float]] = encoded.tolist()
    return vectors


def _windows(text: str, model: _Model) -> Iterator[str]:
    """A model reads a few hundred words and leaves out the rest without a word, so it is asked for parts."""
    if _fits(text, model):
        yield text
        return
    middle = len(text) // 2
    cut = max(text.rfind(" ", 1, middle), text.rfind("\n", 1, middle))
    cut = cut if cut > 0 else middle
    yield from _windows(text[:cut], model)
    yield from _windows(text[cut:], model)


def _fits(text: str, model: _Model) -> bool:
    most = model.max_seq_length
    if most is None or len(text.encode()) < most - 2 or len(text) < 2:
        return True
    return len(model.tokenizer(text, truncation=False, verbose=False)["input_ids"]) <= most


def _mean(parts: list[tuple[int, list[float]]]) -> list[float]:
    """Of the parts of one text, each weighing as much as it is long."""
    if len(parts) == 1:
        return parts[0][1]
    weights, vectors = zip(*parts, strict=True)
    return [
        fsum(w * x for w, x in zip(weights, column, strict=True)) for column in zip(*vectors, strict=True)
    ]
