"""``entails: true``: does what a finding says follow from the page that it cites?"""

from collections.abc import Iterable, Iterator

from pytest_jweval.errors import told
from pytest_jweval.layers.outcomes import Outcome
from pytest_jweval.ports import NLI, Context
from pytest_jweval.records import Miss, Verdict
from pytest_jweval.texts import excerpt
from pytest_jweval.web.page import Page
from pytest_jweval.web.windows import best_window

Key = tuple[str | int, ...]


def follow_from(
    page: Page, findings: Iterable[tuple[int, str]], context: Context, key: Key
) -> Iterator[Outcome]:
    """An outcome for each finding that doesn't follow, or of which nobody can say whether it does."""
    nli: NLI | None = context.resource("nli")
    for number, text in findings:
        if nli is None:
            asked = f"whether finding {number} follows from {page.where}"
            yield _outcome(
                Verdict.REVIEW, key, f"nobody can say {asked}: no NLI judge is set up (fixture jw_nli)"
            )
            return
        yield from _of_finding(nli, page, number, text, key)


def _of_finding(nli: NLI, page: Page, number: int, text: str, key: Key) -> Iterator[Outcome]:
    window = best_window(page.text, text)
    try:
        label, score = nli.infer(window, text)
    except Exception as error:  # noqa: BLE001  # a judge that is down says nothing about the other findings
        yield _outcome(Verdict.ERROR, key, f"the NLI judge {nli.name} raised {told(error)}")
        return
    if label != "entails":
        does = "contradicts" if label == "contradicts" else "does not entail"
        reason = (
            f"{page.where} {does} finding {number} ({nli.name}, {score:.2f}): {excerpt(text, 120)!r}; "
            f"the likest passage: {excerpt(window, 200)!r}"
        )
        yield _outcome(Verdict.FAIL, key, reason)


def _outcome(verdict: Verdict, key: Key, reason: str) -> Outcome:
    return Outcome(verdict, reason, Miss(reason=reason, key=key))
