"""The same run without pytest, for scripts and other tools."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pytest_jweval import defaults
from pytest_jweval.agents import Desk
from pytest_jweval.errors import UnknownName
from pytest_jweval.loader import Entry, Ids, load
from pytest_jweval.paths import case_files
from pytest_jweval.ports import Agent
from pytest_jweval.records import LayerResult, SuiteReport
from pytest_jweval.registry import Registry
from pytest_jweval.resources import Resources
from pytest_jweval.results import result_of_broken
from pytest_jweval.runner import Job, Runner
from pytest_jweval.settings import Settings


class Suite:
    """Every case below a folder, asked of the given agents.

    ``resources`` are what the fixtures ``jw_<name>`` are under pytest: ``llm=…``, ``embedder=…``,
    ``pages=…``. What isn't given is what pytest would use without any option: pages come from
    ``snapshots_root`` (default: ``snapshots``), or with ``live`` from the web.
    ``registry`` adds layers of one's own; ``agent_timeout`` is in seconds.
    """

    def __init__(
        self,
        cases_root: str | Path,
        snapshots_root: str | Path | None = None,
        agents: Mapping[str, Agent] | None = None,
        live: bool = False,
        *,
        registry: Registry | None = None,
        agent_timeout: float = Settings().agent_timeout,
        **resources: Any,
    ) -> None:
        self.cases_root = Path(cases_root)
        self.agents = dict(agents or {})
        self.registry = registry or Registry()
        self.agent_timeout = agent_timeout
        self.settings = Settings(live=live, snapshots_dir=str(snapshots_root or Settings().snapshots_dir))
        self.resources = resources
        defaults.pytest_jweval_register(self.registry, None)

    def run(self, layers: Iterable[str] | str | None = None, agent: str | None = None) -> SuiteReport:
        """Judge the cases of these layers and this agent (default: all), one after another.

        What can't be read as a case is an ``error`` in every run, unless it names a layer or an agent not
        asked for. A layer or agent that nobody knows is an `UnknownName`.
        """
        wanted = self._known_layers([layers] if isinstance(layers, str) else layers)
        if agent is not None and agent not in self.agents:
            raise UnknownName("agent", agent, self.agents)
        started = datetime.now(UTC)
        with ExitStack() as open_until_the_end:
            desk = Desk(self.agent_timeout)
            open_until_the_end.callback(desk.close)
            resource = self._resources(open_until_the_end)
            runner = Runner(self.registry.layers, desk)
            results = [self._result(runner, entry, resource) for entry in self._entries(wanted, agent)]
        return SuiteReport.of(results, started_at=started, finished_at=datetime.now(UTC))

    def _known_layers(self, names: Iterable[str] | None) -> set[str] | None:
        if names is None:
            return None
        wanted = set(names)
        for name in sorted(wanted):
            self.registry.layers.named(name)
        return wanted

    def _entries(self, layers: set[str] | None, agent: str | None) -> Iterator[Entry]:
        if not self.cases_root.exists():
            raise FileNotFoundError(f"there are no cases at {self.cases_root}: no such file or folder")
        ids = Ids()
        for path in case_files(self.cases_root):
            for entry in map(ids.checked, load(path, path.as_posix(), self.registry.layers)):
                if self._is_wanted(entry, layers, agent):
                    yield entry

    def _is_wanted(self, entry: Entry, layers: set[str] | None, agent: str | None) -> bool:
        named = entry.header
        if layers is not None and named.layer in self.registry.layers and named.layer not in layers:
            return False
        return agent in (None, named.agent) or (entry.is_broken and named.agent is None)

    def _resources(self, open_until_the_end: ExitStack) -> Callable[[str], Any]:
        """What was given, and what is made of the settings when a case first asks for it."""
        known = dict(self.resources)
        folder = open_until_the_end.enter_context(TemporaryDirectory(prefix="jweval-"))
        made = Resources(self.settings, self.registry, Path(), Path(folder))
        makers: dict[str, Callable[[], Any]] = {
            "pages": lambda: open_until_the_end.enter_context(closing(made.opening().open())),
            "embedder": made.embedder,
            "llm": made.llm,
            "judge": lambda: made.judge(resource("llm")),
        }

        def resource(name: str) -> Any:
            if name not in known:
                known[name] = makers[name]() if name in makers else None
            return known[name]

        return resource

    def _result(self, runner: Runner, entry: Entry, resource: Callable[[str], Any]) -> LayerResult:
        if entry.is_broken:
            return result_of_broken(entry)
        case, expected = entry.checked()
        asker = f"{entry.header.path}::{entry.name}"
        return runner.run(
            Job(case, lambda: self.agents, resource, entry.source, expected=expected, asker=asker)
        )
