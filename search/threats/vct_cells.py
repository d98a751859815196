"""Cells for the search for continuous threats: sets of them as words, winning cells, parries, captures."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import ONE_WORD, ROWS_SET, WORDS, first_in, follow, next_in, step_back
from narabe.envs.rules.line.record import COLUMN_STEP, ROW_STEP
from narabe.envs.rules.line.stones import pairs_at, stone_at
from narabe.search.threats.taking import list_replies, list_wins

NO_CELL = -1


@kernel
def put(words, a):
    words[a >> 6] |= ONE_WORD << np.uint64(a & 63)


@kernel
def holds(words, a):
    return words[a >> 6] >> np.uint64(a & 63) & ONE_WORD != 0


@kernel
def clear(words):
    for k in range(WORDS):
        words[k] = 0


@kernel
def takes_pairs(s):
    """Are stones taken in this game?"""
    return core.pairs_due(s, 1) != core.NEVER


@kernel
def winning_cell(s, p, fours, i):
    """A cell on which colour ``i`` would win at once if it moved, NO_CELL if there is none. ``fours`` lends its lists."""
    if not takes_pairs(s):
        return first_in(p, i, ROWS_SET)
    if list_wins(s, p, fours, i, np.int64(0)) > 0:
        return np.int64(fours.tries[0])
    return np.int64(NO_CELL)


@kernel
def list_parries(s, p, fours, i, out):
    """Write into ``out`` the legal moves of the side to move after which the other colour ``i`` cannot win at once.

    ``i`` has a winning cell. Returns how many, or -1 if one of the moves ends the game. ``fours`` lends its lists.
    """
    if not takes_pairs(s):
        cell = first_in(p, i, ROWS_SET)
        if next_in(p, i, ROWS_SET, cell) >= 0 or not core.is_legal(s, cell):
            return np.int64(0)
        out[0] = cell
        return np.int64(1)
    end = list_replies(s, p, fours, 1 - i, np.int64(0))
    n = 0
    for k in range(end):
        a = np.int64(fours.tries[k])
        if core.is_legal(s, a):
            core.apply(s, a)
            follow(s, p, a)
            over = core.is_over(s)
            if not over and list_wins(s, p, fours, i, end) == end:
                out[n] = a
                n += 1
            core.undo(s)
            step_back(p)
            if over:
                return np.int64(-1)
    return np.int64(n)


@kernel
def brackets(s, i, a):
    """Does a stone of colour ``i`` on ``a`` take a pair, or stand so that the next one may?"""
    if pairs_at(s, i, a) > 0:
        return True
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    for d in range(8):
        dr, dc = np.int64(ROW_STEP[d]), np.int64(COLUMN_STEP[d])
        y, x = r + 3 * dr, c + 3 * dc
        if 0 <= y < s.height and 0 <= x < s.width and s.slot[y * s.width + x] >= 0:
            if stone_at(s, y * s.width + x - dr * s.width - dc) == 2 - i:
                if stone_at(s, a + dr * s.width + dc) == 2 - i:
                    return True
    return False
