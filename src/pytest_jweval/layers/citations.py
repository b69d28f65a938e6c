"""L2: are the pages cited that should be, and do they say so?

The pages themselves are opened, as snapshots or live; no model is asked about them. Every cited page is
looked at, so that what is wrong with one hides nothing of another. The worst of them decides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_jweval.errors import PageError
from pytest_jweval.layers.cited import CitationsExpected, Cited
from pytest_jweval.layers.entailment import follow_from
from pytest_jweval.layers.outcomes import Outcome, worst
from pytest_jweval.ports import Context, Pages
from pytest_jweval.records import Miss, Ruling, Verdict
from pytest_jweval.texts import counted, excerpt
from pytest_jweval.web.nearest import nearest
from pytest_jweval.web.page import Page
from pytest_jweval.web.text import comparable, says
from pytest_jweval.web.urls import same_page

_URLS_SHOWN = 5


class Citations:
    """The layer ``l2``."""

    name = "l2"
    schema = CitationsExpected
    needs_agent = True

    def pages_of(self, expected: CitationsExpected) -> list[str]:
        return [cited.url for cited in expected.expected_citations]

    def evaluate(self, context: Context) -> Ruling:
        expected: CitationsExpected = context.expected
        pages: Pages = context.resource("pages")
        looks = [
            _Look(context, number, cited, expected.phrases_of(cited), pages).taken()
            for number, cited in enumerate(expected.expected_citations)
        ]
        outcomes = [outcome for look in looks for outcome in look.outcomes]
        if not expected.allow_extra_citations:
            outcomes += _extra(context, expected)
        return worst(outcomes, _evidence(context, looks))


@dataclass
class _Look:
    """One expected citation, and what was found out of it."""

    context: Context
    number: int
    cited: Cited
    phrases: Sequence[str]
    pages: Pages
    page: Page | None = None
    found: str | None = None
    drift: dict[str, Any] | None = None
    outcomes: list[Outcome] = field(default_factory=list)

    def taken(self) -> "_Look":
        if not self._is_cited():
            self.outcomes.append(self._failed(f"is not cited: {self.cited.url} {_seen(self.context)}"))
        try:
            self.page = self.pages.page(self.cited.url)
        except PageError as error:
            reason = f"{self._name} can't be looked at: {error}"
            self.outcomes.append(Outcome(Verdict.ERROR, reason, self._miss(reason)))
            return self
        self.outcomes += self._judged()
        return self

    def _judged(self) -> Iterator[Outcome]:
        page = self.page
        if page is None:
            reason = f"there is no snapshot of {self.cited.url} (`jweval snapshots build` makes it)"
            yield Outcome(Verdict.SKIP, reason)
        elif page.gone and not (page.gone_by_wording and self._said_by(page)):
            self.drift = self._drifted("gone", page.gone) if page.live else None
            yield self._failed(f"is gone: {self.cited.url}: {page.gone}")
        else:
            yield from self._judged_text(page)

    def _judged_text(self, page: Page) -> Iterator[Outcome]:
        self.found = self._said_by(page)
        if self.phrases and self.found is None:
            yield self._unsupported(page)
        if self.context.expected.entails:
            yield from follow_from(page, self._citing(), self.context, self._key)

    def _said_by(self, page: Page) -> str | None:
        return next((phrase for phrase in self.phrases if says(page.text, phrase)), None)

    def _unsupported(self, page: Page) -> Outcome:
        likest = [near for near in (nearest(page.text, phrase) for phrase in self.phrases) if near]
        near = max(likest, key=lambda near: near.similarity, default=None)
        shown = f"; nearest ({near.similarity:.2f}): {near.text!r}" if near else "; it has nothing like it"
        wanted = " or ".join(map(repr, self.phrases))
        where = "" if page.live else f" in {page.where}"
        cited = "is cited, but its page" if self._is_cited() else "has a page that"
        reason = f"{cited} doesn't say {wanted}: {self.cited.url}{where}{shown}"
        told = {"text": near.text, "similarity": near.similarity} if near else None
        if page.live and (vanished := self._vanished()):
            reason += f"; the page changed, its snapshot says {vanished!r}"
            self.drift = {**self._drifted("changed", reason), "vanished": vanished}
        if self.drift:
            self.drift["nearest"] = told
        return self._failed(reason, list(self.phrases), told)

    def _vanished(self) -> str | None:
        """What the snapshot says around the phrase that the live page hasn't any more."""
        before = self.pages.kept(self.cited.url)
        phrase = next((phrase for phrase in self.phrases if before and says(before.text, phrase)), None)
        if before is None or phrase is None:
            return None
        near = nearest(before.text, phrase)
        return near.text if near else phrase

    def _drifted(self, kind: str, reason: str) -> dict[str, Any]:
        before = self.pages.kept(self.cited.url)
        return {
            "url": self.cited.url,
            "kind": kind,
            "reason": reason,
            "phrases": list(self.phrases),
            "snapshot": before.where if before else None,
            "nearest": None,
        }

    def _citing(self) -> list[tuple[int, str]]:
        """The findings that cite this page."""
        own = same_page(self.cited.url)
        return [
            (number, finding.text)
            for number, finding in enumerate(self.context.answer.findings)
            if finding.url and same_page(finding.url) == own and comparable(finding.text)
        ]

    def _is_cited(self) -> bool:
        return same_page(self.cited.url) in set(map(same_page, _urls(self.context)))

    def _failed(self, told: str, expected: Any = None, got: Any = None) -> Outcome:
        reason = f"{self._name} {told}"
        return Outcome(Verdict.FAIL, reason, self._miss(reason, expected, got))

    def _miss(self, reason: str, expected: Any = None, got: Any = None) -> Miss:
        return Miss(reason=reason, key=self._key, expected=expected or self.cited.url, got=got)

    @property
    def _name(self) -> str:
        return f"expected_citations[{self.number}]"

    @property
    def _key(self) -> tuple[str | int, ...]:
        return ("expected", "expected_citations", self.number)

    def told(self) -> dict[str, Any]:
        page = self.page
        return {
            "url": self.cited.url,
            "cited": self._is_cited(),
            "page": page.where if page else None,
            "live": bool(page and page.live),
            "phrase": self.found,
        }


