"""A player of Gomocku made of two: alpha-beta while pieces are only laid, expectimax once they are turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from narabe import envs
from narabe.agents.agent import Agent, Analysis, Budget, expect_turn
from narabe.agents.alphabeta import analysis_of
from narabe.agents.expecting import ExpectimaxAgent
from narabe.envs.game import Game, State, View
from narabe.envs.rules import gomocku
from narabe.search.alphabeta import Engine


def first_phase(game: Game) -> Game:
    """The line game that the first phase of a Gomocku is: exactly five wins, double threes, double fours, six are banned.

    >>> from narabe.envs import game
    >>> first_phase(game("gomocku", size=9)).options["double_four"]
    True
    """
    options = game.options
    bans = dict.fromkeys(("exact", "double_three", "double_four", "overline"), True)
    return envs.game("gomoku", width=options["width"], height=options["height"], bans=options["bans"], **bans)


@dataclass(eq=False)
class TwoPhasesAgent(Agent):
    """Gomocku alone: alpha-beta with a search for continuous fours until the chance begins, then expectimax.

    In the first phase it plays the line game of the same bans, and does not think of the chance that follows; in the second
    it is `expectimax`, perfect over the last plies. The same position always gives the same move.

    Options: ``nodes`` of alpha-beta a move (20,000), ``chance`` nodes of expectimax a move (100,000). A budget in simulations
    counts nodes of both.
    """

    nodes: int = 20_000
    chance: int = 100_000
    _line: Game = field(init=False, repr=False)
    _engine: Engine = field(init=False, repr=False)
    _expectimax: ExpectimaxAgent = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.game.law is not gomocku:
            raise ValueError(f"{self.game.spec} has no two phases: this agent plays gomocku")
        Budget(self.nodes)
        Budget(self.chance)
        self._line = first_phase(self.game)
        self._engine = Engine(self._line, mb=16)
        self._expectimax = ExpectimaxAgent(self.game)

    def choose(self, views: Sequence[View], budget: Budget | None = None) -> list[Analysis]:
        return [self._choose(view, budget or Budget()) for view in views]

    def _choose(self, view: View, budget: Budget) -> Analysis:
        expect_turn(view, self.game)
        own = budget.sims is None and budget.ms is None
        record = view.record[0]
        if record["ply"] >= record["first"] or record["stuck"]:
            return self._expectimax.choose([view], Budget(self.chance) if own else budget)[0]
        found = self._engine.search(self._twin(view).record, nodes=self.nodes if own else budget.sims, ms=budget.ms)
        analysis = analysis_of(view, found)
        left = int(record["first"] - record["ply"])  # what alpha-beta proves holds for as long as nothing is turned
        return analysis if found.plies is not None and found.plies <= left else replace(analysis, proven=None)

    def _twin(self, view: View) -> State:
        """The same stones in the line game. Nothing is turned in the first phase, so pieces show their owner's colour."""
        codes = view.record["piece"][0][: self._line.num_actions].astype(np.int64) & 15
        black, white = (np.flatnonzero(codes == colour).tolist() for colour in (1, 2))
        return self._line.position(black=black, white=white, to_move=self.game.players[view.seat].lower())
