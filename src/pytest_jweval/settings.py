"""Every option, ini key and environment variable, in one table; and their values, frozen.

Precedence: command line, environment, ini, default. The table is all there is to know: ``plugin/options.py``
declares it to pytest, and the documentation's list is checked against it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from pytest_jweval import values
from pytest_jweval.errors import SettingsError
from pytest_jweval.values import AgentSpec, ReportTarget, Shard


@dataclass(frozen=True, slots=True)
class Settings:
    """What this run was asked to do."""

    layers: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    llm: str | None = None
    model: str | None = None
    votes: int = 1
    samples: int | None = None
    embedder: str | None = None
    cassettes: str | None = None
    shard: Shard | None = None
    reports: tuple[ReportTarget, ...] = ()
    golden: tuple[str, ...] = ("golden",)
    agent_specs: tuple[AgentSpec, ...] = ()
    agent_timeout: float = 60.0
    review: str = "fail"
    live: bool = False
    snapshots: str = "use"
    snapshots_dir: str = "snapshots"
    cassettes_dir: str = "cassettes"
    token_budget: int | None = None
    missing_snapshot: str = "skip"
    live_hosts: tuple[str, ...] = ()
    private_hosts: tuple[str, ...] = ()
    host_rate: float = 1.0

    @classmethod
    def read(
        cls, option: Callable[[str], Any], ini: Callable[[str], Any], environ: Mapping[str, str]
    ) -> Self:
        """``option`` and ``ini`` give ``None`` for what wasn't set; a wrong value is a `SettingsError`."""
        given = {}
        for choice in CHOICES:
            for told_by, value in choice.tellings(option, ini, environ):
                if value is not None:
                    given[choice.field] = _parsed(choice, told_by, value)
                    break
        return cls(**given)


# A tuple, because making a dataclass takes a millisecond, in every run of every project.
class Choice(NamedTuple):
    """One row of the table. ``ini_type`` is pytest's name for the ini form; an option without metavar is a
    flag, which takes no value."""

    field: str
    name: str
    metavar: str
    help: str
    parse: Callable[[list[str]], Any]
    ini_type: str = "string"
    on_command_line: bool = True
    environ: str | None = None

    @property
    def flag(self) -> str:
        return f"--jw-{self.name.replace('_', '-')}"

    @property
    def ini(self) -> str:
        return f"jweval_{self.name}"

    @property
    def is_flag(self) -> bool:
        return not self.metavar

    @property
    def many(self) -> bool:
        """Whether the option may be repeated."""
        return self.ini_type not in ("string", "bool")

    def tellings(
        self, option: Callable[[str], Any], ini: Callable[[str], Any], environ: Mapping[str, str]
    ) -> Iterable[tuple[str, Any]]:
        """Who may have said what, the first to be heard first. An empty variable counts as unset."""
        if self.on_command_line:
            yield self.flag, option(self.flag)
        if self.environ:
            yield self.environ, environ.get(self.environ) or None
        yield f"ini {self.ini}", ini(self.ini)


def _parsed(choice: Choice, told_by: str, value: Any) -> Any:
    words = [str(word) for word in (value if isinstance(value, list) else [value])]
    try:
        return choice.parse(words)
    except ValueError as error:
        raise SettingsError(f"{told_by}: {error}") from None


