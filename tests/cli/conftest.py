import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

CONFTEST = """
def pytest_jweval_agents(config):
    return {"verses": lambda question: "an answer", "topics": lambda question: "another"}
"""


def _case(name: str, agent: str = "verses", layer: str = "l1") -> str:
    return f"id: {name}\nagent: {agent}\nlayer: {layer}\ninput: {{q: x}}\nexpected: {{min_findings: 1}}\n"


@pytest.fixture
def case() -> Callable[..., str]:
    """The text of a case file."""
    return _case


@pytest.fixture
def covered() -> dict[str, str]:
    """The files of a project of two agents with three cases each."""
    return {
        "pytest.ini": "[pytest]\njweval_golden = golden\n",
        "conftest.py": CONFTEST,
        "golden/l1/verses.yaml": "---\n".join(_case(f"verses_{i}") for i in range(3)),
        "golden/l1/topics.yaml": "---\n".join(_case(f"topics_{i}", "topics") for i in range(3)),
    }


@pytest.fixture
def project(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """Write files, and get their folder."""

    def write(files: Mapping[str, str], folder: str = "project") -> Path:
        root = tmp_path / folder
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return root

    return write


@pytest.fixture
def jweval(tmp_path: Path) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run the command as a process of its own."""

    def run(*arguments: str, cwd: Path = tmp_path, **environ: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "pytest_jweval.cli", *arguments],
            cwd=cwd,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", **environ},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    return run
