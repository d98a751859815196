"""The player that looks ahead by alpha-beta: all line games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from narabe.agents.agent import Agent, Analysis, Budget, expect_turn
from narabe.envs.game import View
from narabe.search.alphabeta import Engine, Found

NODES = 50_000  # a move, where nothing is said: about a tenth of a second


@dataclass(eq=False)
class AlphaBetaAgent(Agent):
    """Principal-variation search with a tuned estimate, for Gomoku, freestyle, renju, Omok, capture Gomoku.

    Options: ``ms``, ``nodes`` or ``depth`` a move, or several of them, whichever is reached first (50,000 nodes if none is
    given); ``mb`` of memory for its table; ``vcf``: fours it may try at each leaf in looking for a victory by continuous
    fours (0: none). A win at once, and the parry of one, is found whatever the budget. By nodes or depth alone the same
    position gives the same move. `Analysis.proven` is set for wins and losses that the search has proven.
    """

    ms: float | None = None
    depth: int | None = None
    nodes: int | None = None
    mb: float = 16
    vcf: int = 50
    _engine: Engine = field(init=False, repr=False)

    def __post_init__(self) -> None:
        Budget(self.nodes)
        Budget(ms=self.ms)
        if self.depth is not None and self.depth < 1:
            raise ValueError(f"depth={self.depth}: at least 1")
        self._engine = Engine(self.game, self.mb, vcf=self.vcf)

    def choose(self, views: Sequence[View], budget: Budget | None = None) -> list[Analysis]:
        """As `Agent.choose`; a budget in ``sims`` counts nodes."""
        limits = {"depth": self.depth, "nodes": self.nodes, "ms": self.ms}
        if budget is not None and (budget.sims or budget.ms):
            limits = {"nodes": budget.sims, "ms": budget.ms}
        elif not any(limits.values()):
            limits = {"nodes": NODES}
        return [self._choose(view, limits) for view in views]

    def _choose(self, view: View, limits: dict[str, int | float | None]) -> Analysis:
        expect_turn(view, self.game)
        return analysis_of(view, self._engine.search(view.record, **limits))  # type: ignore[arg-type]


def analysis_of(view: View, found: Found) -> Analysis:
    """What the engine found, for the seat that looks."""
    policy = np.zeros(view.num_actions)
    policy[found.move] = 1.0
    value = tuple(found.value if seat == view.seat else 0.0 - found.value for seat in range(2))
    nodes = found.nodes + found.vcf_nodes
    return Analysis(found.move, policy, np.zeros(view.num_actions, np.int64), value, found.line, nodes, found.proven)
