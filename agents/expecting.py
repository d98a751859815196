"""A player that searches games of chance to the end where it can: Star2 with a table, deeper and deeper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from narabe.agents.agent import Agent, Analysis, Budget, expect_turn
from narabe.envs.game import View
from narabe.search.star import Solved, Star


@dataclass(eq=False)
class ExpectimaxAgent(Agent):
    """Perfect where the time reaches to the end of the game; before that, the best that it sees in the turns it can.

    It searches one turn deep, two, and so on, by Star2 (Ballard 1983), until ``plies`` turns, ``ms`` milliseconds or the
    end of the game. At the horizon it knows only the law's points, if the law counts any; of moves that look equally good it
    takes the one that the law calls most urgent. So far from the end it plays as a careful greedy player does.

    Options: ``ms`` a move (500 if neither it nor ``plies`` is given), ``plies`` (or ``depth``) turns at most, ``table``
    entries of 32 bytes. A budget in simulations counts nodes.
    """

    ms: float | None = None
    plies: int | None = None
    depth: int | None = None
    table: int = 1 << 18
    _search: Star = field(init=False, repr=False)
    _compiled: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.plies is not None and self.depth is not None:
            raise ValueError("plies and depth are the same thing: give one of them")
        self.plies = self.depth if self.plies is None else self.plies
        if self.plies is not None and self.plies < 1:
            raise ValueError(f"plies={self.plies}: at least one")
        Budget(ms=self.ms)
        self._search = Star(self.game, "star2", self.table)

    def choose(self, views: Sequence[View], budget: Budget | None = None) -> list[Analysis]:
        return [self._choose(view, budget or Budget()) for view in views]

    def _choose(self, view: View, budget: Budget) -> Analysis:
        expect_turn(view, self.game)
        ms = budget.ms if budget.ms is not None or budget.sims is not None else self.ms
        if ms is None and self.plies is None and budget.sims is None:
            ms = 500.0
        if not self._compiled:  # that takes seconds the first time, and would eat the first move's time
            self._search.solve(view.record, plies=1, nodes=1)
            self._compiled = True
        self._search.clear()  # so that a move depends on its position alone
        found = self._search.solve(view.record, plies=self.plies, nodes=budget.sims, ms=ms)
        return self._analysis(view, found)

    def _analysis(self, view: View, found: Solved) -> Analysis:
        n = view.num_actions
        policy = np.zeros(n)
        policy[found.action] = 1.0
        proven = found.value[view.seat] if found.exact else None
        line = tuple(found.principal_variation)
        return Analysis(found.action, policy, np.zeros(n, np.int64), found.value, line, found.nodes, proven)
