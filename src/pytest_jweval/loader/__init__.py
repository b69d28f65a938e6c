"""The only reader of case files: YAML, JSON and JSONL in, cases out, each value with its place.

Nothing in a file can stop a run. What can't be read becomes an entry with a problem, and the
other documents of the file are read all the same.
"""

from pytest_jweval.loader.checks import checked_case as checked_case
from pytest_jweval.loader.compiled import Compiled as Compiled
from pytest_jweval.loader.entries import Entry as Entry
from pytest_jweval.loader.entries import load as load
from pytest_jweval.loader.ids import Ids as Ids
from pytest_jweval.loader.source import Source as Source

__all__ = ["Compiled", "Entry", "Ids", "Source", "checked_case", "load"]
