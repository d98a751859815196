"""The loop that runs the frames: open a child, or close a frame and hand its value to the one below."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import CHANCE, to_move
from narabe.envs.rules.jit import kernel
from narabe.search.star.chance import open_chance, step_chance, take_leaf, take_probe
from narabe.search.star.desk import (
    CHANCE_TURN,
    CHILD,
    EXPECTIMAX,
    LEAST,
    MAX_FRAMES,
    MOST,
    NONE,
    PLAYER,
    PROBING,
    SOLVED,
    STAR1,
)
from narabe.search.star.players import open_player, step_player, take_player
from narabe.search.star.table import store


@kernel
def open_frame(s, w, f, table, alpha, beta, known, worth):
    """Begin the frame ``f``, whose ``plies``, ``last`` and ``only_first`` are set, in the window (alpha, beta)."""
    f.alpha, f.beta, f.low, f.high = alpha, beta, alpha, beta
    f.done = 0
    f.guesses = np.int64(w.guesses)
    if to_move(s) == CHANCE:
        open_chance(s, w, f, table)
    else:
        open_player(s, w, f, table, known, worth)


@kernel
def open_child(s, w, f, child, table):
    """The frame of the position that the frame ``f`` has come to."""
    child.plies, child.last, child.only_first = f.plies, f.last, 0
    alpha, beta = np.float64(f.low), np.float64(f.high)
    known, worth = np.int64(NONE), 0.0
    if f.frame_of_star == CHANCE_TURN:
        if w.method == EXPECTIMAX:
            alpha, beta = np.float64(f.alpha), np.float64(f.beta)
        elif w.method < STAR1:
            alpha, beta = LEAST, MOST
        else:
            alpha, beta = max(np.float64(f.cut_low), LEAST), min(np.float64(f.cut_high), MOST)
        if f.phase == PROBING:
            child.only_first = 1
        else:
            known, worth = np.int64(f.action), np.float64(f.worth)
    open_frame(s, w, child, table, alpha, beta, known, worth)
    if known >= 0:  # guesses that went into the probe go into the child's value
        child.guesses = f.guesses


@kernel
def close(w, f, table):
    """Give back what the frame holds, and store what it found."""
    if f.frame_of_star == PLAYER:
        w.n_moves = np.int64(f.moves)
        w.reply = np.int64(f.best)
    if w.tabled and not f.only_first and not w.overflow:
        value = np.float64(f.value)
        lower = LEAST if value <= f.alpha else value
        upper = MOST if value >= f.beta else value
        plies = np.int64(f.plies) if w.guesses > f.guesses else np.int64(SOLVED)
        store(table, f.key, plies, lower, upper, np.int64(f.best))


@kernel
def take(s, w, f, value):
    """Hand the value of the child at work to the frame ``f``."""
    if f.frame_of_star == PLAYER:
        take_player(s, w, f, value)
    elif f.phase == PROBING:
        take_probe(s, w, f, np.int64(w.reply), value)
    else:
        take_leaf(s, w, f, value)


@kernel
def start(states, desk, frames, table, plies):
    """Open the root frame on ``states[0]``, a position that is not over."""
    w, f = desk[0], frames[0]
    w.n_moves, w.n_leaves, w.n_walk, w.depth, w.overflow = 0, 0, 0, 0, 0
    w.nodes += 1
    w.guesses = 0
    f.plies, f.last, f.only_first = plies, 0, 0
    wide = 2.0 if w.method == EXPECTIMAX else MOST
    open_frame(states[0], w, f, table, -wide, wide, np.int64(NONE), 0.0)


@kernel
def run(states, desk, frames, table, nodes):
    """Go on with the search until it is done or ``nodes`` nodes are counted; True when it is done."""
    s, w = states[0], desk[0]
    d = np.int64(w.depth)
    while d >= 0 and w.nodes < nodes and not w.overflow:
        f = frames[d]
        if not f.done:
            code = step_player(s, w, f) if f.frame_of_star == PLAYER else step_chance(s, w, f, table)
            if code == CHILD:
                if d + 1 >= MAX_FRAMES:
                    w.overflow = 1
                    break
                d += 1
                w.depth = d
                open_child(s, w, f, frames[d], table)
                continue
        close(w, f, table)
        d -= 1
        w.depth = d
        if d >= 0:
            take(s, w, frames[d], np.float64(f.value))
        else:
            w.value = f.value
    return d < 0
