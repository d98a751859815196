"""The table of proof numbers: two words an entry, in buckets of four. It is bounded: a full bucket loses its cheapest entry.

    first word    the key
    second word   phi (24 bits) | delta (24) << 24 | move (9) << 48 | log2 of the nodes spent, plus 1 (6) << 57

A second word of 0 is a free entry. The move stands as in the position turned by the symmetry of its canonical key.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel

BUCKET = 4  # entries: one cache line
INFINITE = (1 << 24) - 1  # as phi or delta: proved that it cannot be done
LOW24, LOW9 = np.uint64(INFINITE), np.uint64(511)
DELTA_AT, MOVE_AT, WORK_AT = np.uint64(24), np.uint64(48), np.uint64(57)
MISS = np.uint64(0)
NO_MOVE = 511
LINE = 64  # bytes


def new_table(mb: float) -> np.ndarray:
    """uint64, zeroed, of a power of two of buckets in at most ``mb`` MiB; no bucket lies on two cache lines."""
    buckets = max(1, int(mb * (1 << 20)) // LINE)
    words = (1 << (buckets.bit_length() - 1)) * 2 * BUCKET
    room = np.zeros(words + LINE // 8, np.uint64)
    offset = -room.ctypes.data % LINE // 8
    return room[offset : offset + words]


@kernel
def look_up(table, key):
    """The second word of the entry, or MISS."""
    at = np.int64(key & np.uint64(len(table) // 8 - 1)) * 8
    for k in range(at, at + 8, 2):
        if table[k] == key and table[k + 1] != MISS:
            return table[k + 1]
    return MISS


@kernel
def phi_of(word):
    return np.int64(word & LOW24)


@kernel
def delta_of(word):
    return np.int64(word >> DELTA_AT & LOW24)


@kernel
def move_of(word):
    return np.int64(word >> MOVE_AT & LOW9)


@kernel
def log2(n):
    """floor(log2(n)) for n >= 1."""
    out = 0
    while n > 1:
        n >>= 1
        out += 1
    return out


@kernel
def store(table, key, phi, delta, move, nodes):
    """Write an entry over its own older one, else over a free or the cheapest one of its bucket."""
    at = np.int64(key & np.uint64(len(table) // 8 - 1)) * 8
    victim, least = at, np.uint64(1 << 10)
    for k in range(at, at + 8, 2):
        if table[k + 1] == MISS or table[k] == key:
            victim = k
            break
        work = table[k + 1] >> WORK_AT
        if work < least:
            victim, least = k, work
    table[victim] = key
    table[victim + 1] = (
        np.uint64(phi)
        | np.uint64(delta) << DELTA_AT
        | np.uint64(move) << MOVE_AT
        | np.uint64(log2(max(nodes, 1)) + 1) << WORK_AT
    )
