"""Every benchmark."""

from benchmarks.agents import AGENTS
from benchmarks.citations import CITATIONS
from benchmarks.collection import COLLECTION
from benchmarks.items_files import ITEMS_FILES
from benchmarks.items_one_file import ITEMS_ONE_FILE
from benchmarks.scale import SCALE
from benchmarks.unused import UNUSED

BENCHMARKS = (ITEMS_FILES, ITEMS_ONE_FILE, COLLECTION, SCALE, UNUSED, AGENTS, CITATIONS)
