"""What a case says without the extra ``schema``; ``nox -s schema`` runs this where it really isn't there."""

import pytest

CASES = """
id: with_a_schema
agent: support
layer: l1
input: {}
expected:
  json_schema: {required: [findings]}
---
id: without_one
agent: support
layer: l1
input: {}
expected: {min_findings: 1}
"""
AGENTS = """
def pytest_jweval_agents(config):
    return {"support": lambda question: {"findings": ["Yes."]}}
"""
HIDDEN = """
import sys

sys.modules["jsonschema"] = None  # as if it weren't installed
"""


def run(pytester: pytest.Pytester, conftest: str) -> pytest.RunResult:
    pytester.makeini("[pytest]")
    pytester.makeconftest(conftest)
    golden = pytester.mkdir("golden")
    (golden / "cases.yaml").write_text(CASES, encoding="utf-8")
    return pytester.runpytest_subprocess("golden")


def test_without_the_extra_only_the_case_that_needs_it_is_an_error(pytester: pytest.Pytester) -> None:
    result = run(pytester, HIDDEN + AGENTS)
    result.stdout.fnmatch_lines(
        [
            "expected.json_schema needs an extra: pip install 'pytest-jweval[[]schema[]]'",
            "l1  support  1 pass  1 error",
        ]
    )


def test_with_the_extra_the_schema_is_checked(pytester: pytest.Pytester) -> None:
    pytest.importorskip("jsonschema", reason="the extra schema is not installed")
    run(pytester, AGENTS).stdout.fnmatch_lines(["l1  support  2 pass"])
