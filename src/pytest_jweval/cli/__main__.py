"""``python -m pytest_jweval.cli``"""

from pytest_jweval.cli import main

main()
