"""Bitboards of a board with gravity: four in line, columns, mirror images and rotations.

A column takes ``height + 1`` bits, the lowest cell first; the top bit, the *guard*, is never set, so that no line runs
from the top of a column into the next. Cell (column, row) is bit ``column * (height + 1) + row``. On a cylinder a step
is a rotation within ``width * (height + 1)`` bits instead of a shift.

All bitboards and shift widths are uint64 (a shift by a signed number would make numba fall back on floats).
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel

ZERO, ONE, TWO, FOUR = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(4)
B1, B2, B4 = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
BYTES, TOP_BYTE, LAST_BIT = np.uint64(0x0101010101010101), np.uint64(56), np.uint64(63)


@kernel
def popcount(x):
    """How many bits of a uint64 are set, as int64 (LLVM turns this into one instruction)."""
    x = x - ((x >> ONE) & B1)
    x = (x & B2) + ((x >> TWO) & B2)
    x = (x + (x >> FOUR)) & B4
    return np.int64((x * BYTES) >> TOP_BYTE)


@kernel
def _turn(p, d, bits, full):
    return ((p << d) | (p >> (bits - d))) & full


@kernel
def _ends(a1, a2, a3, b1, b2, b3):
    """Cells with three stones beside them in one line, from the stones moved 1 to 3 steps either way."""
    return (a1 & a2 & (a3 | b1)) | (b1 & b2 & (a1 | b3))


@kernel
def _line_flat(p, d):
    a1 = p << d
    a2 = a1 << d
    b1 = p >> d
    b2 = b1 >> d
    return _ends(a1, a2, a2 << d, b1, b2, b2 >> d)


@kernel
def _line_round(p, d, bits, full):
    back = bits - d
    a1 = _turn(p, d, bits, full)
    a2 = _turn(a1, d, bits, full)
    b1 = _turn(p, back, bits, full)
    b2 = _turn(b1, back, bits, full)
    return _ends(a1, a2, _turn(a2, d, bits, full), b1, b2, _turn(b2, back, bits, full))


@kernel
def completing(p, high, bits, full, cylinder):
    """Cells where one more stone makes four or more in line with the stones ``p``; taken cells and guards included.

    Vertically only the cell above three stones counts: nothing is put under a stone.

    ``high``: bits a column, ``bits``: of the whole board, ``full``: a mask of that many bits.
    """
    found = (p << ONE) & (p << TWO) & ((p << TWO) << ONE)
    if cylinder:
        found |= _line_round(p, high - ONE, bits, full)
        found |= _line_round(p, high, bits, full)
        found |= _line_round(p, high + ONE, bits, full)
    else:
        found |= _line_flat(p, high - ONE)
        found |= _line_flat(p, high)
        found |= _line_flat(p, min(high + ONE, LAST_BIT))
    return found


@kernel
def has_four(p, high, bits, full, cylinder):
    """Do the stones ``p`` hold four in line?"""
    pair = p & (p >> ONE)
    found = pair & (pair >> TWO)
    for k in range(3):
        d = high + np.uint64(k) - ONE
        if cylinder:
            pair = p & _turn(p, d, bits, full)
            found |= pair & _turn(_turn(pair, d, bits, full), d, bits, full)
        else:
            d = min(d, LAST_BIT)
            pair = p & (p >> d)
            found |= pair & ((pair >> d) >> d)
    return found != ZERO


@kernel
def mirrored(key, width, high):
    """The columns in reverse order, for any bitboard and for keys."""
    column = (ONE << high) - ONE
    out = ZERO
    for _ in range(width):
        out = (out << high) | (key & column)
        key = key >> high
    return out


@kernel
def canonical(key, width, high, bits, full, cylinder):
    """The smallest key among the mirror images and, on a cylinder, the rotations of a position."""
    image = mirrored(key, width, high)
    best = min(key, image)
    if cylinder:
        for _ in range(width - 1):
            key = _turn(key, high, bits, full)
            image = _turn(image, high, bits, full)
            best = min(best, key, image)
    return best
