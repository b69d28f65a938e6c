"""Calls to models, kept so that the same reply comes back offline, in CI, and for nothing.

A cassette is a folder of entries, each in a file named by the hash of what was asked. Nothing is ever removed
but by `Cassettes.prune`, and nothing is written but what `Entry` has fields for, with its secrets redacted.
"""

import json
import re
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pytest_jweval.errors import NotRecorded, ProviderError
from pytest_jweval.files import sweep
from pytest_jweval.llms.entries import Damaged, Entry, read_entry, write_entry
from pytest_jweval.llms.keys import digest, key_of, parts_of_call
from pytest_jweval.llms.likeness import Call, changes, likest
from pytest_jweval.llms.reading import read_object
from pytest_jweval.llms.redaction import redacted_data, secrets_in
from pytest_jweval.ports import LLM, Message, Reply
from pytest_jweval.texts import excerpt

Mode = Literal["replay", "record", "off"]

STAND_IN = "the-nonce-of-a-call"
"""Stands for the nonce where a key is made, and in what is recorded."""

_OF_A_REPLY = {"text", "parsed", "input_tokens", "output_tokens"}
_NAME = re.compile(r"[0-9a-f]{64}\.json")


@dataclass(frozen=True, slots=True)
class Problem:
    """A file of a cassette that a person must look at."""

    path: Path
    what: str


