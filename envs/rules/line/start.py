"""The empty board, and set-up positions."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import lines
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.moves import draw
from narabe.envs.rules.line.record import (
    ANTIDIAGONALS,
    COLUMNS,
    DIAGONALS,
    FIVE,
    MAX_PAIRS,
    MULTIPLIER,
    PAIRS,
    PAIRS_TO_WIN,
    SHIFT,
    Z_OPENING,
    Z_PAIRS,
)  # fmt: skip
from narabe.envs.rules.line.stones import drop_empty, flip_stone, key_of_stones, wins_at


@kernel
def init(s, params):
    """The empty board under the rules ``params`` (int64, in the order of `PARAMS`)."""
    w, h = params[0], params[1]
    s.width, s.height, s.cells, s.row = w, h, w * h, params[2]
    s.inverse = (65536 + w - 1) // w
    bans = params[4] + params[5] + params[6] > 0
    for i in range(2):
        s.bound[i] = 1 if bans and (i == 0 or params[7] == 0) else 0
        s.exact[i] = 1 if params[3] != 0 or (s.bound[i] != 0 and params[6] != 0) else 0
        s.rule[i] = lines.CODES * ((s.row - 3) * 2 + s.exact[i])
        s.pairs[i] = 0
    s.double_three, s.double_four, s.overline = params[4], params[5], params[6]
    s.recursive, s.five_spoils_three, s.same_line = params[8], params[9], params[10]
    s.captures, s.opening = params[11], params[12]
    s.plain = 1 if s.captures + s.opening + s.double_four + s.overline == 0 else 0
    k = np.uint64(0)
    for i in range(len(params)):
        k = (k ^ np.uint64(params[i] + 1)) * MULTIPLIER
        k = k ^ (k >> np.uint64(29))
    s.base_key = k
    s.lines[:], s.wall[:], s.history[:] = 0, -1, 0
    s.empties[:], s.slot[:] = 0, -1
    for a in range(w * h):
        s.empties[a], s.slot[a] = a, a
    for r in range(h):
        for c in range(w):
            s.wall[r] &= ~(1 << (c + SHIFT))
            s.wall[COLUMNS + c] &= ~(1 << (r + SHIFT))
            s.wall[DIAGONALS + r - c] &= ~(1 << (c + SHIFT))
            s.wall[ANTIDIAGONALS + r + c] &= ~(1 << (c + SHIFT))
    s.n_empty = w * h
    s.n_moves, s.ply = 0, 0
    s.last, s.first_last = -1, -1
    s.mover, s.winner, s.result = 1, 0, 0
    s.stones_key = Z_PAIRS[0] ^ Z_PAIRS[MAX_PAIRS + 1]
    if s.opening != 0:
        s.stones_key ^= Z_OPENING


@kernel
def setup(s, board, mover, ply, black_pairs, white_pairs, last, opening):
    """Lay a position on a freshly initialised record: ``board`` int8 by cell (0 empty, 1 Black, 2 White).

    With ``last`` (a cell, -1 for none) the end is judged as after that move; without it, a winning row of either colour
    anywhere ends the game. Returns 0, or 1 if both colours hold a win. Undo stops here.
    """
    for a in range(s.width * s.height):
        if board[a] != 0:
            k = s.slot[a]
            drop_empty(s, a, k)
            flip_stone(s, np.int64(board[a]) - 1, a // s.width, a % s.width)
    s.mover, s.ply, s.last, s.first_last, s.opening = mover, ply, last, last, opening
    s.pairs[0], s.pairs[1] = black_pairs, white_pairs
    s.stones_key = key_of_stones(s)
    wins = np.zeros(2, np.int64)
    for i in range(2):
        for a in range(s.width * s.height):
            if board[a] == i + 1 and (last < 0 or (a == last and i == 2 - mover)):
                wins[i] |= FIVE if wins_at(s, i, a) else 0
        if s.pairs[i] >= PAIRS_TO_WIN:
            wins[i] |= PAIRS
    if wins[0] != 0 and wins[1] != 0:
        return 1
    s.result = wins[0] | wins[1]
    s.winner = 1 if wins[0] != 0 else (2 if wins[1] != 0 else 0)
    if s.result == 0:
        s.result = draw(s)
    return 0
