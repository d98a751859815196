"""Replies to a threatened win: the only moves worth a node where the other side would win at once.

Every other legal move loses at once, so they count as tried when the node is proven.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import NEVER, apply, is_legal, is_over, pairs_due, to_move, undo
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import ROWS_SET, first_in, follow, next_in, step_back
from narabe.search.threatened_uct.children import PRIOR, PRIOR_ONE
from narabe.search.threats.taking import list_replies, list_wins

NO_CELL = -1


@kernel
def winning_cell(s, p, desk, i):
    """A cell on which colour ``i`` would win at once if it moved, or NO_CELL."""
    if pairs_due(s, 1) == NEVER:
        return first_in(p, i, ROWS_SET)
    return np.int64(desk.tries[0]) if list_wins(s, p, desk, i, np.int64(0)) > 0 else np.int64(NO_CELL)


@kernel
def list_parries(s, p, w, desk):
    """Write into ``w.slots`` the legal moves after which the other side, who could win at once, no longer can."""
    w.n = 0
    i = to_move(s) - 1
    if pairs_due(s, 1) == NEVER:
        threat = first_in(p, 1 - i, ROWS_SET)
        if next_in(p, 1 - i, ROWS_SET, threat) < 0 and is_legal(s, threat):
            w.slots[0], w.n = threat, 1
    else:
        end = list_replies(s, p, desk, i, np.int64(0))
        for k in range(end):
            a = np.int64(desk.tries[k])
            if is_legal(s, a) and _parries(s, p, desk, a, i, end):
                w.slots[w.n] = a
                w.n += 1
    for k in range(w.n):
        w.slots[k] |= PRIOR_ONE // w.n << PRIOR


@kernel
def _parries(s, p, desk, a, i, end):
    apply(s, a)
    follow(s, p, a)
    good = is_over(s) or list_wins(s, p, desk, 1 - i, end) == end
    undo(s)
    step_back(p)
    return good
