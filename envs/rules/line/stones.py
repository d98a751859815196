"""Stones on the lines of the board: laying, lifting, rows, captured pairs, and the key they add up to."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.record import (
    ANTIDIAGONALS,
    COLUMN_STEP,
    COLUMNS,
    DIAGONALS,
    LINES,
    MAX_CELLS,
    MAX_PAIRS,
    ROW_STEP,
    SHIFT,
    Z_OPENING,
    Z_PAIRS,
    Z_STONE,
    Z_WHITE,
)  # fmt: skip


@kernel
def flip_stone(s, i, r, c):
    """Put a stone of colour ``i`` (0 Black, 1 White) on the four lines of a cell, or take it off."""
    base = i * LINES
    bit = 1 << (c + SHIFT)
    s.lines[base + r] ^= bit
    s.lines[base + COLUMNS + c] ^= 1 << (r + SHIFT)
    s.lines[base + DIAGONALS + r - c] ^= bit
    s.lines[base + ANTIDIAGONALS + r + c] ^= bit


@kernel
def drop_empty(s, a, k):
    """Take cell ``a``, at slot ``k``, out of the list of empty cells (the last one moves to its slot)."""
    n = s.n_empty - 1
    moved = s.empties[n]
    s.empties[k] = moved
    s.slot[moved] = k
    s.empties[n] = 0
    s.slot[a] = -1
    s.n_empty = n


@kernel
def add_empty(s, a):
    n = s.n_empty
    s.empties[n] = a
    s.slot[a] = n
    s.n_empty = n + 1


@kernel
def stone_at(s, a):
    """0 empty, 1 Black, 2 White."""
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    return ((s.lines[r] >> (c + SHIFT)) & 1) + 2 * ((s.lines[LINES + r] >> (c + SHIFT)) & 1)


@kernel
def row_starts(x, row, exact):
    """The bits at which winning rows of the line words ``x`` start.

    Two words may be looked at together, the second shifted by 32: a line keeps its lowest five bits free, so nothing
    runs over from one to the other.
    """
    m = x & (x >> 1)
    if row == 3:
        m &= x >> 2
    else:
        m &= m >> 2
        if row == 5:
            m &= x >> 4
    if exact:
        m &= ~(x << 1) & ~(x >> row)
    return m


@kernel
def wins_at(s, i, a):
    """Does the stone of colour ``i`` on cell ``a`` stand in a winning row?"""
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    row, exact = np.int64(s.row), s.exact[i] != 0
    for d in range(4):
        line, b = line_of(d, r, c)
        if row_starts(np.int64(s.lines[i * LINES + line]), row, exact) & ((1 << row) - 1) << (b - row + 1) != 0:
            return True
    return False


@kernel
def line_of(direction, r, c):
    """(line, bit) of a cell on the line of direction 0..3."""
    if direction == 0:
        return r, c + SHIFT
    if direction == 1:
        return COLUMNS + c, r + SHIFT
    if direction == 2:
        return DIAGONALS + r - c, c + SHIFT
    return ANTIDIAGONALS + r + c, c + SHIFT


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


@kernel
def _pairs(own, other, b):
    """Bit 0: the next two cells upwards from bit ``b`` are the opponent's and the third is one's own; bit 4: downwards."""
    after = (other >> (b + 1)) & (other >> (b + 2)) & (own >> (b + 3)) & 1
    before = (other >> (b - 1)) & (other >> (b - 2)) & (own >> (b - 3)) & 1
    return after | before << 4


@kernel
def captured_directions(s, i, r, c):
    """Bits of the directions (see `ROW_STEP`) in which a stone of colour ``i`` on the cell takes a pair."""
    own, other = i * LINES, (1 - i) * LINES
    b = c + SHIFT
    across = _pairs(np.int64(s.lines[own + r]), np.int64(s.lines[other + r]), b)
    k = COLUMNS + c
    up = _pairs(np.int64(s.lines[own + k]), np.int64(s.lines[other + k]), r + SHIFT)
    k = DIAGONALS + r - c
    rising = _pairs(np.int64(s.lines[own + k]), np.int64(s.lines[other + k]), b)
    k = ANTIDIAGONALS + r + c
    falling = _pairs(np.int64(s.lines[own + k]), np.int64(s.lines[other + k]), b)
    # along a falling diagonal the bits run towards the lower right, which is direction 7; direction 3 is the upper left
    return across | up << 1 | rising << 2 | (falling & 1) << 7 | (falling >> 4) << 3


@kernel
def count_bits(word):
    """How many bits of a word are set (few)."""
    n = np.int64(0)
    while word != 0:
        word &= word - 1
        n += 1
    return n


@kernel
def pairs_at(s, i, a):
    """How many pairs a stone of colour ``i`` on the empty cell ``a`` takes."""
    r = (a * s.inverse) >> 16
    return count_bits(captured_directions(s, i, r, a - r * s.width))


@kernel
def capture(s, i, r, c):
    """Take the pairs that the stone of colour ``i`` just placed on the cell brackets; returns the directions."""
    taken = captured_directions(s, i, r, c)
    if taken != 0:
        for d in range(8):
            if taken >> d & 1:
                dr, dc = ROW_STEP[d], COLUMN_STEP[d]
                for n in range(1, 3):
                    q = (r + n * dr) * s.width + c + n * dc
                    flip_stone(s, 1 - i, r + n * dr, c + n * dc)
                    s.stones_key ^= Z_STONE[(1 - i) * MAX_CELLS + q]
                    add_empty(s, q)
                count_pair(s, i, 1)
    return taken


@kernel
def count_pair(s, i, change):
    z = i * (MAX_PAIRS + 1)
    s.stones_key ^= Z_PAIRS[z + s.pairs[i]] ^ Z_PAIRS[z + s.pairs[i] + change]
    s.pairs[i] += change


@kernel
def key_without_stones(s):
    k = Z_PAIRS[s.pairs[0]] ^ Z_PAIRS[MAX_PAIRS + 1 + s.pairs[1]]
    if s.mover == 2:
        k ^= Z_WHITE
    if s.opening != 0 and s.ply <= 2:
        k ^= Z_OPENING
    return k


@kernel
def key_of_stones(s):
    k = key_without_stones(s)
    for a in range(s.width * s.height):
        v = stone_at(s, a)
        if v != 0:
            k ^= Z_STONE[(v - 1) * MAX_CELLS + a]
    return k
