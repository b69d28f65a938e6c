"""Which files are case files."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePath

SUFFIXES = (".yaml", ".yml", ".json", ".cases.jsonl")
_DATA_FOLDERS = {"fixtures", "data", "corpus"}


def is_case_file(path: PurePath, root: PurePath) -> bool:
    """Whether a file below a golden folder holds cases, and not data that cases name."""
    return is_case_name(path.name) and is_case_folder(path.parent, root)


def is_case_name(name: str) -> bool:
    return name.endswith(SUFFIXES) and not name.endswith(".schema.json")


def is_case_folder(folder: PurePath, root: PurePath) -> bool:
    """Whether a golden folder, or one below it, may hold cases."""
    return _DATA_FOLDERS.isdisjoint(folder.relative_to(root).parts)


def case_files(root: Path) -> Iterator[Path]:
    """Every case file below ``root`` in the order in which pytest collects; hidden ones left out.

    A dangling link is a case file too: it has to be reported, not passed over.
    """
    if not root.is_dir():
        yield root
        return
    with os.scandir(root) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in _DATA_FOLDERS:
                yield from case_files(root / entry.name)
        elif is_case_name(entry.name) and not entry.is_dir():
            yield root / entry.name
