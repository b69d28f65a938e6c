"""GitHub's own command line, ``gh``: it knows the repository and has the user's login.

Started without a shell, with text on standard input; it may ask nothing and has a minute for a call.
"""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from typing import Any

from pytest_jweval.texts import excerpt

_SECONDS = 60
_QUIET = {"GH_PROMPT_DISABLED": "1", "NO_COLOR": "1", "CLICOLOR_FORCE": "0"}


class GhError(Exception):
    """A call that failed, in one line with gh's own first line."""


@dataclass(frozen=True, slots=True)
class Call:
    """``unless``: words of gh for which a failure is none, since what was asked for is there already."""

    arguments: tuple[str, ...]
    text: str = ""
    unless: str | None = None


class Gh:
    """Calls for one repository; ``None`` is the one that gh finds by itself."""

    def __init__(self, repository: str | None = None) -> None:
        self._where = ("--repo", repository) if repository else ()

    def json(self, *arguments: str) -> Any:
        printed = self.run(Call(arguments))
        try:
            return json.loads(printed)
        except (ValueError, RecursionError):
            raise GhError(f"{_name(arguments)} printed no JSON: {_first_line(printed)}") from None

    def run(self, call: Call) -> str:
        """What gh printed."""
        ended = _started((*call.arguments, *self._where), call.text)
        printed, complained = _decoded(ended.stdout), _decoded(ended.stderr)
        if ended.returncode and not (call.unless and call.unless in complained):
            why = _first_line(complained or printed)
            raise GhError(f"{_name(call.arguments)} ended with exit code {ended.returncode}: {why}")
        return printed


def _started(arguments: tuple[str, ...], text: str) -> "subprocess.CompletedProcess[bytes]":
    program = shutil.which("gh")
    if program is None:
        raise GhError("gh is not installed: https://cli.github.com")
    try:
        return subprocess.run(  # noqa: S603  # a list and no shell; whatever a page said goes in as text
            [program, *arguments],
            input=text.encode("utf-8", "backslashreplace"),
            env={**os.environ, **_QUIET},
            capture_output=True,
            check=False,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise GhError(f"{_name(arguments)} did not end within {_SECONDS} s") from None
    except OSError as error:
        raise GhError(f"{program} can't be started: {error.strerror or error}") from None


def _name(arguments: tuple[str, ...]) -> str:
    return f"gh {' '.join(arguments[:2])}"


def _first_line(output: str) -> str:
    return next((excerpt(line, 300) for line in output.splitlines() if line.strip()), "(it said nothing)")


def _decoded(output: bytes) -> str:
    return output.decode("utf-8", "backslashreplace")
