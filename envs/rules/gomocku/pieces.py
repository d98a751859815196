"""Pieces on the board: laying, lifting, turning, what can be turned, rows, and the words of the key."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.gomocku.record import (
    ASSIGN,
    KNOWN_COLOURED,
    KNOWN_RED,
    NUMBER,
    PLACE,
    TURNED,
    TURNED_RED,
    Z_PIECE,
    Z_PLY,
)  # fmt: skip
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.record import (
    ANTIDIAGONALS,
    COLUMN_STEP,
    COLUMNS,
    DIAGONALS,
    LINES,
    MAX_CELLS,
    ROW_STEP,
    SHIFT,
)  # fmt: skip
from narabe.envs.rules.line.stones import flip_stone, line_of

CODE = (1 << NUMBER) - 1  # the bits of `piece` that say what lies there
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)
_MIX_A, _MIX_B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@kernel
def mix(x):
    """A word of the key for a number other than 0 (the finaliser of splitmix64)."""
    z = np.uint64(x)
    z = (z ^ (z >> _30)) * _MIX_A
    z = (z ^ (z >> _27)) * _MIX_B
    return z ^ (z >> _31)


@kernel
def owner_at(s, a):
    """Whose piece lies on a cell: 0 nobody's, 1 Black's, 2 White's, whatever it shows."""
    code = np.int64(s.piece[a]) & CODE
    return 0 if code == 0 else ((code - 1) & 1) + 1


@kernel
def kind_at(s, a):
    """The kind of the piece on a cell: UNSEEN, KNOWN_COLOURED, KNOWN_RED, TURNED or TURNED_RED."""
    return ((np.int64(s.piece[a]) & CODE) - 1) >> 1


@kernel
def shown_at(s, a):
    """What a cell shows: 0 empty, 1 black, 2 white, 3 red."""
    owner = owner_at(s, a)
    if owner == 0:
        return 0
    kind = kind_at(s, a)
    return owner if kind < TURNED else (3 - owner if kind == TURNED else 3)


@kernel
def set_kind(s, a, kind):
    """Make the piece on a cell one of another kind, in `piece` and in the key; the lines are left alone."""
    entry = np.int64(s.piece[a])
    before = entry & CODE
    after = ((before - 1) & 1) + 1 + 2 * kind
    s.piece[a] = entry - before + after
    s.pieces_key ^= Z_PIECE[before * MAX_CELLS + a] ^ Z_PIECE[after * MAX_CELLS + a]


@kernel
def flip_wall(s, r, c):
    """Make a cell a wall on its four lines, as a red piece does, or free it."""
    s.wall[r] ^= 1 << (c + SHIFT)
    s.wall[COLUMNS + c] ^= 1 << (r + SHIFT)
    s.wall[DIAGONALS + r - c] ^= 1 << (c + SHIFT)
    s.wall[ANTIDIAGONALS + r + c] ^= 1 << (c + SHIFT)


@kernel
def turn(s, i, a):
    """Turn the other side's piece on a cell, whose back is known, for colour ``i``; or turn it back."""
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    kind = kind_at(s, a)
    flip_stone(s, 1 - i, r, c)
    if kind == KNOWN_COLOURED or kind == TURNED:
        flip_stone(s, i, r, c)
    else:
        flip_wall(s, r, c)
    back = kind >= TURNED
    set_kind(s, a, kind - TURNED + KNOWN_COLOURED if back else kind + TURNED - KNOWN_COLOURED)
    change = -1 if back else 1
    s.flips[i] += change
    if kind == KNOWN_RED or kind == TURNED_RED:
        s.reds[i] += change


@kernel
def neighbour(s, a, d):
    """The next cell in direction ``d``; it must be on the board."""
    return a + ROW_STEP[d] * s.width + COLUMN_STEP[d]


@kernel
def _singles(own, other, b):
    """Bit 0: upwards from bit ``b`` one of the opponent's and then one's own; bit 4: downwards."""
    after = (other >> (b + 1)) & (own >> (b + 2)) & 1
    before = (other >> (b - 1)) & (own >> (b - 2)) & 1
    return after | before << 4


@kernel
def sandwiched(s, i, a):
    """Bits of the directions in which a piece of colour ``i`` on the cell sandwiches one piece that may be turned."""
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    own, other = i * LINES, (1 - i) * LINES
    b = c + SHIFT
    across = _singles(np.int64(s.lines[own + r]), np.int64(s.lines[other + r]), b)
    k = COLUMNS + c
    up = _singles(np.int64(s.lines[own + k]), np.int64(s.lines[other + k]), r + SHIFT)
    k = DIAGONALS + r - c
    rising = _singles(np.int64(s.lines[own + k]), np.int64(s.lines[other + k]), b)
    k = ANTIDIAGONALS + r + c
    falling = _singles(np.int64(s.lines[own + k]), np.int64(s.lines[other + k]), b)
    # along a falling diagonal the bits run towards the lower right, which is direction 7; direction 3 is the upper left
    found = across | up << 1 | rising << 2 | (falling & 1) << 7 | (falling >> 4) << 3
    if found != 0:
        for d in range(8):
            if (
                found >> d & 1 and kind_at(s, neighbour(s, a, d)) >= TURNED
            ):  # one's own piece that shows the other colour
                found -= 1 << d
    return found


@kernel
def in_long_row(s, i, a):
    """Does the cell lie in six or more in a row that show colour ``i``?"""
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    for d in range(4):
        line, b = line_of(d, r, c)
        x = np.int64(s.lines[i * LINES + line])
        m = x & (x >> 1)
        m &= m >> 2
        if m & (x >> 4) & (x >> 5) & 63 << (b - 5) != 0:
            return True
    return False


# ---- the key --------------------------------------------------------------------------------------------------------


@kernel
def stage_word(s, last, chosen, left):
    """What a turn that is not yet complete adds to the key; the cell and the directions may be mirrored ones."""
    if s.stage == PLACE:
        return np.uint64(0)
    first = 1 if s.stage == ASSIGN and s.order[1] < 0 else 0  # Black lays out White's piles, then White Black's
    return mix(s.stage + 8 * (last + 1) + (chosen << 13) + (left << 21) + (first << 29))


@kernel
def mask_word(s):
    """What the hidden backs and the order of the piles add to the key."""
    if s.dealt == 0:
        return np.uint64(0)
    masks = np.int64(s.hidden[0]) | np.int64(s.hidden[1]) << 20
    return mix((masks | np.int64(s.order[0] + 1) << 40 | np.int64(s.order[1] + 1) << 46) + 1)


@kernel
def number_word(entry, a):
    """What a piece's place in its pile adds to the key, where the backs are drawn."""
    return mix((entry >> NUMBER) | ((entry & CODE) - 1 & 1) << 8 | a << 12 | 1 << 30)


@kernel
def hidden_word(s):
    """`hidden_key`, from scratch."""
    k = mask_word(s)
    if s.dealt != 0:
        for a in range(s.width * s.height):
            if s.piece[a] != 0:
                k ^= number_word(np.int64(s.piece[a]), a)
    return k


@kernel
def pieces_word(s):
    """`pieces_key`, from scratch."""
    k = Z_PLY[s.ply]
    for a in range(s.width * s.height):
        if s.piece[a] != 0:
            k ^= Z_PIECE[(np.int64(s.piece[a]) & CODE) * MAX_CELLS + a]
    return k
