"""Web pages: fetched, kept, and read as the text that a person sees."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_jweval.web.snapshots import snapshot_path
    from pytest_jweval.web.text import visible_text

__all__ = ["snapshot_path", "visible_text"]

_MODULES = {"snapshot_path": "snapshots", "visible_text": "text"}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
