"""docs/cli.md is run as it stands there: titled blocks are files, `console` blocks are sessions; `...`
stands for what differs from machine to machine."""

import re
import shlex
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs/cli.md"
_BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def sections():
    return [part for part in PAGE.read_text(encoding="utf-8").split("\n## ")[1:] if "```console" in part]


def test_the_page_shows_every_command_at_work():
    assert [part.split("\n")[0] for part in sections()] == [
        "Cassettes",
        "Coverage",
        "Doctor",
        "Drift",
        "Schema",
        "Snapshots",
    ]


@pytest.mark.parametrize("section", sections(), ids=lambda part: part.split("\n")[0].lower())
def test_a_session_prints_what_the_page_says(section, project, jweval):
    blocks = _BLOCK.findall(section)
    files = {title: text for _, title, text in blocks if title}
    root = project({"pytest.ini": "[pytest]\n", **files})
    for session in (text for language, _, text in blocks if language == "console"):
        command, _, promised = session.removeprefix("$ ").partition("\n")
        program, *arguments = shlex.split(command)
        assert program == "jweval"
        printed = jweval(*arguments, cwd=root).stdout.strip()
        pattern = re.escape(promised.strip()).replace(r"\.\.\.", "(?:.|\n)*?")
        if not re.fullmatch(pattern, printed):
            pytest.fail(f"{command} printed\n\n{printed}\n\nbut the page says\n\n{promised}", pytrace=False)


def test_every_option_of_every_command_is_on_the_page(jweval):
    page = PAGE.read_text(encoding="utf-8")
    snapshots = [f"snapshots {name}" for name in ("build", "refresh", "check", "prune")]
    snapshots += ["cassettes list", "cassettes verify"]
    for command in ("coverage", "doctor", "drift", "schema", *snapshots):
        options = set(re.findall(r"--[a-z-]+", jweval(*command.split(), "--help").stdout)) - {"--help"}
        assert {option for option in options if not re.search(f"`{option}[ `]", page)} == set()
