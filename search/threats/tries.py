"""The table of failures, and the order in which attacks are tried."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.bans import codes_at
from narabe.search.threats.desk import UNLIMITED
from narabe.search.threats.fours import worth_of

DEPTH = np.uint64(255)  # low bits of an entry: plies within which the position has no win, 255 if it has none at all
CELL, REPLY = 511, 9  # an entry of `tries`: cell | reply << REPLY | mark << MARK
MARK = 18


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
    """Sort the cells of ``desk.tries`` from ``start`` to ``end`` by what an attack on them makes of its lines."""
    for k in range(start, end):
        a = np.int64(desk.tries[k])
        k0, k1, k2, k3 = codes_at(s, i, a)
        put(desk, start, k, a | worth_of(s, i, k0, k1, k2, k3) << MARK)


@kernel
def put(desk, start, end, entry):
    """Add an entry to those from ``start`` to ``end``, before all that have a smaller mark."""
    j = end
    while j > start and np.int64(desk.tries[j - 1]) >> MARK < entry >> MARK:
        desk.tries[j] = desk.tries[j - 1]
        j -= 1
    desk.tries[j] = entry
