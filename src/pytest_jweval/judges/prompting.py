"""Prompts: a Jinja template a language, with what is judged fenced in as data.

The templates are ours and lie in ``prompts/``. What a case, an agent or a page says is only ever a value in
them, never a template, and the environment is a sandbox all the same.
"""

import re
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from pytest_jweval.ports import Message

if TYPE_CHECKING:
    from jinja2.sandbox import SandboxedEnvironment

LANGUAGES = ("en", "es", "pt")
_ROLES = ("system", "user")


def messages(prompt: str, language: str | None, nonce: str, **values: Any) -> Sequence[Message]:
    """A system message with the rules, and a user message with the data, fenced in by the nonce."""
    fenced = {"begin": f"<<<{nonce}", "end": f"{nonce}>>>"}
    made = (
        (role, _environment().get_template(_name(prompt, language, role)).render(**values, **fenced))
        for role in _ROLES
    )
    return [{"role": role, "content": content.strip()} for role, content in made]


def version(prompt: str, language: str | None) -> str:
    """Changes with every letter of the prompt, so that no recording answers another prompt."""
    name = _language(language)
    text = "".join(_source(_name(prompt, language, role)) for role in _ROLES)
    return f"{prompt}.{name}.{sha256(text.encode()).hexdigest()[:12]}"


def _name(prompt: str, language: str | None, role: str) -> str:
    return f"{prompt}.{_language(language)}.{role}.j2"


def _language(language: str | None) -> str:
    """``pt-BR`` is asked in Portuguese; a language that there is no prompt in, in English."""
    base = re.split("[-_]", (language or "").strip().casefold())[0]
    return base if base in LANGUAGES else "en"


@cache
def _source(name: str) -> str:
    text = (files("pytest_jweval.judges") / "prompts" / name).read_text(encoding="utf-8")
    return "\n".join(text.splitlines())  # the same version where a checkout has other ends of lines


@cache
def _environment() -> "SandboxedEnvironment":
    from jinja2 import FunctionLoader, StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    return SandboxedEnvironment(
        loader=FunctionLoader(_source),
        undefined=StrictUndefined,
        autoescape=False,
        keep_trailing_newline=False,
    )
