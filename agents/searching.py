"""Players that search a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from narabe.agents.agent import Analysis, Budget, budget_of, expect_turn
from narabe.agents.simple import SeededAgent
from narabe.envs.game import View
from narabe.envs.rules.random import uniform
from narabe.search.threatened_uct import ThreatenedUct
from narabe.search.uct import EXPLORATION, MAX_NODES, Uct


@dataclass(eq=False)
class UctAgent(SeededAgent):
    """UCT with random playouts; the tree is kept from move to move.

    Options: ``sims`` or ``ms`` a move (800 simulations if neither is given), ``c`` the exploration constant,
    ``temperature`` (0: the most visited move; else a move drawn by visits ** (1 / temperature)), ``max_nodes`` slots of
    the tree (48 bytes each), ``reuse`` the tree between moves, ``vcf`` (line games only) for a tree that knows threats: see
    `narabe.search.threatened_uct`.
    """

    sims: int | None = None
    ms: float | None = None
    c: float = EXPLORATION
    temperature: float = 0.0
    max_nodes: int = MAX_NODES
    reuse: bool = True
    vcf: bool = False
    _trees: dict[int, Uct] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        Budget(self.sims, self.ms)
        if self.temperature < 0:
            raise ValueError(f"temperature={self.temperature}: zero or more")
        if self.max_nodes < self.game.num_actions + 1:
            raise ValueError(f"max_nodes={self.max_nodes}: {self.game.spec} needs at least {self.game.num_actions + 1}")
        self._searcher()  # refuses a game that this search cannot play

    def _searcher(self) -> Uct:
        return (ThreatenedUct if self.vcf else Uct)(self.game, self.c, self.max_nodes)

    def new_game(self, seat: int, seed: int, slot: int = 0) -> None:
        super().new_game(seat, seed, slot)
        if slot in self._trees:
            self._trees[slot].clear()

    def tell(self, seen: int, slot: int = 0) -> None:
        if slot in self._trees:
            self._trees[slot].advance(seen)

    def choose(self, views: Sequence[View], budget: Budget | None = None) -> list[Analysis]:
        return [self._choose(view, budget_of(budget, Budget(self.sims, self.ms), Budget(sims=800))) for view in views]

    def _choose(self, view: View, budget: Budget) -> Analysis:
        expect_turn(view, self.game)
        if view.slot not in self._trees:
            self._trees[view.slot] = self._searcher()
        search = self._trees[view.slot]
        if not self.reuse:
            search.clear()
        rng = self.stream(view.slot)
        found = search.search(view.record, rng, budget.sims, budget.ms)
        action, value = int(found.principal_variation[0]), tuple(map(float, found.value))
        if found.proven is not None or not found.visits.any():
            policy = np.zeros(self.game.num_actions)
            policy[action] = 1.0
        else:
            policy = found.visits / found.visits.sum()
            if self.temperature > 0:
                action = drawn_by_visits(found.visits, self.temperature, rng)
        line = tuple(found.principal_variation) if action == found.principal_variation[0] else (action,)
        return Analysis(action, policy, found.visits, value, line, found.simulations, found.proven)


def drawn_by_visits(visits: np.ndarray, temperature: float, rng: np.ndarray) -> int:
    """An action drawn by visits ** (1 / temperature)."""
    logs = np.full(len(visits), -np.inf)
    tried = visits > 0
    logs[tried] = np.log(visits[tried]) / temperature
    sums = np.cumsum(np.exp(logs - logs.max()))
    return int(np.searchsorted(sums, uniform(rng) * sums[-1], side="right"))
