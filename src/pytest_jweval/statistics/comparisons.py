"""Is one run worse than another, or is it chance? Tests on pairs: the same cases, before and after.

One-sided p-values by default. ``greater`` asks what the function names first: that more cases broke than
were fixed, that differences lie above 0. ``less`` is its mirror; ``two-sided`` doubles the smaller of both.
"""

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, batched
from operator import getitem
from random import Random
from typing import Literal, TypeVar, get_args, overload

from pytest_jweval.statistics.intervals import as_count, as_share

Alternative = Literal["greater", "less", "two-sided"]
Name = TypeVar("Name")
