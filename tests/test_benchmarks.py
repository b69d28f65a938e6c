"""The harness of ``benchmarks/``: it measures what it says, and never what didn't happen."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.harness.as_markdown import table
from benchmarks.harness.command import main
from benchmarks.harness.machine import Machine
from benchmarks.harness.outcome import Outcome
from benchmarks.harness.parts import Benchmark, Contender, Figure, Limit, Plan, Usage
from benchmarks.harness.process import environment, pytest_command, run
from benchmarks.harness.spread import Spread
from benchmarks.harness.turns import in_turn
from benchmarks.harness.values import (
    cpu,
    each_second,
    memory,
    microseconds_each,
    milliseconds_over,
    quotient,
    ratio,
    wall,
)
from benchmarks.samples import CASE
from benchmarks.scale import SCALE, sizes
from benchmarks.table import BENCHMARKS
from benchmarks.unused import UNUSED
from pytest_jweval.loader import limits

HERE = Machine("2026-01-02", 2, "Linux x86_64", "CPython 3.11.7", "9.2.0", "0.1.0")
pytestmark = pytest.mark.skipif(not hasattr(os, "wait4"), reason="processes are measured by os.wait4")

QUICK = ("--quick", "--rounds", "1")


def used(cpu_s: float, wall_s: float = 1.0, peak_bytes: int = 1) -> Usage:
    return Usage(cpu_s, wall_s, peak_bytes)


def script(name: str, code: str, expects: str = "done", *, cold: bool = False) -> Contender:
    return Contender(name, lambda _: (sys.executable, "-c", code), expects, cold=cold)


def benchmark(contenders: Sequence[Contender], figures: Sequence[Figure] = ()) -> Benchmark:
    return Benchmark(
        "small", "Something small.", lambda _: contenders, lambda _: figures, Plan(10, 2), Plan(1, 1)
    )


def outcome(
    rounds: Sequence[Mapping[str, Usage]], figures: Sequence[Figure] = (), plan: Plan | None = None
) -> Outcome:
    small = benchmark((), figures)
    return Outcome(small, plan or Plan(10, len(rounds)), HERE, list(rounds[0]), rounds)


ROUNDS = [
    {"a": used(1.0, 2.0, 100), "b": used(1.5, 2.0, 110)},
    {"a": used(4.0, 5.0, 100), "b": used(8.0, 6.0, 130)},
    {"a": used(2.0, 3.0, 100), "b": used(2.2, 9.0, 120)},
]


# Numbers


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([7.0], (7.0, 7.0, 7.0)),
        ([3.0, 1.0], (2.0, 1.5, 2.5)),
        ([5.0, 1.0, 2.0, 3.0, 900.0], (3.0, 2.0, 5.0)),
    ],
)
def test_a_spread_is_the_median_and_the_middle_half(
    values: list[float], expected: tuple[float, float, float]
) -> None:
    assert Spread.of(values) == Spread(*expected)


def test_ratios_are_taken_within_each_round() -> None:
    told = outcome(ROUNDS)
    # Of 1.5, 2.0 and 1.1; the ratio of the medians would be 2.2 / 2.0.
    assert told.ratio("b", cpu).median == 1.5
    assert told.ratio("b", memory).median == 1.2
    assert told.usage("b", wall).median == 6.0
    assert told.ratio("a", wall) == Spread(1.0, 1.0, 1.0)


def test_what_figures_are_made_of() -> None:
    usages = {"one": used(1.0), "many": used(1.5, 1.2), "more": used(3.0)}
    assert ratio("more", "many")(usages) == 2.0
    assert milliseconds_over("many", "one")(usages) == pytest.approx(500)
    assert milliseconds_over("many", "one", wall)(usages) == pytest.approx(200)
    assert microseconds_each("many", "one", 1_000)(usages) == pytest.approx(500)
    assert each_second("many", "one", 1_000)(usages) == pytest.approx(2_000)
    growth = quotient(microseconds_each("more", "one", 8_000), microseconds_each("many", "one", 1_000))
    assert growth(usages) == pytest.approx(0.5)


def test_a_difference_that_drowns_in_noise_is_no_number() -> None:
    usages = {"one": used(1.0), "many": used(0.9)}
    drowned = microseconds_each("many", "one", 10)
    assert drowned(usages) is None
    assert each_second("many", "one", 10)(usages) is None
    assert quotient(drowned, drowned)(usages) is None
    assert microseconds_each("one", "many", 0)(usages) is None


@pytest.mark.parametrize(
    ("limit", "word"),
    [
        (Limit(1.5), "reached"),
        (Limit(1.49), "not reached"),
        (Limit(1.5, at_least=True), "reached"),
        (Limit(1.51, at_least=True), "not reached"),
        (None, ""),
    ],
)
def test_a_target_is_judged_by_the_median(limit: Limit | None, word: str) -> None:
    figure = Figure("b beside a", "×", ratio("b", "a"), limit)
    assert outcome(ROUNDS).word(figure) == word


def test_a_target_is_not_judged_if_one_round_has_no_answer() -> None:
    figure = Figure("more", "µs", microseconds_each("b", "a", 10), Limit(1e9))
    drowned = {"a": used(1.0), "b": used(0.5)}
    assert outcome(ROUNDS).word(figure) == "reached"
    assert outcome([*ROUNDS, drowned]).word(figure) == "not judged"


# What is written


def written(folder: Path, name: str) -> tuple[str, dict[str, Any]]:
    told: dict[str, Any] = json.loads((folder / f"{name}.json").read_text("utf-8"))
    return (folder / f"{name}.md").read_text("utf-8"), told


def test_a_table_stands_in_line() -> None:
    assert table(("", "seconds"), [("bare", "1"), ("ours", "1.25")]).splitlines() == [
        "|      | seconds |",
        "| ---- | ------- |",
        "| bare | 1       |",
        "| ours | 1.25    |",
    ]


@pytest.mark.parametrize("name", ["items_one_file", pytest.param("items_files", marks=pytest.mark.slow)])
def test_a_benchmark_really_runs_and_writes_both_files(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(BENCHMARKS, [name, *QUICK, "--size", "20", "--out", str(tmp_path / "new")]) == 0
    text, told = written(tmp_path / "new", name)
    assert capsys.readouterr().out == f"{text}\n"
    assert "Rounds in turn: 1. Size: 20.\nThe targets are meant for a size of 10,000." in text
    assert [one["name"] for one in told["contenders"]] == ["bare functions", "cases, cold", "cases, warm"]
    assert all(len(one["cpu_s"]["values"]) == 1 for one in told["contenders"])
    assert all(one["peak_bytes"]["median"] > 10 * 2**20 for one in told["contenders"])
    assert [figure["outcome"] in ("reached", "not reached") for figure in told["figures"]] == [True] * 4
    assert told["figures"][0]["target"] == {"number": 1.15, "at_least": False}
    assert set(told["machine"]) == {"date", "cpus", "system", "python", "pytest", "pytest_jweval"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["collection", "scale", "agents", "citations"])
def test_the_others_run_as_well(name: str, tmp_path: Path) -> None:
    assert main(BENCHMARKS, [name, *QUICK, "--size", "20", "--out", str(tmp_path)]) == 0
    assert written(tmp_path, name)[1]["size"] == 20


def test_the_unused_plugin_is_compared_with_installed_peers_and_no_others(tmp_path: Path) -> None:
    peers = ["--peer", "pytest_timeout", "--peer", "no-such-plugin"]
    assert main(BENCHMARKS, ["unused", *QUICK, *peers, "--out", str(tmp_path)]) == 0
    text, told = written(tmp_path, "unused")
    names = [one["name"].partition(" ")[0] for one in told["contenders"]]
    assert names == ["no", "pytest-jweval", "pytest-timeout"]
    assert "no-such-plugin is left out: no pytest plugin of that package is installed." in text
    assert "Size" not in text


# Contenders


def test_turns_alternate_and_the_first_round_is_not_counted(tmp_path: Path) -> None:
    log = tmp_path / "log"
    code = f"open({str(log)!r}, 'a').write({{!r}}); print('done')"
    contenders = [script(name, code.format(name)) for name in "ab"]
    (tmp_path / "folders").mkdir()
    rounds = in_turn(contenders, tmp_path / "folders", 2, lambda _: None)
    assert log.read_text() == "ababab"
    assert [sorted(usages) for usages in rounds] == [["a", "b"], ["a", "b"]]


def test_only_a_cold_contender_loses_pytests_cache_folder(tmp_path: Path) -> None:
    code = """
