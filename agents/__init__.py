"""Who plays: agents by spec string, and the interface that all of them share.

>>> from narabe.envs import game
>>> from narabe.agents import make
>>> agent = make("uct:sims=100", game("gomoku", size=9))
"""

from narabe.agents.agent import Agent, Analysis, Budget
from narabe.agents.specs import AgentError, known, make

__all__ = ["Agent", "AgentError", "Analysis", "Budget", "known", "make"]
