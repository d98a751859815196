"""The transposition table: bounds of values by key, in pairs of entries.

Of a pair, the first entry gives way only to one that looked at least as far ahead, the second to any.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.search.star.desk import LEAST, MOST, NONE, SOLVED

_32 = np.uint64(32)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


@kernel
def find(table, key):
    """Index of the key's entry, or NONE."""
    half = np.uint64(table.shape[0] // 2)
    i = 2 * np.int64((((key * _SPREAD) >> _32) * half) >> _32)
    for j in range(2):
        if table[i + j].entry_of_star == key:
            return i + j
    return np.int64(NONE)


@kernel
def bounds(w, table, key, plies):
    """(lower, upper, rests on guesses) of the position, as far as entries that looked ``plies`` ahead know them."""
    i = find(table, key)
    if i < 0 or table[i].plies < plies:
        return LEAST, MOST, False
    return table[i].lower, table[i].upper, table[i].plies != SOLVED


@kernel
def hint(table, key):
    """The best move known, or NONE."""
    i = find(table, key)
    return np.int64(table[i].best) if i >= 0 else np.int64(NONE)


@kernel
def store(table, key, plies, lower, upper, best):
    """Keep what a search found; bounds of equal reach are joined, and those that rest on guesses yield to solved ones."""
    half = np.uint64(table.shape[0] // 2)
    i = 2 * np.int64((((key * _SPREAD) >> _32) * half) >> _32)
    at = i + 1 if table[i].entry_of_star != key and plies < table[i].plies else i
    for j in range(2):
        if table[i + j].entry_of_star == key:
            at = i + j
    e = table[at]
    if e.entry_of_star == key and e.plies == plies:
        e.lower, e.upper = max(lower, e.lower), min(upper, e.upper)
        if e.lower > e.upper:  # rounding, or guesses that another way to the position made otherwise
            e.lower, e.upper = lower, upper
        if best >= 0:
            e.best = best
        return
    if e.entry_of_star == key and e.plies == SOLVED:
        return
    if e.entry_of_star == key and best < 0:
        best = np.int64(e.best)
    e.entry_of_star, e.plies, e.lower, e.upper, e.best = key, plies, lower, upper, best
