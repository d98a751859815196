"""The empty floor, and set-up positions."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.stacking.blocks import any_row, makes_row, owner, place, reframe
from narabe.envs.rules.stacking.ends import settle, stop, stopped
from narabe.envs.rules.stacking.record import (
    CLAIM_FLAG,
    ENDLESS,
    FULL,
    GRANT,
    LIMIT,
    MULTIPLIER,
    PLAY,
    ROW,
    SPECIAL,
)


@kernel
def init(s, params):
    """The empty board under the rules ``params`` (int64, in the order of `PARAMS`)."""
    width, height = params[0], params[1]
    s.open_sides = 1 if width == 0 else 0
    s.open_top = 1 if height == 0 else 0
    s.columns = width if width > 0 else 2 * params[6] + 1
    s.ceiling = height if height > 0 else params[7]
    s.row, s.cylinder, s.players, s.reach, s.plies = params[2], params[3], params[4], params[5], params[8]
    s.claim, s.unclaimed_four, s.false_loses = params[9], params[10], params[11]
    s.takeback, s.after_takeback = params[13], params[14]
    s.plain = 1 if s.players == 2 and s.claim + params[12] + s.takeback == 0 else 0
    s.left = width * height if width * height > 0 else ENDLESS
    _number_actions(s, params[12])
    k = np.uint64(0)
    for i in range(len(params)):
        k = (k ^ np.uint64(params[i] + 1)) * MULTIPLIER
        k = k ^ (k >> np.uint64(29))
    s.base_key = k
    s.last, s.barred, s.base_barred = -1, -1, -1
    s.mover = 1
    if s.open_sides != 0:
        s.lo = s.columns // 2
        s.hi = s.lo - 1
        reframe(s)
    else:
        s.lo, s.hi, s.first, s.n_columns = 0, s.columns - 1, 0, s.columns


@kernel
def _number_actions(s, resign):
    """Blocks first; then whatever else the rules know."""
    n = s.columns
    s.claim_action, s.resign_action, s.ask_action = -1, -1, -1
    if s.claim != 0:
        s.claim_action = 2 * n
        n = 2 * n
    s.drops = n
    n += 1 if s.claim != 0 else 0
    if resign != 0:
        s.resign_action = n
        n += 1
    if s.takeback != 0:
        s.ask_action = n
        n += 4
    s.actions = n


@kernel
def setup(s, board, tail, mover, ply, ranks, facts):
    """Lay a position on a freshly initialised record; undo stops here.

    ``board`` (int8, row by column): 0 empty, else the player, no block floating. ``tail`` (int64): columns of the last
    blocks, the very last at the end; ``ply`` is at least their number. ``ranks``: in claim mode the order of the fours.
    ``facts`` (int64): stage, barred column or -1, claimed, dropped, takebacks, first winner, winner, result (0: judge it
    by the board). Judged with a known last block, the game is over if a row runs through it, else if there is one
    anywhere. Returns 0, or 1 if several players have a row.
    """
    for r in range(board.shape[0]):
        for c in range(board.shape[1]):
            if board[r, c] != 0:
                place(s, np.int64(board[r, c]) - 1, np.int64(c))
    n = len(tail)
    s.mover, s.ply, s.skipped, s.n_base = mover, ply, ply - n, n
    for j in range(n):
        s.history[j] = tail[j]
    s.last = tail[n - 1] if n > 0 else -1
    for i in range(s.players):
        s.rank[i] = ranks[i]
    s.stage, s.barred, s.claimed, s.dropped = facts[0], facts[1], facts[2], facts[3]
    s.base_barred, s.base_claimed = facts[1], facts[2]
    s.takebacks, s.first_winner, s.winner, s.result = facts[4], facts[5], facts[6], facts[7]
    s.truncated = 1 if s.result & LIMIT != 0 else 0
    if s.result == 0 and s.stage == PLAY:
        return _judge(s)
    return 0


@kernel
def _judge(s):
    """End a position that cannot be one of a game that goes on."""
    last = np.int64(s.last)
    if s.claim == 0:
        winner = np.int64(0)
        for i in range(s.players):
            if last >= 0:
                has = owner(s, last) == i and makes_row(s, np.int64(i), last, np.int64(s.heights[last]) - 1)
            else:
                has = any_row(s, np.int64(i))
            if has:
                if winner != 0:
                    return 1
                winner = np.int64(i + 1)
        if winner != 0:
            settle(s, winner, np.int64(ROW))
            return 0
    if s.left == 0:
        stop(s, FULL)
    elif s.ply >= s.plies:
        stop(s, LIMIT)
    else:
        for c in range(s.columns):
            if s.heights[c] > 0:
                stop(s, stopped(s, np.int64(c), np.int64(s.heights[c]) - 1))
    return 0


@kernel
def known_blocks(s, out):
    """Write the columns of the blocks whose order is known and that still stand, oldest first; returns their number.

    ``out``: int64, as long as the history. An algorithm of brackets: a granted takeback removes the last two.
    """
    n = 0
    for j in range(s.ply - s.skipped):
        code = np.int64(s.history[j]) & (CLAIM_FLAG - 1)
        if code == GRANT:
            n -= 2
        elif code < SPECIAL:
            out[n] = code
            n += 1
    return np.int64(n)
