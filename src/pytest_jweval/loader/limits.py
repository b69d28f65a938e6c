"""How much a case file may hold; each limit is far beyond what a person writes.

Together they keep the worst file below a second and its memory near its own size.
"""

LARGEST_FILE = 32 * 1024 * 1024
MOST_DOCUMENTS = 200_000
LARGEST_DOCUMENT = 1024 * 1024
"""In characters. What is longer is data, and belongs in a file that the case names."""

DEEPEST = 64
MOST_VALUES = 50_000
MOST_ALIASES = 100
LONGEST_NUMBER = 300
