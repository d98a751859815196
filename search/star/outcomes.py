"""The outcomes of a chance turn as leaves: chance turns in a row are one turn whose outcomes are all ways through them."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import (
    CHANCE,
    apply,
    candidate_at,
    chance_weight,
    is_legal,
    is_over,
    num_candidates,
    to_move,
    undo,
)
from narabe.envs.rules.jit import kernel
from narabe.search.star.desk import MAX_WALK, NONE


@kernel
def begin_walk(w):
    """Open a walk over the leaves below a chance turn; returns where its entries begin."""
    base = np.int64(w.n_walk)
    if base + 1 >= MAX_WALK:
        w.overflow = 1
    else:
        w.walk_at[base] = NONE
        w.walk_share[base] = 1.0
        w.n_walk = base + 1
    return base


@kernel
def next_leaf(s, w, base):
    """Bring ``s`` to the next leaf of the walk; False (and ``s`` where it began) after the last one.

    The leaf's probability is then ``w.walk_share[w.n_walk]``. Every state entered counts as a node.
    """
    while w.n_walk > base:
        k = np.int64(w.n_walk) - 1
        if w.walk_at[k] >= 0:
            undo(s)
        i, n = np.int64(w.walk_at[k]) + 1, np.int64(num_candidates(s))
        share, a = 0.0, np.int64(0)
        while i < n:
            a = np.int64(candidate_at(s, i))
            if is_legal(s, a):
                share = np.float64(chance_weight(s, i))
                if share > 0:
                    break
            i += 1
        if i >= n:
            w.n_walk = k
            continue
        w.walk_at[k] = i
        w.walk_share[k + 1] = w.walk_share[k] * share
        apply(s, a)
        w.nodes += 1
        if is_over(s) or to_move(s) != CHANCE:
            return True
        if k + 2 >= MAX_WALK:
            w.overflow = 1
            return True
        w.walk_at[k + 1] = NONE
        w.n_walk = k + 2
    return False


@kernel
def end_walk(s, w, base):
    """Bring ``s`` back to where the walk began."""
    while w.n_walk > base:
        k = np.int64(w.n_walk) - 1
        if w.walk_at[k] >= 0:
            undo(s)
        w.n_walk = k
