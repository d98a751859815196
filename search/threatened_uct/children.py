"""The children of a node: which moves, in what order, and with what prior probability.

A slot that is not tried yet holds its cell and prior, ``cell | prior * PRIOR_ONE << PRIOR``. A prior is the softmax of
weighted counts: of the KINDs of line that a stone makes for its owner and takes from the other, and of pairs.

An order and a choice of moves are guesses, never proofs: where legal moves are left out, the block of children ends with
SPARE slots REST, which are never tried, so that the node cannot be proven lost. When all else is lost, `closing` looks
at the moves left out; those that do not lose at once get these slots.
"""

from __future__ import annotations

import math

import numpy as np

from narabe.envs.rules.core import NEVER, is_legal, pairs_due, to_move
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import kind_of
from narabe.envs.rules.line.record import LINES, SHIFT
from narabe.envs.rules.line.stones import pairs_at
from narabe.envs.rules.lines import KINDS
from narabe.envs.rules.random import uniform
from narabe.search.threatened_uct.work import SPARE

REST, UNSEEN = -1, -2  # for moves that are left out; UNSEEN: more of them do not lose at once than there are slots
PRIOR, PRIOR_ONE, CELL = 9, 1 << 20, 511
TAKEN, SAVED = 2 * KINDS, 2 * KINDS + 2  # features: pairs, then pairs times those that their owner has taken before
SMALL = 49  # boards up to so many cells are near everywhere
TIE = 0.01  # most that chance adds to a logit


@kernel
def logit_of(s, p, w, a, i):
    """How promising the empty cell ``a`` looks for colour ``i``, who is to move: a logit."""
    logit = 0.0
    for d in range(4):
        logit += w.logits[kind_of(p, i, a, d)] + w.logits[KINDS + kind_of(p, 1 - i, a, d)]
    if pairs_due(s, 1) != NEVER:
        taken, saved = pairs_at(s, i, a), pairs_at(s, 1 - i, a)
        logit += taken * (w.logits[TAKEN] + w.logits[TAKEN + 1] * np.int64(s.pairs[i]))
        logit += saved * (w.logits[SAVED] + w.logits[SAVED + 1] * np.int64(s.pairs[1 - i]))
    return logit


@kernel
def features_of(s, p, a, i, out):
    """What `logit_of` weighs, into ``out`` (FEATURES)."""
    out[:] = 0
    for d in range(4):
        out[kind_of(p, i, a, d)] += 1
        out[KINDS + kind_of(p, 1 - i, a, d)] += 1
    if pairs_due(s, 1) != NEVER:
        taken, saved = pairs_at(s, i, a), pairs_at(s, 1 - i, a)
        out[TAKEN], out[TAKEN + 1] = taken, taken * s.pairs[i]
        out[SAVED], out[SAVED + 1] = saved, saved * s.pairs[1 - i]


@kernel
def mark_near(s, w):
    """Set the bits of ``w.near``: cells within two steps of a stone; of an empty board, the middle; of a small one, all."""
    h = np.int64(s.height)
    some = s.cells <= SMALL
    for r in range(h):
        w.near[r] = -1 if some else 0
    if some:
        return
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
    """Write the legal moves near stones into ``w.slots``, the most promising first, and REST at the end if there are others."""
    w.n = 0
    rest = False
    i = to_move(s) - 1
    mark_near(s, w)
    for j in range(s.n_empty):
        a = np.int64(s.empties[j])
        if not is_near(s, w, a):
            rest = True
        elif is_legal(s, a):
            _insert(w, a, logit_of(s, p, w, a, i) + TIE * uniform(rng))
    top, total = w.worth[0], 0.0
    for k in range(w.n):
        w.worth[k] = math.exp(w.worth[k] - top)
        total += w.worth[k]
    for k in range(w.n):
        w.slots[k] |= np.int64(w.worth[k] / total * PRIOR_ONE) << PRIOR
    if rest:
        for _ in range(SPARE):
            w.slots[w.n] = REST
            w.n += 1


@kernel
def _insert(w, a, worth):
    """Put a move in its place among those listed so far."""
    k = np.int64(w.n)
    while k > 0 and w.worth[k - 1] < worth:
        w.worth[k] = w.worth[k - 1]
        w.slots[k] = w.slots[k - 1]
        k -= 1
    w.worth[k], w.slots[k] = worth, a
    w.n += 1
