"""What one pytest process keeps for its run."""

import shutil
import tempfile
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_jweval import defaults
from pytest_jweval.errors import AgentError
from pytest_jweval.plugin import options
from pytest_jweval.plugin.golden import Golden
from pytest_jweval.registry import Registry
from pytest_jweval.settings import Settings

if TYPE_CHECKING:
    from pytest_jweval.loader import Compiled, Ids
    from pytest_jweval.plugin.askers import Askers
    from pytest_jweval.ports import Agent
    from pytest_jweval.resources import Resources
    from pytest_jweval.runner import Runner

_RUN_FOLDER = "jweval_run_folder"


@dataclass
class Session:
    """Light when it is made; the reader, the runner and the agents come with the first case."""

    config: pytest.Config
    settings: Settings
    registry: Registry
    golden: Golden
    all_items: list[pytest.Item] = field(default_factory=list)
    _layer_marks: dict[str, pytest.MarkDecorator | None] = field(default_factory=dict)
    agents_of_folders: "dict[Path | None, Mapping[str, Agent]]" = field(default_factory=dict)
    """Of those in which no fixture adds to what hooks and ini give."""
    askers: "Askers | None" = None
    _agents: dict[tuple[int, ...], "dict[str, Agent] | Exception"] = field(default_factory=dict)

    @classmethod
    def begin(cls, config: pytest.Config) -> "Session":
        settings = options.read(config)
        registry = Registry()
        config.pluginmanager.register(defaults, "jweval-defaults")
        config.hook.pytest_jweval_register.call_historic(kwargs={"registry": registry, "config": config})
        session = cls(config, settings, registry, Golden.of(config, settings))
        for layer in registry.layers:
            session._register_mark(layer)
        return session

    def layer_mark(self, layer: str) -> pytest.MarkDecorator:
        """Every layer is a mark; one that a nested conftest brings becomes a mark with its first case."""
        if layer not in self._layer_marks:
            self._register_mark(layer)
        mark = self._layer_marks[layer]
        if mark is None:
            # Not before the first case: until pytest is configured, `pytest.mark` may be an outer run's.
            mark = self._layer_marks[layer] = getattr(pytest.mark, layer)
        return mark

    def _register_mark(self, layer: str) -> None:
        self._layer_marks[layer] = None
        self.config.addinivalue_line("markers", f"{layer}: golden cases of the layer {layer}")

    @property
    def is_worker(self) -> bool:
        return hasattr(self.config, "workerinput")

    @cached_property
    def ids(self) -> "Ids":
        from pytest_jweval.loader import Ids

        return Ids()

    @cached_property
    def compiled(self) -> "Compiled | None":
        """Below pytest's own cache: ``--cache-clear`` and ``-p no:cacheprovider`` hold for it too."""
        from pytest_jweval import __version__
        from pytest_jweval.loader import Compiled

        return Compiled(self.cache_folder, __version__) if self.cache_folder else None

    @cached_property
    def cache_folder(self) -> Path | None:
        cache = getattr(self.config, "cache", None)
        try:
            return Path(cache.mkdir("jweval")) if cache else None
        except OSError:
            return None  # a read-only checkout; pytest itself goes on without a cache there

    def collected(self, items: "Sequence[pytest.Item]") -> None:
        """Every file has been read, and these are left to run."""
        if "compiled" not in self.__dict__:
            return
        if self.compiled is not None:
            self.compiled.save(self.config.rootpath)
        from pytest_jweval.plugin.askers import Askers

        self.askers = Askers(items)

    @cached_property
    def runner(self) -> "Runner":
        from pytest_jweval.agents import Desk
        from pytest_jweval.runner import Runner

        told = (pytest.skip.Exception, pytest.xfail.Exception, pytest.exit.Exception)
        return Runner(
            self.registry.layers,
            Desk(self.settings.agent_timeout),
            let_through=told,
            samples=self.settings.samples,
        )

    @cached_property
    def ini_agents(self) -> "Mapping[str, Agent]":
        from pytest_jweval.agents import SpecAgents

        return SpecAgents(self.settings.agent_specs, self.settings.agent_timeout)

    def hook_agents(self, hook: Any) -> "dict[str, Agent]":
        """What the conftests and plugins that ``hook`` reaches give, the nearest one winning.

        They are asked once a set of conftests, not once an item, so that an agent made in a hook is the
        same object for every case, and is asked the same question once.
        """
        caller = hook.pytest_jweval_agents
        reached = tuple(id(implementation.plugin) for implementation in caller.get_hookimpls())
        if reached not in self._agents:
            self._agents[reached] = self._asked_hooks(caller)
        agents = self._agents[reached]
        if isinstance(agents, Exception):
            raise agents
        return agents

    def _asked_hooks(self, caller: Any) -> "dict[str, Agent] | Exception":
        """What they give, or what one of them raised: a hook that breaks isn't called for every case."""
        found: dict[str, Agent] = {}
        try:
            for agents in reversed(caller(config=self.config)):
                found.update(_as_agents(agents))
        except Exception as error:  # noqa: BLE001  # raised again for each case that needs an agent
            return error
        return found

    def known_agents(self, hook: Any) -> "Mapping[str, Agent]":
        """Those of the hooks that ``hook`` reaches, then those of ini."""
        return ChainMap(self.hook_agents(hook), self.ini_agents)  # type: ignore[arg-type]  # read only

    @cached_property
    def run_folder(self) -> Path:
        """Where the processes of a run share what they find out. Nothing is made before it is written to."""
        if given := getattr(self.config, "workerinput", {}).get(_RUN_FOLDER):
            return Path(given)
        import secrets

        return Path(tempfile.gettempdir(), f"jweval-{secrets.token_hex(12)}")

    @cached_property
    def resources(self) -> "Resources":
        from pytest_jweval.resources import Resources

        return Resources(
            self.settings, self.registry, self.config.rootpath, self.run_folder, self.cache_folder
        )

    def pages_of(self, items: "Iterable[pytest.Item]") -> list[str]:
        """The pages that the cases among these items cite, each once."""
        from pytest_jweval.plugin.collect import CaseItem
        from pytest_jweval.ports import CitesPages
        from pytest_jweval.web.urls import page_url

        urls: dict[str, None] = {}
        for item in items:
            if isinstance(item, CaseItem) and not item.is_broken:
                layer = self.registry.layers[item.entry.layer]
                if isinstance(layer, CitesPages):
                    urls |= dict.fromkeys(map(page_url, layer.pages_of(item.entry.expected)))
        return list(urls)

    def end(self) -> None:
        if "runner" in self.__dict__:
            self.runner.close()
        if not self.is_worker and "run_folder" in self.__dict__ and self.run_folder.exists():
            shutil.rmtree(self.run_folder)


SESSION = pytest.StashKey[Session]()


def share_run_folder(config: pytest.Config, workerinput: dict[str, Any]) -> None:
    workerinput[_RUN_FOLDER] = str(config.stash[SESSION].run_folder)


def _as_agents(agents: object) -> "Mapping[str, Agent]":
    if not isinstance(agents, Mapping):
        raise AgentError(
            f"pytest_jweval_agents gave {type(agents).__name__}, not a mapping of names to agents"
        )
    return agents
