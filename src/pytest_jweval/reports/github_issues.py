"""One GitHub issue for each drifted case, however often it is seen.

First it is found out what there is, then what has to change, then it is changed. Each change does first
what the next run looks at and then leaves its comment, so that one that is cut short is never repeated.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_jweval.reports import issue_texts
from pytest_jweval.reports.drift import Drift, JudgedCase
from pytest_jweval.reports.gh import Call, Gh, GhError
from pytest_jweval.reports.issue_texts import Mark

LABEL = "link-drift"

_MOST = 1000  # GitHub gives no more for a label
_NEWEST = 200
_TEXT = ("--body-file", "-")
_DONE = {"make": "made", "open": "opened", "update": "updated", "reopen": "reopened", "close": "closed"}


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue that bears our mark."""

    number: int
    is_open: bool
    mark: Mark


@dataclass(frozen=True, slots=True)
class Change:
    """Something to do, and the calls that do it."""

    verb: str
    what: str
    calls: tuple[Call, ...]

    @property
    def planned(self) -> str:
        return f"would {self.verb} {self.what}"

    def make(self, gh: Gh) -> str:
        """Do it, and say so with the address that gh printed."""
        printed = [line for call in self.calls for line in gh.run(call).splitlines()]
        return f"{_DONE[self.verb]} {self.what}" + (f": {printed[-1]}" if printed else "")


def changes(drift: Drift, gh: Gh, label: str = LABEL) -> list[Change]:
    """What has to be done so that there is an issue for what drifts, and for nothing else."""
    if not drift.drifted and not drift.green:
        return []
    labelled = _listed(gh, _MOST, "number,state,body", "--label", label)
    if len(labelled) >= _MOST:
        raise GhError(
            f"{_MOST} issues or more have the label {label!r}, too many to see all: use another label"
        )
    issues = _by_key(labelled)
    if any(case.key not in issues for case in drift.drifted):
        issues = _by_key([*labelled, *_newest(gh, label)])
    planned = [
        *(change for case in drift.drifted for change in _red(case, issues.get(case.key), label)),
        *(change for case in drift.green for change in _green(case, issues.get(case.key))),
    ]
    opening = any(change.verb == "open" for change in planned)
    return [_labelling(label), *planned] if opening and not labelled else planned


def _newest(gh: Gh, label: str) -> list[Mapping[str, Any]]:
    """gh asks GitHub's search for a label, and the search doesn't know what was opened a minute ago.

    Here anybody's issue is listed, so the label is asked for: only those who may set it count.
    """
    found = _listed(gh, _NEWEST, "number,state,body,labels")
    return [entry for entry in found if _has(label, entry.get("labels"))]


def _has(label: str, labels: Any) -> bool:
    if not isinstance(labels, list) or not all(isinstance(each, dict) for each in labels):
        raise GhError("gh issue list printed an issue without its labels")
    return label.casefold() in {str(each.get("name")).casefold() for each in labels}


def _listed(gh: Gh, limit: int, fields: str, *filters: str) -> list[Mapping[str, Any]]:
    asked = (*filters, "--state", "all", "--limit", str(limit), "--json", fields)
    found = gh.json("issue", "list", *asked)
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        raise GhError("gh issue list printed no list of issues")
    return found


def _by_key(entries: Sequence[Mapping[str, Any]]) -> dict[str, list[Issue]]:
    """Each case's issues, the oldest first."""
    issues = {issue.number: issue for issue in map(_issue, entries) if issue}
    by_key: dict[str, list[Issue]] = {}
    for number in sorted(issues):
        by_key.setdefault(issues[number].mark.key, []).append(issues[number])
    return by_key


def _issue(entry: Mapping[str, Any]) -> Issue | None:
    number, state, body = entry.get("number"), entry.get("state"), entry.get("body")
    if type(number) is not int or not isinstance(state, str) or not isinstance(body, str):
        raise GhError("gh issue list printed an issue without number, state and body")
    mark = Mark.of(body)
    return Issue(number, state.upper() == "OPEN", mark) if mark else None


def _labelling(label: str) -> Change:
    arguments = ("label", "create", label, "--description", "A cited page is gone or changed")
    what = f"sure that there is a label {label!r}"
    return Change("make", what, (Call(arguments, unless="already exists"),))


def _red(case: JudgedCase, issues: Sequence[Issue] | None, label: str) -> Iterator[Change]:
    if not issues:
        arguments = ("issue", "create", f"--title={issue_texts.title(case)}", "--label", label)
        opened = Call((*arguments, *_TEXT), issue_texts.body(case))
        yield Change("open", f"an issue for {case.title}", (opened,))
        return
    kept = _kept(issues)
    yield from _deduplicated(kept, issues)
    if not kept.is_open:
        yield Change("reopen", f"#{kept.number} for {case.title}", (_call("reopen", kept),))
    if kept.mark.fingerprint != case.fingerprint:
        edited = _call("edit", kept, *_TEXT, text=issue_texts.body(case))
        told = _comment(kept, issue_texts.changed(case))
        yield Change("update", f"#{kept.number} for {case.title}", (edited, told))


def _green(case: JudgedCase, issues: Sequence[Issue] | None) -> Iterator[Change]:
    if not issues:
        return
    kept = _kept(issues)
    yield from _deduplicated(kept, issues)
    if kept.is_open:
        calls = (_call("close", kept), _comment(kept, issue_texts.GREEN))
        yield Change("close", f"#{kept.number} for {case.title}", calls)


def _kept(issues: Sequence[Issue]) -> Issue:
    return next((issue for issue in issues if issue.is_open), issues[0])


def _deduplicated(kept: Issue, issues: Sequence[Issue]) -> Iterator[Change]:
    for issue in issues:
        if issue.is_open and issue is not kept:
            closed = _call("close", issue, "--reason", "not planned")
            told = _comment(issue, issue_texts.duplicate_of(kept.number))
            yield Change("close", f"#{issue.number}, a duplicate of #{kept.number}", (closed, told))


def _comment(issue: Issue, text: str) -> Call:
    return _call("comment", issue, *_TEXT, text=text)


def _call(verb: str, issue: Issue, *flags: str, text: str = "") -> Call:
    return Call(("issue", verb, str(issue.number), *flags), text)
