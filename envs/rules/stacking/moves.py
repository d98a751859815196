"""What may be played, what an action does, and how it is undone.

Two players who only lay blocks take the short way (`plain`); claims, resigning, takebacks and further players are in
``turns``.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.stacking import ends
from narabe.envs.rules.stacking.blocks import lift, makes_row, place
from narabe.envs.rules.stacking.ends import stop, stopped
from narabe.envs.rules.stacking.record import (
    ANSWER,
    BARRED,
    BEATEN_ASKED,
    FAR,
    FIRST,
    FULL_COLUMN,
    NO_ACTION,
    NOT_ASKED,
    OVER,
    PLAY,
    ROW,
    TWICE,
    WINNER_ASKED,
)
from narabe.envs.rules.stacking.turns import apply_any, undo_any


@kernel
def num_players(s):
    return np.int64(s.players)


@kernel
def num_actions(s):
    return np.int64(s.actions)


@kernel
def to_move(s):
    return np.int64(s.mover)


@kernel
def is_over(s):
    return s.result != 0


@kernel
def result(s):
    """Bits of ROW ... LIMIT; 0 while the game goes on."""
    return np.int64(s.result)


@kernel
def truncated(s):
    """Did a limit of the program end the game (see `LIMIT`), not a rule?"""
    return s.truncated != 0


@kernel
def payoff(s, player):
    return ends.payoff(s, player)


@kernel
def apply(s, a):
    """Play the legal action ``a`` for the side to move."""
    if s.plain == 0:
        apply_any(s, a)
        return
    i = np.int64(s.mover) - 1
    r = place(s, i, a)
    s.history[np.uint64(s.ply - s.skipped)] = a
    s.ply += 1
    s.last = a
    s.mover = 2 - i
    if makes_row(s, i, a, r):
        s.result = ROW
        s.winner = i + 1
    elif s.left == 0 or s.ply >= s.plies or s.open_sides + s.open_top != 0:
        stop(s, stopped(s, a, r))


@kernel
def undo(s):
    """Take back the last action; at the start or at a set-up there is none (check the history first)."""
    if s.plain == 0:
        undo_any(s)
        return
    s.ply -= 1
    n = np.int64(s.ply) - s.skipped
    i = 2 - np.int64(s.mover)
    lift(s, i, np.int64(s.history[n]))
    s.history[n] = 0
    s.mover = i + 1
    s.winner, s.result, s.truncated = 0, 0, 0
    s.last = np.int64(s.history[n - 1]) if n > 0 else np.int64(-1)


@kernel
def block_fault(s, c):
    """0 if the mover may lay a block on column ``c``, else why not."""
    if c < s.first or c >= s.first + s.n_columns:
        return FIRST if s.hi < s.lo else FAR
    if s.heights[c] >= s.ceiling:
        return FULL_COLUMN
    return BARRED if c == s.barred else 0


@kernel
def fault(s, a):
    """0 if ``a`` is legal, else the reason as one of the constants OVER ... NOT_ASKED."""
    if a < 0 or a >= s.actions:
        return NO_ACTION
    if s.result != 0:
        return OVER
    if s.ask_action >= 0 and a >= s.ask_action:
        stage = BEATEN_ASKED if a < s.ask_action + 2 else WINNER_ASKED
        return 0 if s.stage == stage else NOT_ASKED
    if s.stage != PLAY:
        return ANSWER
    if a >= s.drops:
        return TWICE if a == s.claim_action and s.claimed != 0 else 0
    return block_fault(s, a if a < s.columns else a - s.columns)


@kernel
def is_legal(s, a):
    return open_column(s, a) if s.plain != 0 else fault(s, a) == 0


@kernel
def open_column(s, a):
    """May a block be laid on column ``a``, where blocks are all there is to play?"""
    return a >= s.first and a < s.first + s.n_columns and s.result == 0 and s.heights[np.uint64(a)] < s.ceiling


@kernel
def legal_mask(s, out):
    """Write 1 for legal and 0 for illegal actions into ``out`` (int8, at least num_actions long)."""
    if s.plain != 0:
        for a in range(s.columns):
            out[a] = open_column(s, np.int64(a))
        return
    for a in range(s.actions):
        out[a] = 0
    if s.result != 0:
        return
    for j in range(num_candidates(s)):
        a = candidate_at(s, np.int64(j))
        out[a] = 1 if is_legal(s, a) else 0


@kernel
def num_candidates(s):
    if s.result != 0:
        return np.int64(0)
    if s.plain != 0:
        return np.int64(s.n_columns)
    if s.stage != PLAY:
        return np.int64(2)
    n = np.int64(s.n_columns)
    return (2 * n + 1 if s.claim != 0 else n) + (1 if s.resign_action >= 0 else 0)


@kernel
def candidate_at(s, j):
    if s.plain != 0:
        return np.int64(s.first + j)
    if s.stage != PLAY:
        return np.int64(s.ask_action) + (j if s.stage == BEATEN_ASKED else j + 2)
    n = np.int64(s.n_columns)
    if j < n:
        return np.int64(s.first + j)
    if s.claim != 0 and j < 2 * n:
        return np.int64(s.columns + s.first + j - n)
    return np.int64(s.claim_action if s.claim != 0 and j == 2 * n else s.resign_action)