class Cassettes:
    """The recordings in one folder, which is ``shown`` in messages under a name of its own.

    ``explicit`` says that somebody chose the mode for this very run: in CI, everything else only replays.
    ``used`` has the keys that were replayed or recorded by this process.
    """

    def __init__(
        self,
        folder: Path,
        mode: Mode = "replay",
        *,
        in_ci: bool = False,
        explicit: bool = False,
        shown: str = "",
    ) -> None:
        self.folder = folder
        self.mode: Mode = "replay" if in_ci and not explicit else mode
        self.asks = self.mode != "replay" or not in_ci
        self.used: set[str] = set()
        self._shown = shown or folder.as_posix()
        self._known: dict[str, list[Call]] | None = None
        self._swept = False

    def recorded_call(
        self, kind: str, request: Mapping[str, Any], work: Callable[[], Any]
    ) -> tuple[Any, bool]:
        """What ``work`` gives for this request, or once gave; and whether it comes from a recording.

        Both are JSON. What is recorded is given back as it was written, redacted, so that a run and its
        replay see the same.
        """
        if self.mode == "off":
            return work(), False
        parts = _as_json(request, f"a call of kind {kind!r}")
        if parts != (whole := json.loads(json.dumps(request))):
            # Two calls that differ only in what was redacted are two calls.
            parts["redacted"] = digest(whole)[:16]
        key = key_of(kind, parts)
        if self.mode == "replay":
            if found := self._read(key):
                self.used.add(key)
                return found.reply, True
            if not self.asks:
                raise NotRecorded(self._why_not(kind, parts))
        return self._record(key, kind, parts, work()), False

    def entries(self) -> Iterator[Entry]:
        """All that can be read; `verify` tells of the others."""
        for path in self._paths():
            try:
                entry = read_entry(path)
            except Damaged:
                continue
            if entry is not None:
                yield entry

    def verify(self) -> list[Problem]:
        """Files that are damaged, or hold what looks like a secret."""
        problems: list[Problem] = []
        for path in self._paths():
            try:
                entry = read_entry(path)
            except Damaged as damage:
                problems.append(Problem(path, str(damage)))
                continue
            if entry and (kinds := secrets_in([entry.request, entry.reply])):
                problems.append(Problem(path, f"holds what looks like a secret: {', '.join(kinds)}"))
        return problems

    def prune(self, used: Collection[str], *, dry_run: bool = False) -> list[Path]:
        """Remove all recordings but the ``used`` ones; gives what is, or would be, removed."""
        unused = [path for path in self._paths() if path.stem not in used]
        if not dry_run:
            for path in unused:
                path.unlink(missing_ok=True)
            self._sweep()
        return unused

    def path_of(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"

    def _read(self, key: str) -> Entry | None:
        try:
            return read_entry(self.path_of(key))
        except Damaged as damage:
            advice = "restore it, or record it again with --jw-cassettes=record"
            raise ProviderError(f"{self._name(key)} {damage} ({advice})") from None

    def _record(self, key: str, kind: str, parts: dict[str, Any], said: Any) -> Any:
        if not self._swept:
            self._sweep()
        reply = _as_json(said, f"the reply to a call of kind {kind!r}")
        write_entry(self.path_of(key), Entry(kind, parts, reply, datetime.now(UTC)))
        self.used.add(key)
        return reply

    def _sweep(self) -> None:
        self._swept = True
        for folder in self.folder.glob("[0-9a-f][0-9a-f]"):
            sweep(folder)

    def _why_not(self, kind: str, parts: dict[str, Any]) -> str:
        advice = "record it with --jw-cassettes=record"
        closest = likest(call := Call("", parts), self._recordings(kind))
        if closest is None:
            return f"nothing of the kind {kind!r} is recorded in {self._shown}; {advice}"
        return f"this call is not recorded: beside {closest.name} {changes(closest, call)}; {advice}"

    def _recordings(self, kind: str) -> list[Call]:
        if self._known is None:
            known: dict[str, list[Call]] = {}
            for entry in self.entries():
                known.setdefault(entry.kind, []).append(Call(self._name(entry.key), entry.request))
            self._known = known
        return self._known.get(kind, [])

    def _paths(self) -> list[Path]:
        found = self.folder.glob("[0-9a-f][0-9a-f]/*.json")
        return sorted(path for path in found if _NAME.fullmatch(path.name))

    def _name(self, key: str) -> str:
        return f"{self._shown}/{key[:2]}/{key}.json"


class Recorded:
    """A model whose replies are recorded. ``before_asking`` is called ahead of each call that no recording
    answers: it may raise."""

    def __init__(
        self, llm: LLM | None, cassettes: Cassettes, *, before_asking: Callable[[], object] = lambda: None
    ) -> None:
        self._llm = llm
        self._cassettes = cassettes
        self._before_asking = before_asking

    @property
    def name(self) -> str:
        return self._llm.name if self._llm else "nobody"

    @property
    def model(self) -> str:
        return self._llm.model if self._llm else ""

    def ask(
        self,
        render: Callable[[str], Sequence[Message]],
        *,
        schema: Mapping[str, Any] | None = None,
        version: str = "",
        trial: int = 0,
        kind: str = "judge",
    ) -> Reply:
        """The reply to the messages that ``render`` makes around a nonce, which nobody can know before."""
        llm = self._llm
        if llm is None:
            raise NotRecorded("no model is chosen, so nobody can be asked, and no recording be found")
        said, recorded = self._cassettes.recorded_call(
            kind,
            parts_of_call(llm, render(STAND_IN), schema, version, trial),
            lambda: self._asked(llm, render, schema),
        )
        if not isinstance(said, dict) or set(said) != _OF_A_REPLY or not isinstance(said["text"], str):
            raise ProviderError(f"what is recorded of {llm.name} ({llm.model}) is no reply")
        return Reply(**said, recorded=recorded)

    def _asked(
        self, llm: LLM, render: Callable[[str], Sequence[Message]], schema: Mapping[str, Any] | None
    ) -> dict[str, Any]:
        self._before_asking()
        reply = llm.reply(render(secrets.token_hex(8)), schema=schema)
        return {
            "text": reply.text,
            "parsed": reply.parsed if schema is None else _fulfilled(reply, schema, llm),
            "input_tokens": reply.input_tokens,
            "output_tokens": reply.output_tokens,
        }


def _fulfilled(reply: Reply, schema: Mapping[str, Any], llm: LLM) -> dict[str, Any]:
    """The object that was asked for. A reply without one is an outage, and not recorded, so that the next
    run asks."""
    text = reply.text if reply.parsed is None else json.dumps(reply.parsed)
    if (found := read_object(text, schema)) is None:
        said = excerpt(reply.text, 160)
        raise ProviderError(f"{llm.name} {llm.model} gave a reply that can't be read: {said!r}")
    return found


def _as_json(data: Any, what: str) -> Any:
    """As it will be read, where two half characters in a row are a whole one."""
    try:
        return json.loads(json.dumps(redacted_data(data)))
    except (TypeError, ValueError, RecursionError) as error:
        raise ProviderError(f"{what} can't be recorded: {error}") from None
