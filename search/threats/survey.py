"""What a stone on each cell would make, by the law alone: wins, fours with their parries, open threes, captures.

For looking at one position, not for searching: every move is played and taken back, some milliseconds in all.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.bans import classes_at
from narabe.envs.rules.lines import KIND, THREE, WIDE_THREE

NOTHING, THREES, FOURS, WINS = 0, 1, 2, 3  # what a legal move makes, the best of it


@kernel
def hand_over(states, i):
    """Let the other side move in state ``i``, as if a move had been passed."""
    core.hand_over(states[i])


@kernel
def calm_plies(states, i):
    """Plies of pure laying left: 0 where there are no threats any more."""
    return np.int64(core.calm_plies(states[i]))


@kernel
def wins_with(s, a):
    """Does the legal move ``a`` end the game with a win of the side to move?"""
    mover = core.to_move(s)
    core.apply(s, a)
    won = core.is_over(s) and core.payoff(s, mover) > 0
    core.undo(s)
    return won


@kernel
def mark_wins(s, out):
    """Write 1 into ``out`` for each cell on which the side to move wins at once; returns how many there are."""
    out[:] = 0
    n = 0
    if core.is_over(s) or core.calm_plies(s) < 1:
        return n
    for a in range(out.shape[0]):
        if core.is_legal(s, a) and wins_with(s, a):
            out[a] = 1
            n += 1
    return n


@kernel
def makes_three(s, i, a):
    """Does a stone of colour ``i`` on ``a`` make an open three by its shape on some line?"""
    c0, c1, c2, c3 = classes_at(s, i, a)
    k0, k1, k2, k3 = c0 >> KIND, c1 >> KIND, c2 >> KIND, c3 >> KIND
    return (
        k0 == THREE or k0 == WIDE_THREE or k1 == THREE or k1 == WIDE_THREE
        or k2 == THREE or k2 == WIDE_THREE or k3 == THREE or k3 == WIDE_THREE
    )  # fmt: skip


@kernel
def survey(states, i, kinds, taken, threatened, parries):
    """Look at every move of the side to move in state ``i``.

    ``kinds`` (int8 by cell): NOTHING, THREES, FOURS or WINS. A four here has a winning point that was none before: who can
    win already need not be told that he still can after any other move. ``taken`` (int32 by cell): bits of the directions in
    which the move takes a pair. ``threatened``, ``parries`` (int8, cell by cell): for a four the cells on which its player
    would win next, and the legal replies after which he cannot.
    """
    s = states[i]
    colour = core.to_move(s) - 1
    cells = kinds.shape[0]
    before, wins = np.zeros(cells, np.int8), np.zeros(cells, np.int8)
    mark_wins(s, before)
    kinds[:], taken[:] = 0, 0
    threatened[:], parries[:] = 0, 0
    calm = core.calm_plies(s)
    for a in range(cells):
        if calm < 1 or not core.is_legal(s, a):
            continue
        three = makes_three(s, colour, a)
        core.apply(s, a)
        taken[a] = core.captured(s)
        if core.is_over(s):
            kinds[a] = WINS if core.payoff(s, colour + 1) > 0 else NOTHING
        elif calm >= 3:
            core.hand_over(s)
            mark_wins(s, wins)
            core.hand_over(s)
            four = False
            for b in range(cells):
                if wins[b] > before[b]:
                    four = True
            kinds[a] = FOURS if four else THREES if three else NOTHING
            if four:
                threatened[a] = wins
                _parry(s, colour, parries[a], wins)
        core.undo(s)


@kernel
def _parry(s, colour, out, wins):
    """Write 1 into ``out`` for each legal move after which colour ``colour`` has no winning move."""
    for b in range(out.shape[0]):
        if core.is_legal(s, b):
            core.apply(s, b)
            if core.is_over(s):
                out[b] = core.payoff(s, colour + 1) <= 0
            else:
                out[b] = mark_wins(s, wins) == 0
            core.undo(s)
