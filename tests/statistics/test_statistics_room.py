"""The plain install has neither numpy nor scipy, and statistics stand on the lowest floor."""

import statistics as standard
import subprocess
import sys

import pytest

import pytest_jweval.statistics as ours


def loaded_by(program: str) -> set[str]:
    command = [sys.executable, "-W", "error", "-c", f"{program}\nimport sys; print(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_importing_it_imports_nothing_heavy_and_no_other_room() -> None:
    modules = loaded_by("import pytest_jweval.statistics")
    assert not modules & {"numpy", "scipy", "pydantic", "yaml", "httpx", "pytest", "asyncio"}
    rooms = {name.split(".")[1] for name in modules if name.startswith("pytest_jweval.")}
    assert rooms == {"statistics"}


def test_neither_its_name_nor_its_tests_hide_the_standard_library() -> None:
    assert standard.NormalDist().inv_cdf(0.5) == 0
    assert not hasattr(ours, "NormalDist")


def test_the_promised_names_are_there_and_in_order() -> None:
    promised = {"sign_flip_test", "holm", "mcnemar_midp", "wilson_interval"}
    assert promised <= set(ours.__all__)
    assert sorted(ours.__all__) == ours.__all__


@pytest.mark.parametrize("name", sorted({*ours.__all__} - {"Alternative"}))
def test_every_name_says_which_convention_it_follows(name: str) -> None:
    assert getattr(ours, name).__doc__
