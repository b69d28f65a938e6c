"""Golden cases for agents that answer from sources, run as pytest tests.

The names below are what users import. Each is loaded when it is first touched, so that
installing this plugin costs a project that doesn't use it nothing.

The word PYTEST_DONT_REWRITE stands here because verdicts never come from a bare ``assert``,
and rewriting would warn whenever the package is imported before pytest.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_jweval.agents import by_keywords
    from pytest_jweval.errors import JWEvalError
    from pytest_jweval.records import (
        Answer,
        Finding,
        GoldenCase,
        LayerResult,
        Miss,
        Ruling,
        SuiteReport,
        Verdict,
    )
    from pytest_jweval.suite import Suite

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Finding",
    "GoldenCase",
    "JWEvalError",
    "LayerResult",
    "Miss",
    "Ruling",
    "Suite",
    "SuiteReport",
    "Verdict",
    "by_keywords",
]

_ROOMS = {"JWEvalError": "errors", "Suite": "suite", "by_keywords": "agents"}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    room = import_module(f"{__name__}.{_ROOMS.get(name, 'records')}")
    value = globals()[name] = getattr(room, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
