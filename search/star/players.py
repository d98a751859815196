"""Frames in which a player moves: alpha-beta, values seen from player 1, who takes the most, player 2 the least."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import apply, to_move, undo
from narabe.envs.rules.jit import kernel
from narabe.search.star.desk import CHILD, DONE, EXPECTIMAX, NONE, PLAYER
from narabe.search.star.horizon import position_key
from narabe.search.star.moves import list_moves, take_first
from narabe.search.star.table import bounds, hint


@kernel
def open_player(s, w, f, table):
    """Begin a frame; its question is set."""
    known = np.int64(f.known)
    mover = np.int64(to_move(s))
    f.frame_of_star = PLAYER
    f.mover = mover
    if mover != f.last:
        f.plies -= 1
        f.last = mover
    f.moves, f.left = np.int64(w.n_moves), 0
    f.best, f.action = known, NONE
    best = np.int64(NONE)
    if w.tabled:
        f.key = position_key(s, mover)
        if not f.only_first:
            lower, upper, guessed = bounds(w, table, f.key, f.plies)
            if (lower >= f.high or upper <= f.low or lower == upper) and w.depth > 0:  # the root needs a move
                f.value = lower if lower >= f.high else upper
                f.best = hint(table, f.key)
                f.done, f.only_first = 1, 1  # nothing new to store
                w.guesses += guessed
                w.hits += 1
                return
        best = hint(table, f.key)
    f.left = list_moves(s, w, best, known)
    if known >= 0:
        improve(w, f, known, np.float64(f.worth))
    elif f.left == 0:  # a law that goes on without a legal action is at fault
        f.value = 0.0
    else:
        f.value = -2.0 if mover == 1 else 2.0


@kernel
def improve(w, f, action, value):
    """A move's value is known and better than those before: narrow the window, and see whether that is enough."""
    f.value = value
    f.best = action
    if w.method != EXPECTIMAX:
        if f.mover == 1:
            f.low = max(f.low, value)
        else:
            f.high = min(f.high, value)
        if f.low >= f.high:
            f.done = 1


@kernel
def step_player(s, w, f):
    """Make the next move (CHILD), or be DONE."""
    if f.left <= 0:
        return DONE
    a = take_first(w, np.int64(f.moves), np.int64(f.left))
    f.left -= 1
    f.action = a
    apply(s, a)
    w.nodes += 1
    return CHILD


@kernel
def take_player(s, w, f, value):
    """The value of the move at work: take the move back and compare."""
    undo(s)
    if f.best < 0 or (value > f.value if f.mover == 1 else value < f.value):
        improve(w, f, np.int64(f.action), value)
    if f.only_first:
        f.done = 1
