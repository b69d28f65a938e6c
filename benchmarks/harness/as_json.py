"""An outcome for programs: everything that was measured, and what was made of it."""

import json
from dataclasses import asdict
from typing import Any

from benchmarks.harness.outcome import Outcome
from benchmarks.harness.parts import Figure
from benchmarks.harness.values import cpu, memory, wall

_MEASURES = {"cpu_s": cpu, "wall_s": wall, "peak_bytes": memory}


def as_json(outcome: Outcome) -> str:
    data = {
        "benchmark": outcome.benchmark.name,
        "sentence": outcome.benchmark.sentence,
        "machine": asdict(outcome.machine),
        "size": outcome.plan.size,
        "rounds": outcome.plan.rounds,
        "remarks": list(outcome.benchmark.remarks(outcome.plan)),
        "contenders": [_contender(outcome, name) for name in outcome.names],
        "figures": [_figure(outcome, figure) for figure in outcome.benchmark.figures(outcome.plan)],
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _contender(outcome: Outcome, name: str) -> dict[str, Any]:
    told: dict[str, Any] = {"name": name}
    for key, measure in _MEASURES.items():
        told[key] = {
            "values": [measure(usages[name]) for usages in outcome.rounds],
            **asdict(outcome.usage(name, measure)),
            "ratio": asdict(outcome.ratio(name, measure)),
        }
    return told


def _figure(outcome: Outcome, figure: Figure) -> dict[str, Any]:
    spread = outcome.figure(figure)
    return {
        "sentence": figure.sentence,
        "unit": figure.unit,
        "values": [figure.value(usages) for usages in outcome.rounds],
        **(asdict(spread) if spread else {}),
        "target": asdict(figure.limit) if figure.limit else None,
        "outcome": outcome.word(figure) or None,
    }
