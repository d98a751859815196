"""The transposition table: two uint64 an entry, the key of a position and what a search found of it, in pairs.

The second word holds, from the lowest bit: score + 32768 (16 bits), depth + 1 (8), bound (2), move + 1 (9), age (16).
Scores near a win are counted from the position itself, not from the root.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.search.alphabeta.desk import BELIEVED_WIN

AT_LEAST, AT_MOST, EXACT = 1, 2, 3
MISS = 0
AGES = 1 << 16


def new_table(mb: float) -> np.ndarray:
    """A table of ``mb`` MiB, rounded down to a power of two: uint64, zeroed.

    >>> len(new_table(1))
    131072
    """
    words = max(4, int(mb * (1 << 20)) // 8)
    return np.zeros(1 << (words.bit_length() - 1), np.uint64)


@kernel
def look_up(table, key, age, own_age_only):
    """The second word as int64, or MISS."""
    at = np.int64(key >> np.uint64(20)) & (len(table) // 4 - 1)
    at *= 4
    for k in range(2):
        if table[at + 2 * k] == key:
            found = np.int64(table[at + 2 * k + 1])
            if found != MISS and (own_age_only == 0 or found >> 35 == age):
                return found
            return np.int64(MISS)
    return np.int64(MISS)


@kernel
def score_in(found, ply):
    score = (found & 65535) - 32768
    if score >= BELIEVED_WIN:
        return score - ply
    if score <= -BELIEVED_WIN:
        return score + ply
    return score


@kernel
def depth_in(found):
    return (found >> 16 & 255) - 1


@kernel
def bound_in(found):
    return found >> 24 & 3


@kernel
def move_in(found):
    """The best move, -1 if none is known."""
    return (found >> 26 & 511) - 1


@kernel
def store(table, key, age, score, ply, depth, bound, move):
    """Over the position's own entry, else over one of an earlier search, else over the shallower of two."""
    if score >= BELIEVED_WIN:
        score += ply
    elif score <= -BELIEVED_WIN:
        score -= ply
    at = np.int64(key >> np.uint64(20)) & (len(table) // 4 - 1)
    at *= 4
    if table[at] == key:
        victim = at
    elif table[at + 2] == key:
        victim = at + 2
    else:
        first, second = np.int64(table[at + 1]), np.int64(table[at + 3])
        worth_first = depth_in(first) - (0 if first >> 35 == age else 256)
        worth_second = depth_in(second) - (0 if second >> 35 == age else 256)
        victim = at if worth_first < worth_second else at + 2
    if table[victim] == key and move < 0:
        move = move_in(np.int64(table[victim + 1]))
    table[victim] = key
    table[victim + 1] = np.uint64(
        (score + 32768) | (min(max(depth, -1), 200) + 1) << 16 | bound << 24 | (move + 1) << 26 | age << 35
    )
