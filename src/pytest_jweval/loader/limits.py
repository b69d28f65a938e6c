"""How much a case file may hold; each limit is far beyond what a person writes."""

LARGEST_FILE = 32 * 1024 * 1024
DEEPEST = 64
MOST_NODES = 200_000
MOST_ALIASES = 100
LONGEST_NUMBER = 300
