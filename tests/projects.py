"""A little project in a temporary folder, run by a pytest of its own."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

# Before the first run: pytester forgets what a run imports, and PyYAML's C parser can't be imported twice.
import pytest_jweval.loader  # noqa: F401
from pytest_jweval import SuiteReport

AGENTS = """
    import pytest

    def verses(question):
        return {"findings": [{"text": "In the beginning", "source": "verse_text", "url": "https://example.org/1"}]}

    async def notes(question):
        return [{"text": "a note", "source": "rag"}, {"text": "another", "source": "rag"}]

    @pytest.hookimpl(optionalhook=True)
    def pytest_jweval_agents(config):
        return {"verses": verses, "notes": notes}
"""


@dataclass(frozen=True)
class Run:
    """One finished pytest run of a little project."""

    exit: int
    text: str
    errors: str
    report: SuiteReport | None

    @property
    def verdicts(self) -> dict[str, str]:
        assert self.report is not None, self.text + self.errors
        return {result.case_id: result.verdict.value for result in self.report.results}

    @property
    def counts(self) -> dict[str, int]:
        """pytest's own closing line: ``{"passed": 2, "failed": 1}``."""
        last = [line for line in self.text.splitlines() if re.search(r" in [\d.:]+", line)][-1]
        return {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", last.rpartition(" in ")[0])}

    def reasons(self, case_id: str) -> str:
        assert self.report is not None
        return "\n".join(next(r.reasons for r in self.report.results if r.case_id == case_id))


class Project:
    """Files and runs. ``run`` always asks for a JSON report, and gives it back read."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.root = pytester.path
        self.plugins = ["-p", "jweval"]
        self.write("pytest.ini", "[pytest]\nmarkers = slow: takes long\n")
        self.write("conftest.py", AGENTS)

    def write(self, path: str, text: str | bytes) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else dedent(text).lstrip("\n").encode())
        return file

    def ini(self, lines: str) -> None:
        self.write("pytest.ini", f"[pytest]\nmarkers = slow: takes long\n{dedent(lines)}")

    def case(self, case_id: str, agent: str = "verses", *, file: str | None = None, **fields: Any) -> Path:
        """A case of layer l1 in a file of its own, as YAML's subset JSON; ``fields`` replace or add keys."""
        data = {
            "id": case_id,
            "agent": agent,
            "layer": "l1",
            "input": {"q": case_id},
            "expected": {"min_findings": 1},
        }
        data |= fields
        lines = [f"{key}: {json.dumps(value)}" for key, value in data.items()]
        return self.write(file or f"golden/{data['layer']}/{case_id}.yaml", "\n".join(lines) + "\n")

    def run(self, *args: str, cwd: Path | None = None, subprocess: bool = False) -> Run:
        report = self.root / "report.json"
        report.unlink(missing_ok=True)
        asked = [*args, f"--jw-report=json:{report}"]
        return self._finished(self.plain_run(*asked, cwd=cwd, subprocess=subprocess), report)

    def plain_run(self, *args: str, cwd: Path | None = None, subprocess: bool = False) -> pytest.RunResult:
        if cwd is not None:
            os.chdir(cwd)  # pytester puts the old one back
        start = self.pytester.runpytest_subprocess if subprocess else self.pytester.runpytest_inprocess
        return start(*self.plugins, *args)

    def _finished(self, result: pytest.RunResult, report: Path) -> Run:
        read = SuiteReport.from_json(report.read_text("utf-8")) if report.exists() else None
        return Run(int(result.ret), result.stdout.str(), result.stderr.str(), read)


def without_times(report: SuiteReport | None) -> Mapping[str, Any]:
    """A report as data, without what differs between two runs of the same cases."""
    assert report is not None
    data: dict[str, Any] = json.loads(report.to_json())
    del data["started_at"], data["finished_at"]
    for result in data["results"]:
        del result["duration_ms"]
        result["evidence"].pop("answer_ms", None)
        result["evidence"].pop("traceback", None)
    return data


def ids(text: str) -> Sequence[str]:
    """The node ids that ``--co -q`` printed."""
    return [line for line in text.splitlines() if "::" in line and not line.startswith(" ")]
