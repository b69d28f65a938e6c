"""The commands, put together. A new one is a function in a file beside this one, and a line here."""

from typing import Annotated

import typer

from pytest_jweval import __version__
from pytest_jweval.cli import cassettes, coverage, doctor, drift, schema, snapshots
from pytest_jweval.cli.terminal import say

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,  # plain text, the same on every terminal
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"pytest-jweval {__version__}")
        raise typer.Exit


@app.callback()
def jweval(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Show the version, and exit."),
    ] = False,
) -> None:
    """What pytest itself can't say about golden cases."""


app.command("schema")(schema.schema)
app.command("coverage")(coverage.coverage)
app.command("doctor")(doctor.doctor)
app.command("drift")(drift.drift)
app.add_typer(snapshots.app, name="snapshots")
app.add_typer(cassettes.app, name="cassettes")
