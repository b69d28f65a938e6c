"""Public doubles for users' own tests: real implementations of the Protocols, and deterministic."""

from typing import Any

from pytest_jweval.errors import AgentError


class ScriptedAgent:
    """Answers from a script.

    >>> agent = ScriptedAgent("always the same")
    >>> agent({"question": "?"})
    'always the same'

    A list is a script of one answer a call, in order; an exception in it is raised. When the script
    is over, the next question is an `AgentError`. What was asked stands in ``questions``.
    """

    def __init__(self, answer: Any) -> None:
        self._script = list(answer) if isinstance(answer, list) else None
        self._answer = answer
        self.questions: list[dict[str, Any]] = []

    def __call__(self, question: dict[str, Any]) -> Any:
        self.questions.append(question)
        answer = self._answer if self._script is None else self._line(self._script)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _line(self, script: list[Any]) -> Any:
        asked = len(self.questions)
        if asked > len(script):
            raise AgentError(f"the script has {len(script)} answers, and this is question {asked}")
        return script[asked - 1]

    def __repr__(self) -> str:
        return f"ScriptedAgent({self._answer!r})"
