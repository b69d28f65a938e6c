"""Which answers somebody will still ask for; all others can be forgotten."""

from collections import Counter
from collections.abc import Iterable

import pytest

from pytest_jweval.plugin.collect import CaseItem


class Askers:
    """How many cases are still to ask each question of a run."""

    def __init__(self, items: Iterable[pytest.Item]) -> None:
        self._left: Counter[int] = Counter()
        cases: list[CaseItem] = []
        for item in items:
            if not isinstance(item, CaseItem):
                return  # a test in Python may ask anything through jw_evaluate, so every answer is kept
            cases.append(item)
        self._left.update(case.entry.question for case in cases)

    def is_last(self, item: CaseItem) -> bool:
        """Whether nobody is left to ask what ``item`` has asked. A rerun doesn't count as another asker."""
        if item.has_asked:
            return False
        item.has_asked = True
        self._left[item.entry.question] -= 1
        return self._left[item.entry.question] == 0
