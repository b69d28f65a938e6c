"""What people write as the value of an option or an ini key, read; a `ValueError` says what was expected."""

import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

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


def read_names(words: list[str]) -> tuple[str, ...]:
    names = tuple(name.strip() for word in words for name in word.split(",") if name.strip())
    if not names:
        raise ValueError("expected a name")
    return names


def read_shard(words: list[str]) -> Shard:
    found = re.fullmatch(r"\s*([1-9]\d{0,5})\s*/\s*([1-9]\d{0,5})\s*", words[-1])
    if not found or int(found[1]) > int(found[2]):
        raise ValueError(f"{words[-1]!r} is no shard: expected I/N with 1 <= I <= N, such as 2/4")
    return Shard(int(found[1]), int(found[2]))


def read_reports(words: list[str]) -> tuple[ReportTarget, ...]:
    return tuple(_report(word) for word in words)


def _report(word: str) -> ReportTarget:
    form, colon, path = word.strip().partition(":")
    if not (form and colon and path):
        raise ValueError(f"{word!r} names no report: expected FORMAT:PATH, such as json:report.json")
    return ReportTarget(form, Path(path))


def read_folders(words: list[str]) -> tuple[str, ...]:
    return tuple(word.strip() for word in words if word.strip())


_SPEC = re.compile(r"(?P<name>[^\s=]+)\s*=\s*(?P<target>\S+)(?P<stars>\s+\*\*)?")
_IMPORT_PATH = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")


def read_agent_specs(words: list[str]) -> tuple[AgentSpec, ...]:
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


def read_seconds(words: list[str]) -> float:
    try:
        seconds = float(words[-1])
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise ValueError(f"{words[-1]!r} is no number of seconds (0 switches the limit off)")
    return seconds


def one_of(*known: str) -> Callable[[list[str]], str]:
    def parse(words: list[str]) -> str:
        if words[-1].strip() not in known:
            raise ValueError(f"{words[-1]!r}: expected {', '.join(known[:-1])} or {known[-1]}")
        return words[-1].strip()

    return parse


def read_yes(words: list[str]) -> bool:
    """pytest has read the ini form already."""
    return words[-1] == "True"


def read_folder(words: list[str]) -> str:
    if not words[-1].strip():
        raise ValueError("expected a folder")
    return words[-1].strip()


_HOST = re.compile(r"[\w.-]+|\[[0-9A-Fa-f:.]+\]|[0-9A-Fa-f:.]+")


def read_hosts(words: list[str]) -> tuple[str, ...]:
    hosts = tuple(word.strip().casefold() for word in words if word.strip())
    for host in hosts:
        if not _HOST.fullmatch(host):
            raise ValueError(
                f"{host!r} is no host: expected a name such as example.org, without port or path"
            )
    return hosts


def read_word(words: list[str]) -> str:
    if not words[-1].strip():
        raise ValueError("expected a name")
    return words[-1].strip()


def number(least: int, most: int) -> Callable[[list[str]], int]:
    def parse(words: list[str]) -> int:
        word = words[-1].strip()
        if not word.isascii() or not word.isdigit() or not least <= int(word) <= most:
            raise ValueError(f"{words[-1]!r}: expected a whole number from {least} to {most:,}")
        return int(word)

    return parse


def read_rate(words: list[str]) -> float:
    try:
        rate = float(words[-1])
    except ValueError:
        rate = 0.0
    if not 0 < rate <= 1000:
        raise ValueError(f"{words[-1]!r} is no rate: expected a number of requests a second, such as 0.5")
    return rate
