"""Contenders in turn: A B A B …"""

import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness.parts import Contender, Round, Usage
from benchmarks.harness.process import environment, run


class ContenderFailed(Exception):
    """It didn't do its work, so there is nothing to be measured."""

    def __init__(self, name: str, why: str, output: str) -> None:
        self.output = output
        super().__init__(f"{name} failed: {why}")


@dataclass(frozen=True)
class _Ready:
    contender: Contender
    command: Sequence[str]
    folder: Path

    def turn(self) -> Usage:
        if self.contender.cold:
            shutil.rmtree(self.folder / ".pytest_cache", ignore_errors=True)
        finished = run(self.command, self.folder, environment(autoload=self.contender.autoload))
        if finished.exit:
            raise ContenderFailed(self.contender.name, f"exit code {finished.exit}", finished.output)
        if not re.search(rf"(?<!\w){re.escape(self.contender.expects)}(?!\w)", finished.output):
            why = f"it didn't say {self.contender.expects!r}"
            raise ContenderFailed(self.contender.name, why, finished.output)
        return finished.usage


def in_turn(
    contenders: Sequence[Contender], folder: Path, rounds: int, tell: Callable[[str], None]
) -> list[Round]:
    """The first round is not counted: it compiles, fills caches, and wakes the disk."""
    ready = [_made_ready(contender, folder / str(i)) for i, contender in enumerate(contenders)]
    counted: list[Round] = []
    for number in range(rounds + 1):
        tell(f"round {number} of {rounds}" if number else "a round that is not counted")
        usages = {one.contender.name: one.turn() for one in ready}
        if number:
            counted.append(usages)
    return counted


def _made_ready(contender: Contender, folder: Path) -> _Ready:
    folder.mkdir()
    return _Ready(contender, contender.prepare(folder), folder)
