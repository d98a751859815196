"""The patterns that players of block stacking have names for; analysis, not rules.

A pattern in a line starts at a cell and runs in one of three directions: along the floor, rising, falling. It is written
into an int64 table, one row each: kind, column, row, column step, row step, cells, place of the gap or -1.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.stacking.record import PAD, SHIFT, STRIDE

OPEN_THREE, GAP, GAP_THREE, AIR_SEAL = 1, 2, 3, 4
FIELDS = 7  # of a row of the table
OFF, FILLED, OWN, EMPTY, PLAYABLE = 0, 1, 2, 3, 4


@kernel
def column_at(s, c):
    """The column, wrapped around on a cylinder; -1 beyond a wall."""
    if s.cylinder != 0:
        return c % s.columns
    return c if 0 <= c < s.columns else np.int64(-1)


@kernel
def cell_kind(s, i, c, r):
    """OFF the board, an opponent's (FILLED), player ``i``'s OWN, EMPTY, or empty and PLAYABLE now (a bar apart)."""
    q = column_at(s, c)
    if q < 0 or r < 0 or r >= s.ceiling:
        return OFF
    if (np.int64(s.words[i * STRIDE + PAD + q]) >> (r + SHIFT)) & 1:
        return OWN
    height = np.int64(s.heights[q])
    if r < height:
        return FILLED
    if r > height or q < s.first or q >= s.first + s.n_columns:
        return EMPTY
    return PLAYABLE


@kernel
def _one_gap(s, i, c, r, dc, dr, n):
    """The place of the only cell of the line's ``n`` that is not player ``i``'s own, if it is playable; n if all are own;
    -1 otherwise."""
    gap = n
    for d in range(n):
        kind = cell_kind(s, i, c + d * dc, r + d * dr)
        if kind != OWN:
            if gap < n or kind != PLAYABLE:
                return -1
            gap = d
    return gap


@kernel
def _ends_playable(s, i, c, r, dc, dr, n):
    """Are the cells before and after the line both playable, and two? (Around a narrow cylinder they may be one.)"""
    if column_at(s, c - dc) == column_at(s, c + n * dc):
        return False
    before = cell_kind(s, i, c - dc, r - dr)
    return before == PLAYABLE and cell_kind(s, i, c + n * dc, r + n * dr) == PLAYABLE


@kernel
def patterns(s, i, out):
    """Write the patterns of player ``i`` (from 0) that lie in lines into ``out``; returns how many were found.

    - OPEN_THREE: row - 1 own blocks side by side, both end cells playable.
    - GAP: a row but for one playable cell inside it.
    - GAP_THREE: row - 2 own blocks with one playable cell between them and both end cells playable, so that the block in
      the middle makes an open three.
    - AIR_SEAL: three own blocks side by side on the second level (each such three in a longer run).
    """
    found, row = 0, np.int64(s.row)
    for c in range(s.columns):
        for r in range(s.ceiling):
            for dr in (0, 1, -1):
                kind, n = 0, row - 1
                gap = _one_gap(s, i, c, r, 1, dr, row - 1)
                if gap >= 0 and _ends_playable(s, i, c, r, 1, dr, row - 1):
                    if gap == row - 1:
                        kind, gap = OPEN_THREE, -1
                    elif 0 < gap < row - 2:
                        kind = GAP_THREE
                if kind != 0:
                    found = _note(out, found, kind, c, r, dr, n, gap)
                gap = _one_gap(s, i, c, r, 1, dr, row)
                if 0 < gap < row - 1:
                    found = _note(out, found, GAP, c, r, dr, row, gap)
            if r == 1 and _one_gap(s, i, c, r, 1, 0, np.int64(3)) == 3:
                found = _note(out, found, AIR_SEAL, c, r, 0, np.int64(3), -1)
    return found


@kernel
def _note(out, found, kind, c, r, dr, n, gap):
    if found < out.shape[0]:
        out[found, 0], out[found, 1], out[found, 2] = kind, c, r
        out[found, 3], out[found, 4], out[found, 5], out[found, 6] = 1, dr, n, gap
        return found + 1
    return found
