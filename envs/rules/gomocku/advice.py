"""Estimates for ordering moves and for simple players, and which moves act alike; the latter is exact."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.gomocku.flips import judge, turn_all, unseen_among, unseen_backs
from narabe.envs.rules.gomocku.pieces import kind_at, neighbour, sandwiched, set_kind
from narabe.envs.rules.gomocku.record import CHOOSE, KNOWN_COLOURED, KNOWN_RED, PLACE, TURNED, UNSEEN
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.advice import STOPS, WINS, lacks_one, line_worth
from narabe.envs.rules.line.bans import classes_at
from narabe.envs.rules.line.record import COLUMN_STEP, LINES, ROW_STEP, SHIFT
from narabe.envs.rules.line.stones import flip_stone
from narabe.envs.rules.lines import OVERLONG, WIN

FLIP = 60.0  # what a piece that may be turned is worth beside lines


@kernel
def _at(s, i, a):
    """(does colour ``i`` make five on ``a`` by the piece alone, what its lines are worth)."""
    c0, c1, c2, c3 = classes_at(s, i, a)
    return (c0 | c1 | c2 | c3) & WIN != 0, line_worth(c0) + line_worth(c1) + line_worth(c2) + line_worth(c3)


@kernel
def flip_chance(s, i, a, able):
    """(best chance to win by turning one piece, how many may be turned) if colour ``i`` played on the empty cell ``a``."""
    if able == 0:
        return 0.0, 0
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    coloured, unseen = unseen_backs(s, 1 - i)
    best, n = 0.0, 0
    flip_stone(s, i, r, c)
    for d in range(8):
        if able >> d & 1:
            n += 1
            q = neighbour(s, a, d)
            kind = kind_at(s, q)
            p = coloured / unseen if kind == UNSEEN else (1.0 if kind == KNOWN_COLOURED else 0.0)
            if p > best:
                before = np.int64(s.piece[q])
                key = s.pieces_key
                set_kind(s, q, KNOWN_COLOURED)
                turn_all(s, i, a, 1 << d)
                won, _ = judge(s, i, a, 1 << d)
                turn_all(s, i, a, 1 << d)
                s.piece[q], s.pieces_key = before, key
                if won:
                    best = p
    flip_stone(s, i, r, c)
    return best, n


@kernel
def set_worth(s, chosen):
    """What turning the pieces in the directions of ``chosen`` is worth: chance to win, pieces that stand, reds.

    All outcomes are tried, each with its weight, on the record itself, which is restored.
    """
    i, a = np.int64(s.mover) - 1, np.int64(s.last)
    unseen_set = unseen_among(s, a, chosen)
    coloured, unseen = unseen_backs(s, 1 - i)
    key = s.pieces_key
    worth = 0.0
    outcome = unseen_set
    while True:  # over the subsets of unseen_set that turn out coloured
        p, left, red = 1.0, coloured, unseen - coloured
        for d in range(8):
            if unseen_set >> d & 1:
                if outcome >> d & 1:
                    p *= left / (left + red) if left + red > 0 else 0.0
                    left -= 1
                else:
                    p *= red / (left + red) if left + red > 0 else 0.0
                    red -= 1
        if p > 0:
            for d in range(8):
                if unseen_set >> d & 1:
                    set_kind(s, neighbour(s, a, d), KNOWN_COLOURED if outcome >> d & 1 else KNOWN_RED)
            turn_all(s, i, a, chosen)
            won, put_back = judge(s, i, a, chosen)
            stand = 0
            for d in range(8):
                if (chosen & ~put_back) >> d & 1:
                    stand += 10 if kind_at(s, neighbour(s, a, d)) == TURNED else 9
            worth += p * (WINS if won else FLIP * stand / 10)
            turn_all(s, i, a, chosen)
            for d in range(8):
                if unseen_set >> d & 1:
                    set_kind(s, neighbour(s, a, d), UNSEEN)
        if outcome == 0:
            break
        outcome = (outcome - 1) & unseen_set
    s.pieces_key = key
    return worth


@kernel
def may_win(s):
    """Is there a row that lacks one piece, a choice of flips, or the last ply to play?"""
    return s.stage != PLACE or s.ply + 1 >= s.plies or lacks_one(s, np.int64(s.mover) - 1)


@kernel
def urgency(s, a):
    """How pressing an action is: winning, then stopping a win, then lines and flips; a choice by what it is worth."""
    if s.stage == CHOOSE:
        return set_worth(s, np.int64(a) - s.cells)
    if s.stage != PLACE or a >= s.cells:
        return 0.0
    a, i = np.int64(a), np.int64(s.mover) - 1
    wins, own = _at(s, i, a)
    stops, other = _at(s, 1 - i, a)
    worth = (WINS if wins else 0.0) + (STOPS if stops else 0.0) + 2.0 * own + other
    if s.ply >= s.first:
        chance, n = flip_chance(s, i, a, sandwiched(s, i, a))
        worth += chance * WINS / 2 + FLIP * n
        chance, n = flip_chance(s, 1 - i, a, sandwiched(s, 1 - i, a))
        worth += chance * STOPS / 2 + FLIP * n / 2
    return worth


# ---- moves that act alike -------------------------------------------------------------------------------------------


@kernel
def alike(s, a):
    """1 for quiet cells in the last two plies, which all lead to the same value; 0 for every other action.

    A cell is quiet for a side that makes no five and can turn nothing there. On the last ply such a move only keeps the
    score. On the ply before, a move to a cell that is quiet for *both* sides, legal for the opponent, and where the new
    piece cannot be turned, leaves the opponent the same moves of the same worth: the piece completes or spoils no row of
    his (his rows do not run through it, and an exact five asks only that the cells at its ends are not his), brackets
    nothing and is no prey; and what he can no longer do, to play on that very cell, he can do on another of the class.
    Where bans look at threes and fours in phase 2, a piece can shut a row, so there only the last ply has a class.
    """
    left = np.int64(s.plies) - s.ply
    if s.stage != PLACE or a >= s.cells or s.ply < s.first or left > 2 or s.stuck != 0:
        return 0
    i, a = np.int64(s.mover) - 1, np.int64(a)
    if not _is_quiet(s, i, a):
        return 0
    if left == 1:
        return 1
    if s.phase2_all != 0 or not _is_quiet(s, 1 - i, a) or _is_prey(s, i, a):
        return 0
    c0, c1, c2, c3 = classes_at(s, 1 - i, a)
    return 0 if s.bound[1 - i] != 0 and (c0 | c1 | c2 | c3) & OVERLONG else 1


@kernel
def _is_quiet(s, i, a):
    if sandwiched(s, i, a) != 0:
        return False
    c0, c1, c2, c3 = classes_at(s, i, a)
    return (c0 | c1 | c2 | c3) & WIN == 0


@kernel
def _is_prey(s, i, a):
    """Could the other side sandwich a piece that colour ``i`` lays on ``a``?"""
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    other = (1 - i) * LINES
    for d in range(8):
        near_r, near_c, far_r, far_c = r + ROW_STEP[d], c + COLUMN_STEP[d], r - ROW_STEP[d], c - COLUMN_STEP[d]
        if min(near_r, far_r) < 0 or max(near_r, far_r) >= s.height or min(near_c, far_c) < 0:
            continue
        if max(near_c, far_c) >= s.width or s.slot[far_r * s.width + far_c] < 0:
            continue
        if (s.lines[other + near_r] >> (near_c + SHIFT)) & 1:
            return True
    return False
