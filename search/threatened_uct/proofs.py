"""What is proven of the nodes of a tree, and what that says of the nodes above.

Source: Winands, Bjornsson, Saito, "Monte-Carlo tree search solver" (2008). Who wins is kept by player, so nothing hangs on
whose turn comes next. A proven node has BONUS 0, and MEAN, for the player who moved into it, of plus or minus infinity
(0 for a draw), so that proofs move with the tree when it gets a new root. Open nodes have a BONUS above
0: prior / (visits + 1).

A node is won by the player to move if one child is; it is lost or drawn only if all that is legal there is among its
children and proven. Slots never tried keep it open.
"""

from __future__ import annotations

import math

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.search.threatened_uct.work import DRAWN, OPEN
from narabe.search.tree import BONUS, MEAN, new_node

LEAST = 1e-6  # a BONUS above 0


@kernel
def open_node(nodes, stats, slot, action, mover, prior):
    """A node of which nothing is known."""
    new_node(nodes, stats, slot, action, mover)
    stats[slot, BONUS] = max(prior, LEAST)


@kernel
def is_open(stats, slot):
    return stats[slot, BONUS] > 0.0


@kernel
def prove(nodes, stats, slot, winner):
    """The game below a node (not the root) ends with the win of ``winner``, or DRAWN."""
    stats[slot, BONUS] = 0.0
    stats[slot, MEAN] = 0.0 if winner == DRAWN else (math.inf if winner == nodes[slot].mover else -math.inf)


@kernel
def verdict_of(nodes, stats, slot):
    """OPEN, DRAWN or the winner, of any node but the root (of two players)."""
    if is_open(stats, slot):
        return np.int64(OPEN)
    if stats[slot, MEAN] == 0.0:
        return np.int64(DRAWN)
    mover = np.int64(nodes[slot].mover)
    return mover if stats[slot, MEAN] > 0.0 else 3 - mover


@kernel
def conclude(nodes, stats, node, child):
    """What the proof of ``child`` says of its parent: OPEN, DRAWN or the winner."""
    winner = verdict_of(nodes, stats, child)
    mover = np.int64(nodes[child].mover)
    if winner == mover:
        return winner
    n = nodes[node]
    if n.tried < n.width:
        return np.int64(OPEN)
    for slot in range(n.first, n.first + n.tried):
        if is_open(stats, slot):
            return np.int64(OPEN)
    return best_without_win(nodes, stats, node, mover)


@kernel
def best_without_win(nodes, stats, node, mover):
    """The verdict of a node whose children are all proven, none of them won by ``mover``, who chooses."""
    n = nodes[node]
    for slot in range(n.first, n.first + n.tried):
        if not is_open(stats, slot) and stats[slot, MEAN] == 0.0:
            return np.int64(DRAWN)
    return np.int64(3 - mover)
