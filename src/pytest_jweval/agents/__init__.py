"""How an agent is found, asked, and understood: by hook, import path or HTTP, sync or async."""

from pytest_jweval.agents.answers import normalised as normalised
from pytest_jweval.agents.asking import Asked as Asked
from pytest_jweval.agents.asking import Desk as Desk
from pytest_jweval.agents.finding import SpecAgents as SpecAgents
from pytest_jweval.agents.finding import by_keywords as by_keywords

__all__ = ["Asked", "Desk", "SpecAgents", "by_keywords", "normalised"]
