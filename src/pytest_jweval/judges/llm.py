"""A model as a judge: it is shown a golden answer and a candidate, and asked whether they mean the same.

The candidate is data, not instructions. It stands between two lines with a nonce that it can't know, the
verdict is read only from the reply's own field, and a reply that can't be read is no verdict at all.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pytest_jweval.errors import NotRecorded, ProviderError
from pytest_jweval.judges.prompting import messages, version
from pytest_jweval.ports import Asking, Judgement, Message
from pytest_jweval.records import Verdict
from pytest_jweval.texts import excerpt

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    # The reason first, so that the verdict follows from it.
    "properties": {
        "reason": {"type": "string"},
        "verdict": {"type": "string", "enum": ["pass", "fail", "review"]},
    },
    "required": ["reason", "verdict"],
    "additionalProperties": False,
}
_PROMPT = "l3"


class ModelJudge:
    """Asks a model ``votes`` times, and goes by the majority.

    ``chosen`` says that somebody wanted this model. One that is only there by default and can't be reached
    has no opinion; one that was chosen and fails is an error.
    """

    def __init__(self, model: Asking, *, votes: int = 1, chosen: bool = True) -> None:
        self._model = model
        self._votes = votes
        self._chosen = chosen

    @property
    def name(self) -> str:
        return f"{self._model.name} {self._model.model}".strip()

    def opinion(
        self,
        *,
        question: str,
        golden: str,
        candidate: str,
        language: str | None = None,
        rubric: str | None = None,
        votes: int | None = None,
        trial: int = 0,
    ) -> Judgement:
        asked = {"question": question, "golden": golden, "candidate": candidate, "rubric": rubric}
        number = votes or self._votes

        def render(nonce: str) -> Sequence[Message]:
            return messages(_PROMPT, language, nonce, **asked)

        try:
            said = [self._vote(render, language, trial * number + vote) for vote in range(number)]
        except ProviderError as error:
            if self._chosen or isinstance(error, NotRecorded):
                raise
            return Judgement(Verdict.REVIEW, f"it can't be asked: {error}")
        return majority(said, version(_PROMPT, language))

    def _vote(
        self, render: Callable[[str], Sequence[Message]], language: str | None, trial: int
    ) -> dict[str, Any]:
        reply = self._model.ask(render, schema=SCHEMA, version=version(_PROMPT, language), trial=trial)
        if not isinstance(reply.parsed, Mapping):
            raise ProviderError(f"{self.name} gave no verdict that can be read: {excerpt(reply.text, 160)!r}")
        return {
            "verdict": Verdict(reply.parsed["verdict"]),
            "reason": excerpt(str(reply.parsed["reason"]), 1000),
            "recorded": reply.recorded,
        }


def majority(votes: Sequence[Mapping[str, Any]], prompt: str) -> Judgement:
    """What more than half of the votes say; a split vote is ``review``."""
    counts = Counter(vote["verdict"] for vote in votes)
    verdict, number = counts.most_common(1)[0]
    evidence = {
        "prompt": prompt,
        "votes": [dict(vote) for vote in votes],
        "recorded": all(vote["recorded"] for vote in votes),
    }
    if 2 * number <= len(votes):
        told = ", ".join(f"{count} {verdict.value}" for verdict, count in sorted(counts.items()))
        return Judgement(Verdict.REVIEW, f"its votes are split: {told}", evidence)
    reason = next(vote["reason"] for vote in votes if vote["verdict"] is verdict)
    return Judgement(verdict, reason or "no reason was given", evidence)
