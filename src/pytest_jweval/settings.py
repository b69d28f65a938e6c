"""Every option, ini key and environment variable, in one table; and their values, frozen.

Precedence: command line, environment, ini, default. The table is all there is to know: ``plugin/options.py``
declares it to pytest, and the documentation's list is checked against it.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, Self

from pytest_jweval.errors import SettingsError

# Tuples, because making a dataclass takes a millisecond, in every run of every project.


class Shard(NamedTuple):
    """One of ``of`` parts of a run, cut by a hash of the id: no machine has to know the others' lists."""

    number: int
    of: int

    def holds(self, case_id: str) -> bool:
        return int.from_bytes(sha256(case_id.encode()).digest()[:8], "big") % self.of == self.number - 1


class ReportTarget(NamedTuple):
    """``json:out/report.json``"""

    format: str
    path: Path


class AgentSpec(NamedTuple):
    """A line of ini ``jweval_agents``: where the agent is, and whether it takes its input as keywords."""

    name: str
    target: str
    by_keywords: bool = False


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


def _names(words: list[str]) -> tuple[str, ...]:
    names = tuple(name.strip() for word in words for name in word.split(",") if name.strip())
    if not names:
        raise ValueError("expected a name")
    return names


def _shard(words: list[str]) -> Shard:
    found = re.fullmatch(r"\s*([1-9]\d{0,5})\s*/\s*([1-9]\d{0,5})\s*", words[-1])
    if not found or int(found[1]) > int(found[2]):
        raise ValueError(f"{words[-1]!r} is no shard: expected I/N with 1 <= I <= N, such as 2/4")
    return Shard(int(found[1]), int(found[2]))


def _reports(words: list[str]) -> tuple[ReportTarget, ...]:
    return tuple(_report(word) for word in words)


def _report(word: str) -> ReportTarget:
    form, colon, path = word.strip().partition(":")
    if not (form and colon and path):
        raise ValueError(f"{word!r} names no report: expected FORMAT:PATH, such as json:report.json")
    return ReportTarget(form, Path(path))


def _folders(words: list[str]) -> tuple[str, ...]:
    return tuple(word.strip() for word in words if word.strip())


_SPEC = re.compile(r"(?P<name>[^\s=]+)\s*=\s*(?P<target>\S+)(?P<stars>\s+\*\*)?")
_IMPORT_PATH = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")


def _agent_specs(words: list[str]) -> tuple[AgentSpec, ...]:
    specs: dict[str, AgentSpec] = {}
    for spec in (_agent_spec(word.strip()) for word in words if word.strip()):
        if spec.name in specs:
            raise ValueError(f"the agent {spec.name!r} is named twice")
        specs[spec.name] = spec
    return tuple(specs.values())


def _agent_spec(line: str) -> AgentSpec:
    found = _SPEC.fullmatch(line)
    if not found or not (_IMPORT_PATH.fullmatch(found["target"]) or _is_endpoint(found["target"])):
        raise ValueError(f"{line!r} names no agent: expected NAME = package.module:attr or NAME = http://…")
    if found["stars"] and is_http(found["target"]):
        raise ValueError(f"{line!r}: ** is for functions, an endpoint is sent the input as JSON")
    return AgentSpec(found["name"], found["target"], bool(found["stars"]))


def is_http(target: str) -> bool:
    return target.lower().startswith(("http://", "https://"))


def _is_endpoint(target: str) -> bool:
    from urllib.parse import urlsplit

    try:
        url = urlsplit(target)
        return is_http(target) and bool(url.hostname) and url.port != 0
    except ValueError:  # a port that is no number, say
        return False


def _seconds(words: list[str]) -> float:
    try:
        seconds = float(words[-1])
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise ValueError(f"{words[-1]!r} is no number of seconds (0 switches the limit off)")
    return seconds


def _one_of(*known: str) -> Callable[[list[str]], str]:
    def parse(words: list[str]) -> str:
        if words[-1].strip() not in known:
            raise ValueError(f"{words[-1]!r}: expected {', '.join(known[:-1])} or {known[-1]}")
        return words[-1].strip()

    return parse


def _yes(words: list[str]) -> bool:
    """pytest has read the ini form already."""
    return words[-1] == "True"


def _folder(words: list[str]) -> str:
    if not words[-1].strip():
        raise ValueError("expected a folder")
    return words[-1].strip()


_HOST = re.compile(r"[\w.-]+|\[[0-9A-Fa-f:.]+\]|[0-9A-Fa-f:.]+")


def _hosts(words: list[str]) -> tuple[str, ...]:
    hosts = tuple(word.strip().casefold() for word in words if word.strip())
    for host in hosts:
        if not _HOST.fullmatch(host):
            raise ValueError(
                f"{host!r} is no host: expected a name such as example.org, without port or path"
            )
    return hosts


def _word(words: list[str]) -> str:
    if not words[-1].strip():
        raise ValueError("expected a name")
    return words[-1].strip()


def _number(least: int, most: int) -> Callable[[list[str]], int]:
    def parse(words: list[str]) -> int:
        word = words[-1].strip()
        if not word.isascii() or not word.isdigit() or not least <= int(word) <= most:
            raise ValueError(f"{words[-1]!r}: expected a whole number from {least} to {most:,}")
        return int(word)

    return parse