from pathlib import Path
cache = Path(".pytest_cache")
with open("log", "a") as log:
    log.write("warm " if cache.exists() else "cold ")
cache.mkdir(exist_ok=True)
print("done")
"""
    in_turn([script("cold", code, cold=True), script("warm", code)], tmp_path, 2, lambda _: None)
    assert (tmp_path / "0" / "log").read_text() == "cold cold cold "
    assert (tmp_path / "1" / "log").read_text() == "cold warm warm "


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("print('all is lost'); raise SystemExit(3)", "b failed: exit code 3"),
        ("print('all is lost')", "b failed: it didn't say '10 passed'"),
        ("print('all is lost, 110 passed')", "b failed: it didn't say '10 passed'"),
        ("import os; print('all is lost', flush=True); os.abort()", "b failed: exit code -6"),
    ],
)
def test_a_contender_that_fails_shows_its_output_and_never_a_number(
    code: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contenders = [script("a", "print('done')"), script("b", code, expects="10 passed")]
    assert main([benchmark(contenders)], ["small", "--out", str(tmp_path)]) == 1
    told = capsys.readouterr()
    assert why in told.err
    assert "all is lost" in told.err
    assert told.out == ""
    assert list(tmp_path.iterdir()) == []


def test_of_a_long_output_the_end_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    contenders = [script("a", "print(*range(1000), sep='\\n'); raise SystemExit(1)")]
    assert main([benchmark(contenders)], ["small", "--out", str(tmp_path)]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[-101:-99] == ["(900 lines before)", "900"]


def test_a_case_that_fails_fails_its_benchmark(tmp_path: Path) -> None:
    def prepare(folder: Path) -> Sequence[str]:
        (folder / "test_one.py").write_text("def test_one(): assert False")
        return pytest_command("-q")

    with pytest.raises(Exception, match="exit code 1") as raised:
        in_turn([Contender("a", prepare, "1 passed")], tmp_path, 1, lambda _: None)
    assert "1 failed" in raised.value.output  # type: ignore[attr-defined]


def test_a_process_is_measured_alone(tmp_path: Path) -> None:
    busy = "import time\nwhile time.process_time() < 0.3: pass"
    heavy = "text = b'x' * 200_000_000"
    idle = "import time; time.sleep(0.3)"
    environ = environment(autoload=False)
    spent, weighed, waited = (
        run((sys.executable, "-c", code), tmp_path, environ).usage for code in (busy, heavy, idle)
    )
    assert 0.3 <= spent.cpu_s < 3
    assert waited.wall_s >= 0.3 > waited.cpu_s
    assert weighed.peak_bytes > 200_000_000


def test_the_environment_brings_no_options_along(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "-x")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("LANG", "C.UTF-8")
    clean = environment(autoload=False)
    assert not {"PYTEST_ADDOPTS", "PYTHONDONTWRITEBYTECODE"} & set(clean)
    assert clean["LANG"] == "C.UTF-8"
    assert clean["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] == "1"
    assert "PYTEST_DISABLE_PLUGIN_AUTOLOAD" not in environment(autoload=True)


# The command line


def test_without_a_name_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(BENCHMARKS, []) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [
        "items_files",
        "items_one_file",
        "collection",
        "scale",
        "unused",
        "agents",
        "citations",
    ]
    assert all(line.endswith(".") for line in lines)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no_such"], "invalid choice: 'no_such'"),
        (["scale", "--size", "0"], "invalid"),
        (["scale", "--peer", "pytest-timeout"], "scale compares with no peers"),
        (["unused", "--size", "9"], "unused takes no size"),
    ],
)
def test_a_wrong_command_line_is_told(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as raised:
        main(BENCHMARKS, arguments)
    assert raised.value.code == 2
    assert message in capsys.readouterr().err


# What is compared


def test_the_largest_file_is_within_the_loaders_limit() -> None:
    case = "---\n" + CASE.format(number=99_999, reference="John 3:99999")
    assert len(case.encode()) * SCALE.full.size < limits.LARGEST_FILE
    assert len(CASE.splitlines()) == 12


def test_scale_goes_up_in_tens() -> None:
    assert sizes(100_000) == [100, 1_000, 10_000, 100_000]
    assert sizes(1_000) == [100, 1_000]
    assert sizes(20) == [20]


def test_growth_is_only_judged_above_a_thousand_cases() -> None:
    names = ("one case", "100 cases", "1,000 cases", "10,000 cases")
    usages = dict(zip(names, map(used, (1.0, 1.1, 1.5, 7.0)), strict=True))
    growth = SCALE.figures(Plan(10_000, 1))[-1]
    assert growth.value(usages) == pytest.approx(6.0 / 9_999 / (0.5 / 999))
    assert SCALE.figures(Plan(1_000, 1))[-1].value(usages) is None


def test_both_sides_of_the_unused_plugin_differ_only_in_it(tmp_path: Path) -> None:
    commands = []
    for number, contender in enumerate(UNUSED.contenders(Plan(1, 1))):
        (tmp_path / str(number)).mkdir()
        commands.append(contender.prepare(tmp_path / str(number)))
    without, ours = commands
    assert set(without) - set(ours) == {"no:jweval"}
    assert "no:xdist" in ours
