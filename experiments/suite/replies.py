"""Wins by continuous fours after every move of a position at once: what the makers of the suite ask most, in one kernel."""

from __future__ import annotations

import numpy as np

from narabe.envs import State
from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import new_patterns, read
from narabe.search.threats.desk import NONE, UNLIMITED, WON, new_desk, new_table
from narabe.search.threats.replay import HOLDS, fault_of_line
from narabe.search.threats.solver import SearchError, Solver
from narabe.search.threats.vcf import find

NODES = 100_000
"""Fours of one search: enough for all but boards full of fours, which are then left out."""
TAKING_NODES = 5_000
"""The same where stones are taken."""
ILLEGAL, WINS, LOSES, DRAWS, UNKNOWN, FAULTY = -1, -2, -3, -4, -5, -6
"""What a move came to where it is not answered by a win by fours (its length) or by none (0)."""


@kernel
def fours_of(states, patterns, desks, table, nodes, other, plies):
    """Length of a win by fours of the side to move (``other``: of the other side, if it were its turn), replayed by the law."""
    s, desk = states[0], desks[0]
    if other:
        core.hand_over(s)
    read(s, patterns[0])
    found, answer = find(s, patterns[0], desk, table, nodes, plies), np.int64(0)
    if found == WON:
        answer = np.int64(desk.length) if fault_of_line(s, desk.line, desk.length) == HOLDS else np.int64(FAULTY)
    elif found != NONE:
        answer = np.int64(UNKNOWN)
    if other:
        core.hand_over(s)
    return answer


@kernel
def fours_after(states, patterns, desks, table, nodes, out):
    """Write into ``out`` (int64, by action) the length of the opponent's win by fours after each move."""
    s = states[0]
    player = core.to_move(s)
    for a in range(len(out)):
        out[a] = ILLEGAL
        if not core.is_legal(s, np.int64(a)):
            continue
        core.apply(s, np.int64(a))
        if core.is_over(s):
            gain = core.payoff(s, player)
            out[a] = WINS if gain > 0 else LOSES if gain < 0 else DRAWS
        else:
            out[a] = fours_of(states, patterns, desks, table, nodes, False, UNLIMITED)
        core.undo(s)


class UndecidedError(Exception):
    """A search was not finished: the position is left out."""


class Replies:
    """The kernels with their scratch, for games without captures. A search that is not finished raises `UndecidedError`."""

    def __init__(self, mb: float = 2) -> None:
        self.patterns, self.desk, self.table = new_patterns(), new_desk(), new_table(mb)

    def fours(self, state: State, other: bool = False, plies: int = UNLIMITED) -> int:
        """Length of a win by fours, of so many plies at most, of the side to move or of the other; 0: there is none."""
        rooms = (state.record, self.patterns, self.desk, self.table, NODES)
        return self._fine(int(fours_of(*rooms, other, plies)), state)

    def after_each(self, state: State) -> dict[int, int]:
        """By legal action: the length of the opponent's win by fours after it, 0 for none, or WINS, LOSES, DRAWS."""
        out = np.zeros(state.game.num_actions, np.int64)
        fours_after(state.record, self.patterns, self.desk, self.table, NODES, out)
        return {int(move): self._fine(int(out[move]), state) for move in np.flatnonzero(out != ILLEGAL)}

    def _fine(self, answer: int, state: State) -> int:
        if answer == FAULTY:
            raise SearchError(f"a win by fours that the law refuses, at or after {state.to_text()}")
        if answer == UNKNOWN:
            raise UndecidedError
        return answer


class TakingReplies:
    """The same for games with captures, where a win is a tree: each is found, and its proof replayed, by the solver."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver

    def fours(self, state: State, other: bool = False, plies: int = UNLIMITED) -> int:
        """As `Replies.fours`."""
        answer = self.solver.vcf(state, 1 - state.to_play if other else None, plies, nodes=TAKING_NODES)
        if answer.won is None:
            raise UndecidedError
        return len(answer.line)

    def after_each(self, state: State) -> dict[int, int]:
        """As `Replies.after_each`."""
        player, found = state.to_play, dict[int, int]()
        for move in map(int, state.legal_actions()):
            state.play(move)
            if state.is_over:
                gain = state.payoffs[player]
                found[move] = WINS if gain > 0 else LOSES if gain < 0 else DRAWS
            else:
                found[move] = self.fours(state)
            state.undo()
        return found