def _rate(words: list[str]) -> float:
    try:
        rate = float(words[-1])
    except ValueError:
        rate = 0.0
    if not 0 < rate <= 1000:
        raise ValueError(f"{words[-1]!r} is no rate: expected a number of requests a second, such as 0.5")
    return rate


CHOICES: tuple[Choice, ...] = (
    Choice(
        "layers",
        "layer",
        "L,L",
        "run only the golden cases of these layers (l1, l2, …)",
        _names,
        "args",
    ),
    Choice("agents", "agent", "NAME,NAME", "run only the golden cases of these agents", _names, "args"),
    Choice("tags", "tag", "TAG,TAG", "run only the golden cases with one of these tags", _names, "args"),
    Choice(
        "llm",
        "llm",
        "NAME",
        "the model that judges what cosines leave undecided: ollama (default), claude, openai, none, or a "
        "name from a hook",
        _word,
        environ="JW_EVAL_LLM",
    ),
    Choice("model", "model", "NAME", "which of its backend's models judges", _word),
    Choice(
        "votes",
        "votes",
        "N",
        "how often the judge is asked; the majority decides (default: 1)",
        _number(1, 15),
    ),
    Choice(
        "samples",
        "samples",
        "N",
        "ask each agent up to N times, until it is clear whether it passes 95% of the time, or 60%",
        _number(7, 1000),
    ),
    Choice(
        "embedder",
        "embedder",
        "NAME[:MODEL]",
        "what makes vectors of texts: sentence-transformers (default where it is installed), hashing, "
        "ollama, openai, or a name from a hook",
        _word,
    ),
    Choice(
        "cassettes",
        "cassettes",
        "replay|record|off",
        "replay: use recorded calls to models, and record those that are asked anew (default); record: ask "
        "and record all; off: ask all, record none",
        _one_of("replay", "record", "off"),
    ),
    Choice(
        "shard",
        "shard",
        "I/N",
        "run the I-th of N parts (from 1); the parts are cut by a stable hash of the id",
        _shard,
    ),
    Choice(
        "reports",
        "report",
        "FORMAT:PATH",
        "write a report of the golden cases: json:PATH or md:PATH; may be repeated",
        _reports,
        "linelist",
    ),
    Choice(
        "golden",
        "golden",
        "FOLDER",
        "folders below rootdir that hold golden cases (default: golden)",
        _folders,
        "linelist",
        on_command_line=False,
    ),
    Choice(
        "agent_specs",
        "agents",
        "NAME = TARGET",
        "agents, one a line: name = package.module:attr (with ** at the end: called with keywords), "
        "or name = http://…",
        _agent_specs,
        "linelist",
        on_command_line=False,
    ),
    Choice(
        "agent_timeout",
        "agent_timeout",
        "SECONDS",
        "how long an agent may take for one answer (default: 60; 0: no limit)",
        _seconds,
        on_command_line=False,
    ),
    Choice(
        "review",
        "review",
        "fail|skip",
        "what pytest makes of the verdict review (default: fail)",
        _one_of("fail", "skip"),
        on_command_line=False,
    ),
    Choice(
        "live",
        "live",
        "",
        "judge citations on pages fetched from the web, not on snapshots",
        _yes,
        "bool",
    ),
    Choice(
        "snapshots",
        "snapshots",
        "use|missing|refresh",
        "use: read cited pages from snapshots (default); missing: fetch and keep those that there is no "
        "snapshot of; refresh: fetch and keep all",
        _one_of("use", "missing", "refresh"),
    ),
    Choice(
        "snapshots_dir",
        "snapshots_dir",
        "FOLDER",
        "the folder below rootdir that holds snapshots (default: snapshots)",
        _folder,
        on_command_line=False,
    ),
    Choice(
        "cassettes_dir",
        "cassettes_dir",
        "FOLDER",
        "the folder below rootdir that holds recorded calls (default: cassettes)",
        _folder,
        on_command_line=False,
    ),
    Choice(
        "token_budget",
        "token_budget",
        "NUMBER",
        "how many tokens the judge's model may use in one run (default: no limit)",
        _number(1, 10**12),
        on_command_line=False,
    ),
    Choice(
        "missing_snapshot",
        "missing_snapshot",
        "skip|fail",
        "what becomes of a case whose page has no snapshot (default: skip)",
        _one_of("skip", "fail"),
        on_command_line=False,
    ),
    Choice(
        "live_hosts",
        "live_hosts",
        "HOST",
        "hosts that pages may be fetched from, besides those that cases name: a redirect may lead there",
        _hosts,
        "linelist",
        on_command_line=False,
    ),
    Choice(
        "private_hosts",
        "private_hosts",
        "HOST",
        "hosts that may be fetched from although their address is private, loopback or reserved",
        _hosts,
        "linelist",
        on_command_line=False,
    ),
    Choice(
        "host_rate",
        "host_rate",
        "NUMBER",
        "how many requests a second are sent to one host (default: 1)",
        _rate,
        on_command_line=False,
    ),
)
