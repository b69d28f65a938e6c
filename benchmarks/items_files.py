"""Every case in a file of its own."""

from benchmarks.samples import files
from benchmarks.whole_run import whole_run

ITEMS_FILES = whole_run(
    "items_files",
    "A whole `pytest -q` of one-case files beside as many bare parametrized functions.",
    files,
)
