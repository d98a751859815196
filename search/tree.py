"""A search tree in arrays: bounded, re-rooted in place, read without recursion.

Node 0 is the root. The children of a node are one block of slots, reserved when the node is expanded: ``width`` slots
from ``first``, of which the first ``tried`` are nodes; the slots behind them hold only actions not yet tried.
"""

from __future__ import annotations

import numba
import numpy as np

from narabe.envs.rules.jit import kernel

NODE = np.dtype(
    [
        ("total", np.float64),  # payoff sum of the player who moved into the node
        ("first", np.int32),  # first slot of the children, -1 while not expanded
        ("width", np.int32),  # slots reserved for children that may still be legal
        ("tried", np.int32),  # children that are nodes
        ("action", np.int32),  # the action that leads here
        ("visits", np.int32),
        ("mover", np.int32),  # the player who moved into the node, 0 for chance and the root
    ],
    align=True,
)
MEAN, BONUS = 0, 1  # columns of `stats`: total / visits, and 1 / sqrt(visits)


class Tree:
    """The arrays of one tree.

    ``nodes``: NODE records (cap,); ``stats``: float64 (cap, 2), what selection reads; ``root_totals``: float64 by
    player, payoff sums over the ``root_simulations`` made from this root; ``used``: int64[1], slots taken. A tree never
    grows beyond ``cap`` slots (48 bytes each): when it is full, leaves are still played out but no longer expanded.
    """

    def __init__(self, cap: int, num_players: int) -> None:
        if cap < 1:
            raise ValueError(f"a tree needs at least one node, not {cap}")
        nodes = np.zeros(cap, NODE)
        self.nodes = nodes.view(np.recarray) if numba.config.DISABLE_JIT else nodes  # plain Python reads fields by name
        self.stats = np.empty((cap, 2))  # not zeros: clearing 32 MB anew costs more than a small search
        self.root_totals = np.zeros(num_players)
        self.root_simulations = 0
        self.used = np.zeros(1, np.int64)
        self.clear()

    def clear(self) -> None:
        """Forget everything but an unvisited root."""
        new_node(self.nodes, self.stats, 0, -1, 0)
        self.root_totals[:], self.root_simulations = 0, 0
        self.used[0] = 1

    def advance(self, action: int) -> bool:
        """Make the child reached by ``action`` the root and drop the rest; False (an empty tree) if there is none."""
        child = find_child(self.nodes, 0, action)
        if child < 0:
            self.clear()
            return False
        reroot(self.nodes, self.stats, self.used, child)
        self.root_totals[:], self.root_simulations = 0, 0
        return True

    def children(self, node: int) -> np.ndarray:
        """The tried children of a node (a view of their records)."""
        first = int(self.nodes[node]["first"])
        return self.nodes[first : first + int(self.nodes[node]["tried"])]

    def best_child(self, node: int) -> int:
        """The tried child with the most visits (then the best mean, then the lowest action), or -1."""
        children = self.children(node)
        if not len(children):
            return -1
        means = children["total"] / np.maximum(children["visits"], 1)
        return int(self.nodes[node]["first"]) + int(np.lexsort((-children["action"], means, children["visits"]))[-1])

    def principal_variation(self) -> list[int]:
        """The actions of the most visited line."""
        line, node = [], self.best_child(0)
        while node >= 0:
            line.append(int(self.nodes[node]["action"]))
            node = self.best_child(node)
        return line

    def root_visits(self, num_actions: int) -> np.ndarray:
        """Visits of the root's children, int64 by action."""
        visits = np.zeros(num_actions, np.int64)
        children = self.children(0)
        visits[children["action"]] = children["visits"]
        return visits


@kernel
def new_node(nodes, stats, slot, action, mover):
    n = nodes[slot]
    n.total, n.first, n.width, n.tried, n.action, n.visits, n.mover = 0.0, -1, 0, 0, action, 0, mover
    stats[slot, MEAN] = 0.0
    stats[slot, BONUS] = 0.0


@kernel
def find_child(nodes, node, action):
    """The slot of the tried child reached by ``action``, or -1."""
    first = nodes[node].first
    for slot in range(first, first + nodes[node].tried):
        if nodes[slot].action == action:
            return slot
    return -1


@kernel
def reroot(nodes, stats, used, child):
    """Move the subtree of ``child`` to the front, in place.

    Blocks keep their order, so none is moved up and none is overwritten before it is read. (Nodes are expanded in any
    order: the block of an earlier node may well lie behind that of a later one.) A block lies behind its parent, so
    when one pass in the order of slots comes to it, its parent has been moved already.
    """
    end = used[0]
    parent = np.full(end, -1, np.int32)  # by old first slot of a kept block: the new slot of its parent
    _move(nodes, stats, child, 0, parent)
    nodes[0].mover, nodes[0].total, stats[0, MEAN] = 0, 0.0, 0.0  # nobody's choice any more
    free, old = 1, child + 1
    while old < end:
        if parent[old] < 0:
            old += 1
            continue
        node = nodes[parent[old]]
        node.first = free
        for k in range(node.width):
            if k < node.tried:
                _move(nodes, stats, old + k, free + k, parent)
            else:  # no node yet: all but its action may be left over from a tree that was dropped
                nodes[free + k].action = nodes[old + k].action
        free += node.width
        old += node.width
    used[0] = free


@kernel
def _move(nodes, stats, old, new, parent):
    """Move a node, and note where its block of children begins (a block without a slot is given up)."""
    nodes[new] = nodes[old]
    stats[new, MEAN] = stats[old, MEAN]
    stats[new, BONUS] = stats[old, BONUS]
    if nodes[new].width > 0:
        parent[nodes[new].first] = new
    else:
        nodes[new].first = -1
