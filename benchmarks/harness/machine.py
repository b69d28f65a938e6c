"""Where and when a benchmark ran, without a name that would tell whose machine it was."""

import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Self


@dataclass(frozen=True)
class Machine:
    date: str
    cpus: int
    system: str
    python: str
    pytest: str
    pytest_jweval: str

    @classmethod
    def here(cls) -> Self:
        return cls(
            date=datetime.now(UTC).date().isoformat(),
            cpus=os.cpu_count() or 1,
            system=f"{platform.system()} {platform.machine()}",
            python=f"{platform.python_implementation()} {platform.python_version()}",
            pytest=version("pytest"),
            pytest_jweval=version("pytest-jweval"),
        )
