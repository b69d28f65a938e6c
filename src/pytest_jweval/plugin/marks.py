"""Marks from a case file: only names that the project registered."""

from collections.abc import Container
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

import pytest

from pytest_jweval.errors import suggestion
from pytest_jweval.loader import Entry
from pytest_jweval.plugin.session import SESSION
from pytest_jweval.records import Miss

if TYPE_CHECKING:
    from pytest_jweval.plugin.collect import CaseItem

_NEED_ARGUMENTS = {"parametrize", "usefixtures", "filterwarnings", "skipif"}


def apply(item: "CaseItem", entry: Entry) -> Entry:
    """The entry, its marks now on the item; or, with a mark that can't be used, the entry as a problem."""
    session = item.config.stash[SESSION]
    layers = session.registry.layers
    entry = _in_the_layer_of_its_folder(entry, layers)
    if entry.layer in layers:
        item.add_marker(session.layer_mark(entry.layer))
    if entry.is_broken:
        return entry
    item.extra_keyword_matches.update(entry.tags)
    if not entry.marks:
        return entry
    misses = tuple(_unusable(entry.marks, item.config))
    if misses:
        return entry.broken(misses)
    for name in entry.marks:
        item.add_marker(name)
    return entry


def _in_the_layer_of_its_folder(entry: Entry, layers: Container[str]) -> Entry:
    """What is too broken to name its layer belongs to the folder it lies in: ``-m l1`` must not hide it."""
    if not entry.is_broken or entry.layer in layers:
        return entry
    folders = PurePath(entry.file.shown).parts
    layer = next((folder for folder in reversed(folders) if folder in layers), entry.layer)
    return replace(entry, layer=layer)


def _unusable(names: tuple[str, ...], config: pytest.Config) -> list[Miss]:
    registered = _registered(config)
    misses = []
    for place, name in enumerate(names):
        if name not in registered:
            reason = f"the mark {name!r} is not registered{suggestion(name, registered)}: see ini `markers`"
            misses.append(Miss(reason=reason, key=("marks", place)))
        elif name in _NEED_ARGUMENTS:
            reason = f"the mark {name!r} needs arguments, which a case file can't give"
            misses.append(Miss(reason=reason, key=("marks", place)))
    return misses


def _registered(config: pytest.Config) -> set[str]:
    """From lines like ``slow: takes long`` and ``xfail(condition, …): …``."""
    lines = config.getini("markers")
    return {line.partition(":")[0].partition("(")[0].strip() for line in lines}
