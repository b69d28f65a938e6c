"""What is installed beside us, from the metadata of packages: nothing is imported to find out."""

import platform
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec

_MATTER = ("pytest", "pluggy", "PyYAML", "pydantic", "httpx")
_FOR_US = {"dev", "all"}
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRA = re.compile(r"""extra\s*==\s*["']([^"']+)""")


def versions() -> Iterator[tuple[str, str]]:
    yield "python", f"{platform.python_version()}  {sys.executable}"
    yield "platform", platform.platform()
    yield "pytest-jweval", version_of("pytest-jweval") or "not installed"
    for package in _MATTER:
        note = "  (with libyaml)" if package == "PyYAML" and has_libyaml() else ""
        yield package, (version_of(package) or "not installed") + note


def extras() -> Iterator[tuple[str, str]]:
    """Each extra with its packages and their versions, or with what would install it."""
    for extra, packages in _packages().items():
        found = {package: version_of(package) for package in packages}
        if all(found.values()):
            yield extra, ", ".join(f"{package} {number}" for package, number in found.items())
        else:
            yield extra, f"not installed: pip install 'pytest-jweval[{extra}]'"


def version_of(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def has_libyaml() -> bool:
    """Whether PyYAML was built with its C parser."""
    return find_spec("yaml") is not None and find_spec("yaml._yaml") is not None


def _packages() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for requirement in requires("pytest-jweval") or ():
        extra, name = _EXTRA.search(requirement), _NAME.match(requirement)
        if extra and name and extra[1] not in _FOR_US:
            found.setdefault(extra[1], []).append(name[0])
    return found
