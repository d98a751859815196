"""The transposition table: exact bounds of a position in two uint64, in buckets of a fixed number of entries.

A position, turned so that the mover sits first, is two numbers: ``head`` (61 bits, never 0: the first two hands, and all
that is not a hand) and ``tail`` (52 bits: the other two hands). The tail is scrambled by a bijection that depends on the
head; its upper part names the bucket, and the entry holds the head and the *rest* of the tail. So nothing is lost, and a
false hit is impossible.

The second uint64 of an entry, from the lowest bit: lower bound (4 bits), upper bound (4), best move (7, 127: unknown),
log2 of the nodes spent (5), rest of the tail (44). Bounds are ranks for the mover's pair.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel

BUCKET = 4  # entries
TAIL_BITS = 52
LEAST_INDEX_BITS = 8  # else the rest of a tail has no room
MISS = np.uint64(0)
UNKNOWN = 127
"""No best move."""

_ODD_A, _ODD_B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
_TAIL = np.uint64((1 << TAIL_BITS) - 1)
_HALF, _MIX, _VALUE_BITS = np.uint64(26), np.uint64(29), np.uint64(20)
_VALUE = np.uint64((1 << 20) - 1)
_FIFTEEN = np.uint64(15)


@kernel
def scramble(head, tail):
    """The tail scrambled, by a bijection for each head."""
    mixed = head * _ODD_A
    mixed = (mixed ^ (mixed >> _MIX)) * _ODD_B
    tail = (tail ^ (mixed >> np.uint64(12))) & _TAIL
    tail = (tail * _ODD_A) & _TAIL
    tail ^= tail >> _HALF
    tail = (tail * _ODD_B) & _TAIL
    return tail ^ (tail >> _HALF)


@kernel
def bucket_of(code, shift):
    """Where the bucket of a scrambled tail begins; ``shift``: bits of the rest."""
    return np.int64(code >> np.uint64(shift)) * (2 * BUCKET)


@kernel
def rest_of(code, shift):
    return code & ((np.uint64(1) << np.uint64(shift)) - np.uint64(1))


@kernel
def look_up(table, bucket, head, rest):
    """The entry's 20 value bits, or MISS."""
    for k in range(bucket, bucket + 2 * BUCKET, 2):
        if table[k] == head and table[k + 1] >> _VALUE_BITS == rest:
            return table[k + 1] & _VALUE
    return MISS


@kernel
def lower_bound(value):
    return np.int64(value & _FIFTEEN)


@kernel
def upper_bound(value):
    return np.int64((value >> np.uint64(4)) & _FIFTEEN)


@kernel
def best_move(value):
    return np.int64((value >> np.uint64(8)) & np.uint64(127))


@kernel
def packed(low, high, move, work):
    """Value bits; ``work`` is log2 of the nodes."""
    return (
        np.uint64(low)
        | (np.uint64(high) << np.uint64(4))
        | (np.uint64(move) << np.uint64(8))
        | (np.uint64(work) << np.uint64(15))
    )


@kernel
def log2(n):
    """floor(log2(n)) for n >= 1."""
    out = 0
    while n > 1:
        n >>= 1
        out += 1
    return out


@kernel
def store(table, bucket, head, rest, value):
    """Write an entry over its own older one, else over a free or the cheapest one of its bucket."""
    victim, least = bucket, np.uint64(64)
    for k in range(bucket, bucket + 2 * BUCKET, 2):
        if table[k] == MISS or (table[k] == head and table[k + 1] >> _VALUE_BITS == rest):
            victim = k
            break
        work = (table[k + 1] & _VALUE) >> np.uint64(15)
        if work < least:
            victim, least = k, work
    table[victim] = head
    table[victim + 1] = (rest << _VALUE_BITS) | value
