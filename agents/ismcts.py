"""A player that searches information sets: for games in which something is hidden, and for others too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from narabe.agents.agent import Analysis, Budget, budget_of, expect_turn
from narabe.agents.searching import drawn_by_visits
from narabe.agents.simple import SeededAgent
from narabe.envs.game import View
from narabe.search.ismcts import ADVISED, EXPLORATION, MAX_NODES, OBSERVER, ROLLOUTS, Ismcts

AUTO, SHARPNESS = "auto", 10.0


@dataclass(eq=False)
class IsmctsAgent(SeededAgent):
    """Information-set MCTS with playouts to the end; each move is searched afresh.

    Options: ``sims`` or ``ms`` a move (1,000 simulations if neither is given), ``c`` the exploration constant, in halves
    of the range of payoffs, ``observer`` single or multiple (whose knowledge the nodes of the other players stand for: the
    searching player's, or their own), ``temperature`` (0: the most visited move; else a move drawn by visits **
    (1 / temperature)), ``max_nodes`` slots of the table (40 bytes each), ``rollout`` random, or
    advised (auto: where there is advice): as the law itself would play, which then also comes first below the root;
    ``sharpness``: deals in which the others would hardly have played as they did are drawn less often, by the softened
    advice (0: all alike; none: 10 where the law can tell).

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
    rollout: str = AUTO
    sharpness: float | None = None
    _search: Ismcts = field(init=False, repr=False)

    def __post_init__(self) -> None:
        Budget(self.sims, self.ms)
        if self.temperature < 0:
            raise ValueError(f"temperature={self.temperature}: zero or more")
        if self.max_nodes < self.game.num_actions:
            raise ValueError(f"max_nodes={self.max_nodes}: {self.game.spec} needs at least {self.game.num_actions}")
        if self.rollout not in (AUTO, *ROLLOUTS):
            raise ValueError(f"rollout={self.rollout}: {', '.join((AUTO, *ROLLOUTS))}")
        law = self.game.law
        sharpness = self.sharpness if self.sharpness is not None else SHARPNESS * hasattr(law, "plausibility")
        rollout = self.rollout if self.rollout != AUTO else ADVISED if hasattr(law, "advise") else ROLLOUTS[0]
        self._search = Ismcts(self.game, self.c, self.observer, self.max_nodes, rollout, sharpness)

    def choose(self, views: Sequence[View], budget: Budget | None = None) -> list[Analysis]:
        return [self._choose(view, budget_of(budget, Budget(self.sims, self.ms), Budget(sims=1000))) for view in views]

    def _choose(self, view: View, budget: Budget) -> Analysis:
        expect_turn(view, self.game)
        if budget.ms is not None and len(view.legal_actions()) == 1:  # no time for what is no choice
            budget = Budget(sims=1)
        rng = self.stream(view.slot)
        found = self._search.search(view.record, rng, budget.sims, budget.ms)
        policy = found.visits / found.visits.sum()
        line = tuple(found.principal_variation)
        if self.temperature > 0:
            action = drawn_by_visits(found.visits, self.temperature, rng)
            line = line if action == line[0] else (action,)
        return Analysis(line[0], policy, found.visits, tuple(map(float, found.value)), line, found.simulations)
