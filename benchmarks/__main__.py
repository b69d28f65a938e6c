"""``python -m benchmarks NAME``"""

import sys

from benchmarks.harness.command import main
from benchmarks.table import BENCHMARKS

if __name__ == "__main__":
    sys.exit(main(BENCHMARKS))
