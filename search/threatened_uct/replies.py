"""Replies to a threatened win: the only moves worth a node where the other side would win at once.

Every other legal move loses at once, so they count as tried when the node is proven.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import NEVER, apply, is_legal, is_over, pairs_due, to_move, undo
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import follow, step_back
from narabe.envs.rules.line.stones import captured_directions
from narabe.search.threats.vcf import winning_cell


@kernel
def list_parries(s, p, w, threat):
    """Write into ``w.cells`` the legal moves after which the other side cannot win at once; it now can, on ``threat``.

    A row is stopped on its last cell, or by taking one of its stones; a fifth pair by taking a stone or on its cell
    as well. So only ``threat`` and moves that take a pair can be parries, and each of them is tried.
    """
    w.n = 0
    i = to_move(s) - 1
    if pairs_due(s, 1) == NEVER:
        if winning_cell(s, p, 1 - i, threat) < 0 and is_legal(s, threat):
            w.cells[0], w.n = threat | 1 << 29, 1
        return
    for j in range(s.n_empty):
        a = np.int64(s.empties[j])
        r = (a * s.inverse) >> 16
        if (a == threat or captured_directions(s, i, r, a - r * s.width) != 0) and is_legal(s, a):
            if _parries(s, p, a, i):
                w.cells[w.n] = a
                w.n += 1
    for k in range(w.n):
        w.cells[k] |= (1 << 20) // w.n << 9


@kernel
def _parries(s, p, a, i):
    apply(s, a)
    follow(s, p, a)
    good = is_over(s) or winning_cell(s, p, 1 - i, np.int64(-1)) < 0
    undo(s)
    step_back(p)
    return good
