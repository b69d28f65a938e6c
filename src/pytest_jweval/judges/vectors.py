"""Vectors that were made once, in this run or before it."""

import re
from collections.abc import Sequence
from concurrent.futures import Future
from hashlib import sha256
from pathlib import Path
from threading import Lock

from pytest_jweval.errors import ProviderError
from pytest_jweval.judges.shards import Shards
from pytest_jweval.judges.sound import Vector, sound
from pytest_jweval.ports import Embedder

_BATCH = 64


class KeptVectors:
    """An embedder that asks another one only for what nobody has asked it before, each text once.

    With a folder, vectors outlive the run. They are kept in single precision, and given back as they are
    kept also the first time, so that no verdict depends on what is on disk.
    """

    def __init__(self, embedder: Embedder, folder: Path | None) -> None:
        self.embedder = embedder
        self.name = embedder.name
        self.bands = embedder.bands
        self._shards = Shards(folder / _file_name(self.name)) if folder else None
        self._coming: dict[str, Future[Vector]] = {}
        self._lock = Lock()

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Threads may ask for the same text at the same time: one makes its vector, the others wait."""
        with self._lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._coming]
            self._coming.update((text, Future()) for text in new)
            coming = {text: self._coming[text] for text in texts}
        try:
            self._make(new, coming)
        except BaseException as error:
            self._forget(coming, new, error)
            raise
        vectors = [coming[text].result() for text in texts]
        if len({len(vector) for vector in vectors}) > 1:
            raise ProviderError(
                f"{self.name} has vectors of different lengths: its model was changed and kept its name; "
                "forget the old ones with pytest --cache-clear"
            )
        return vectors

    def _make(self, new: list[str], coming: dict[str, Future[Vector]]) -> None:
        found = self._found(new)
        for text, vector in found.items():
            coming[text].set_result(vector)
        missing = [text for text in new if text not in found]
        for begin in range(0, len(missing), _BATCH):
            batch = missing[begin : begin + _BATCH]
            made = dict(zip(batch, sound(self.name, batch, self.embedder.embed(batch)), strict=True))
            if self._shards:
                self._shards.add(made)
            for text, vector in made.items():
                coming[text].set_result(vector)

    def _found(self, texts: list[str]) -> dict[str, Vector]:
        if not self._shards or not texts:
            return {}
        with self._lock:
            return self._shards.find(texts)

    def _forget(self, coming: dict[str, Future[Vector]], new: list[str], error: BaseException) -> None:
        """What could not be made is told to those who wait for it, and made when it is next asked for."""
        with self._lock:
            for text in new:
                if not coming[text].done():
                    del self._coming[text]
                    coming[text].set_exception(error)


def _file_name(embedder: str) -> str:
    """One that every system allows, people can read, and no other embedder has."""
    digest = sha256(embedder.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{re.sub('[^A-Za-z0-9]+', '-', embedder)[:40].strip('-')}-{digest}"
