"""The command line."""

import sys
import tempfile
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.harness.as_json import as_json
from benchmarks.harness.as_markdown import as_markdown
from benchmarks.harness.machine import Machine
from benchmarks.harness.outcome import Outcome
from benchmarks.harness.parts import Benchmark, Plan
from benchmarks.harness.turns import ContenderFailed, in_turn

_MOST_LINES = 100


def main(benchmarks: Sequence[Benchmark], arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 if a contender failed. A target that isn't reached is told, and no failure."""
    by_name = {benchmark.name: benchmark for benchmark in benchmarks}
    parser = _parser(by_name)
    asked = parser.parse_args(arguments)
    if asked.name is None:
        print(_listed(benchmarks))
        return 0
    benchmark = by_name[asked.name]
    if asked.peers and not benchmark.takes_peers:
        parser.error(f"{benchmark.name} compares with no peers")
    if asked.size and not benchmark.takes_size:
        parser.error(f"{benchmark.name} takes no size")
    try:
        outcome = held(benchmark, _plan(benchmark, asked))
    except ContenderFailed as failed:
        print(f"{failed}\n\n{_last_lines(failed.output)}", file=sys.stderr)
        return 1
    _write(outcome, asked.out)
    return 0


def held(benchmark: Benchmark, plan: Plan) -> Outcome:
    contenders = benchmark.contenders(plan)
    with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
        rounds = in_turn(contenders, Path(folder), plan.rounds, _tell)
    names = [contender.name for contender in contenders]
    return Outcome(benchmark, plan, Machine.here(), names, rounds)


def _parser(names: Iterable[str]) -> ArgumentParser:
    parser = ArgumentParser(prog="python -m benchmarks", formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?", metavar="NAME", choices=list(names), help="without it: a list")
    parser.add_argument("--quick", action="store_true", help="a small size and few rounds, to try it out")
    parser.add_argument("--rounds", type=_positive, metavar="N", help="how often each contender's turn comes")
    parser.add_argument("--size", type=_positive, metavar="N", help="how many cases")
    parser.add_argument(
        "--peer",
        action="append",
        default=[],
        dest="peers",
        metavar="PACKAGE",
        help="an installed pytest plugin to compare with, where the benchmark can; may be repeated",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("build", "benchmarks"),
        metavar="FOLDER",
        help="where NAME.md and NAME.json are written (default: build/benchmarks)",
    )
    return parser


def _positive(word: str) -> int:
    number = int(word)
    if number < 1:
        raise ValueError(word)
    return number


def _plan(benchmark: Benchmark, asked: Namespace) -> Plan:
    plan = benchmark.quick if asked.quick else benchmark.full
    size, rounds = asked.size or plan.size, asked.rounds or plan.rounds
    return replace(plan, size=size, rounds=rounds, peers=tuple(asked.peers))


def _listed(benchmarks: Sequence[Benchmark]) -> str:
    width = max(len(benchmark.name) for benchmark in benchmarks)
    return "\n".join(f"{benchmark.name:{width}}  {benchmark.sentence}" for benchmark in benchmarks)


def _last_lines(output: str) -> str:
    lines = output.splitlines()
    left_out = [f"({len(lines) - _MOST_LINES} lines before)"] if len(lines) > _MOST_LINES else []
    return "\n".join([*left_out, *lines[-_MOST_LINES:]])


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _write(outcome: Outcome, folder: Path) -> None:
    text = as_markdown(outcome)
    folder.mkdir(parents=True, exist_ok=True)
    name = outcome.benchmark.name
    (folder / f"{name}.md").write_text(text, encoding="utf-8")
    (folder / f"{name}.json").write_text(as_json(outcome), encoding="utf-8")
    print(text)
