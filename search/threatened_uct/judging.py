"""What is certain of a position without a tree: a look for winning cells, and victory by continuous fours."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import apply, is_legal, is_over, payoff, to_move, undo
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import follow, read, step_back
from narabe.search.threatened_uct.children import PRIOR, PRIOR_ONE, UNSEEN, is_near, list_moves, mark_near
from narabe.search.threatened_uct.proofs import best_without_win, prove
from narabe.search.threatened_uct.replies import list_parries, winning_cell
from narabe.search.threatened_uct.work import DRAWN, HOPELESS, OPEN, SPARE
from narabe.search.threats.desk import UNLIMITED, WON
from narabe.search.threats.vcf import find


@kernel
def winner_of(s):
    """Of a game that is over: DRAWN or the player who won."""
    worth = payoff(s, 1)
    return np.int64(DRAWN) if worth == 0.0 else np.int64(1) if worth > 0.0 else np.int64(2)


@kernel
def begin(states, patterns, desks, table, max_fours):
    """Read the patterns of ``states[0]``; the root's verdict as far as a search for VCF tells, its line in ``desks[0]``."""
    s, p = states[0], patterns[0]
    read(s, p)
    if is_over(s):
        desks[0].length = 0
        return winner_of(s)
    won = find(s, p, desks[0], table, max_fours, np.int64(UNLIMITED)) == WON
    return to_move(s) if won else np.int64(OPEN)


@kernel
def judge(s, p, w, nodes, stats, used, slot, desk, table, max_fours):
    """Prove a new node, or give it its children where only parries will do, or leave it as it is. ``s`` is its state."""
    w.judged += 1
    if is_over(s):
        prove(nodes, stats, slot, winner_of(s))
        return
    i = to_move(s) - 1
    if winning_cell(s, p, desk, i) >= 0:
        prove(nodes, stats, slot, i + 1)
        return
    if winning_cell(s, p, desk, 1 - i) >= 0:
        list_parries(s, p, w, desk)
        if w.n == 0:
            prove(nodes, stats, slot, 2 - i)
            return
        reserve(w, nodes, used, slot)
    if find(s, p, desk, table, max_fours, np.int64(UNLIMITED)) == WON:
        prove(nodes, stats, slot, i + 1)


@kernel
def reserve(w, nodes, used, node):
    """Make ``w.slots`` the children of a node, if the tree has room."""
    first, n = used[0], np.int64(w.n)
    if first + n <= nodes.shape[0]:
        nodes[node].first, nodes[node].width = first, n
        used[0] = first + n
        for k in range(n):
            nodes[first + k].action = w.slots[k]


@kernel
def expand(s, p, w, nodes, used, node, desk, rng):
    """Give a node its children: parries where the other side would win at once (if there are any), else all moves."""
    w.n = 0
    if winning_cell(s, p, desk, 2 - to_move(s)) >= 0:
        list_parries(s, p, w, desk)
    if w.n == 0:
        list_moves(s, p, w, rng)
    reserve(w, nodes, used, node)


@kernel
def close(s, p, w, nodes, stats, node, desk, table):
    """All children are proven: look at the moves left out. Those that do not lose at once become children too: OPEN.

    The verdict if there is none; HOPELESS if there are more than the block of children has slots for, and these are proven.
    """
    n = nodes[node]
    if n.tried == n.width or nodes[n.first + n.tried].action == UNSEEN:
        return np.int64(HOPELESS)
    i = to_move(s) - 1
    mark_near(s, w)
    found = 0
    for j in range(s.n_empty):
        a = np.int64(s.empties[j])
        if not is_near(s, w, a) and is_legal(s, a) and not _loses(s, p, w, a, i, desk, table):
            if found == SPARE:
                nodes[n.first + n.width - 1].action = UNSEEN
                return np.int64(OPEN)
            nodes[n.first + n.tried + found].action = a | PRIOR_ONE << PRIOR
            found += 1
    n.width = n.tried + found
    return np.int64(OPEN) if found > 0 else best_without_win(nodes, stats, node, i + 1)


@kernel
def _loses(s, p, w, a, i, desk, table):
    """Does the other side win at once, or by VCF, after the mover ``i`` plays ``a``?"""
    w.judged += 1
    apply(s, a)
    follow(s, p, a)
    lost = not is_over(s) and find(s, p, desk, table, np.int64(w.fours[1]), np.int64(UNLIMITED)) == WON
    undo(s)
    step_back(p)
    return lost
