"""The empty board, and set-up positions."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import lines
from narabe.envs.rules.gomocku.flips import see_back, unseen_among
from narabe.envs.rules.gomocku.moves import count_out, has_cell
from narabe.envs.rules.gomocku.pieces import (
    flip_wall,
    hidden_word,
    kind_at,
    owner_at,
    pieces_word,
    sandwiched,
    shown_at,
)  # fmt: skip
from narabe.envs.rules.gomocku.record import (
    CHOOSE,
    DEAL,
    FIVE,
    KNOWN_COLOURED,
    NUMBER,
    PLACE,
    REVEAL,
    TURNED,
    TURNED_RED,
    UNSEEN,
    Z_PLY,
)  # fmt: skip
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.record import (
    ANTIDIAGONALS,
    COLUMN_STEP,
    COLUMNS,
    DIAGONALS,
    MULTIPLIER,
    ROW_STEP,
    SHIFT,
)  # fmt: skip
from narabe.envs.rules.line.stones import drop_empty, flip_stone, wins_at

ORDERS = (1, 1, 2, 6, 24)  # ways to lay out so many piles


@kernel
def init(s, params):
    """The empty board under the rules ``params`` (int64, in the order of `PARAMS`)."""
    w, h = params[0], params[1]
    s.width, s.height, s.cells, s.row = w, h, w * h, 5
    s.inverse = (65536 + w - 1) // w
    s.first, s.plies, s.coloured = 2 * params[2], 2 * (params[2] + params[3]), params[4]
    for i in range(2):
        s.bound[i] = 1 if i == 0 or params[5] == 0 else 0
        s.exact[i] = 1
        s.rule[i] = lines.CODES * 5  # rows of five, exact
        s.order[i] = -1
    s.double_three, s.double_four, s.overline, s.same_line = 1, 1, 1, 0
    s.phase2_all, s.must_flip, s.restore_all, s.physical = params[6], params[7], params[8], params[9]
    s.pile = params[3]
    s.n_orders = ORDERS[(params[2] + params[3]) // params[3]] if s.physical != 0 else 0
    k = np.uint64(0x676F)
    for i in range(len(params)):
        k = (k ^ np.uint64(params[i] + 1)) * MULTIPLIER
        k = k ^ (k >> np.uint64(29))
    s.base_key = k
    s.wall[:] = -1
    s.slot[:] = -1
    for a in range(w * h):
        s.empties[a], s.slot[a] = a, a
    for r in range(h):
        for c in range(w):
            s.wall[r] &= ~(1 << (c + SHIFT))
            s.wall[COLUMNS + c] &= ~(1 << (r + SHIFT))
            s.wall[DIAGONALS + r - c] &= ~(1 << (c + SHIFT))
            s.wall[ANTIDIAGONALS + r + c] &= ~(1 << (c + SHIFT))
    s.n_empty, s.last, s.mover = w * h, -1, 1
    s.stage = DEAL if s.physical != 0 else PLACE
    s.pieces_key = Z_PLY[0]


@kernel
def setup(s, codes, numbers, ply, last, stage, chosen, left, won, deal):
    """Lay a position on a freshly initialised record; undo stops here.

    ``codes`` and ``numbers`` (int64 by cell): owner + 2 * kind, and the number of the piece; ``deal``: int64 (dealt,
    Black's mask, White's mask, Black's order, White's order). In the stages CHOOSE and REVEAL the piece just laid is
    ``last`` and ``ply`` does not count it yet. ``won``: 1 if the last move made a five, 0 if not, -1 to look for one
    anywhere. Returns a fault: 0, 1 (backs seen exceed what there is), 2 (nothing can be chosen there), 3 (the directions
    do not fit the pieces), 4 (there is no five).
    """
    for a in range(s.width * s.height):
        if codes[a] != 0:
            _lay(s, a, np.int64(codes[a]), np.int64(numbers[a]))
    s.ply, s.last, s.stage = ply, last, stage
    s.mover = 1 + ply % 2
    s.dealt, s.hidden[0], s.hidden[1], s.order[0], s.order[1] = deal[0], deal[1], deal[2], deal[3], deal[4]
    s.pieces_key, s.hidden_key = pieces_word(s), hidden_word(s)
    for j in range(2):
        if s.seen_coloured[j] > s.coloured or s.seen_red[j] > s.plies // 2 - s.coloured:
            return 1
    i = np.int64(s.mover) - 1
    if stage == CHOOSE:
        s.able = sandwiched(s, i, np.int64(last))
        return 2 if s.able == 0 else 0
    if stage == REVEAL:
        s.chosen, s.left = chosen, left
        return 0 if left != 0 and _fits(s, i, np.int64(last), chosen, left) else 3
    return 4 if stage == PLACE and not _end(s, won) else 0


@kernel
def _lay(s, a, code, number):
    drop_empty(s, a, np.int64(s.slot[a]))
    s.piece[a] = code | number << NUMBER
    j, kind, shown = owner_at(s, a) - 1, kind_at(s, a), shown_at(s, a)
    r = (a * s.inverse) >> 16
    if shown == 3:
        flip_wall(s, r, a - r * s.width)
    else:
        flip_stone(s, shown - 1, r, a - r * s.width)
    if kind != UNSEEN:
        see_back(s, j, kind == KNOWN_COLOURED or kind == TURNED, 1)
    if kind >= TURNED:
        s.flips[1 - j] += 1
        s.reds[1 - j] += 1 if kind == TURNED_RED else 0


@kernel
def _fits(s, i, a, chosen, left):
    """Can the directions be those of a choice in the middle of its reveals?"""
    able = sandwiched(s, i, a)
    if left & ~chosen != 0 or left & ~able != 0 or unseen_among(s, a, left) != left:
        return False
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    for d in range(8):
        if (chosen & ~left) >> d & 1:
            far_r, far_c = r + 2 * ROW_STEP[d], c + 2 * COLUMN_STEP[d]
            if far_r < 0 or far_r >= s.height or far_c < 0 or far_c >= s.width:
                return False
            q, far = (r + ROW_STEP[d]) * s.width + c + COLUMN_STEP[d], far_r * s.width + far_c
            if s.piece[q] == 0 or owner_at(s, q) != 2 - i or kind_at(s, q) < TURNED or shown_at(s, far) != i + 1:
                return False
    return True


@kernel
def _end(s, won):
    """Judge whether the position is over, as after the last ply; False if a five is claimed where there is none."""
    i = np.int64(2 - s.mover)
    five = won != 0 and _has_five(s, i)
    if won > 0 and not five:
        return False
    if five:
        s.result, s.winner = FIVE, i + 1
    elif s.ply == s.plies:
        count_out(s)
    else:
        s.stuck = 0 if has_cell(s) else 1
    return True


@kernel
def _has_five(s, i):
    for a in range(s.width * s.height):
        if shown_at(s, a) == i + 1 and wins_at(s, i, a):
            return True
    return False
