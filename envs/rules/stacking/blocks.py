"""Blocks in their columns: placing, lifting, and finding rows.

Where games spend their time, indices are unsigned: numba looks whether a signed one is negative, a tenth of a playout.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.stacking.record import MAX_HEIGHT, PAD, POWER, SHIFT, STRIDE, Z

FIELDS = 1 | 1 << 16 | 1 << 32
CENTRES = FIELDS << PAD
# bits b - d, b, b + d of a column on the left are on the rising, the floor and the falling line; on the right the
# other way round
LEFT_1, LEFT_2, LEFT_3, LEFT_4, LEFT_5 = ((1 | 1 << (16 - d) | 1 << (32 - 2 * d)) << (PAD - d) for d in (1, 2, 3, 4, 5))
RIGHT_1, RIGHT_2, RIGHT_3, RIGHT_4, RIGHT_5 = (
    (1 << 32 | 1 << (16 - d)) << (PAD + d) | 1 << (PAD - d) for d in (1, 2, 3, 4, 5)
)


@kernel
def place(s, i, c):
    """Drop a block of player ``i`` (from 0) onto column ``c``; returns its row."""
    at, k = np.uint64(c), i * STRIDE + PAD + c
    r = np.int64(s.heights[at])
    word = np.int64(s.words[np.uint64(k)]) | (1 << (r + SHIFT))
    s.words[np.uint64(k)] = word
    if s.cylinder != 0:
        copy(s, k, c, word)
    s.heights[at] = r + 1
    s.blocks_key += Z[np.uint64(i * MAX_HEIGHT + r)] * POWER[at]
    s.left -= 1
    if s.open_sides != 0 and (c < s.lo or c > s.hi):
        s.lo = min(np.int64(s.lo), c)
        s.hi = max(np.int64(s.hi), c)
        reframe(s)
    return r


@kernel
def lift(s, i, c):
    """Take off the top block of column ``c``, which is player ``i``'s."""
    at, k = np.uint64(c), i * STRIDE + PAD + c
    r = np.int64(s.heights[at]) - 1
    word = np.int64(s.words[np.uint64(k)]) ^ (1 << (r + SHIFT))
    s.words[np.uint64(k)] = word
    if s.cylinder != 0:
        copy(s, k, c, word)
    s.heights[at] = r
    s.blocks_key -= Z[np.uint64(i * MAX_HEIGHT + r)] * POWER[at]
    s.left += 1
    if r == 0 and s.open_sides != 0 and (c == s.lo or c == s.hi):
        narrow(s)


@kernel
def copy(s, k, c, word):
    """On a cylinder, the columns next to the seam stand on both sides of the board."""
    w = np.int64(s.columns)
    if c < PAD:
        s.words[k + w] = word
    if c >= w - PAD:
        s.words[k - w] = word


@kernel
def narrow(s):
    """Find the outermost columns with blocks again; on an empty floor ``hi`` is left of ``lo``."""
    lo, hi = np.int64(s.lo), np.int64(s.hi)
    while lo <= hi and s.heights[lo] == 0:
        lo += 1
    while hi >= lo and s.heights[hi] == 0:
        hi -= 1
    if lo > hi:
        lo = np.int64(s.columns // 2)
        hi = lo - 1
    s.lo, s.hi = lo, hi
    reframe(s)


@kernel
def reframe(s):
    """Which columns may be played on an open floor: within reach of the blocks; on an empty one the anchor."""
    if s.hi < s.lo:
        s.first, s.n_columns = s.lo, 1
    else:
        s.first = max(np.int64(s.lo - s.reach), 0)
        s.n_columns = min(np.int64(s.hi + s.reach), np.int64(s.columns - 1)) - s.first + 1


@kernel
def starts(x, row):
    """The bits of ``x`` at which ``row`` set bits in succession begin."""
    two = x & (x >> 1)
    if row == 4:
        return two & (two >> 2)
    if row == 3:
        return two & (x >> 2)
    four = two & (two >> 2)
    return four & (x >> 4) if row == 5 else four & (two >> 4)


@kernel
def makes_row(s, i, c, r):
    """Does a block of player ``i`` on row ``r`` of column ``c``, there or imagined, complete a row, nothing above it?

    The cells within a row's length on the floor line and on both diagonals are gathered into three fields of one word,
    the column below into a fourth; the fields are 16 bits apart, so no row runs from one into another.
    """
    row, b, k = np.int64(s.row), r + SHIFT, i * STRIDE + PAD + c
    below = (np.int64(s.words[np.uint64(k)]) >> (b - row + 1)) & ((1 << (row - 1)) - 1)
    lines = CENTRES | (below | 1 << (row - 1)) << 48
    lines |= side(np.int64(s.words[np.uint64(k - 1)]), b, 1, LEFT_1, PAD - 1)
    lines |= side(np.int64(s.words[np.uint64(k + 1)]), b, 1, RIGHT_1, PAD + 1)
    lines |= side(np.int64(s.words[np.uint64(k - 2)]), b, 2, LEFT_2, PAD - 2)
    lines |= side(np.int64(s.words[np.uint64(k + 2)]), b, 2, RIGHT_2, PAD + 2)
    if row > 3:
        lines |= side(np.int64(s.words[np.uint64(k - 3)]), b, 3, LEFT_3, PAD - 3)
        lines |= side(np.int64(s.words[np.uint64(k + 3)]), b, 3, RIGHT_3, PAD + 3)
    if row > 4:
        lines |= side(np.int64(s.words[np.uint64(k - 4)]), b, 4, LEFT_4, PAD - 4)
        lines |= side(np.int64(s.words[np.uint64(k + 4)]), b, 4, RIGHT_4, PAD + 4)
    if row > 5:
        lines |= side(np.int64(s.words[np.uint64(k - 5)]), b, 5, LEFT_5, PAD - 5)
        lines |= side(np.int64(s.words[np.uint64(k + 5)]), b, 5, RIGHT_5, PAD + 5)
    return starts(lines, row) != 0


@kernel
def side(x, b, d, spread, p):
    """The three cells of a column ``d`` away that lie on lines through bit ``b``, each moved to place ``p`` of its field.

    One product moves all three: its terms fall on nine different bits, of which three are wanted.
    """
    return (((x >> (b - d)) & (1 | 1 << d | 1 << (2 * d))) * spread) & (FIELDS << p)


@kernel
def any_row(s, i):
    """Does player ``i`` have a row anywhere on the board?"""
    row, base = np.int64(s.row), i * STRIDE + PAD
    for c in range(s.columns):
        x = np.int64(s.words[base + c])
        if x == 0:
            continue
        if starts(x, row) != 0:
            return True
        flat, rising, falling = x, x, x
        for d in range(1, row):
            y = np.int64(s.words[base + c + d])
            flat &= y
            rising &= y >> d
            falling &= y << d
        if (flat | rising | falling) != 0:
            return True
    return False


@kernel
def owner(s, c):
    """The player, from 0, of the top block of a column; -1 if it is empty."""
    b = np.int64(s.heights[c]) - 1 + SHIFT
    for i in range(s.players):
        if b >= SHIFT and (np.int64(s.words[i * STRIDE + PAD + c]) >> b) & 1:
            return np.int64(i)
    return np.int64(-1)


@kernel
def block_at(s, r, c):
    """The player, from 1, of the block on a cell; 0 if it is empty."""
    for i in range(s.players):
        if (np.int64(s.words[i * STRIDE + PAD + c]) >> (r + SHIFT)) & 1:
            return np.int64(i + 1)
    return np.int64(0)
