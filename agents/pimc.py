"""A player of Goita that searches deals with open hands: perfect-information Monte Carlo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from narabe.agents.agent import Analysis, Budget, budget_of, expect_turn, single_choice
from narabe.agents.goita_rules import RulePlayer, expect_goita
from narabe.agents.simple import SeededAgent
from narabe.envs.game import View
from narabe.envs.rules.goita.record import PLAY, WHOLE_MATCH
from narabe.search.goita.pimc import Judged, Pimc

GOALS = ("points", "win")


@dataclass(eq=False)
class PimcAgent(SeededAgent):
    """Draws deals that agree with what its seat has seen, judges every action in each, and plays the best on average.

    A deal is judged by playing on with the rules of ``goita_rules``, and once ``solve_from`` cards have been played (33:
    never) exactly, with open hands, by at most ``cap`` nodes an action. Deals in which others would hardly have played as
    they did, by a softened ``goita_rules``, count less: ``sharpness`` says how much less (0: all count alike).

    Options: ``worlds`` or ``ms`` a move (200 deals if neither is given; a budget in simulations counts deals), ``goal``
    points or win, ``cap``, ``solve_from``, ``sharpness``, ``mb`` of the solver's table. About five 市民 it speaks as
    ``goita_rules`` does. Analysis: ``policy`` is the share of deals in which an action was best, ``visits`` the deals in
    which it was judged, ``value`` the mean payoff (None in a match, in which it plays for the points of the deal),
    ``nodes`` those of the solver, or deals played out.

    >>> from narabe.agents import make
    >>> from narabe.envs import game
    >>> state = game("goita").from_text("0-0 s1 11223448,11122357,11356678,11134455 114,2p,3p")
    >>> found = make("pimc:worlds=20", state.game).analyse(state)
    >>> int(found.visits.max()) <= 20, len(found.value)
    (True, 4)
    """

    worlds: int | None = None
    ms: float | None = None
    cap: int = 3_000
    goal: str = "points"
    solve_from: int = 16
    sharpness: float = 3.0
    mb: float = 16.0
    _search: Pimc = field(init=False, repr=False)
    _rules: RulePlayer = field(init=False, repr=False)

    def __post_init__(self) -> None:
        expect_goita(self.game)
        Budget(self.worlds, self.ms)
        if self.goal not in GOALS:
            raise ValueError(f"goal={self.goal}: {' or '.join(GOALS)}")
        if self.cap < 1 or self.sharpness < 0 or self.solve_from < 0:
            raise ValueError("cap must be at least 1, sharpness and solve_from at least 0")
        self._search = Pimc(self.game, self.solve_from, self.cap, self.sharpness, self.goal, self.mb)
        self._rules = RulePlayer(self.game)

    def choose(self, views: Sequence[View], budget: Budget | None = None) -> list[Analysis]:
        return [self._choose(view, budget_of(budget, Budget(self.worlds, self.ms), Budget(sims=200))) for view in views]

    def _choose(self, view: View, budget: Budget) -> Analysis:
        expect_turn(view, self.game)
        if view.record["phase"][0] != PLAY:
            return single_choice(view.num_actions, self._rules.action(view))
        legal = view.legal_actions()
        if len(legal) == 1:
            return single_choice(view.num_actions, int(legal[0]))
        found = self._search.search(view.record, self.stream(view.slot), budget.sims, budget.ms)
        return self._analysis(view, found, legal)

    def _analysis(self, view: View, found: Judged, legal: np.ndarray) -> Analysis:
        means = found.wins if self.goal == "win" else found.points
        action = int(legal[np.argmax(means[legal])])
        options = self.game.options
        if options["match"]:
            value = None
        else:
            own = found.wins[action] if options["payoff"] == "win" else found.points[action] / WHOLE_MATCH
            value = tuple(float(own if (q ^ view.seat) & 1 == 0 else -own) for q in range(self.game.num_players))
        return Analysis(action, found.best / found.best.sum(), found.visits, value, (action,), found.nodes)
