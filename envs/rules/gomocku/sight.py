"""What is seen: planes, keys, symmetries."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.gomocku.flips import unseen_backs
from narabe.envs.rules.gomocku.pieces import (
    CODE,
    hidden_word,
    kind_at,
    mask_word,
    neighbour,
    number_word,
    owner_at,
    pieces_word,
    shown_at,
    stage_word,
)  # fmt: skip
from narabe.envs.rules.gomocku.record import (
    ASSIGN,
    CHOOSE,
    KNOWN_COLOURED,
    KNOWN_RED,
    PLACE,
    REVEAL,
    SETS,
    TURNED,
    Z_PIECE,
    Z_PLY,
)  # fmt: skip
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.record import MAX_CELLS
from narabe.envs.rules.line.sight import num_symmetries
from narabe.envs.rules.line.sight import symmetry as cell_image

CELL_PLANES, PLANES = 9, 21
# where symmetry k (see `symmetry`) takes direction d of `ROW_STEP`
DIRECTION = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7], [4, 1, 3, 2, 0, 5, 7, 6], [0, 5, 7, 6, 4, 1, 3, 2], [4, 5, 6, 7, 0, 1, 2, 3],
        [1, 0, 2, 7, 5, 4, 6, 3], [5, 0, 7, 2, 1, 4, 3, 6], [1, 4, 3, 6, 5, 0, 7, 2], [5, 4, 6, 3, 1, 0, 2, 7],
    ],
    np.int8,
)  # fmt: skip


@kernel
def observation_shape(s):
    """21 planes (see `observe`) of height x width."""
    return (np.int64(PLANES), np.int64(s.height), np.int64(s.width))


@kernel
def observe(s, player, out):
    """Write what ``player`` (1 or 2) may know into ``out`` (int8): all of it is public, none of it tells an unseen back.

    By cell: 0 shows my colour, 1 shows the opponent's, 2 shows red, 3 a piece of mine whatever it shows, 4 turned, 5 not
    turned but known to be coloured, 6 known to be red, 7 the last piece laid, 8 pieces that may be chosen now, or whose
    backs are due. The same on every cell: 9 one for Black, 10 the stage of the turn, 11 ply, 12 one if it is my turn,
    13 pieces that I turned, 14 the opponent, 15 red ones among mine, 16 among the opponent's, 17 coloured backs of the
    opponent's pieces not yet seen, 18 red ones, 19 coloured backs of my pieces not yet seen, 20 red ones.
    """
    w = np.int64(s.width)
    me = np.int64(player)
    for a in range(s.cells):
        r = (a * s.inverse) >> 16
        c = a - r * w
        for plane in range(CELL_PLANES):
            out[plane, r, c] = 0
        owner = owner_at(s, a)
        if owner != 0:
            shown, kind = shown_at(s, a), kind_at(s, a)
            out[0 if shown == me else (2 if shown == 3 else 1), r, c] = 1
            out[3, r, c] = 1 if owner == me else 0
            out[4, r, c] = 1 if kind >= TURNED else 0
            out[5, r, c] = 1 if kind == KNOWN_COLOURED else 0
            out[6, r, c] = 1 if kind == KNOWN_RED else 0
    if s.last >= 0:
        out[7, s.last // w, s.last % w] = 1
    due = np.int64(s.able) if s.stage == CHOOSE else np.int64(s.left)
    for d in range(8):
        if due >> d & 1:
            q = neighbour(s, np.int64(s.last), d)
            out[8, q // w, q % w] = 1
    i, j = me - 1, 2 - me
    theirs, unseen_theirs = unseen_backs(s, j)
    mine, unseen_mine = unseen_backs(s, i)
    values = (
        np.int64(me == 1), np.int64(s.stage), np.int64(s.ply), np.int64(whose(s) == me),
        np.int64(s.flips[i]), np.int64(s.flips[j]), np.int64(s.reds[i]), np.int64(s.reds[j]),
        theirs, unseen_theirs - theirs, mine, unseen_mine - mine,
    )  # fmt: skip
    for k in range(PLANES - CELL_PLANES):
        _fill(s, out, CELL_PLANES + k, values[k])


@kernel
def whose(s):
    """Whose turn it is, 1 or 2, on chance turns too."""
    if s.stage == ASSIGN:
        return 1 if s.order[1] < 0 else 2
    return np.int64(s.mover)


@kernel
def _fill(s, out, plane, value):
    for r in range(s.height):
        for c in range(s.width):
            out[plane, r, c] = value


@kernel
def _turn_word(s):
    """What the stage of the turn adds to the key."""
    return stage_word(s, np.int64(s.last), np.int64(s.chosen), np.int64(s.left))


@kernel
def key(s):
    """64 bits that name the rules, the pieces, what is known of them, the ply, the stage of the turn, and a drawn deal."""
    return np.uint64(s.base_key ^ s.pieces_key ^ s.hidden_key ^ _turn_word(s))


@kernel
def key_from_scratch(s):
    """What `key` must be, counted anew from the pieces."""
    return np.uint64(s.base_key ^ pieces_word(s) ^ hidden_word(s) ^ _turn_word(s))


@kernel
def info_key(s, player):
    """The key of all that a player knows: everything but a drawn deal."""
    return np.uint64(s.base_key ^ s.pieces_key ^ _turn_word(s))


@kernel
def _turned(mask, k):
    """Where symmetry ``k`` takes a set of directions."""
    out = 0
    for d in range(8):
        if mask >> d & 1:
            out |= 1 << np.int64(DIRECTION[k, d])
    return np.int64(out)


@kernel
def symmetry(s, a, k):
    """Where symmetry ``k`` takes an action: cells and sets of directions move, all others stay."""
    if 0 <= a < s.cells:
        return cell_image(s, np.int64(a), k)
    if s.cells <= a < s.cells + SETS:
        return np.int64(s.cells) + _turned(np.int64(a) - s.cells, k)
    return np.int64(a)


@kernel
def canonical_key(s):
    """(smallest key over all symmetries, the symmetry that gives it)."""
    best, best_k = np.uint64(0), 0
    rest = np.uint64(s.base_key ^ Z_PLY[s.ply] ^ mask_word(s))
    for k in range(num_symmetries(s)):
        x = rest
        if s.stage != PLACE:
            left = _turned(np.int64(s.left), k) if s.stage == REVEAL else 0
            last = cell_image(s, np.int64(s.last), k) if s.last >= 0 else -1
            x ^= stage_word(s, last, _turned(np.int64(s.chosen), k), left)
        for a in range(s.width * s.height):
            entry = np.int64(s.piece[a])
            if entry != 0:
                moved = cell_image(s, a, k)
                x ^= Z_PIECE[(entry & CODE) * MAX_CELLS + moved]
                if s.dealt != 0:
                    x ^= number_word(entry, moved)
        if k == 0 or x < best:
            best, best_k = x, k
    return best, best_k
