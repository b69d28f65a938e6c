"""What layers judge with, put together from the settings and the registry: pages, an embedder, a judge.

Each is made when it is first asked for, and is what the fixture ``jw_<name>`` gives.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pytest_jweval.errors import ProviderError
from pytest_jweval.ports import LLM, Embedder, Judge
from pytest_jweval.registry import Registry, Shelf
from pytest_jweval.settings import Settings

if TYPE_CHECKING:
    from pytest_jweval.llms.cassette import Cassettes
    from pytest_jweval.web.opening import Opening

T = TypeVar("T")

DEFAULT_LLM = "ollama"
NO_LLM = "none"
_SAME = {"anthropic": "claude"}
_MODEL_OF = {"claude": "ANTHROPIC_JUDGE_MODEL"}


@dataclass
class Resources:
    """``folder`` is shared by the processes of a run; ``cache`` outlives it, where there is one."""

    settings: Settings
    registry: Registry
    root: Path
    folder: Path
    cache: Path | None = None
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    _by_default: LLM | None = field(default=None, init=False)
    _judges: dict[int, Judge] = field(default_factory=dict, init=False)

    def opening(self) -> "Opening":
        """How pages are to be opened."""
        from pytest_jweval.web.opening import Opening

        settings = self.settings
        return Opening(
            root=self.root / settings.snapshots_dir,
            shown=settings.snapshots_dir,
            live=settings.live,
            use=settings.snapshots,  # type: ignore[arg-type]  # one of the three: the settings see to it
            missing_fails=settings.missing_snapshot == "fail",
            live_hosts=settings.live_hosts,
            private_hosts=settings.private_hosts,
            host_rate=settings.host_rate,
            folder=self.folder,
            cache=self.cache / "pages" if self.cache else None,
        )

    @property
    def embedder_name(self) -> str:
        """What was chosen; else vectors of meaning where they can be had, and of wording where not."""
        if self.settings.embedder:
            return self.settings.embedder
        return "sentence-transformers" if find_spec("sentence_transformers") else "hashing"

    def embedder(self) -> Embedder:
        from pytest_jweval.judges.vectors import KeptVectors

        chosen: Embedder = _with_model(self.registry.embedders, self.embedder_name)
        return KeptVectors(chosen, self.cache / "vectors-1" if self.cache else None)

    @property
    def llm_name(self) -> str:
        name = self.settings.llm or DEFAULT_LLM
        return _SAME.get(name, name)

    @property
    def model_name(self) -> str:
        """Empty where it is for the backend to choose."""
        return self.settings.model or self.environ.get(_MODEL_OF.get(self.llm_name, ""), "")

    def llm(self) -> LLM | None:
        """The judge's model; ``None`` where none is wanted."""
        if self.llm_name == NO_LLM:
            return None
        model = f":{self.model_name}" if self.model_name else ""
        llm: LLM = _with_model(self.registry.llms, f"{self.llm_name}{model}")
        if self.settings.llm is None:
            self._by_default = llm
        return llm

    def judge(self, llm: LLM | None) -> Judge | None:
        """A judge that asks this model, behind its recordings; what already is a judge stays what it is."""
        if llm is None or isinstance(llm, Judge):
            return llm
        chosen = self.settings.llm is not None or llm is not self._by_default
        if not chosen and is_ci(self.environ) and not self.cassettes.folder.exists():
            return None  # nobody wants a judge here, and nobody would be asked
        # One a model and run, though the fixture is made for each case: what it found out holds for all.
        if id(llm) not in self._judges:
            self._judges[id(llm)] = self._asking(llm, chosen=chosen)
        return self._judges[id(llm)]

    def _asking(self, llm: LLM, *, chosen: bool) -> Judge:
        from pytest_jweval.judges.llm import ModelJudge
        from pytest_jweval.llms.cassette import Recorded
        from pytest_jweval.llms.limits import Limited

        limited = Limited(llm, self.folder, token_budget=self.settings.token_budget)
        recorded = Recorded(limited, self.cassettes, before_asking=_nothing if chosen else _preflight(llm))
        return ModelJudge(recorded, votes=self.settings.votes, chosen=chosen)

    @cached_property
    def cassettes(self) -> "Cassettes":
        from pytest_jweval.llms.cassette import Cassettes

        mode = self.settings.cassettes
        return Cassettes(
            self.root / self.settings.cassettes_dir,
            mode or "replay",  # type: ignore[arg-type]  # one of the three: the settings see to it
            in_ci=is_ci(self.environ),
            explicit=mode is not None,
            shown=self.settings.cassettes_dir,
        )


def _nothing() -> None:
    """Who chose a model wants its own error."""


def _preflight(llm: LLM) -> Callable[[], None]:
    """Finds out once, and quickly, that a model which is only there by default can't be asked."""
    unavailable = cache(getattr(llm, "unavailable", _nothing))

    def check() -> None:
        if why := unavailable():
            raise ProviderError(why)

    return check


def is_ci(environ: Mapping[str, str]) -> bool:
    """``CI=true`` is what every CI service sets."""
    return environ.get("CI", "").strip().casefold() not in ("", "0", "false", "no")


def _with_model(shelf: Shelf[Any], name: str) -> Any:
    """``ollama:llama3.2``: what is registered as ollama, with this model."""
    base, _, model = name.partition(":")
    return shelf.of_model(base, model) if model else shelf.named(base)
