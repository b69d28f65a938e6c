"""Five small agents that answer from a small corpus: what `pytest golden` runs on a fresh machine.

They stand in for a user's own project, so they import nothing from the rest of the package, and they work as
real agents do: they look their findings up, say where each comes from, and say what they could not find.
Nothing is read before the first question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_jweval.reference.answers import Agent

__all__ = ["agents"]


def agents() -> dict[str, Agent]:
    """The five agents, by the names that golden cases call them by."""
    from pytest_jweval.reference.apologetics import apologetics
    from pytest_jweval.reference.conversation_assistant import ConversationAssistant
    from pytest_jweval.reference.meeting_helper import meeting_helper
    from pytest_jweval.reference.research_topic import research_topic
    from pytest_jweval.reference.verse_explainer import verse_explainer

    return {
        "apologetics": apologetics,
        "conversation_assistant": ConversationAssistant(),
        "meeting_helper": meeting_helper,
        "research_topic": research_topic,
        "verse_explainer": verse_explainer,
    }
