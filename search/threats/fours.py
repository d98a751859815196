"""Fours of one colour, line by line, as bits: where a stone makes one, and what then completes it.

Only for rules without captures. A line's word of *fours* has the empty cells on which a stone makes a four in its low half,
those on which it makes two ways to complete a row, as far as a count of windows can tell, in its high half.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.bans import codes_at
from narabe.envs.rules.line.record import ANTIDIAGONALS, COLUMNS, DIAGONALS, LINES, SHIFT
from narabe.envs.rules.lines import FIVES, REACH

NO_CELL, MANY = -1, -2
HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
ONE = np.uint64(1)
DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)  # its 64 windows of six bits all differ
PLACES = np.zeros(64, np.int8)
for _n in range(64):
    PLACES[((0x03F79D71B4CB0A89 << _n) & (1 << 64) - 1) >> 58] = _n


@kernel
def low_bit(word):
    """Number of the lowest set bit of a uint64 that is not 0."""
    word = np.uint64(word)
    return np.int64(PLACES[((word & (~word + ONE)) * DE_BRUIJN) >> np.uint64(58)])


@kernel
def word_of_fours(own, empty, row, exact):
    """The word of fours of a line with stones ``own`` and empty cells ``empty`` (int64 words of the state's lines).

    Windows of ``row`` cells are looked at all together, each at the bit of its first cell.
    """
    filled = own | empty
    whole = filled & filled >> 1 & filled >> 2
    if row > 3:
        whole &= filled >> 3
    if row > 4:
        whole &= filled >> 4
    if exact:
        whole &= ~(own << 1) & ~(own >> row)
    zero, one, two = whole, np.int64(0), np.int64(0)  # windows with so many empty cells among those seen
    for k in range(row):
        e = empty >> k
        two = two & ~e | one & e
        one = one & ~e | zero & e
        zero &= ~e
    fours, twins = np.int64(0), np.int64(0)
    for k in range(row):
        at = two << k & empty
        twins |= fours & at
        fours |= at
    return np.uint64(fours) | np.uint64(twins) << HALF


@kernel
def fours_on(s, i, line):
    """The word of fours of colour ``i`` on a line of the state."""
    own = np.int64(s.lines[i * LINES + line])
    empty = ~(own | np.int64(s.lines[(1 - i) * LINES + line]) | np.int64(s.wall[line])) & 0xFFFFFFFF
    return word_of_fours(own, empty, np.int64(s.row), s.exact[i] != 0)


@kernel
def completions(s, i, a):
    """Where colour ``i`` completes a row through its stone on ``a``: a cell, NO_CELL or MANY."""
    plane = np.int64(s.rule[i])
    k0, k1, k2, k3 = codes_at(s, i, a)
    f0, f1, f2, f3 = (
        np.int64(FIVES[plane + k0]),
        np.int64(FIVES[plane + k1]),
        np.int64(FIVES[plane + k2]),
        np.int64(FIVES[plane + k3]),
    )
    every = f0 | f1 << 16 | f2 << 32 | f3 << 48
    if every == 0:
        return np.int64(NO_CELL)
    if every & (every - 1) != 0:
        return np.int64(MANY)
    w = np.int64(s.width)
    if f0 != 0:
        return a + place(f0)
    if f1 != 0:
        return a + place(f1) * w
    if f2 != 0:
        return a + place(f2) * (w + 1)
    return a - place(f3) * (w - 1)


@kernel
def place(bits):
    """How far from P the one cell of an entry of FIVES lies."""
    j = np.int64(-REACH)
    while bits > 1:
        bits >>= 1
        j += 1
    return j


@kernel
def two_completions(s, i, a):
    """Two cells that complete rows of colour ``i`` through its stone on ``a``, where there are two."""
    plane = np.int64(s.rule[i])
    codes = codes_at(s, i, a)
    w = np.int64(s.width)
    first, second = np.int64(NO_CELL), np.int64(NO_CELL)
    for d in range(4):
        step = 1 if d == 0 else w if d == 1 else w + 1 if d == 2 else 1 - w
        bits = np.int64(FIVES[plane + codes[d]])
        while bits != 0:
            low = bits & -bits
            bits ^= low
            first, second = a + place(low) * step, first
    return first, second


@kernel
def cell_on(s, line, b):
    """The cell at bit ``b`` of a line."""
    c, w = b - SHIFT, np.int64(s.width)
    if line < COLUMNS:
        return line * w + c
    if line < 2 * COLUMNS:
        return c * w + line - COLUMNS
    if line < DIAGONALS + COLUMNS:
        return (line - DIAGONALS + c) * w + c
    return (line - ANTIDIAGONALS - c) * w + c
