"""Frames of chance turns: Star1 and Star2, and the full windows that they are measured against.

Source: Ballard, "The *-minimax search procedure for trees containing chance nodes", Artificial Intelligence 21 (1983).

Values seen from player 1 lie between LEAST and MOST. With bounds of all leaves but one, there is a value of that one
up to which the mean cannot rise above alpha, and one from which on it cannot fall below beta (`set_cuts`): this is the
leaf's window. Star1 has only LEAST and MOST for the leaves to come. Star2 first looks at one move in each leaf: the
value after a move of the minimising player is an upper bound of the leaf, one of the maximising player a lower bound.

A probe is searched in a window that holds every window its leaf can get later on, so its value settles its move for
good, and no probe is made twice. Probing is given up as soon as it no longer promises a cut (`goes_on`): if that is after
the first leaf, the search goes on in this leaf as Star1 does, and nothing is lost.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import to_move
from narabe.envs.rules.jit import kernel
from narabe.search.star.desk import (
    BACK,
    CHANCE_TURN,
    CHILD,
    DONE,
    EXPECTIMAX,
    LEAST,
    MAX_LEAVES,
    MOST,
    NONE,
    ONWARD,
    PROBING,
    SEARCHING,
    STAR1,
    STAR2,
    STAY,
    TIE,
)
from narabe.search.star.horizon import position_key, settled
from narabe.search.star.outcomes import begin_walk, end_walk, next_leaf
from narabe.search.star.table import bounds

CHEAP = 6  # nodes of a probe
MARGIN = 0.2  # part of the way from the window's end to the worst payoff


@kernel
def open_chance(s, w, f, table):
    """Begin a frame whose window, ``plies`` and ``last`` are set."""
    f.frame_of_star = CHANCE_TURN
    f.mover, f.best, f.action = 0, NONE, NONE
    f.walk = np.int64(w.n_walk)
    f.leaves, f.probed, f.open = np.int64(w.n_leaves), 0, 0
    if w.tabled:
        f.key = position_key(s, np.int64(f.last))
        lower, upper, guessed = bounds(w, table, f.key, f.plies)
        if (lower >= f.high or upper <= f.low or lower == upper) and w.depth > 0:
            f.value = lower if lower >= f.high else upper
            f.done, f.only_first = 1, 1
            w.guesses += guessed
            w.hits += 1
            return
    if f.alpha + TIE < f.beta - TIE:
        f.low = f.alpha + TIE if f.alpha > LEAST else f.alpha
        f.high = f.beta - TIE if f.beta < MOST else f.beta
    f.seen, f.lower, f.upper = 0.0, 0.0, 0.0
    f.smallest, f.largest = MOST, LEAST
    f.phase, f.turn = PROBING, ONWARD
    if w.method != STAR2 or (f.alpha <= LEAST and f.beta >= MOST):
        begin_search(f)
    begin_walk(w)


@kernel
def goes_on(s, f):
    """After a probe: do the bounds so far promise a cut, if the leaves to come are like the ones seen?

    They must average out at the window's end or beyond it; well beyond where the probe was cheap, since there the leaf
    is cheap to search too, and coming back to it costs as much as it saves.
    """
    margin = MARGIN if f.spent < CHEAP else 0.0
    rest = 1.0 - f.seen
    if to_move(s) == 1:
        return f.lower + rest * (f.high - margin * (f.high - LEAST)) >= f.high
    return f.upper + rest * (f.low + margin * (MOST - f.low)) <= f.low


@kernel
def begin_search(f):
    """From probing to searching: ``lower`` and ``upper`` become bounds of all that is to come."""
    rest = max(0.0, 1.0 - f.seen)
    f.lower += rest * LEAST
    f.upper += rest * MOST
    f.phase = SEARCHING
    f.leaf, f.seen, f.total = 0, 0.0, 0.0
    f.smallest, f.largest = MOST, LEAST


@kernel
def set_cuts(f, settled_sum, lower, upper):
    """Where the leaf at work settles the frame; ``lower`` and ``upper`` bound the sum over the leaves to come."""
    f.cut_low = (f.low - settled_sum - upper) / f.share
    f.cut_high = (f.high - settled_sum - lower) / f.share


@kernel
def finish(w, f, value):
    """The frame has its value: a bound where it lies outside the window."""
    if w.method != EXPECTIMAX:
        if value <= f.low:
            value = min(value, f.alpha)
        elif value >= f.high:
            value = max(value, f.beta)
        value = max(LEAST, min(MOST, value))  # rounding
    f.value = value
    f.done = 1


@kernel
def step_chance(s, w, f, table):
    """Go to the next leaf whose value is wanted (CHILD), or be DONE."""
    while not f.done:
        if f.turn == BACK:
            end_walk(s, w, np.int64(f.walk))
            begin_walk(w)
        at_leaf = f.turn == STAY
        if not at_leaf and next_leaf(s, w, np.int64(f.walk)):
            at_leaf = True
            f.share = w.walk_share[w.n_walk]
        f.turn = ONWARD
        if at_leaf:
            if search_leaf(s, w, f, table) if f.phase == SEARCHING else probe_leaf(s, w, f, table):
                return CHILD
        elif f.phase == SEARCHING:
            finish(w, f, min(f.largest, max(f.smallest, f.total)))
        elif f.open == 0:  # no leaf needed more than a look
            finish(w, f, min(f.largest, max(f.smallest, f.upper)))
        else:
            begin_search(f)
            f.turn = BACK
    return DONE


@kernel
def leaf_bounds(s, w, f, table):
    """Set the bounds of the leaf at work by what is known without a search."""
    known, value = settled(s, w, np.int64(f.plies), np.int64(f.last))
    f.leaf_low, f.leaf_high = LEAST, MOST
    if known:
        f.leaf_low, f.leaf_high = value, value
    elif w.tabled and w.method >= STAR1:
        mover = np.int64(to_move(s))
        plies = np.int64(f.plies) - 1 if mover != f.last else np.int64(f.plies)
        f.leaf_low, f.leaf_high, guessed = bounds(w, table, position_key(s, mover), plies)
        w.guesses += guessed


@kernel
def probe_leaf(s, w, f, table):
    """PROBING has come to a leaf: is a probe wanted? Otherwise note its bounds, or finish, or begin SEARCHING."""
    rest = max(0.0, 1.0 - f.seen - f.share)
    leaf_bounds(s, w, f, table)
    set_cuts(f, 0.0, f.lower + rest * LEAST, f.upper + rest * MOST)
    f.action, f.worth = NONE, 0.0
    if f.leaf_high <= f.cut_low:
        finish(w, f, min(f.low, f.upper + f.share * f.leaf_high + rest * MOST))
    elif f.leaf_low >= f.cut_high:
        finish(w, f, max(f.high, f.lower + f.share * f.leaf_low + rest * LEAST))
    elif f.leaf_low == f.leaf_high:
        note_leaf(w, f)
    elif f.leaves + f.probed < MAX_LEAVES and (f.beta < MOST if to_move(s) == 1 else f.alpha > LEAST):
        w.probes += 1
        f.spent = np.int64(w.nodes)
        return True
    else:
        give_up(f, np.int64(0))
    return False


@kernel
def give_up(f, here):
    """From probing to searching. ``here``: leaves noted before the walk moves on, 1 if the present one is among them."""
    f.turn = STAY if f.probed == here else BACK
    begin_search(f)


@kernel
def note_leaf(w, f):
    """Keep what is known of the leaf at work."""
    i = np.int64(f.leaves + f.probed)
    w.leaf_move[i], w.leaf_worth[i] = f.action, f.worth
    w.leaf_low[i], w.leaf_high[i] = f.leaf_low, f.leaf_high
    f.probed += 1
    f.open += f.leaf_low < f.leaf_high
    f.smallest, f.largest = min(f.smallest, f.leaf_low), max(f.largest, f.leaf_high)
    w.n_leaves = i + 1
    f.lower += f.share * f.leaf_low
    f.upper += f.share * f.leaf_high
    f.seen += f.share


@kernel
def search_leaf(s, w, f, table):
    """SEARCHING has come to a leaf: must it be searched? Otherwise its value is taken as known."""
    if f.leaf < f.probed:
        i = np.int64(f.leaves + f.leaf)
        f.action, f.worth = w.leaf_move[i], w.leaf_worth[i]
        f.leaf_low, f.leaf_high = w.leaf_low[i], w.leaf_high[i]
        f.lower -= f.share * f.leaf_low
        f.upper -= f.share * f.leaf_high
    else:
        f.action = NONE
        leaf_bounds(s, w, f, table)
        f.lower -= f.share * LEAST
        f.upper -= f.share * MOST
    f.leaf += 1
    set_cuts(f, f.total, f.lower, f.upper)
    if f.leaf_low < f.leaf_high and not (w.method >= STAR1 and is_cut(f)):
        return True
    take_leaf(w, f, f.leaf_high if f.leaf_high <= f.cut_low else f.leaf_low)
    return False


@kernel
def is_cut(f):
    return f.leaf_high <= f.cut_low or f.leaf_low >= f.cut_high


@kernel
def take_leaf(w, f, value):
    """The value of the leaf at work, or a bound of it that settles the frame."""
    if w.method >= STAR1:
        if value <= f.cut_low:
            finish(w, f, min(f.low, f.total + f.share * value + f.upper))
            return
        if value >= f.cut_high:
            finish(w, f, max(f.high, f.total + f.share * value + f.lower))
            return
    f.total += f.share * value
    f.smallest, f.largest = min(f.smallest, value), max(f.largest, value)


@kernel
def take_probe(s, w, f, move, value):
    """The value after the first move of the leaf at work, ``s``: a bound of one kind, by the player who chose it."""
    f.action, f.worth = move, value
    f.spent = w.nodes - f.spent
    rest = max(0.0, 1.0 - f.seen - f.share)
    if to_move(s) == 1:
        if value >= f.cut_high:
            finish(w, f, max(f.high, f.lower + f.share * value + rest * LEAST))
            return
        if value > f.cut_low:  # else the move has only an upper bound, which says nothing of the leaf
            f.leaf_low = max(f.leaf_low, value)
    else:
        if value <= f.cut_low:
            finish(w, f, min(f.low, f.upper + f.share * value + rest * MOST))
            return
        if value < f.cut_high:
            f.leaf_high = min(f.leaf_high, value)
    if f.leaf_low >= f.leaf_high:  # the move attains a bound known before
        f.leaf_low = f.leaf_high = value
    note_leaf(w, f)
    if not goes_on(s, f):
        give_up(f, np.int64(1))
