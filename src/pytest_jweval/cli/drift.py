"""``jweval drift``: which cited pages are gone or changed, and an issue for each case that cites one."""

import re
from pathlib import Path
from typing import Annotated

import typer

from pytest_jweval.cli.terminal import complain, item, say
from pytest_jweval.reports.drift import Drift, drift_of
from pytest_jweval.reports.reading import UnreadableReport, read_report
from pytest_jweval.texts import counted


def _sound_label(label: str | None) -> str | None:
    if label is None or re.fullmatch(r"[^\s\",-][^\",\x00-\x1f]{0,49}", label):
        return label
    raise typer.BadParameter("a label has 1 to 50 characters, no comma or quotation mark, and no - in front")


def _sound_repository(name: str | None) -> str | None:
    if name is None or re.fullmatch(r"(?:[\w.][\w.-]*/){1,2}[\w.-]+", name):
        return name
    raise typer.BadParameter("a repository is OWNER/NAME, or HOST/OWNER/NAME")


def drift(
    report: Annotated[Path, typer.Argument(metavar="REPORT.json", help="The JSON report of a live run.")],
    open_issues: Annotated[
        bool, typer.Option("--open-issues", help="Keep a GitHub issue for each drifted case, through gh.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what --open-issues would do, and change nothing.")
    ] = False,
    label: Annotated[
        str | None,
        typer.Option(
            "--label",
            metavar="NAME",
            callback=_sound_label,
            help="The label that such issues have and are found by (default: link-drift).",
        ),
    ] = None,
    repository: Annotated[
        str | None,
        typer.Option(
            "--repo",
            metavar="OWNER/NAME",
            callback=_sound_repository,
            help="The repository of the issues (default: the one that gh finds).",
        ),
    ] = None,
) -> None:
    """Show which cited pages are gone or changed.

    Reads the JSON report of a live run. With --open-issues, a drifted case has one GitHub issue: updated when
    what drifts changes, closed when the case passes, reopened when it drifts again.

    Exit code 1: something drifted; 2: the report can't be read, or gh failed.
    """
    if not open_issues and (dry_run or label or repository):
        raise typer.BadParameter("--dry-run, --label and --repo belong to --open-issues")
    try:
        found = drift_of(read_report(report))
    except UnreadableReport as error:
        raise complain(f"{report} {error}") from None
    _show(found)
    if open_issues:
        _keep_issues(found, label, repository, dry_run=dry_run)
    if found.drifted:
        raise typer.Exit(1)


def _show(found: Drift) -> None:
    for case in found.drifted:
        say(case.title)
        for page in case.pages:
            say(item("\n".join(page.lines())))
        say()
    if found.drifted:
        say(f"{counted(len(found.drifted), 'case')} drifted", "red")
    elif found.green:
        say(f"nothing drifted: {counted(len(found.green), 'case')} passed on live pages", "green")
    else:
        say("nothing drifted, for no citation case passed on live pages (pytest --jw-live)", "yellow")


def _keep_issues(found: Drift, label: str | None, repository: str | None, *, dry_run: bool) -> None:
    from pytest_jweval.reports.gh import Gh, GhError
    from pytest_jweval.reports.github_issues import LABEL, changes

    gh = Gh(repository)
    made = 0
    try:
        planned = changes(found, gh, label or LABEL)
        for change in planned:
            say(change.planned if dry_run else change.make(gh))
            made += 1
    except GhError as error:
        raise complain(f"{error} ({counted(made, 'change')} made before)") from None
    if not planned:
        say("the issues are up to date")
