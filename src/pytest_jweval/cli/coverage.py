"""``jweval coverage``: does every agent have its golden cases?"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated

import typer

from pytest_jweval.cli.project import Case, Project, Uncollectable
from pytest_jweval.cli.terminal import Rootdir, complain, listing, say, table
from pytest_jweval.errors import suggestion
from pytest_jweval.texts import counted


def coverage(
    least: Annotated[
        int, typer.Option("--min", min=0, metavar="N", help="How many cases each agent must have.")
    ] = 3,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--layer", metavar="L,L", help="Ask for a case in these layers only (default: all that apply)."
        ),
    ] = None,
    rootdir: Rootdir = Path(),
) -> None:
    """Check that each agent has its golden cases.

    Every registered agent must have at least N cases, and at least one in each layer that applies: a layer
    applies to all agents as soon as any agent has a case of it. What can't be read doesn't count.

    Exit code 1: something is missing, and is named; 2: pytest can't collect the project.
    """
    try:
        project = Project.read(rootdir)
    except Uncollectable as error:
        raise complain(f"The golden cases can't be collected. {error}") from None
    counts = Counts(project, _names(only or ()))
    missing = list(counts.missing(least))
    _show(counts, missing)
    if missing:
        raise typer.Exit(1)
    layers = f", and one in each of {', '.join(counts.layers)}" if counts.layers else ""
    say(f"each agent has at least {counted(least, 'case')}{layers}", "green")


def _names(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(name.strip() for word in words for name in word.split(",") if name.strip())


@dataclass(frozen=True)
class Counts:
    """How many cases each agent has in each layer; ``only`` limits the layers that are asked for."""

    project: Project
    only: tuple[str, ...] = ()

    @cached_property
    def cases(self) -> list[Case]:
        """One of each id: a bench case, say, is several items."""
        return list({case.case_id: case for case in self.project.cases if not case.problems}.values())

    @cached_property
    def layers(self) -> list[str]:
        applying = sorted({case.layer for case in self.cases if case.agent is not None})
        return [layer for layer in applying if not self.only or layer in self.only]

    @cached_property
    def agents(self) -> list[str]:
        return sorted({agent.name for agent in self.project.agents})

    @cached_property
    def of(self) -> Counter[tuple[str | None, str]]:
        return Counter((case.agent, case.layer) for case in self.cases)

    def total(self, agent: str) -> int:
        return sum(case.agent == agent for case in self.cases)

    def missing(self, least: int) -> Iterator[str]:
        """A line for each thing that an agent lacks; never empty when there is nothing to check."""
        if not self.project.loaded:
            yield "pytest-jweval is switched off in this project: jweval doctor says more"
        elif not self.agents:
            yield (
                "no agent is registered: return it from a pytest_jweval_agents hook, "
                "or name it in ini jweval_agents"
            )
        known = {*self.layers, *(case.layer for case in self.cases)}
        for layer in self.only:
            if layer not in known:
                yield f"no agent has a case of the layer {layer!r}{suggestion(layer, known)}"
        for agent in self.agents:
            if (total := self.total(agent)) < least:
                yield f"{agent} has {counted(total, 'case')}, and should have {least}"
            for layer in self.layers:
                if not self.of[agent, layer]:
                    yield f"{agent} has no case of the layer {layer}"

    def unregistered(self) -> Iterator[str]:
        for case in self.project.cases:
            if case.agent and not case.agent_is_known:
                yield f"{case.agent}{self.project.instead_of(case.agent)}: {case.path}:{case.line}"


def _show(counts: Counts, missing: Sequence[str]) -> None:
    if counts.agents:
        rows = [
            [agent, counts.total(agent), *(counts.of[agent, layer] for layer in counts.layers)]
            for agent in counts.agents
        ]
        for line in table([["agent", "cases", *counts.layers], *rows]):
            say(line)
    project = counts.project
    listing("not registered, but named by a case:", list(counts.unregistered()), "yellow")
    unread = [problem for case in project.cases for problem in case.problems]
    listing("not readable, and so not counted:", unread, "yellow")
    listing("not as it should be:", project.problems, "yellow")
    if project.agents_by_fixture:
        where = ", ".join(project.agents_by_fixture)
        unseen = f"agents given by the fixture jw_agents in {where}: use the hook"
        listing("not looked at:", [unseen], "yellow")
    listing("missing:", missing, "red")
    say()
