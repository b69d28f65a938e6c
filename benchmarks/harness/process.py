"""One process, measured."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness.parts import Usage

_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class Finished:
    usage: Usage
    exit: int
    output: str


def run(command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> Finished:
    """The kernel counts what this process weighs into the peak of one that it starts: stay small."""
    with tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            _, status, used = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    usage = Usage(used.ru_utime + used.ru_stime, wall, used.ru_maxrss * _RSS_UNIT)
    return Finished(usage, process.returncode, text)


def environment(*, autoload: bool) -> dict[str, str]:
    """Ours, without what would change how pytest or the plugin behaves."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(_UNWANTED)}
    return clean if autoload else {**clean, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


_UNWANTED = ("PYTEST", "PY_COLORS", "FORCE_COLOR", "JW", "COV", "PYTHONDONTWRITE", "PYTHONDEV", "PYTHONWARN")


def pytest_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "pytest", *arguments]
