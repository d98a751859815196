"""The children of a node: which moves, and in what order they are tried.

An order and a choice of moves are guesses, never proofs: where legal moves are left out, the block of children ends with
SPARE slots REST, which are never tried, so that the node cannot be proven lost. When all else is lost, `descent.close` looks
at the moves left out; those that do not lose at once get these slots.
"""

from __future__ import annotations

import math

import numpy as np

from narabe.envs.rules.core import NEVER, is_legal, pairs_due, to_move
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import kind_of
from narabe.envs.rules.line.record import LINES, SHIFT
from narabe.envs.rules.line.stones import captured_directions
from narabe.envs.rules.lines import KINDS
from narabe.envs.rules.random import uniform
from narabe.search.threatened_uct.proofs import REST
from narabe.search.threatened_uct.work import FEATURES

SPARE = 4


@kernel
def worth_of(s, p, w, a, i):
    """How promising the empty cell ``a`` looks for colour ``i``, who is to move: a logit."""
    worth = 0.0
    for d in range(4):
        worth += w.logits[kind_of(p, i, a, d)] + w.logits[KINDS + kind_of(p, 1 - i, a, d)]
    due = np.int64(pairs_due(s, i + 1))
    if due != NEVER:
        r = (a * s.inverse) >> 16
        c = a - r * s.width
        k = 2 * KINDS
        taken, saved = pairs(captured_directions(s, i, r, c)), pairs(captured_directions(s, 1 - i, r, c))
        worth += taken * (w.logits[k] + w.logits[k + 1] * (5 - due))
        worth += saved * (w.logits[k + 2] + w.logits[k + 3] * (5 - np.int64(pairs_due(s, 2 - i))))
    return worth


@kernel
def features_of(s, p, a, i, out):
    """What the prior of a move weighs, by feature, into ``out`` (FEATURES)."""
    out[:] = 0
    for d in range(4):
        out[kind_of(p, i, a, d)] += 1
        out[KINDS + kind_of(p, 1 - i, a, d)] += 1
    if pairs_due(s, 1) != NEVER:
        r = (a * s.inverse) >> 16
        c = a - r * s.width
        taken, saved = pairs(captured_directions(s, i, r, c)), pairs(captured_directions(s, 1 - i, r, c))
        out[2 * KINDS] = taken
        out[2 * KINDS + 1] = taken * (5 - pairs_due(s, i + 1))
        out[2 * KINDS + 2] = saved
        out[2 * KINDS + 3] = saved * (5 - pairs_due(s, 2 - i))


@kernel
def pairs(directions):
    n = 0
    while directions != 0:
        directions &= directions - 1
        n += 1
    return n


@kernel
def mark_near(s, w):
    """Set the bits of ``w.near``: cells within two steps of a stone; of an empty board, the middle."""
    h = np.int64(s.height)
    some = False
    for r in range(h):
        w.near[r] = 0
    for r in range(h):
        row = np.int64(s.lines[r] | s.lines[LINES + r])
        if row != 0:
            some = True
            row |= row << 1 | row >> 1 | row << 2 | row >> 2
            for k in range(max(r - 2, 0), min(r + 3, h)):
                w.near[k] |= row
    if not some:
        w.near[h >> 1] = np.int64(1) << ((np.int64(s.width) >> 1) + SHIFT)


@kernel
def is_near(s, w, a):
    """Is the cell ``a`` within two steps of a stone? By `mark_near`."""
    r = (a * s.inverse) >> 16
    return np.int64(w.near[r]) >> (a - r * s.width + SHIFT) & 1 != 0


@kernel
def list_moves(s, p, w, rng):
    """Write the legal moves near stones into ``w.cells``, the most promising first, and REST at the end if there are others.

    A random part of the worth, below that of any stone, settles ties.
    """
    w.n = 0
    rest = False
    i = to_move(s) - 1
    mark_near(s, w)
    for j in range(s.n_empty):
        a = np.int64(s.empties[j])
        if not is_near(s, w, a):
            rest = True
        elif is_legal(s, a):
            _insert(w, a, worth_of(s, p, w, a, i) + 0.01 * uniform(rng))
    total = 0.0
    top = w.worth[0]
    for k in range(w.n):
        w.worth[k] = math.exp((w.worth[k] - top) * w.opt[3])
        total += w.worth[k]
    for k in range(w.n):
        w.cells[k] |= np.int64(w.worth[k] / total * (1 << 20)) << 9
    if rest:
        for _ in range(SPARE):
            w.cells[w.n] = REST
            w.n += 1


@kernel
def _insert(w, a, worth):
    """Put a move in its place among those listed so far."""
    k = np.int64(w.n)
    while k > 0 and w.worth[k - 1] < worth:
        w.worth[k] = w.worth[k - 1]
        w.cells[k] = w.cells[k - 1]
        k -= 1
    w.worth[k], w.cells[k] = worth, a
    w.n += 1
