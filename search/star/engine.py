"""The loop that runs the frames: open a child, or close a frame and hand its value to the one below."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import CHANCE, to_move
from narabe.envs.rules.jit import kernel
from narabe.search.star.chance import open_chance, step_chance, take_leaf, take_probe
from narabe.search.star.desk import (
    CHANCE_TURN,
    CHILD,
    DONE,
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
from narabe.search.star.horizon import settled
from narabe.search.star.outcomes import end_walk
from narabe.search.star.players import open_player, step_player, take_player
from narabe.search.star.table import store


@kernel
def open_frame(s, w, f, table):
    """Begin a frame whose question is set: window, plies, last, known and worth, only_first."""
    f.fresh, f.done = 0, 0
    f.low, f.high = f.alpha, f.beta
    if f.known < 0:  # else guesses that went into the probe go into the value: the frame below has set the counter
        f.guesses = np.int64(w.guesses)
    if to_move(s) == CHANCE:
        open_chance(s, w, f, table)
    else:
        open_player(s, w, f, table)


@kernel
def ask(w, f, child):
    """Set the question of the frame above ``f``, for the position that ``f`` has come to."""
    child.plies, child.last, child.only_first, child.known, child.fresh = f.plies, f.last, 0, NONE, 1
    child.alpha, child.beta = f.low, f.high
    if f.frame_of_star == CHANCE_TURN:
        if w.method == EXPECTIMAX:
            child.alpha, child.beta = f.alpha, f.beta
        elif w.method < STAR1:
            child.alpha, child.beta = LEAST, MOST
        else:
            child.alpha, child.beta = max(f.cut_low, LEAST), min(f.cut_high, MOST)
        if f.phase == PROBING:
            child.only_first = 1
        else:
            child.known, child.worth, child.guesses = f.action, f.worth, f.guesses


@kernel
def close(s, w, f, table):
    """Give back what the frame holds, and store what it found."""
    if f.frame_of_star == PLAYER:
        w.n_moves = np.int64(f.moves)
        w.reply = np.int64(f.best)
    else:
        end_walk(s, w, np.int64(f.walk))
        w.n_leaves = np.int64(f.leaves)
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
        take_leaf(w, f, value)


@kernel
def run(states, desk, frames, table, nodes):
    """Go on with the search until it is done or ``nodes`` nodes are counted; True when it is done."""
    s, w = states[0], desk[0]
    d = np.int64(w.depth)
    while d >= 0 and w.nodes < nodes and not w.overflow:
        f = frames[d]
        w.depth = d
        if f.fresh:
            open_frame(s, w, f, table)
        code = DONE
        if not f.done:
            code = step_player(s, w, f) if f.frame_of_star == PLAYER else step_chance(s, w, f, table)
        value = np.float64(f.value)
        if code == CHILD:
            known = False
            if f.frame_of_star == PLAYER:  # chance frames have looked
                known, value = settled(s, w, np.int64(f.plies), np.int64(f.last))
            if not known:
                if d + 1 >= MAX_FRAMES:
                    w.overflow = 1
                    break
                ask(w, f, frames[d + 1])
                d += 1
                continue
        else:
            close(s, w, f, table)
            d -= 1
        if d >= 0:
            take(s, w, frames[d], value)
        else:
            w.value = value
    w.depth = d
    return d < 0