CHOICES: tuple[Choice, ...] = (
    Choice(
        "layers",
        "layer",
        "L,L",
        "run only the golden cases of these layers (l1, l2, …)",
        values.read_names,
        "args",
    ),
    Choice(
        "agents", "agent", "NAME,NAME", "run only the golden cases of these agents", values.read_names, "args"
    ),
    Choice(
        "tags",
        "tag",
        "TAG,TAG",
        "run only the golden cases with one of these tags",
        values.read_names,
        "args",
    ),
    Choice(
        "llm",
        "llm",
        "NAME",
        "the model that judges what cosines leave undecided: ollama (default), claude, openai, none, or a "
        "name from a hook",
        values.read_word,
        environ="JW_EVAL_LLM",
    ),
    Choice("model", "model", "NAME", "which of its backend's models judges", values.read_word),
    Choice(
        "votes",
        "votes",
        "N",
        "how often the judge is asked; the majority decides (default: 1)",
        values.number(1, 15),
    ),
    Choice(
        "samples",
        "samples",
        "N",
        "ask each agent up to N times, until it is clear whether it passes 95% of the time, or 60%",
        values.number(7, 1000),
    ),
    Choice(
        "embedder",
        "embedder",
        "NAME[:MODEL]",
        "what makes vectors of texts: sentence-transformers (default where it is installed), hashing, "
        "ollama, openai, or a name from a hook",
        values.read_word,
    ),
    Choice(
        "cassettes",
        "cassettes",
        "replay|record|off",
        "replay: use recorded calls to models, and record those that are asked anew (default); record: ask "
        "and record all; off: ask all, record none",
        values.one_of("replay", "record", "off"),
    ),
    Choice(
        "shard",
        "shard",
        "I/N",
        "run the I-th of N parts (from 1); the parts are cut by a stable hash of the id",
        values.read_shard,
    ),
    Choice(
        "reports",
        "report",
        "FORMAT:PATH",
        "write a report of the golden cases: json:PATH or md:PATH; may be repeated",
        values.read_reports,
        "linelist",
    ),
    Choice(
        "golden",
        "golden",
        "FOLDER",
        "folders below rootdir that hold golden cases (default: golden)",
        values.read_folders,
        "linelist",
        on_command_line=False,
    ),
    Choice(
        "agent_specs",
        "agents",
        "NAME = TARGET",
        "agents, one a line: name = package.module:attr (with ** at the end: called with keywords), "
        "or name = http://…",
        values.read_agent_specs,
        "linelist",
        on_command_line=False,
    ),
    Choice(
        "agent_timeout",
        "agent_timeout",
        "SECONDS",
        "how long an agent may take for one answer (default: 60; 0: no limit)",
        values.read_seconds,
        on_command_line=False,
    ),
    Choice(
        "review",
        "review",
        "fail|skip",
        "what pytest makes of the verdict review (default: fail)",
        values.one_of("fail", "skip"),
        on_command_line=False,
    ),
    Choice(
        "live",
        "live",
        "",
        "judge citations on pages fetched from the web, not on snapshots",
        values.read_yes,
        "bool",
    ),
    Choice(
        "snapshots",
        "snapshots",
        "use|missing|refresh",
        "use: read cited pages from snapshots (default); missing: fetch and keep those that there is no "
        "snapshot of; refresh: fetch and keep all",
        values.one_of("use", "missing", "refresh"),
    ),
    Choice(
        "snapshots_dir",
        "snapshots_dir",
        "FOLDER",
        "the folder below rootdir that holds snapshots (default: snapshots)",
        values.read_folder,
        on_command_line=False,
    ),
    Choice(
        "cassettes_dir",
        "cassettes_dir",
        "FOLDER",
        "the folder below rootdir that holds recorded calls (default: cassettes)",
        values.read_folder,
        on_command_line=False,
    ),
    Choice(
        "token_budget",
        "token_budget",
        "NUMBER",
        "how many tokens the judge's model may use in one run (default: no limit)",
        values.number(1, 10**12),
        on_command_line=False,
    ),
    Choice(
        "missing_snapshot",
        "missing_snapshot",
        "skip|fail",
        "what becomes of a case whose page has no snapshot (default: skip)",
        values.one_of("skip", "fail"),
        on_command_line=False,
    ),
    Choice(
        "live_hosts",
        "live_hosts",
        "HOST",
        "hosts that pages may be fetched from, besides those that cases name: a redirect may lead there",
        values.read_hosts,
        "linelist",
        on_command_line=False,
    ),
    Choice(
        "private_hosts",
        "private_hosts",
        "HOST",
        "hosts that may be fetched from although their address is private, loopback or reserved",
        values.read_hosts,
        "linelist",
        on_command_line=False,
    ),
    Choice(
        "host_rate",
        "host_rate",
        "NUMBER",
        "how many requests a second are sent to one host (default: 1)",
        values.read_rate,
        on_command_line=False,
    ),
)
