"""A player that searches information sets: for games in which something is hidden, and for others too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from narabe.agents.agent import Analysis, Budget, expect_turn
from narabe.agents.simple import SeededAgent
from narabe.envs.game import View
from narabe.envs.rules.random import uniform
from narabe.search.ismcts import EXPLORATION, MAX_NODES, OBSERVER, Ismcts
from narabe.search.uct import Found


@dataclass(eq=False)
class IsmctsAgent(SeededAgent):
    """Information-set MCTS with playouts to the end; each move is searched afresh.

    Options: ``sims`` or ``ms`` a move (1,000 simulations if neither is given), ``c`` the exploration constant, in halves
    of the range of payoffs, ``observer`` single or multiple (whose knowledge the nodes of the other players stand for: the
    searching player's, or their own), ``temperature`` (0: the most visited move; else a move drawn by visits **
    (1 / temperature)), ``max_nodes`` slots of the table (40 bytes each), ``rollout`` random, or
    advised: as the law itself would play (Goita's does).

    >>> from narabe.agents import make
    >>> from narabe.envs import game
    >>> state = game("gomoku", size=9).position(black="E5 F5 G5 H5", white="A1 B1 C1 D5")
    >>> state.game.text_of(make("ismcts:sims=2000", state.game).analyse(state).action)
    'I5'
    """

    sims: int | None = None
    ms: float | None = None
    c: float = EXPLORATION
    observer: str = OBSERVER
    temperature: float = 0.0
    max_nodes: int = MAX_NODES
    rollout: str = "random"
    sharpness: float = 0.0
    _search: Ismcts = field(init=False, repr=False)

    def __post_init__(self) -> None:
        Budget(self.sims, self.ms)
        if self.temperature < 0:
            raise ValueError(f"temperature={self.temperature}: zero or more")
        if self.max_nodes < self.game.num_actions:
            raise ValueError(f"max_nodes={self.max_nodes}: {self.game.spec} needs at least {self.game.num_actions}")
        self._search = Ismcts(self.game, self.c, self.observer, self.max_nodes, self.rollout, self.sharpness)

    def choose(self, views: Sequence[View], budget: Budget | None = None) -> list[Analysis]:
        return [self._choose(view, self._budget(budget)) for view in views]

    def _budget(self, budget: Budget | None) -> Budget:
        for asked in (budget, Budget(self.sims, self.ms)):
            if asked is not None and (asked.sims or asked.ms):
                return asked
        return Budget(sims=1000)

    def _choose(self, view: View, budget: Budget) -> Analysis:
        expect_turn(view, self.game)
        rng = self.stream(view.slot)
        found = self._search.search(view.record, rng, budget.sims, budget.ms)
        policy = found.visits / found.visits.sum()
        line = tuple(found.principal_variation)
        if self.temperature > 0:
            action = self._draw(found, rng)
            line = line if action == line[0] else (action,)
        return Analysis(line[0], policy, found.visits, tuple(map(float, found.value)), line, found.simulations)

    def _draw(self, found: Found, rng: np.ndarray) -> int:
        """An action drawn by visits ** (1 / temperature)."""
        logs = np.full(len(found.visits), -np.inf)
        tried = found.visits > 0
        logs[tried] = np.log(found.visits[tried]) / self.temperature
        sums = np.cumsum(np.exp(logs - logs.max()))
        return int(np.searchsorted(sums, uniform(rng) * sums[-1], side="right"))
