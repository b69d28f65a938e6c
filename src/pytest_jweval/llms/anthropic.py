"""Claude, through Anthropic's API and with the key in ``ANTHROPIC_API_KEY``."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from pytest_jweval.errors import MissingExtra, ProviderError
from pytest_jweval.llms.clients import OnFirstUse, key_from, sendable, why_not_made
from pytest_jweval.llms.faults import Asked
from pytest_jweval.llms.reading import read_object
from pytest_jweval.ports import Message, Reply

if TYPE_CHECKING:
    import anthropic

DEFAULT_MODEL = "claude-haiku-4-5-20251001"

_KEY = "ANTHROPIC_API_KEY"
_LONGEST = 4096
_TOOL = "answer"


class Claude:
    """``parameters`` go into the request as they are; ``max_tokens`` is always among them, because the API
    wants it."""

    name = "claude"

    def __init__(
        self,
        model: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        *,
        base_url: str | None = None,
        timeout: float = 60.0,
    ) -> None:
        self.model = model or DEFAULT_MODEL
        self.parameters = {"max_tokens": _LONGEST, **(parameters or {})}
        self._base_url = base_url
        self._timeout = timeout
        self._client = OnFirstUse(self._made)
        self._tools_are_forced = True
        advice = {401: f"check {_KEY}", 403: f"check {_KEY}", 404: "check the model's name"}
        self._asked = Asked(self.name, self.model, parameters or {}, timeout, advice)

    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply:
        try:
            said = self._said(messages, schema)
        except ProviderError as refusal:
            if schema is None or "tool_choice" not in str(refusal) or not self._tools_are_forced:
                raise
            self._tools_are_forced = False  # the newest models call no tool by force
            said = self._said(messages, schema)
        if said.stop_reason in ("max_tokens", "model_context_window_exceeded"):
            raise self._asked.cut_off()
        if said.stop_reason == "refusal":
            raise self._asked.refuses(said.text)
        if not said.text.strip():
            raise self._asked.silent()
        return Reply(
            text=said.text,
            parsed=read_object(said.text, schema) if schema else None,
            input_tokens=said.usage.input_tokens if said.usage else 0,
            output_tokens=said.usage.output_tokens if said.usage else 0,
        )

    def unavailable(self) -> str | None:
        return why_not_made(self._client)

    def _said(self, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> "_Said":
        sent = sendable(messages)
        system = "\n\n".join(message["content"] for message in sent if message["role"] == "system")
        body = {**self.parameters, **({"system": system} if system else {}), **self._form(schema)}
        conversation = [message for message in sent if message["role"] != "system"]

        def call() -> _Said:
            answer = self._client().messages.create(
                model=self.model,
                max_tokens=self.parameters["max_tokens"],
                messages=conversation,  # type: ignore[arg-type]  # they are TypedDicts there
                extra_body=body,
            )
            return _Said.model_validate(answer, from_attributes=True)

        return self._asked.plainly(call)

    def _form(self, schema: Mapping[str, Any] | None) -> dict[str, Any]:
        """A tool that has to be called takes any schema, and all models up to the newest know it."""
        if schema is None:
            return {}
        if not self._tools_are_forced:
            return {"output_config": {"format": {"type": "json_schema", "schema": _closed(schema)}}}
        tool = {"name": _TOOL, "description": "Takes the answer.", "input_schema": schema}
        return {"tools": [tool], "tool_choice": {"type": "tool", "name": _TOOL}}

    def _made(self) -> "anthropic.Anthropic":
        try:
            import anthropic
        except ModuleNotFoundError:
            raise MissingExtra("the LLM backend claude", "claude") from None
        return anthropic.Anthropic(
            api_key=key_from(_KEY, self.name),
            base_url=self._base_url,
            timeout=self._timeout,
            max_retries=0,
        )

    def __repr__(self) -> str:
        return f"Claude({self.model!r})"


class _Block(BaseModel):
    type: str
    text: str = ""
    input: Any = None


class _Usage(BaseModel):
    input_tokens: int = 0
    output_tokens: int = 0


class _Said(BaseModel):
    """What is read of an answer; the SDK itself doesn't look whether an answer is one."""

    content: list[_Block]
    stop_reason: str | None = None
    usage: _Usage | None = None

    @property
    def text(self) -> str:
        """What the tool was called with, or else what was said."""
        called = [block.input for block in self.content if block.type == "tool_use"]
        if called:
            return "\n".join(json.dumps(given, ensure_ascii=False) for given in called)
        return "".join(block.text for block in self.content if block.type == "text")


def _closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a schema that answers can be held to: closed objects, and no bounds of numbers."""
    kept = {name: value for name, value in schema.items() if name not in ("minimum", "maximum")}
    if "properties" in kept:
        kept["properties"] = {name: _closed(value) for name, value in kept["properties"].items()}
        kept["additionalProperties"] = False
    if "items" in kept:
        kept["items"] = _closed(kept["items"])
    return kept
