"""The pytest plugins of this environment, by the package that brings them."""

import re
from importlib.metadata import distributions


def plugins_by_package() -> dict[str, frozenset[str]]:
    found = {
        normalised(package.name): frozenset(
            entry.name for entry in package.entry_points if entry.group == "pytest11"
        )
        for package in distributions()
    }
    return {package: plugins for package, plugins in found.items() if plugins}


def normalised(package: str) -> str:
    """As package indexes compare names."""
    return re.sub(r"[-_.]+", "-", package).lower()
