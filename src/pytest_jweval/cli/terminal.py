"""What the commands print."""

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from pytest_jweval.texts import printable

Rootdir = Annotated[
    Path,
    typer.Option(
        "--rootdir",
        metavar="DIR",
        exists=True,
        file_okay=False,
        help="The project's folder: where pytest would be started (default: the current folder).",
    ),
]


def say(text: str = "", colour: str | None = None, *, to_stderr: bool = False) -> None:
    """A line; coloured only on a terminal, and not where the environment says NO_COLOR."""
    # What the terminal's encoding hasn't got is escaped here: Typer would write UTF-8 to an ASCII terminal.
    encoding = (sys.stderr if to_stderr else sys.stdout).encoding or "utf-8"
    shown = printable(text).encode(encoding, "backslashreplace").decode(encoding)
    typer.secho(shown, fg=colour, err=to_stderr, color=False if os.environ.get("NO_COLOR") else None)


def table(rows: Iterable[Sequence[object]]) -> list[str]:
    """Rows of equal length as lines: numbers stand to the right in their column, all else to the left."""
    cells = [list(row) for row in rows]
    widths = [max(len(str(cell)) for cell in column) for column in zip(*cells, strict=True)]
    return ["  ".join(map(_padded, row, widths)).rstrip() for row in cells]


def _padded(cell: object, width: int) -> str:
    return f"{cell:>{width}}" if isinstance(cell, int) else f"{cell!s:<{width}}"


def item(text: str, mark: str = "") -> str:
    """An entry of a list; further lines, such as what pytest said, stand deeper."""
    first, *more = text.splitlines() or [""]
    return "\n".join([f"  {mark}{first}", *(f"      {line}".rstrip() for line in more)])


def listing(title: str, lines: Iterable[str], colour: str | None = None) -> None:
    """A title and its entries; nothing at all if there are none."""
    lines = list(lines)
    if lines:
        say()
        say(title, colour)
    for line in lines:
        say(item(line))


def complain(text: str) -> typer.Exit:
    """Say why the command can't do its work; what it gives back is to be raised."""
    say(text, "red", to_stderr=True)
    return typer.Exit(2)
