"""A layer whose name is taken but which this version can't judge yet."""

from pydantic import ConfigDict

from pytest_jweval.errors import CaseError
from pytest_jweval.ports import Context
from pytest_jweval.records import Miss, Record, Ruling


class Anything(Record):
    """What may stand under ``expected`` is decided by the version that builds the layer."""

    model_config = ConfigDict(extra="allow")


class Unbuilt:
    """Answers ``error``, so that a case written for a later version is never green by accident."""

    schema = Anything
    needs_agent = False

    def __init__(self, name: str) -> None:
        self.name = name

    def evaluate(self, context: Context) -> Ruling:
        reason = f"layer {self.name!r} is not built in this version of pytest-jweval"
        raise CaseError([Miss(reason=reason, key=("layer",))])

    def __repr__(self) -> str:
        return f"Unbuilt({self.name!r})"
