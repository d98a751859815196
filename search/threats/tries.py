"""The table of failures, and the order in which attacks are tried."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.bans import codes_at
from narabe.envs.rules.lines import CLASS, KIND
from narabe.search.threats.desk import UNLIMITED

DEPTH = np.uint64(255)  # low bits of an entry: plies within which the position has no win, 255 if it has none at all
CELL = 511  # bits of an entry of `tries`; its mark stands above
AT_ONCE = 1 << 12  # mark of an attack that wins at once if it is legal
WORTH = np.array([0, 0, 1, 1, 3, 3, 8, 12, 14, 0, 100, 0])  # of a line through an attack, by KIND


@kernel
def entry_of(key, plies):
    depth = DEPTH if plies >= UNLIMITED >> 1 else np.uint64(min(plies, 254))
    return key & ~DEPTH | depth


@kernel
def failed(known, entry):
    """Does an entry of the table say that there is no win?"""
    return known & ~DEPTH == entry & ~DEPTH and known & DEPTH >= entry & DEPTH


@kernel
def order(s, desk, i, start, end):
    """Sort a level's tries: wins at once, then by what else the attack makes on its lines."""
    plane = np.int64(s.rule[i])
    for k in range(start, end):
        entry = np.int64(desk.tries[k])
        a = entry & CELL
        k0, k1, k2, k3 = codes_at(s, i, a)
        entry += (
            WORTH[np.int64(CLASS[plane + k0]) >> KIND]
            + WORTH[np.int64(CLASS[plane + k1]) >> KIND]
            + WORTH[np.int64(CLASS[plane + k2]) >> KIND]
            + WORTH[np.int64(CLASS[plane + k3]) >> KIND]
        ) << 9
        j = k
        while j > start and np.int64(desk.tries[j - 1]) >> 9 < entry >> 9:
            desk.tries[j] = desk.tries[j - 1]
            j -= 1
        desk.tries[j] = entry
