"""What users import: it is all there, and costs nothing before it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import pytest_jweval


def in_a_fresh_process(program):
    command = [sys.executable, "-W", "error", "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def test_importing_the_package_imports_nothing_heavy():
    heavy = (
        "{'pydantic', 'pydantic_core', 'yaml', 'httpx', 'jinja2', 'numpy', 'selectolax', 'pytest', 'asyncio'}"
    )
    program = f"import sys, pytest_jweval; print(*sorted({heavy} & sys.modules.keys()))"
    assert in_a_fresh_process(program) == []


def test_a_name_imports_only_its_own_room():
    program = """
import sys
from pytest_jweval import JWEvalError
print(*(name for name in sys.modules if name.startswith("pytest_jweval.")))
"""
    assert set(in_a_fresh_process(program)) <= {"pytest_jweval.errors", "pytest_jweval.texts"}


@pytest.mark.parametrize("name", pytest_jweval.__all__)
def test_every_public_name_leads_somewhere_and_is_documented(name):
    value = getattr(pytest_jweval, name)
    assert value.__name__ == name
    assert value.__doc__
    assert vars(pytest_jweval)[name] is value  # so that the second time costs nothing


def test_the_promised_names_are_there():
    promised = {
        "GoldenCase",
        "Answer",
        "Finding",
        "LayerResult",
        "SuiteReport",
        "Suite",
        "Verdict",
        "by_keywords",
    }
    assert promised <= set(pytest_jweval.__all__)
    assert sorted(pytest_jweval.__all__) == list(pytest_jweval.__all__)


def test_dir_lists_every_name_before_it_is_loaded():
    program = "import pytest_jweval; print(set(pytest_jweval.__all__) <= set(dir(pytest_jweval)))"
    assert in_a_fresh_process(program) == ["True"]


def test_everything_can_be_imported_at_once():
    program = "from pytest_jweval import *; print(Suite.__name__, Verdict.PASS)"
    assert in_a_fresh_process(program) == ["Suite", "pass"]


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"module 'pytest_jweval' has no attribute 'Suit'"):
        pytest_jweval.Suit  # noqa: B018  # touching it is what is tested


def test_the_version_is_the_distributions():
    from importlib.metadata import version

    assert pytest_jweval.__version__ == version("pytest-jweval")
