"""``jweval schema``"""

from pathlib import Path
from typing import Annotated

import typer

from pytest_jweval.cli.project import Project, Uncollectable
from pytest_jweval.cli.terminal import complain, say
from pytest_jweval.files import write_atomically
from pytest_jweval.schema import as_text, case_schema


def schema(
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="PATH", dir_okay=False, help="Write it to this file instead of the terminal."
        ),
    ] = None,
    rootdir: Annotated[
        Path | None,
        typer.Option(
            "--rootdir",
            metavar="DIR",
            exists=True,
            file_okay=False,
            help="Include the layers of the project in this folder (default: only those built in).",
        ),
    ] = None,
) -> None:
    """Print the JSON Schema of case files, for editors.

    A case file names it in its first line: # yaml-language-server: $schema=../case.schema.json
    """
    try:
        found = case_schema() if rootdir is None else Project.read(rootdir).schema
    except Uncollectable as error:
        raise complain(f"The project's layers can't be asked for. {error}") from None
    if not found:
        raise complain("pytest-jweval is switched off in this project: jweval doctor says more.")
    if out is None:
        typer.echo(as_text(found), nl=False)
        return
    try:
        write_atomically(out, as_text(found))
    except OSError as error:
        raise complain(f"{out} can't be written: {error.strerror or error}") from None
    say(f"wrote {out}")
