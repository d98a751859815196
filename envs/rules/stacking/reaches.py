"""Winning cells that can be played, and the double reach."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.stacking.blocks import makes_row


@kernel
def wins_in(s, i, c):
    """Would player ``i`` complete a row by a block on column ``c``, were it his turn? (A barred column counts.)"""
    r = np.int64(s.heights[c])
    return r < s.ceiling and makes_row(s, i, c, r)


@kernel
def wins_above(s, i, c):
    """Would player ``i`` complete a row on the cell above the one where the next block of column ``c`` comes to lie?

    The block below is taken to be an opponent's.
    """
    r = np.int64(s.heights[c]) + 1
    return r < s.ceiling and makes_row(s, i, c, r)


@kernel
def can_win(s, i):
    """Could player ``i`` complete a row at once, were it his turn?"""
    for j in range(s.n_columns):
        c = np.int64(s.first + j)
        if c != s.barred and wins_in(s, i, c):
            return True
    return False


@kernel
def double_reach(s, i):
    """Has player ``i`` two winning cells that one reply cannot both stop?

    Two that can be played now, or one that can be played with another directly above it.
    """
    found = 0
    for j in range(s.n_columns):
        c = np.int64(s.first + j)
        if wins_in(s, i, c):
            found += 1
            if found == 2 or wins_above(s, i, c):
                return True
    return False
