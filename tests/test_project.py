"""What the pages and the scripts say of the project is true of it."""

import os
import re
import tomllib
from inspect import getdoc
from pathlib import Path

import pytest

import pytest_jweval
from pytest_jweval import hookspecs
from pytest_jweval.loader import limits
from pytest_jweval.settings import CHOICES, Choice

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "pytest_jweval"
WORDS = (
    "agent",
    "answer",
    "case",
    "cassette",
    "drift",
    "evidence",
    "finding",
    "header",
    "judge",
    "layer",
    "mark",
    "miss",
    "page",
    "reason",
    "registry",
    "report",
    "result",
    "ruling",
    "session",
    "shard",
    "snapshot",
    "source",
    "suite",
    "tag",
    "verdict",
)


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


ROOMS = sorted(
    path.name if path.suffix else f"{path.name}/"
    for path in PACKAGE.iterdir()
    if (path.suffix == ".py" and path.stem != "__init__") or (path / "__init__.py").exists()
)


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_stands_in_the_architecture(room: str) -> None:
    assert f"`{room}`" in page("ARCHITECTURE.md").partition("## Rooms to come")[0]


def test_the_architecture_names_no_room_that_is_not_there() -> None:
    table = page("ARCHITECTURE.md").partition("## The house")[2].partition("## Who may import whom")[0]
    named = re.findall(
        r"`(\w+(?:\.py|/))`", "\n".join(line.rpartition(" | ")[0] for line in table.splitlines())
    )
    assert sorted(named) == ROOMS


QUICKSTART = (
    "python -m pip install . && python -m pytest golden",
    'python -m pip install -e ".[dev]" && python -m pytest -n 2',
)


def test_the_quickstart_is_two_commands() -> None:
    quickstart = page("README.md").partition("## Quickstart")[2].partition("\n## ")[0]
    commands = [
        line for block in re.findall(r"```sh\n(.*?)```", quickstart, re.DOTALL) for line in block.splitlines()
    ]
    assert tuple(commands) == QUICKSTART


def test_ci_runs_the_commands_of_the_quickstart() -> None:
    assert f"'{QUICKSTART[1]}'\n" in page(".ci/run")
    assert f" {QUICKSTART[0]} " in page(".github/workflows/ci.yml")


def test_the_script_of_ci_stops_at_what_fails() -> None:
    assert "\nset -euo pipefail\n" in page(".ci/run")
    assert os.name != "posix" or os.access(ROOT / ".ci/run", os.X_OK)


CONFIGURATION = page("docs/configuration.md")


def test_the_documented_options_are_the_options() -> None:
    documented = set(re.findall(r"--jw-[a-z-]+", CONFIGURATION))
    assert documented == {choice.flag for choice in CHOICES if choice.on_command_line}


def test_the_documented_ini_keys_are_the_ini_keys() -> None:
    documented = set(re.findall(r"\bjweval_[a-z_]+", CONFIGURATION))
    assert documented == {choice.ini for choice in CHOICES}


def test_the_documented_variables_are_the_variables() -> None:
    documented = set(re.findall(r"\bJW_[A-Z_]+", CONFIGURATION))
    assert documented == {choice.environ for choice in CHOICES if choice.environ}


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.ini)
def test_each_option_has_a_row_in_a_table(choice: Choice) -> None:
    name = choice.flag if choice.on_command_line else choice.ini
    assert re.search(rf"^\| `{name}\b", CONFIGURATION, re.MULTILINE)


def test_the_documented_limits_of_a_file_are_the_limits() -> None:
    megabyte = 1024 * 1024
    said = (
        f"A file has at most {limits.LARGEST_FILE // megabyte} MB and {limits.MOST_DOCUMENTS:,} cases; "
        f"a document at most {limits.LARGEST_DOCUMENT // megabyte} MB, {limits.MOST_VALUES:,} values, "
        f"{limits.DEEPEST} levels "
        f"and {limits.MOST_ALIASES} aliases."
    )
    assert said in " ".join(page("docs/cases.md").split())


HOOKS = [name for name in dir(hookspecs) if name.startswith("pytest_jweval_")]


@pytest.mark.parametrize("hook", HOOKS)
def test_each_hook_has_a_section_and_a_sentence(hook: str) -> None:
    assert re.search(rf"^## `{hook}\(", page("docs/hooks.md"), re.MULTILINE)
    assert getdoc(getattr(hookspecs, hook))


@pytest.mark.parametrize("word", WORDS)
def test_each_word_has_an_entry_in_the_glossary(word: str) -> None:
    assert re.search(rf"^\*\*{word}\*\* · ", page("docs/glossary.md"), re.MULTILINE)


def test_the_glossary_is_in_order_and_has_no_word_twice() -> None:
    words = re.findall(r"^\*\*(.+?)\*\* · ", page("docs/glossary.md"), re.MULTILINE)
    assert words == sorted(set(words))


@pytest.mark.parametrize("name", sorted(set(pytest_jweval.__all__) - {"JWEvalError", "by_keywords"}))
def test_each_class_that_users_import_stands_in_the_glossary(name: str) -> None:
    assert f"`{name}`" in page("docs/glossary.md")


PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text)]
    missing = [target for target in targets if "://" not in target and not (path.parent / target).exists()]
    assert not missing


def test_every_page_can_be_reached_from_the_readme() -> None:
    readme = page("README.md")
    unreached = [path.name for path in ROOT.glob("docs/*.md") if f"(docs/{path.name})" not in readme]
    assert not unreached


def test_what_nox_promises_of_pytest_is_what_the_package_asks_for() -> None:
    project = tomllib.loads(page("pyproject.toml"))["project"]
    oldest = re.search(r'OLDEST_PYTEST = "(\d+\.\d+)', page("noxfile.py"))
    assert oldest is not None
    assert f"pytest>={oldest[1]}" in project["dependencies"]


def test_nox_runs_the_pythons_that_the_package_names() -> None:
    project = tomllib.loads(page("pyproject.toml"))["project"]
    named = re.findall(r"Python :: (\d\.\d+)", " ".join(project["classifiers"]))
    assert re.findall(r'"(3\.\d+)"', page("noxfile.py").partition("PYTHONS")[2].partition("\n")[0]) == named


def test_the_changelog_says_what_is_new() -> None:
    assert "\n## [Unreleased]\n" in page("CHANGELOG.md")
