"""OpenAI's models, with the key in ``OPENAI_API_KEY``, and any server that speaks the same language."""

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from pytest_jweval.errors import MissingExtra, ProviderError
from pytest_jweval.llms.clients import OnFirstUse, key_from, sendable, why_not_made
from pytest_jweval.llms.faults import Asked
from pytest_jweval.llms.reading import read_object
from pytest_jweval.ports import Message, Reply

if TYPE_CHECKING:
    import openai

DEFAULT_MODEL = "gpt-4o-mini"

_KEY = "OPENAI_API_KEY"
_UNUSED = "unused"  # the SDK wants a key even where the server wants none
_REFUSALS = ("response_format", "json_schema")


class OpenAI:
    """With a ``base_url``, or ``OPENAI_BASE_URL``, it is vLLM, LM Studio or the like that is asked; a key is
    then sent if there is one. ``parameters`` go into the request as they are."""

    name = "openai"

    def __init__(
        self,
        model: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        *,
        base_url: str | None = None,
        timeout: float = 60.0,
    ) -> None:
        self.model = model or DEFAULT_MODEL
        self.parameters = dict(parameters or {})
        self._base_url = base_url or os.environ.get("OPENAI_BASE_URL") or None
        self._timeout = timeout
        self._client = OnFirstUse(self._made)
        self._knows_schemas = True
        advice = {401: f"check {_KEY}", 403: f"check {_KEY}", 404: "check the model's name"}
        self._asked = Asked(self.name, self.model, self.parameters, timeout, advice)

    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply:
        try:
            said = self._said(messages, schema)
        except ProviderError as refusal:
            if schema is None or not self._knows_schemas or not _is_about_the_form(refusal):
                raise
            self._knows_schemas = False
            said = self._said(messages, schema)
        choice = said.choices[0]
        if choice.finish_reason == "length":
            raise self._asked.cut_off()
        if choice.message.refusal or choice.finish_reason == "content_filter":
            raise self._asked.refuses(choice.message.refusal or "its content filter stepped in")
        text = choice.message.content or ""
        if not text.strip():
            raise self._asked.silent()
        return Reply(
            text=text,
            parsed=read_object(text, schema) if schema else None,
            input_tokens=said.usage.prompt_tokens if said.usage else 0,
            output_tokens=said.usage.completion_tokens if said.usage else 0,
        )

    def unavailable(self) -> str | None:
        return why_not_made(self._client)

    def _said(self, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> "_Said":
        sent = sendable(messages)
        if schema is not None and not self._knows_schemas:
            wanted = f"Answer with one JSON object that fulfils this JSON schema: {json.dumps(dict(schema))}"
            sent = [{"role": "system", "content": wanted}, *sent]

        def call() -> _Said:
            answer = self._client().chat.completions.create(
                model=self.model,
                messages=sent,  # type: ignore[arg-type]  # they are TypedDicts there
                extra_body={**self.parameters, **self._form(schema)},
            )
            return _Said.model_validate(answer, from_attributes=True)

        return self._asked.plainly(call)

    def _form(self, schema: Mapping[str, Any] | None) -> dict[str, Any]:
        if schema is None:
            return {}
        if not self._knows_schemas:
            return {"response_format": {"type": "json_object"}}
        form = {"name": "answer", "schema": schema, "strict": _is_strict(schema)}
        return {"response_format": {"type": "json_schema", "json_schema": form}}

    def _made(self) -> "openai.OpenAI":
        try:
            import openai
        except ModuleNotFoundError:
            raise MissingExtra("the LLM backend openai", "openai") from None
        elsewhere = self._base_url and not os.environ.get(_KEY)
        return openai.OpenAI(
            api_key=_UNUSED if elsewhere else key_from(_KEY, self.name),
            base_url=self._base_url,
            timeout=self._timeout,
            max_retries=0,
        )

    def __repr__(self) -> str:
        return f"OpenAI({self.model!r})"


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Usage(BaseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Said(BaseModel):
    """What is read of an answer; the SDK itself doesn't look whether an answer is one."""

    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


def _is_about_the_form(refusal: ProviderError) -> bool:
    said = str(refusal)
    return "HTTP 400" in said and any(word in said for word in _REFUSALS)


def _is_strict(schema: Mapping[str, Any]) -> bool:
    """OpenAI is strict only about closed objects whose properties are all required."""
    properties = schema.get("properties")
    if properties is not None and (
        set(schema.get("required", ())) != set(properties) or schema.get("additionalProperties") is not False
    ):
        return False
    inner = [*(properties or {}).values(), *([schema["items"]] if "items" in schema else [])]
    return all(map(_is_strict, inner))
