"""Everything this package raises on purpose.

::

    JWEvalError
    ├── SettingsError        an option, ini key or environment variable has a wrong value
    ├── CaseError            a case can't be run as it is written
    ├── UnknownName          nothing is registered under this name    (also a LookupError)
    ├── MissingExtra         an optional package isn't installed; the message says what to install
    ├── BadRuling            a layer gave something that is no ruling
    ├── PageError            a page could not be had, so nobody knows what it says
    │   └── AddressRefused   … because it may not be asked for at all
    ├── ProviderError        a model gave no reply that can be used: down, refused, unreadable
    │   └── NotRecorded      … and none is recorded, where nothing may be asked anew
    └── AgentError           the agent gave no answer that can be judged
        ├── AgentTimeout     … within its time
        └── BadAnswer        … of a shape that can be read

Whatever else an agent or a layer raises is caught once, in ``runner.py``, and becomes the
verdict ``error`` of that one case.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING

from pytest_jweval.texts import excerpt

if TYPE_CHECKING:
    from pytest_jweval.records import Miss


class JWEvalError(Exception):
    """The root of the tree above."""


class SettingsError(JWEvalError):
    """Shown by pytest as one ``UsageError`` line, exit code 4."""


class CaseError(JWEvalError):
    """Carries one miss for each thing that is wrong, so that each can be shown at its line."""

    def __init__(self, misses: "Iterable[Miss]") -> None:
        self.misses = tuple(misses)
        super().__init__("; ".join(miss.reason for miss in self.misses) or "the case can't be run")


class UnknownName(JWEvalError, LookupError):
    """Names what was asked for, what there is, and what was probably meant."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.name = name
        super().__init__(f"unknown {kind} {name!r}{suggestion(name, known)}")


class MissingExtra(JWEvalError):
    """One line that can be pasted into a shell."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an extra: pip install 'pytest-jweval[{extra}]'")


class BadRuling(JWEvalError):
    """A layer's ``evaluate`` gave something else than a `Ruling`, or one that can't be read."""


class PageError(JWEvalError):
    """An outage, a refusal, a limit: the case is an ``error``. That a page is gone is an answer, no error."""


class AddressRefused(PageError):
    """The guard of the live mode said no; ini ``jweval_live_hosts`` and ``jweval_private_hosts`` open it."""


class ProviderError(JWEvalError):
    """A model, an embedder or an NLI judge is down; what it would have said is not known."""


class NotRecorded(ProviderError):
    """Says which part of the key differs from the likest recording there is."""


class AgentError(JWEvalError):
    """The agent broke; the case is an ``error``, never a wrong answer."""


class AgentTimeout(AgentError):
    """The agent was still busy when its time (ini ``jweval_agent_timeout``) was up."""


class BadAnswer(AgentError):
    """What came back can't be read as findings."""


def suggestion(name: str, known: Iterable[str]) -> str:
    """``" (did you mean 'l1'?)"``, or else the names there are; empty when there are none."""
    names = sorted(known)
    folded = {known_name.casefold(): known_name for known_name in names}
    close = get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    if close:
        return f" (did you mean {folded[close[0]]!r}?)"
    return f" (known: {', '.join(names)})" if names else ""


def told(error: BaseException) -> str:
    """``ValueError: no such page``: an exception in one line, also if it can't speak for itself."""
    line = _line_of(error)
    if isinstance(error, BaseExceptionGroup):
        line += f": {'; '.join(_line_of(inner) for inner in _innermost(error))}"
    return excerpt(line, 500)


def _line_of(error: BaseException) -> str:
    name = type(error).__name__
    try:
        text = str(error)
    except Exception as broken:  # noqa: BLE001  # a stranger's __str__ may raise anything
        return f"{name} (and its own text raised {type(broken).__name__})"
    return f"{name}: {text}" if text.strip() else name


def _innermost(group: BaseExceptionGroup[BaseException]) -> list[BaseException]:
    """The first few exceptions of a group that are no groups themselves."""
    waiting: list[BaseException] = [*reversed(group.exceptions)]
    found: list[BaseException] = []
    while waiting and len(found) < 3:
        error = waiting.pop()
        if isinstance(error, BaseExceptionGroup):
            waiting.extend(reversed(error.exceptions))
        else:
            found.append(error)
    return found
