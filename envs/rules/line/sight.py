"""What is seen: planes, keys, symmetries."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.record import LINES, MAX_CELLS, SHIFT, Z_STONE
from narabe.envs.rules.line.stones import key_of_stones, key_without_stones, stone_at


@kernel
def observation_shape(s):
    """Planes: own stones, opponent's stones, last move, all ones for Black; with captures own and opponent's pairs."""
    return (np.int64(6 if s.captures != 0 else 4), np.int64(s.height), np.int64(s.width))


@kernel
def observe(s, player, out):
    """Write the planes as ``player`` (1 or 2) sees them into ``out`` (int8, `observation_shape`)."""
    w, h = np.int64(s.width), np.int64(s.height)
    own, other = (player - 1) * LINES, (2 - player) * LINES
    black = 1 if player == 1 else 0
    for r in range(h):
        mine, theirs = np.int64(s.lines[own + r]) >> SHIFT, np.int64(s.lines[other + r]) >> SHIFT
        for c in range(w):
            out[0, r, c] = (mine >> c) & 1
            out[1, r, c] = (theirs >> c) & 1
            out[2, r, c] = 0
            out[3, r, c] = black
    if s.last >= 0:
        out[2, s.last // w, s.last % w] = 1
    if s.captures != 0:
        for r in range(h):
            for c in range(w):
                out[4, r, c] = s.pairs[player - 1]
                out[5, r, c] = s.pairs[2 - player]


@kernel
def key(s):
    """64 bits that name the rules, the stones, the side to move, the pairs, and whether the opening binds."""
    return np.uint64(s.base_key ^ s.stones_key)


@kernel
def key_from_scratch(s):
    """What `key` must be, counted anew from the stones."""
    return np.uint64(s.base_key ^ key_of_stones(s))


@kernel
def num_symmetries(s):
    return 8 if s.width == s.height else 4


@kernel
def symmetry(s, a, k):
    """Where symmetry ``k`` takes the cell: bit 0 mirrors columns, bit 1 mirrors rows, bit 2 then swaps rows and columns."""
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    if k & 1:
        c = s.width - 1 - c
    if k & 2:
        r = s.height - 1 - r
    if k & 4:
        r, c = c, r
    return np.int64(r * s.width + c)


@kernel
def canonical_key(s):
    """(smallest key over all symmetries, the symmetry that gives it)."""
    best, best_k = np.uint64(0), 0
    rest = s.base_key ^ key_without_stones(s)
    for k in range(num_symmetries(s)):
        x = rest
        for a in range(s.width * s.height):
            v = stone_at(s, a)
            if v != 0:
                x ^= Z_STONE[(v - 1) * MAX_CELLS + symmetry(s, a, k)]
        if k == 0 or x < best:
            best, best_k = x, k
    return best, best_k
