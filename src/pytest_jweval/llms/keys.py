"""What a recording is found by: everything that can change what is said, and nothing else."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from pytest_jweval.ports import LLM, Message


def parts_of_call(
    llm: LLM,
    messages: Sequence[Message],
    schema: Mapping[str, Any] | None,
    version: str,
    trial: int,
) -> dict[str, Any]:
    """Not the host, nor who owns the key: the same model says the same elsewhere."""
    return {
        "provider": llm.name,
        "model": llm.model,
        "parameters": llm.parameters,
        "messages": [{"role": message["role"], "content": message["content"]} for message in messages],
        "schema": schema,
        "version": version,
        "trial": trial,
    }


def key_of(kind: str, request: Mapping[str, Any]) -> str:
    return digest({"kind": kind, "request": request})


def digest(data: Any) -> str:
    """The same for the same JSON data, in every process and on every platform."""
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return sha256(canonical.encode("ascii")).hexdigest()
