"""Which files are case files."""

from collections.abc import Iterator
from pathlib import Path, PurePath

SUFFIXES = (".yaml", ".yml", ".json", ".cases.jsonl")
_DATA_FOLDERS = {"fixtures", "data", "corpus"}


def is_case_file(path: PurePath, root: PurePath) -> bool:
    """Whether a file below a golden folder holds cases, and not data that cases name."""
    if not path.name.endswith(SUFFIXES) or path.name.endswith(".schema.json"):
        return False
    return _DATA_FOLDERS.isdisjoint(path.relative_to(root).parts[:-1])


def case_files(root: Path) -> Iterator[Path]:
    """Every case file below ``root``, hidden folders left out, in a stable order."""
    if root.is_file():
        yield root
        return
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root).parts
        if not any(part.startswith(".") for part in inside) and is_case_file(path, root) and path.is_file():
            yield path
