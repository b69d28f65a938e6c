"""``jweval snapshots``: the pages that cases cite, kept on disk."""

import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, as_completed
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from pytest_jweval.cli.project import Project, Uncollectable
from pytest_jweval.cli.terminal import Rootdir, complain, item, listing, say
from pytest_jweval.errors import PageError
from pytest_jweval.texts import counted
from pytest_jweval.web.kept import Use
from pytest_jweval.web.live import LivePages
from pytest_jweval.web.opening import Opening
from pytest_jweval.web.page import Page
from pytest_jweval.web.snapshots import Snapshots

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Keep the pages that cases cite on disk, so that they are judged offline.",
)

T = TypeVar("T")

Into = Annotated[
    Path | None,
    typer.Option(
        "--into",
        metavar="DIR",
        file_okay=False,
        help="Where the snapshots go (default: ini jweval_snapshots_dir, or snapshots).",
    ),
]


@app.command()
def build(into: Into = None, rootdir: Rootdir = Path()) -> None:
    """Fetch the cited pages that there is no snapshot of, and keep them.

    Exit code 1: some couldn't be had, and are named; 2: pytest can't collect the project.
    """
    _fetch("missing", into, rootdir)


@app.command()
def refresh(into: Into = None, rootdir: Rootdir = Path()) -> None:
    """Fetch all cited pages, and keep those that changed.

    Exit code 1: some couldn't be had, and are named; 2: pytest can't collect the project.
    """
    _fetch("refresh", into, rootdir)


@app.command()
def check(into: Into = None, rootdir: Rootdir = Path()) -> None:
    """Look for snapshots that are missing, damaged, edited, or cited by no case. Nothing is fetched.

    Exit code 1: a snapshot is missing or not what was fetched; 2: pytest can't collect the project.
    """
    project = _project(rootdir)
    snapshots = _snapshots(project, into, rootdir)
    missing = [url for url in project.pages.cited if not snapshots.has(url)]
    problems = _or_complain(snapshots.check)
    wrong = [str(problem) for problem in problems if not problem.harmless]
    notes = [str(problem) for problem in problems if problem.harmless]
    listing("missing (jweval snapshots build fetches them):", missing, "red")
    listing("not as it should be:", wrong, "red")
    listing("cited by no case (jweval snapshots prune removes them):", _unused(project, snapshots), "yellow")
    listing("for your information:", notes)
    _problems(project)
    if missing or wrong:
        raise typer.Exit(1)
    say(f"{counted(len(project.pages.cited), 'page')} cited, each with its snapshot", "green")


@app.command()
def prune(
    into: Into = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be removed.")] = False,
    rootdir: Rootdir = Path(),
) -> None:
    """Remove the snapshots that no case cites.

    Exit code 2: pytest can't collect the project, or not all of it, and then nothing is removed.
    """
    project = _project(rootdir)
    if broken := [*project.problems, *(text for case in project.cases for text in case.problems)]:
        listing("not readable, and it may cite any page:", broken, "yellow")
        raise complain("nothing was removed")
    snapshots = _snapshots(project, into, rootdir)
    removed = _or_complain(lambda: snapshots.prune(project.pages.cited, dry_run=dry_run))
    for path in removed:
        say(item(path.name))
    say(f"{counted(len(removed), 'snapshot')} {'would be ' if dry_run else ''}removed")


def _unused(project: Project, snapshots: Snapshots) -> list[str]:
    try:
        return [path.name for path in snapshots.prune(project.pages.cited, dry_run=True)]
    except PageError:
        return []  # the manifest is damaged, which `check` has told


def _fetch(use: Use, into: Path | None, rootdir: Path) -> None:
    project = _project(rootdir)
    _problems(project)
    urls = project.pages.cited
    if not urls:
        say("no case cites a page")
        return
    pages = Opening(
        root=_folder(project, into, rootdir),
        use=use,
        live_hosts=project.pages.live_hosts,
        private_hosts=project.pages.private_hosts,
        host_rate=project.pages.host_rate,
    ).open()
    assert isinstance(pages, LivePages), "the two that fetch are live"
    with closing(pages):
        failed = list(_failures(pages.expect(urls)))
    listing("not kept:", failed, "red")
    say(f"{counted(len(urls) - len(failed), 'page')} of {len(urls)} in {_folder(project, into, rootdir)}")
    if failed:
        raise typer.Exit(1)


def _failures(coming: dict[str, Future[Page]]) -> Iterator[str]:
    """A line for each page that could not be had, in the order of the cases."""
    with _progress(coming.values()) as done:
        for _ in done:
            pass
    for url, future in coming.items():
        try:
            page = future.result()
        except PageError as error:
            yield str(error)
        else:
            if page.gone:
                yield f"{url} is gone: {page.gone}"


@contextmanager
def _progress(coming: Iterable[Future[Page]]) -> Iterator[Iterator[Future[Page]]]:
    futures = list(coming)
    done = as_completed(futures)
    if not sys.stderr.isatty():
        yield done
        return
    with typer.progressbar(done, length=len(futures), label="pages", file=sys.stderr) as bar:
        yield iter(bar)


def _project(rootdir: Path) -> Project:
    try:
        return Project.read(rootdir)
    except Uncollectable as error:
        raise complain(f"The golden cases can't be collected. {error}") from None


def _folder(project: Project, into: Path | None, rootdir: Path) -> Path:
    return into or Path(project.pages.root or rootdir / "snapshots")


def _snapshots(project: Project, into: Path | None, rootdir: Path) -> Snapshots:
    return Snapshots(_folder(project, into, rootdir))


def _problems(project: Project) -> None:
    broken = [*project.problems, *(text for case in project.cases for text in case.problems)]
    listing("not readable, so that its pages are not known:", broken, "yellow")


def _or_complain(work: Callable[[], T]) -> T:
    try:
        return work()
    except PageError as error:
        raise complain(str(error)) from None
