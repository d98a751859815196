"""The takeback (matta): who may ask, what is undone, and how that itself is undone."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.stacking.blocks import any_row, lift, place
from narabe.envs.rules.stacking.ends import forget_row, note_row
from narabe.envs.rules.stacking.reaches import double_reach
from narabe.envs.rules.stacking.record import CLAIM, CLAIM_FLAG, GRANT, PLAY, SPECIAL, WINNER_ASKED


@kernel
def standing(s, n, m):
    """Column of the ``m``-th block, counted back from entry ``n`` of the history, that no takeback removed; -1 if unknown.

    A granted takeback removes the last two blocks that stood, so the history nests like brackets.
    """
    skip = 0
    for j in range(n - 1, -1, -1):
        code = np.int64(s.history[j]) & (CLAIM_FLAG - 1)
        if code == GRANT:
            skip += 2
        elif code < SPECIAL:
            if skip > 0:
                skip -= 1
            else:
                m -= 1
                if m == 0:
                    return code
    return np.int64(-1)


@kernel
def may_ask(s, i):
    """After player ``i`` has won by the last entry of the history, a block: may the other take his last block back?

    Not if that block was no oversight, since the winner had a double reach (or an unclaimed four) before it; and not if
    there is no other column.
    """
    n = np.int64(s.ply) - s.skipped
    c, b = standing(s, n, 1), standing(s, n, 2)
    if b < 0:
        return False
    lift(s, i, c)
    lift(s, 1 - i, b)
    other = False
    for j in range(s.n_columns):
        q = np.int64(s.first + j)
        other = other or (q != b and s.heights[q] < s.ceiling)
    allowed = other and not any_row(s, i) and not double_reach(s, i)
    place(s, 1 - i, b)
    place(s, i, c)
    return allowed


@kernel
def take_back(s, n):
    """Grant the takeback asked for: undo two blocks and bar the beaten side's column. ``n``: entries before this one."""
    i = np.int64(s.mover) - 1
    c, b = standing(s, n, 1), standing(s, n, 2)
    lift(s, i, c)
    forget_row(s, i)
    lift(s, 1 - i, b)
    forget_row(s, 1 - i)
    s.takebacks += 1
    if s.first_winner == 0:
        s.first_winner = i + 1
    s.barred, s.stage, s.mover = b, PLAY, 2 - i
    s.last = standing(s, n, 3)


@kernel
def put_back(s, n):
    """Undo `take_back`; ``n``: entries before it."""
    i = 2 - np.int64(s.mover)
    c, b = standing(s, n, 1), standing(s, n, 2)
    r = place(s, 1 - i, b)
    note_row(s, 1 - i, b, r)
    r = place(s, i, c)
    note_row(s, i, c, r)
    s.takebacks -= 1
    if s.takebacks == 0:
        s.first_winner = 0
    s.barred, s.stage, s.mover, s.last = -1, WINNER_ASKED, i + 1, c


@kernel
def barred_before(s, n):
    """The column that was barred when entry ``n`` of the history was played."""
    j = n - 1
    while j >= s.n_base and s.history[j] == CLAIM:
        j -= 1
    if j < s.n_base:
        return np.int64(s.base_barred)
    return standing(s, j, 2) if s.history[j] == GRANT else np.int64(-1)


@kernel
def claimed_before(s, n):
    """Had the mover claimed in vain, the same turn, before entry ``n`` of the history was played?"""
    if n - 1 < s.n_base:
        return np.int64(s.base_claimed)
    return np.int64(1) if s.history[n - 1] == CLAIM else np.int64(0)
