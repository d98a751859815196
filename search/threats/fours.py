"""Fours of one colour, line by line, as bits: where a stone makes one, and what then completes it.

Only for rules without captures.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.bans import codes_at
from narabe.envs.rules.line.record import LINES
from narabe.envs.rules.line.words import cells_of, lowest_bit, windows
from narabe.envs.rules.lines import CLASS, FIVES, KIND, REACH

NO_CELL, MANY = -1, -2
WORTH = np.array([0, 0, 1, 1, 3, 3, 8, 12, 14, 0, 100, 0], np.int8)  # of a line through an attack, by KIND
ONE = np.uint64(1)


@kernel
def fours_on(s, i, line):
    """The cells of a line of the state on which colour ``i`` makes a four, as bits."""
    own = np.int64(s.lines[i * LINES + line])
    two = own & (own - 1)  # without its lowest stone
    row = np.int64(s.row)
    if two == 0 and row > 3 or two & (two - 1) == 0 and row > 4:  # too few stones
        return np.int64(0)
    empty = ~(own | np.int64(s.lines[(1 - i) * LINES + line]) | np.int64(s.wall[line])) & 0xFFFFFFFF
    one, two = windows(own, empty, row, s.exact[i] != 0)
    return cells_of(two, row) & empty


@kernel
def completion(s, i, a, k0, k1, k2, k3):
    """Where colour ``i`` completes a row through a stone on ``a`` with these line codes: a cell, NO_CELL or MANY."""
    plane = np.int64(s.rule[i])
    f0, f1 = np.int64(FIVES[plane + k0]), np.int64(FIVES[plane + k1])
    f2, f3 = np.int64(FIVES[plane + k2]), np.int64(FIVES[plane + k3])
    every = f0 | f1 << 16 | f2 << 32 | f3 << 48
    if every == 0:
        return np.int64(NO_CELL)
    if every & (every - 1) != 0:
        return np.int64(MANY)
    w = np.int64(s.width)
    bit = lowest_bit(np.uint64(every))
    d = bit >> 4
    step = 1 if d == 0 else w if d == 1 else w + 1 if d == 2 else 1 - w
    return a + ((bit & 15) - REACH) * step


@kernel
def completions(s, i, a):
    """The same for a stone on ``a``, whether it is laid already or not."""
    k0, k1, k2, k3 = codes_at(s, i, a)
    return completion(s, i, a, k0, k1, k2, k3)


@kernel
def worth_of(s, i, k0, k1, k2, k3):
    """What colour ``i`` makes of lines with these codes, as WORTH has it."""
    plane = np.int64(s.rule[i])
    return (
        np.int64(WORTH[np.int64(CLASS[plane + k0]) >> KIND])
        + np.int64(WORTH[np.int64(CLASS[plane + k1]) >> KIND])
        + np.int64(WORTH[np.int64(CLASS[plane + k2]) >> KIND])
        + np.int64(WORTH[np.int64(CLASS[plane + k3]) >> KIND])
    )


@kernel
def two_completions(s, i, a):
    """Two cells that complete rows of colour ``i`` through its stone on ``a``, where there are two."""
    plane = np.int64(s.rule[i])
    codes = codes_at(s, i, a)
    w = np.int64(s.width)
    first, second = np.int64(NO_CELL), np.int64(NO_CELL)
    for d in range(4):
        step = 1 if d == 0 else w if d == 1 else w + 1 if d == 2 else 1 - w
        bits = np.uint64(FIVES[plane + codes[d]])
        while bits != 0:
            first, second = a + (lowest_bit(bits) - REACH) * step, first
            bits &= bits - ONE
    return first, second
