"""The transposition table: exact bounds of a position in one uint64, in buckets of a fixed number of entries.

A key of ``bits`` bits is scrambled by a bijection; its upper part names the bucket and the *rest* stands in the entry, so
nothing of it is lost and a false hit is impossible. Below the rest an entry holds, from the lowest bit:
lower bound + 32 (6 bits), upper bound + 32 (6), log2 of the nodes spent (5).
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel

BUCKET = 4  # entries
VALUE_BITS = np.uint64(17)
VALUE = np.uint64((1 << 17) - 1)
BOUND, WORK = np.uint64(63), np.uint64(31)
SIX, TWELVE = np.uint64(6), np.uint64(12)
MIDDLE = np.int64(32)
ODD_A, ODD_B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
MISS = np.uint64(0)


@kernel
def scramble(key, half, full):
    """A bijection of the numbers up to ``full``, a mask; ``half``: half as many bits, rounded up."""
    key = (key * ODD_A) & full
    key ^= key >> half
    key = (key * ODD_B) & full
    return key ^ (key >> half)


@kernel
def look_up(table, bucket, rest):
    """The entry's 17 value bits, or MISS. ``bucket``: index of its first entry."""
    for k in range(BUCKET):
        entry = table[bucket + k]
        if entry >> VALUE_BITS == rest and entry != MISS:
            return entry & VALUE
    return MISS


@kernel
def lower_bound(value):
    return np.int64(value & BOUND) - MIDDLE


@kernel
def upper_bound(value):
    return np.int64((value >> SIX) & BOUND) - MIDDLE


@kernel
def packed(low, high, work):
    """Value bits; ``work`` is log2 of the nodes."""
    return np.uint64(low + MIDDLE) | (np.uint64(high + MIDDLE) << SIX) | (np.uint64(work) << TWELVE)


@kernel
def log2(n):
    """floor(log2(n)) for n >= 1."""
    out = 0
    while n > 1:
        n >>= 1
        out += 1
    return out


@kernel
def store(table, bucket, rest, value):
    """Write an entry over its own older one, else over a free or the cheapest one of its bucket."""
    victim, least = bucket, np.uint64(64)
    for k in range(BUCKET):
        entry = table[bucket + k]
        if entry == MISS or entry >> VALUE_BITS == rest:
            victim = bucket + k
            break
        work = (entry >> TWELVE) & WORK
        if work < least:
            victim, least = bucket + k, work
    table[victim] = (rest << VALUE_BITS) | value
