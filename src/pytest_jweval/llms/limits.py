"""How often, how fast and how much a model is asked, by all processes of a run together.

The processes share a folder. Locks are the system's, and vanish with who holds them: nobody waits for the
dead.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_jweval.errors import ProviderError
from pytest_jweval.files import locked, write_atomically
from pytest_jweval.llms.faults import Passing
from pytest_jweval.patience import Patience
from pytest_jweval.ports import LLM, Message, Reply


class Limited:
    """Asks ``llm`` again when a fault may have passed, at most ``rate`` times a second, and not once the
    ``token_budget`` is spent. Calls in flight when that happens may still go beyond it."""

    def __init__(
        self,
        llm: LLM,
        folder: Path,
        *,
        retries: int = 3,
        rate: float | None = None,
        token_budget: int | None = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._llm = llm
        self._retries = retries
        self._sleep = sleep
        folder.mkdir(parents=True, exist_ok=True)
        self._turns = _Turns(folder, rate, clock, sleep) if rate else None
        self._tokens = _Tokens(folder, token_budget) if token_budget is not None else None

    @property
    def name(self) -> str:
        return self._llm.name

    @property
    def model(self) -> str:
        return self._llm.model

    @property
    def parameters(self) -> Mapping[str, Any]:
        return self._llm.parameters

    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply:
        patience = Patience(self._retries, self._sleep, ProviderError)
        while True:
            if self._tokens:
                self._tokens.check(f"{self.name} ({self.model})")
            if self._turns:
                self._turns.wait()
            try:
                reply = self._llm.reply(messages, schema=schema)
            except Passing as fault:
                patience.wait(fault, fault.wait)
                continue
            if self._tokens:
                self._tokens.add(reply.input_tokens + reply.output_tokens)
            return reply

    def __repr__(self) -> str:
        return f"Limited({self._llm!r})"


class _Turns:
    """Each call takes the next free moment; they are ``1 / rate`` seconds apart."""

    def __init__(
        self, folder: Path, rate: float, clock: Callable[[], float], sleep: Callable[[float], object]
    ) -> None:
        self._path = folder / "llm.turn"
        self._lock = folder / "llm.turn.lock"
        self._pause = 1 / rate
        self._clock = clock  # of the system, not of the process: others go by it as well
        self._sleep = sleep

    def wait(self) -> None:
        with locked(self._lock):
            free = float(self._path.read_text("ascii")) if self._path.exists() else 0.0
            start = max(free, self._clock())
            write_atomically(self._path, repr(start + self._pause))
        if (seconds := start - self._clock()) > 0:
            self._sleep(seconds)


class _Tokens:
    """How many tokens a run has spent so far."""

    def __init__(self, folder: Path, budget: int) -> None:
        self._path = folder / "llm.tokens"
        self._lock = folder / "llm.tokens.lock"
        self._budget = budget

    def check(self, who: str) -> None:
        with locked(self._lock):
            spent = self._spent()
        if spent >= self._budget:
            raise ProviderError(
                f"{who} isn't asked: the run has spent its tokens, {spent:,} of {self._budget:,}; "
                "raise ini jweval_token_budget"
            )

    def add(self, tokens: int) -> None:
        with locked(self._lock):
            write_atomically(self._path, str(self._spent() + tokens))

    def _spent(self) -> int:
        return int(self._path.read_text("ascii")) if self._path.exists() else 0
