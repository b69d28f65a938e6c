"""A `gh` for tests: GitHub's issues in a JSON file, with the arguments, words and exit codes of the real one.

On Windows it would need a `gh.bat` beside it, which is not made: tests that use it are skipped there.
"""

import argparse
import json
import os
import shlex
import sys
import time
from pathlib import Path
from typing import Any

LONGEST_TITLE = 256
LONGEST_BODY = 65_536


class Hub:
    """What GitHub has, from the outside."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = folder / "hub.json"
        self.save({"issues": [], "labels": [], "calls": [], "fail": None, "unindexed": []})
        program = folder / "gh"
        command = shlex.join([sys.executable, "-IS", __file__, str(self._file)])
        program.write_text(f'#!/bin/sh\nexec {command} "$@"\n', "utf-8")
        program.chmod(0o755)

    @property
    def path(self) -> str:
        """A PATH on which it is the first."""
        return f"{self.folder}{os.pathsep}{os.environ['PATH']}"

    def load(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self._file.read_text("utf-8"))
        return loaded

    def save(self, state: dict[str, Any]) -> None:
        _save(self._file, state)

    @property
    def issues(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.load()["issues"]
        return found

    def calls(self) -> list[list[str]]:
        """The arguments of each call since the last time."""
        state = self.load()
        found: list[list[str]] = state["calls"]
        self.save({**state, "calls": []})
        return found

    def verbs(self) -> list[str]:
        return [" ".join(call[:2]) for call in self.calls()]

    def edit(self, number: int, **fields: Any) -> None:
        state = self.load()
        next(issue for issue in state["issues"] if issue["number"] == number).update(fields)
        self.save(state)

    def add(self, **fields: Any) -> int:
        """An issue that somebody made by hand."""
        state = self.load()
        number = len(state["issues"]) + 1
        made: dict[str, Any] = {
            "title": "",
            "body": "",
            "state": "OPEN",
            "labels": [],
            "comments": [],
            "reason": None,
        }
        state["issues"].append({**made, "number": number, **fields})
        state["labels"] += fields.get("labels", [])
        self.save(state)
        return number

    def unindex(self, *numbers: int) -> None:
        """GitHub's search doesn't know these yet."""
        self.save({**self.load(), "unindexed": list(numbers)})

    def fail(self, command: str = "", **how: Any) -> None:
        """From now on, calls that begin so fail: ``code``, ``stderr``, ``stdout``, ``hang``, ``passing`` (so
        many of them work first)."""
        self.save({**self.load(), "fail": {"command": command, **how}})

    def heal(self) -> None:
        self.save({**self.load(), "fail": None})


def main(file: Path, arguments: list[str]) -> int:
    state: dict[str, Any] = json.loads(file.read_text("utf-8"))
    state["calls"].append(arguments)
    try:
        _fail_if_told(state, " ".join(arguments), file)
        asked = _parser().parse_args(arguments)
        command = {"label create": _make_label, "issue list": _list, "issue create": _create}
        command.get(f"{asked.noun} {asked.verb}", _change)(state, asked)
    except Failure as failure:
        sys.stdout.write(failure.stdout)
        sys.stderr.write(failure.stderr)
        return failure.code
    finally:
        _save(file, state)
    return 0


def _save(file: Path, state: dict[str, Any]) -> None:
    whole = file.with_suffix(".new")
    whole.write_text(json.dumps(state), "utf-8")
    whole.replace(file)


class Failure(Exception):
    def __init__(self, stderr: str, code: int = 1, stdout: str = "") -> None:
        super().__init__(stderr)
        self.stderr, self.code, self.stdout = stderr, code, stdout


def _fail_if_told(state: dict[str, Any], call: str, file: Path) -> None:
    how = state["fail"]
    if not how or not call.startswith(how["command"]):
        return
    if how.get("passing"):
        how["passing"] -= 1
        return
    if "hang" in how:
        file.with_name("hangs").touch()
        time.sleep(how["hang"])
    raise Failure(how.get("stderr", ""), how.get("code", 1), how.get("stdout", ""))


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise Failure(f"{message}\n\nUsage: gh <command>\n")


def _parser() -> Parser:
    parser = Parser(allow_abbrev=False)
    nouns = parser.add_subparsers(dest="noun", required=True, parser_class=Parser)
    issue = nouns.add_parser("issue").add_subparsers(dest="verb", required=True, parser_class=Parser)
    flags = {
        "list": ("--label", "--state", "--limit", "--json"),
        "create": ("--title", "--label", "--body-file"),
        "edit": ("--body-file",),
        "comment": ("--body-file",),
        "close": ("--reason",),
        "reopen": (),
    }
    for verb, known in flags.items():
        parsed = issue.add_parser(verb, allow_abbrev=False)
        if verb not in {"list", "create"}:
            parsed.add_argument("number", type=int)
        for flag in ("--repo", *known):
            parsed.add_argument(flag)
    labels = nouns.add_parser("label").add_subparsers(dest="verb", required=True, parser_class=Parser)
    made = labels.add_parser("create", allow_abbrev=False)
    made.add_argument("name")
    made.add_argument("--description")
    made.add_argument("--repo")
    return parser


def _make_label(state: dict[str, Any], asked: argparse.Namespace) -> None:
    if asked.name.casefold() in map(str.casefold, state["labels"]):
        already = "already exists; use `--force` to update its color and description"
        raise Failure(f'label with name "{asked.name}" {already}\n')
    state["labels"].append(asked.name)


def _list(state: dict[str, Any], asked: argparse.Namespace) -> None:
    found = [issue for issue in reversed(state["issues"]) if _is_listed(issue, state, asked)]
    fields = asked.json.split(",")
    shown = [
        {**issue, "labels": [{"name": label} for label in issue["labels"]]}
        for issue in found[: int(asked.limit or 30)]
    ]
    sys.stdout.write(json.dumps([{field: issue[field] for field in fields} for issue in shown]))


def _is_listed(issue: dict[str, Any], state: dict[str, Any], asked: argparse.Namespace) -> bool:
    if asked.label is not None:
        labelled = asked.label.casefold() in map(str.casefold, issue["labels"])
        if not labelled or issue["number"] in state["unindexed"]:
            return False
    wanted: str = asked.state or "open"
    return wanted in {"all", issue["state"].lower()}


def _create(state: dict[str, Any], asked: argparse.Namespace) -> None:
    if not asked.title.strip():
        raise Failure("title can't be blank\n")
    if len(asked.title) > LONGEST_TITLE or not asked.title.isprintable():
        raise Failure("GraphQL: Title is too long (maximum is 256 characters) (createIssue)\n")
    if asked.label.casefold() not in map(str.casefold, state["labels"]):
        raise Failure(f"could not add label: '{asked.label}' not found\n")
    number = len(state["issues"]) + 1
    issue = {"number": number, "title": asked.title, "body": _body(asked), "state": "OPEN"}
    state["issues"].append({**issue, "labels": [asked.label], "comments": [], "reason": None})
    sys.stdout.write(f"https://github.example/o/r/issues/{number}\n")


def _change(state: dict[str, Any], asked: argparse.Namespace) -> None:
    issue = next((issue for issue in state["issues"] if issue["number"] == asked.number), None)
    if issue is None:
        raise Failure("GraphQL: Could not resolve to an issue or pull request (repository.issue)\n")
    url = f"https://github.example/o/r/issues/{asked.number}"
    if asked.verb == "edit":
        issue["body"] = _body(asked)
        sys.stdout.write(f"{url}\n")
    elif asked.verb == "comment":
        issue["comments"].append(_body(asked))
        sys.stdout.write(f"{url}#issuecomment-{len(issue['comments'])}\n")
    elif asked.verb == "close":
        issue.update(state="CLOSED", reason=asked.reason or "completed")
    else:
        issue.update(state="OPEN", reason=None)


def _body(asked: argparse.Namespace) -> str:
    if asked.body_file != "-":
        raise Failure(f"open {asked.body_file}: no such file or directory\n")
    body = sys.stdin.buffer.read().decode("utf-8")
    if not body or len(body) > LONGEST_BODY or "\0" in body:
        raise Failure("GraphQL: Body is too long (maximum is 65536 characters)\n")
    return body


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
