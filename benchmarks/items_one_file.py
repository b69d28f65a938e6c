"""All cases in one file."""

from benchmarks.samples import one_file
from benchmarks.whole_run import whole_run

ITEMS_ONE_FILE = whole_run(
    "items_one_file",
    "A whole `pytest -q` of cases in one file beside as many bare parametrized functions.",
    one_file,
)
