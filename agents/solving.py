"""The player that knows: exact scores of bounded block stacking."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from narabe.agents.agent import Agent, Analysis, Budget, expect_turn
from narabe.envs.game import View
from narabe.search.gravity import SLICE, Bounds, Position, Solver
from narabe.search.gravity.law import board_of, position_of_state


class _Enough(Exception):
    """The budget is spent."""


@dataclass(eq=False)
class SolverAgent(Agent):
    """Perfect play of block stacking on a board of up to 64 cells, the guard row included, such as Connect Four.

    It wins as soon as it can, and loses as late. Without a limit it thinks until it knows, which from the start
    position of Connect Four takes minutes, after eight stones about a second. Options: ``mb`` of memory for its table,
    ``weak`` (it then only keeps win or draw, which is quicker), ``ms`` or ``nodes`` a move: when these are spent it
    plays the move that looks best by what it has proven so far, which may be wrong, and `Analysis.proven` is None.
    """

    mb: float = 64
    weak: bool = False
    ms: float | None = None
    nodes: int | None = None
    _solver: Solver = field(init=False, repr=False)

    def __post_init__(self) -> None:
        Budget(self.nodes, self.ms)
        self._solver = Solver(board_of(self.game), self.mb, self.weak)

    def choose(self, views: Sequence[View], budget: Budget | None = None) -> list[Analysis]:
        """As `Agent.choose`; a budget in ``sims`` counts nodes."""
        own = Budget(self.nodes, self.ms)
        return [self._choose(view, budget if budget and (budget.sims or budget.ms) else own) for view in views]

    def _choose(self, view: View, budget: Budget) -> Analysis:
        expect_turn(view, self.game)
        position, solver = position_of_state(view.state()), self._solver
        start, bounds = solver.nodes, Bounds(-solver.board.cells, solver.board.cells)
        _limit(solver, budget)
        try:
            for found in solver.narrow(position):
                bounds = found
            column = solver.best_column(position, bounds.low)
            return self._analysis(view, column, _sign(bounds.low), solver.nodes - start)
        except _Enough:
            column, proven = self._so_far(position, bounds)
            return self._analysis(view, column, proven, solver.nodes - start)
        finally:
            solver.tick, solver.slice = None, SLICE

    def _so_far(self, position: Position, bounds: Bounds) -> tuple[int, float | None]:
        """The move that looks best by what the table holds, and the payoff if that is certain all the same."""
        solver, board = self._solver, self._solver.board

        def promise(column: int) -> tuple[int, int]:
            after = solver.remembered(position.after(board, column))
            return -after.low - after.high, -after.high

        columns = solver.by_centre(position)
        column = max(columns, key=promise)  # the first of several: nearest to the middle
        low = promise(column)[1]
        if low > 0:
            return column, 1.0
        if bounds.high < 0 or (bounds.high == 0 and low == 0):
            return column, float(_sign(bounds.high))
        return column, None

    def _analysis(self, view: View, column: int, proven: float | None, nodes: int) -> Analysis:
        policy = np.zeros(view.num_actions)
        policy[column] = 1.0
        value = None
        if proven is not None:
            value = tuple(proven if seat == view.seat else 0.0 - proven for seat in range(2))
        return Analysis(column, policy, np.zeros(view.num_actions, np.int64), value, (column,), nodes, proven)


def _limit(solver: Solver, budget: Budget) -> None:
    """Have the solver stop by `_Enough` once the budget is spent (a few hundredths of a second later at most)."""
    if budget.ms is None and budget.sims is None:
        return
    end = time.perf_counter() + (budget.ms or 0.0) / 1000
    most = solver.nodes + (budget.sims or 0)

    def tick() -> None:
        if (budget.ms and time.perf_counter() >= end) or (budget.sims and solver.nodes >= most):
            raise _Enough

    solver.tick, solver.slice = tick, min(SLICE, budget.sims or SLICE // 10)


def _sign(score: int) -> float:
    return float((score > 0) - (score < 0))