def _urls(context: Context) -> list[str]:
    """In the answer's order, each once."""
    return list(dict.fromkeys(finding.url for finding in context.answer.findings if finding.url))


def _seen(context: Context) -> str:
    urls = _urls(context)
    if not urls:
        return "(the answer cites no URL)"
    more = f", and {len(urls) - _URLS_SHOWN} more" if len(urls) > _URLS_SHOWN else ""
    return f"(cited: {', '.join(excerpt(url, 200) for url in urls[:_URLS_SHOWN])}{more})"


def _extra(context: Context, expected: CitationsExpected) -> list[Outcome]:
    known = {same_page(cited.url) for cited in expected.expected_citations}
    extra = [url for url in _urls(context) if same_page(url) not in known]
    if not extra:
        return []
    shown = ", ".join(excerpt(url, 200) for url in extra[:_URLS_SHOWN])
    reason = f"{counted(len(extra), 'page')} cited that should not be: {shown}"
    miss = Miss(reason=reason, key=("expected", "allow_extra_citations"), expected=False, got=extra)
    return [Outcome(Verdict.FAIL, reason, miss)]


def _evidence(context: Context, looks: Sequence[_Look]) -> dict[str, Any]:
    drift = [look.drift for look in looks if look.drift]
    live = any(look.page and look.page.live for look in looks)
    return {
        "citations": [look.told() for look in looks],
        "cited": _urls(context),
        **({"live": True} if live else {}),
        **({"drift": drift} if drift else {}),
    }
