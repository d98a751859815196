"""The interface of all agents.

An agent plays any number of games of one kind side by side, each in a *slot*; it is told every action as its seat saw
it, and is asked for moves by *views*, which hold nothing that its seat may not know.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from narabe.envs.game import Game, State, View
from narabe.envs.rules import calls


@dataclass(frozen=True)
class Budget:
    """How much an agent may think on a move: simulations, or milliseconds. Neither: what the agent was made with."""

    sims: int | None = None
    ms: float | None = None

    def __post_init__(self) -> None:
        if self.sims is not None and self.ms is not None:
            raise ValueError("a budget is sims or ms, not both")
        if not isinstance(self.sims, (int, np.integer, type(None))):
            raise ValueError(f"sims={self.sims}: must be a whole number")
        for name, value in (("sims", self.sims), ("ms", self.ms)):
            if value is not None and not 0 < value < math.inf:  # nan is refused here too
                raise ValueError(f"{name}={value}: must be above zero")


def budget_of(*budgets: Budget | None) -> Budget:
    """The first budget that sets a limit."""
    return next(b for b in budgets if b is not None and (b.sims or b.ms))


@dataclass(frozen=True)
class Analysis:
    """What an agent thinks of a position.

    ``action``: the move it plays. ``policy``: float64 by action, sums to 1. ``visits``: int64 by action (zeros where
    the agent counts none). ``value``: expected payoff by seat, or None. ``principal_variation``: the line it expects,
    from ``action`` on. ``nodes``: positions looked at. ``proven``: the payoff of the seat to move if it is certain,
    else None.
    """

    action: int
    policy: np.ndarray
    visits: np.ndarray
    value: tuple[float, ...] | None = None
    principal_variation: tuple[int, ...] = ()
    nodes: int = 0
    proven: float | None = None

    @classmethod
    def of(cls, game: Game, action: int) -> Analysis:
        """The analysis of an agent that only names a move.

        >>> from narabe.envs import game
        >>> Analysis.of(game("gomoku", size=3, row=3), 4).policy.tolist()
        [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]
        """
        return single_choice(game.num_actions, action)


@dataclass(eq=False)
class Agent(ABC):
    """A player. Subclasses write `choose`, and `new_game` and `tell` where they keep something between moves.

    The same seed gives the same moves for budgets in simulations (a budget in milliseconds depends on the machine).
    """

    game: Game
    spec: str = field(default="", kw_only=True)

    def new_game(self, seat: int, seed: int, slot: int = 0) -> None:
        """A new game begins in ``slot``, in which the agent sits on ``seat`` (from 0)."""

    def tell(self, seen: int, slot: int = 0) -> None:
        """An action was played in ``slot``, one's own or another's; ``seen`` is what this seat saw of it."""

    @abstractmethod
    def choose(self, views: Sequence[View], budget: Budget | None = None) -> list[Analysis]:
        """One analysis for each view; every view is of a position where its seat is to move."""

    def analyse(self, state: State, budget: Budget | None = None) -> Analysis:
        """What the agent thinks of one position, for the seat to move; for a notebook.

        >>> from narabe.agents import make
        >>> from narabe.envs import game
        >>> state = game("gomoku", size=9).position(black="E5 F5 G5 H5", white="A1 B1 C1 D5")
        >>> state.game.text_of(make("greedy", state.game).analyse(state).action)
        'I5'
        """
        if state.is_over:
            raise ValueError(f"{state.game.spec}: the game is over, so there is no move to choose")
        return self.choose([state.view(state.to_play)], budget)[0]

    def close(self) -> None:
        """Give back processes, files or memory."""


def expect_turn(view: View, game: Game) -> None:
    """Raise `ValueError` unless the view is of the agent's game, with its seat to move."""
    if view.game is not game and view.game != game:
        raise ValueError(f"this agent plays {game.spec}, and the view is of {view.game.spec}")
    mover, over, _ = calls.facts(view.record, 0)
    if over:
        raise ValueError(f"{view.game.spec}: the game is over, so there is no move to choose")
    if mover - 1 != view.seat:
        raise ValueError(f"{view.game.spec}: seat {mover - 1} is to move, but the view is that of seat {view.seat}")


def single_choice(num_actions: int, action: int, nodes: int = 0, proven: float | None = None) -> Analysis:
    """The analysis of an agent that only names a move.

    >>> single_choice(9, 4).policy.tolist()
    [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    """
    policy = np.zeros(num_actions)
    policy[action] = 1.0
    return Analysis(action, policy, np.zeros(num_actions, np.int64), None, (action,), nodes, proven)
