"""The command ``jweval``.

Typer is an extra, so it is imported only once the command is called; without it there is one line that
says what to install.
"""

import io
import sys
from collections.abc import Callable
from typing import NoReturn

from pytest_jweval.errors import MissingExtra

_INTERRUPTED = 130


def main() -> NoReturn:
    """Run the command line of this process, and end it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that isn't UTF-8 shows an escape
    try:
        _app()(prog_name="jweval")
    except KeyboardInterrupt:  # while it was still being imported; later ones are Typer's
        sys.exit(_INTERRUPTED)
    sys.exit(0)


def _app() -> "Callable[..., object]":
    try:
        from pytest_jweval.cli.app import app
    except ModuleNotFoundError as error:
        if error.name != "typer":
            raise
        sys.stderr.write(f"{MissingExtra('the command jweval', 'cli')}\n")
        sys.exit(2)
    return app
