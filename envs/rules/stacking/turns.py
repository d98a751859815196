"""Turns with all that the source allows: claims, resigning, takebacks, up to four players."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.stacking.blocks import lift, makes_row, owner, place
from narabe.envs.rules.stacking.ends import (
    drop_out,
    forget_row,
    next_after,
    note_row,
    resign,
    settle,
    stop,
    stopped,
    verdict,
)
from narabe.envs.rules.stacking.record import (
    ACCEPT,
    ASK,
    BEATEN_ASKED,
    CLAIM,
    CLAIM_FLAG,
    FALSE_CLAIM,
    GRANT,
    LIMIT,
    LOST,
    PLAY,
    REFUSE,
    RESIGN,
    SPECIAL,
    WINNER_ASKED,
)
from narabe.envs.rules.stacking.takeback import (
    barred_before,
    claimed_before,
    may_ask,
    put_back,
    standing,
    take_back,
)


@kernel
def apply_any(s, a):
    """Play the legal action ``a`` for the side to move."""
    n, i = np.int64(s.ply) - s.skipped, np.int64(s.mover) - 1
    s.ply += 1
    if a < s.drops:
        _drop(s, i, a if a < s.columns else a - s.columns, a >= s.columns, n)
    elif a == s.claim_action:
        _claim(s, i, n)
    elif a == s.resign_action:
        s.history[n] = RESIGN + i
        resign(s, i)
        if s.result == 0:
            pass_turn(s, i)
    else:
        _answer(s, a - s.ask_action, n)
    if s.result == 0 and s.stage == PLAY and s.ply >= s.plies:
        stop(s, LIMIT)


@kernel
def pass_turn(s, i):
    s.mover = next_after(s, i)
    s.claimed = 0


@kernel
def _drop(s, i, c, claiming, n):
    """Player ``i`` lays a block on column ``c``, with or without a claim."""
    s.history[n] = c | (CLAIM_FLAG if claiming else 0)
    r = place(s, i, c)
    s.last, s.barred = c, -1
    note_row(s, i, c, r)
    won = claiming and s.rank[i] != 0 if s.claim != 0 else makes_row(s, i, c, r)
    if won:
        winner, why = verdict(s, i)
        if s.takeback != 0 and winner == i + 1 and may_ask(s, i):
            s.stage = BEATEN_ASKED
        else:
            settle(s, winner, why)
    elif claiming and s.false_loses != 0:
        drop_out(s, i, FALSE_CLAIM)
    pass_turn(s, i)
    if s.result == 0 and s.stage == PLAY:
        stop(s, stopped(s, c, r))


@kernel
def _claim(s, i, n):
    """Player ``i`` claims a four without laying a block; a claim in vain leaves him the move, or costs him the game."""
    s.history[n] = CLAIM
    if s.rank[i] != 0:
        winner, why = verdict(s, i)
        settle(s, winner, why)
    elif s.false_loses == 0:
        s.claimed = 1
    else:
        s.history[n] = LOST + i
        drop_out(s, i, FALSE_CLAIM)
        if s.result == 0:
            pass_turn(s, i)


@kernel
def _answer(s, which, n):
    """The words after a win that may be taken back: ask, accept, grant, refuse."""
    if which == 0:
        s.history[n] = ASK
        s.stage, s.mover = WINNER_ASKED, 3 - s.mover
    elif which == 2:
        take_back(s, n)
        s.history[n] = GRANT
    else:
        winner = 3 - np.int64(s.mover) if which == 1 else np.int64(s.mover)
        s.history[n] = ACCEPT if which == 1 else REFUSE
        s.stage = PLAY
        _, why = verdict(s, winner - 1)
        settle(s, winner, why)


@kernel
def undo_any(s):
    """Take back the last action of the history."""
    s.ply -= 1
    n = np.int64(s.ply) - s.skipped
    code = np.int64(s.history[n])
    s.history[n] = 0
    s.winner, s.result, s.truncated = 0, 0, 0
    if code & (CLAIM_FLAG - 1) < SPECIAL:
        _undo_drop(s, code & (CLAIM_FLAG - 1), n)
    elif code == CLAIM:
        s.claimed = 0
    elif code == ASK:
        s.stage, s.mover = BEATEN_ASKED, 3 - s.mover
    elif code == ACCEPT:
        s.stage = BEATEN_ASKED
    elif code == REFUSE:
        s.stage = WINNER_ASKED
    elif code == GRANT:
        put_back(s, n)
    else:
        i = code - LOST if code >= LOST else code - RESIGN
        s.dropped &= ~(1 << i)
        s.mover = i + 1
        s.claimed = claimed_before(s, n) if code < LOST else np.int64(0)


@kernel
def _undo_drop(s, c, n):
    i = owner(s, c)
    lift(s, i, c)
    forget_row(s, i)
    s.dropped &= ~(1 << i)
    s.stage, s.mover = PLAY, i + 1
    s.barred, s.claimed = barred_before(s, n), claimed_before(s, n)
    s.last = standing(s, n, 1)
