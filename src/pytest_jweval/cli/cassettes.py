"""``jweval cassettes``: recorded calls to models, listed and looked after."""

from pathlib import Path

import typer

from pytest_jweval.cli.project import Project, Uncollectable
from pytest_jweval.cli.terminal import Rootdir, complain, listing, say, table
from pytest_jweval.llms.cassette import Cassettes
from pytest_jweval.texts import counted

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Look after the recorded calls to models.",
)


@app.command("list")
def list_(rootdir: Rootdir = Path()) -> None:
    """Show what is recorded: which model was asked for what, and when.

    Exit code 2: pytest can't collect the project.
    """
    cassettes = _cassettes(rootdir)
    entries = sorted(cassettes.entries(), key=lambda entry: (entry.kind, entry.recorded_at, entry.key))
    if not entries:
        say(f"nothing is recorded in {cassettes.folder}")
        return
    rows = [["call", "kind", "model", "recorded"]]
    for entry in entries:
        model = f"{entry.request.get('provider', '')} {entry.request.get('model', '')}".strip()
        rows.append([entry.key[:12], entry.kind, model, f"{entry.recorded_at:%Y-%m-%d %H:%M}"])
    for line in table(rows):
        say(line)
    say(f"{counted(len(entries), 'call')} recorded in {cassettes.folder}")


@app.command()
def verify(rootdir: Rootdir = Path()) -> None:
    """Look for recordings that are damaged, or hold what looks like a secret.

    Exit code 1: there are some, and they are named; 2: pytest can't collect the project.
    """
    cassettes = _cassettes(rootdir)
    problems = [f"{problem.path}: {problem.what}" for problem in cassettes.verify()]
    listing("not as it should be:", problems, "red")
    if problems:
        raise typer.Exit(1)
    say(f"{counted(len(list(cassettes.entries())), 'call')} recorded, each whole", "green")


def _cassettes(rootdir: Path) -> Cassettes:
    try:
        project = Project.read(rootdir)
    except Uncollectable as error:
        raise complain(f"The golden cases can't be collected. {error}") from None
    return Cassettes(Path(project.cassettes or rootdir / "cassettes"))
