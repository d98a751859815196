"""Blocks in their columns: placing, lifting, and finding rows."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.stacking.record import MAX_HEIGHT, PAD, POWER, SHIFT, STRIDE, Z


@kernel
def place(s, i, c):
    """Drop a block of player ``i`` (from 0) onto column ``c``; returns its row."""
    r = np.int64(s.heights[c])
    k = i * STRIDE + PAD + c
    word = np.int64(s.words[k]) | (1 << (r + SHIFT))
    s.words[k] = word
    if s.cylinder != 0:
        copy(s, k, c, word)
    s.heights[c] = r + 1
    s.sum += Z[i * MAX_HEIGHT + r] * POWER[c]
    s.left -= 1
    if s.open_sides != 0 and (c < s.lo or c > s.hi):
        s.lo = min(np.int64(s.lo), c)
        s.hi = max(np.int64(s.hi), c)
        reframe(s)
    return r


@kernel
def lift(s, i, c):
    """Take off the top block of column ``c``, which is player ``i``'s."""
    r = np.int64(s.heights[c]) - 1
    k = i * STRIDE + PAD + c
    word = np.int64(s.words[k]) ^ (1 << (r + SHIFT))
    s.words[k] = word
    if s.cylinder != 0:
        copy(s, k, c, word)
    s.heights[c] = r
    s.sum -= Z[i * MAX_HEIGHT + r] * POWER[c]
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
    below = (np.int64(s.words[k]) >> (b - row + 1)) & ((1 << (row - 1)) - 1)
    lines = (1 | 1 << 16 | 1 << 32) << PAD | (below | 1 << (row - 1)) << 48
    for d in range(1, row):
        x = np.int64(s.words[k - d])
        lines |= (((x >> b) & 1) | ((x >> (b - d)) & 1) << 16 | ((x >> (b + d)) & 1) << 32) << (PAD - d)
        x = np.int64(s.words[k + d])
        lines |= (((x >> b) & 1) | ((x >> (b + d)) & 1) << 16 | ((x >> (b - d)) & 1) << 32) << (PAD + d)
    return starts(lines, row) != 0


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
