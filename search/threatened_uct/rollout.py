"""Playouts that take a win and stop one, and are random otherwise.

Source of the idea: Teytaud and Teytaud, "On the huge benefit of decisive moves in Monte-Carlo tree search algorithms"
(2010). Only rows through the stone just laid are looked at, by the line tables: that costs no more than laying it.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.choosing import random_action
from narabe.envs.rules.core import apply, candidate_at, is_legal, is_over, num_candidates, to_move
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.bans import codes_at
from narabe.envs.rules.line.record import COLUMN_STEP, ROW_STEP
from narabe.envs.rules.lines import FIVES, REACH
from narabe.envs.rules.random import below

NO_CELL = -1


@kernel
def decisive_playout(s, rng):
    """Play to the end: a move that wins, else one that stops the other's win, else any legal one; returns the plies.

    Neither side can win at once at the start. (Where a capture takes its meaning from a cell, that does no harm.)
    """
    plies = 0
    own = np.int64(NO_CELL)  # where the side to move could win
    first = second = np.int64(NO_CELL)  # where the side that has just moved could
    while not is_over(s):
        i = to_move(s) - 1
        a = np.int64(NO_CELL)
        if own >= 0 and is_legal(s, own):
            a = own
        elif first >= 0 and is_legal(s, first):
            a = first
        else:
            a = np.int64(candidate_at(s, below(rng, num_candidates(s))))
            if not is_legal(s, a):
                a = np.int64(random_action(s, rng))
                if a < 0:
                    break
        apply(s, a)
        plies += 1
        own = second if first == a else first
        first, second = row_cells(s, i, a)
    return plies


@kernel
def row_cells(s, i, a):
    """Two of the cells that complete a row through the stone of colour ``i`` on ``a``; NO_CELL where there are fewer."""
    plane = np.int64(s.rule[i])
    k0, k1, k2, k3 = codes_at(s, i, a)
    f0, f1 = np.int64(FIVES[plane + k0]), np.int64(FIVES[plane + k1])
    f2, f3 = np.int64(FIVES[plane + k2]), np.int64(FIVES[plane + k3])
    if f0 | f1 | f2 | f3 == 0:
        return np.int64(NO_CELL), np.int64(NO_CELL)
    first = second = np.int64(NO_CELL)
    for d in range(4):
        cells = f0 if d == 0 else f1 if d == 1 else f2 if d == 2 else f3
        if cells != 0:
            step = np.int64(ROW_STEP[d]) * s.width + np.int64(COLUMN_STEP[d])
            if d == 3:
                step = -step
            for j in range(2 * REACH + 1):
                if cells >> j & 1:
                    second = first
                    first = a + (j - REACH) * step
    return first, second
