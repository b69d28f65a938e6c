"""Every example of the README and the pages is a small project that is run as it stands there.

A fenced block with a title is a file, a ``console`` block a session: its commands are run in a project made
of the files that stand above it under the same ``##`` heading, and print what the page says they print. A
line of ``...`` stands for any number of lines that the page leaves out.
"""

import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted(set(ROOT.glob("docs/*.md")) - {ROOT / "docs/cli.md"}))

# Plugins of the development environment that would print or change something of their own.
QUIET = "-p no:asyncio -p no:cacheprovider -p no:randomly -p no:recording"


@dataclass
class Block:
    line: int
    language: str
    title: str | None
    text: str


@dataclass
class Example:
    """What stands under one heading."""

    page: str
    heading: str
    blocks: list[Block] = field(default_factory=list)

    @property
    def has_files(self) -> bool:
        return any(block.title for block in self.blocks)

    @property
    def sessions(self) -> list[Block]:
        return [block for block in self.blocks if block.language == "console"]

    def __str__(self) -> str:
        return f"{self.page}-{re.sub(r'[^a-z0-9]+', '_', self.heading.lower()).strip('_')}"


_FENCE = re.compile(r'```(\w+)(?: title="([^"]+)")?')


def examples(page: Path) -> Iterator[Example]:
    example = Example(page.stem, "top")
    block: Block | None = None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if block is not None:
            if line == "```":
                example.blocks.append(block)
                block = None
            else:
                block.text += f"{line}\n"
        elif found := _FENCE.fullmatch(line):
            block = Block(number, found[1], found[2], "")
        elif line.startswith("## "):
            yield example
            example = Example(page.stem, line.removeprefix("## "))
    assert block is None, f"{page}:{block.line}: the block is never closed"
    yield example


EXAMPLES = [example for page in PAGES for example in examples(page) if example.has_files or example.sessions]


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_every_file_on_a_page_is_used_by_a_session(example: Example) -> None:
    last_file = max((block.line for block in example.blocks if block.title), default=0)
    last_session = max((block.line for block in example.sessions), default=0)
    assert last_file < last_session, "a file that no session runs can't be trusted"


@pytest.mark.skipif(pytest.version_tuple < (9, 0), reason="the pages show what pytest 9 and later print")
@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_a_session_prints_what_its_page_says(
    example: Example, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CI", "BUILD_NUMBER", "GITHUB_ACTIONS", "PYTEST_THEME", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PYTEST_ADDOPTS", QUIET)
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8")
    pytester.makeini("[pytest]\n")
    for block in example.blocks:
        if block.title:
            write(pytester.path / block.title, block.text)
        if block.language == "console":
            for command, promised in steps(block.text):
                printed = run(pytester, command)
                if not fits(promised, printed):
                    said = f"{example.page}:{block.line}: $ {command} printed\n\n{printed}\n\n"
                    pytest.fail(f"{said}but the page says\n\n{promised}", pytrace=False)


def write(path: Path, text: str) -> None:
    if path.name == "pyproject.toml":
        (path.parent / "tox.ini").unlink(missing_ok=True)  # what makeini wrote
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def steps(session: str) -> Iterator[tuple[str, str]]:
    """Each command of a session with what it is said to print."""
    for step in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command, _, promised = step.partition("\n")
        yield command, promised


def run(pytester: pytest.Pytester, command: str) -> str:
    program, *arguments = shlex.split(command)
    if program == "cat":
        return (pytester.path / arguments[0]).read_text(encoding="utf-8")
    assert program == "pytest", f"a session can't run {program!r}"
    result = pytester.run(sys.executable, "-m", "pytest", *arguments, timeout=120)
    return "\n".join([*result.outlines, *(line for line in result.errlines if line.startswith("ERROR: "))])


_WANDERING = re.compile(r"\b\d+\.\d\ds\b|\d+ ms\b|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")


def fits(promised: str, printed: str) -> bool:
    """Whether the page's lines are the printed ones; blank lines at the ends and times don't count."""
    pattern, rest = "", promised.strip("\n").splitlines()
    for line in rest:
        pattern += r"(?:.*\n)*?" if line == "..." else re.escape(_steady(line)) + "\n"
    return re.fullmatch(pattern, f"{_steady(printed.strip())}\n".lstrip("\n")) is not None


def _steady(text: str) -> str:
    """Without what differs from run to run: times, and the width of the rules that times stand in."""
    text = "\n".join(line.rstrip() for line in text.splitlines())
    return re.sub(r"={3,}", "===", _WANDERING.sub("#", text))


@pytest.mark.parametrize(
    ("promised", "printed", "holds"),
    [
        ("a\n...\nd", "a\nb\nc\nd", True),
        ("a\n...\nd", "a\nd", True),
        ("a\nd", "a\nb\nd", False),
        ("a\n...", "a\nb\n", True),
        ("...\nb", "a\nb\nc", False),
        ("=== 1 passed in 0.01s ===", "====== 1 passed in 12.34s =====", True),
        ("=== 1 passed in 0.01s ===", "====== 2 passed in 12.34s =====", False),
        ("", "", True),
        ("", "a", False),
    ],
)
def test_what_a_page_promises_is_compared_line_by_line(promised: str, printed: str, holds: bool) -> None:
    assert fits(promised, printed) is holds
