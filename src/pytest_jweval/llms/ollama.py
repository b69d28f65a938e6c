"""Models on a machine of one's own, through Ollama at ``OLLAMA_HOST`` or its usual port."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from pytest_jweval.errors import JWEvalError, MissingExtra
from pytest_jweval.llms.clients import OnFirstUse, sendable
from pytest_jweval.llms.faults import Asked
from pytest_jweval.llms.reading import read_object
from pytest_jweval.ports import Message, Reply

if TYPE_CHECKING:
    import ollama

DEFAULT_MODEL = "llama3.1:8b"

_OF_THE_REQUEST = frozenset({"think", "keep_alive"})
_QUICK = 2.0


class Ollama:
    """``parameters`` are Ollama's options, such as ``num_ctx``, and ``think`` and ``keep_alive``."""

    name = "ollama"

    def __init__(
        self,
        model: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        *,
        host: str | None = None,
        timeout: float = 60.0,
    ) -> None:
        self.model = model or DEFAULT_MODEL
        self.parameters = dict(parameters or {})
        self._host = host
        self._client = OnFirstUse(lambda: self._made(timeout))
        advice = {
            0: "start it with `ollama serve`, or set OLLAMA_HOST",
            404: f"`ollama pull {self.model}` gets a model",
        }
        self._asked = Asked(self.name, self.model, self.parameters, timeout, advice)

    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply:
        own = {name: value for name, value in self.parameters.items() if name in _OF_THE_REQUEST}
        options = {name: value for name, value in self.parameters.items() if name not in own}
        said = self._asked.plainly(
            lambda: self._client().chat(
                self.model,
                sendable(messages),
                format=dict(schema) if schema else None,
                options=options or None,
                **own,
            )
        )
        text = said.message.content or ""
        if said.done_reason == "length":
            raise self._asked.cut_off()
        if not text.strip():
            raise self._asked.silent()
        return Reply(
            text=text,
            parsed=read_object(text, schema) if schema else None,
            input_tokens=said.prompt_eval_count or 0,
            output_tokens=said.eval_count or 0,
        )

    def unavailable(self) -> str | None:
        """Why it can't be asked, found out within two seconds; ``None`` if it can."""
        asked = Asked(self.name, self.model, {}, _QUICK, self._asked.advice)
        try:
            pulled = [_tagged(found.model or "") for found in asked.plainly(self._pulled).models]
        except JWEvalError as error:
            return str(error)
        if _tagged(self.model) in pulled:
            return None
        return str(self._asked.failed("is not on this machine", self._asked.advice[404]))

    def _pulled(self) -> "ollama.ListResponse":
        with closing(self._made(_QUICK)) as client:
            return client.list()

    def _made(self, timeout: float) -> "ollama.Client":
        try:
            import ollama
        except ModuleNotFoundError:
            raise MissingExtra("the LLM backend ollama", "ollama") from None
        return ollama.Client(self._host, timeout=timeout)

    def __repr__(self) -> str:
        return f"Ollama({self.model!r})"


def _tagged(model: str) -> str:
    return model if ":" in model else f"{model}:latest"
