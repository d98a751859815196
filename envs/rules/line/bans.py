"""Which cells the bans forbid: double three, double four, overline."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.record import (
    ANTIDIAGONALS,
    COLUMN_STEP,
    COLUMNS,
    DIAGONALS,
    DOUBLE_FOUR,
    DOUBLE_THREE,
    LINES,
    OVERLINE,
    ROW_STEP,
    SHIFT,
)  # fmt: skip
from narabe.envs.rules.line.stones import flip_stone
from narabe.envs.rules.lines import CLASS, FOUR_MASK, FOURS, OPENS, OVERLONG, THREE_MASK, THREES, WIN, line_code


@kernel
def codes_at(s, i, a):
    """The line codes that colour ``i`` sees around the cell ``a`` in directions 0..3."""
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    b = c + SHIFT
    own, other = i * LINES, (1 - i) * LINES
    up, rising, falling = COLUMNS + c, DIAGONALS + r - c, ANTIDIAGONALS + r + c
    return (
        line_code(np.int64(s.lines[own + r]), np.int64(s.lines[other + r] | s.wall[r]), b),
        line_code(np.int64(s.lines[own + up]), np.int64(s.lines[other + up] | s.wall[up]), r + SHIFT),
        line_code(np.int64(s.lines[own + rising]), np.int64(s.lines[other + rising] | s.wall[rising]), b),
        line_code(np.int64(s.lines[own + falling]), np.int64(s.lines[other + falling] | s.wall[falling]), b),
    )


@kernel
def classes_at(s, i, a):
    """The CLASS entries (see `lines`) of the four lines if colour ``i`` played on the empty cell ``a``."""
    plane = np.int64(s.rule[i])
    k0, k1, k2, k3 = codes_at(s, i, a)
    return (
        np.int64(CLASS[plane + k0]),
        np.int64(CLASS[plane + k1]),
        np.int64(CLASS[plane + k2]),
        np.int64(CLASS[plane + k3]),
    )


@kernel
def shape_ban(s, c0, c1, c2, c3):
    """The fault of four line classes by shape alone: 0, DOUBLE_THREE, DOUBLE_FOUR or OVERLINE."""
    any_of = c0 | c1 | c2 | c3
    if any_of & WIN:
        return 0
    if s.overline != 0 and any_of & OVERLONG:
        return OVERLINE
    if s.double_four != 0 and any_of & FOUR_MASK:
        if (c0 & FOUR_MASK) + (c1 & FOUR_MASK) + (c2 & FOUR_MASK) + (c3 & FOUR_MASK) >= 2 << FOURS:
            return DOUBLE_FOUR
    if s.double_three != 0 and any_of & THREE_MASK:
        if s.same_line != 0:
            n = ((c0 & THREE_MASK) + (c1 & THREE_MASK) + (c2 & THREE_MASK) + (c3 & THREE_MASK)) >> THREES
        else:
            n = (
                (1 if c0 & THREE_MASK else 0)
                + (1 if c1 & THREE_MASK else 0)
                + (1 if c2 & THREE_MASK else 0)
                + (1 if c3 & THREE_MASK else 0)
            )
        if n >= 2:
            return DOUBLE_THREE
    return 0


@kernel
def ban(s, i, a):
    """Why the bans forbid colour ``i`` the empty cell ``a``: 0 if they do not, else a fault (five beats every ban)."""
    if s.bound[i] == 0:
        return 0
    c0, c1, c2, c3 = classes_at(s, i, a)
    why = shape_ban(s, c0, c1, c2, c3)
    if why == DOUBLE_THREE and (s.recursive != 0 or s.five_spoils_three != 0):
        return DOUBLE_THREE if real_threes(s, i, a) >= 2 else 0
    return why


@kernel
def real_threes(s, i, a):
    """How many open threes a stone of colour ``i`` on ``a`` makes whose extending point may be played; two will do.

    The stone is really laid, then each extending point is tested in the same way; every level adds a stone, so it ends.
    Source: RIF rules of renju, definition of the three; for Omok the option `recursive`.
    """
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    plane = np.int64(s.rule[i])
    threes = 0
    codes = codes_at(s, i, a)
    flip_stone(s, i, r, c)
    for d in range(4):
        points = np.int64(OPENS[plane + codes[d]])
        dr, dc = ROW_STEP[d], COLUMN_STEP[d]
        if d == 3:
            dr, dc = -dr, -dc
        found = 0
        for j in range(11):
            if points >> j & 1 and (found == 0 or s.same_line != 0):
                q = (r + (j - 5) * dr) * s.width + c + (j - 5) * dc
                q0, q1, q2, q3 = classes_at(s, i, q)
                wins = (q0 | q1 | q2 | q3) & WIN != 0
                good = not (wins and s.five_spoils_three != 0)
                if good and not wins and s.recursive != 0:
                    why = shape_ban(s, q0, q1, q2, q3)
                    if why == DOUBLE_THREE:
                        good = real_threes(s, i, q) < 2
                    elif why != 0:
                        good = False
                if good:
                    found += 1
        if s.same_line != 0 and found > 1:
            sets = (np.int64(CLASS[plane + codes[d]]) & THREE_MASK) >> THREES
            found = found if found < sets else sets
        threes += found
        if threes >= 2:
            break
    flip_stone(s, i, r, c)
    return threes
