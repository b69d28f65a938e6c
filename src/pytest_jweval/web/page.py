"""A page as a layer sees it."""

from dataclasses import dataclass

from pytest_jweval.web.text import PageText


@dataclass(frozen=True, slots=True)
class Page:
    """``where`` is its snapshot's file as people know it, or its address; ``gone`` says why it is no longer
    there, if it isn't. One that is ``gone_by_wording`` is there after all if it says what it should. A
    ``live`` page was fetched in this run."""

    url: str
    text: PageText
    where: str
    live: bool = False
    gone: str | None = None
    gone_by_wording: bool = False
