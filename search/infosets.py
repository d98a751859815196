"""A bounded table of information sets in arrays, found by 64-bit key.

A *node* is one information set and the player who moves there; its *edges* are the actions known to be legal there, in one
block of slots. Nodes lie in an open-addressing table (linear probing); edges lie in a pool that only grows. Nothing
points from an edge to a node: where an action leads to is asked by key, so one action may lead to many nodes and many
to one.

Two kinds of node. Where the node is of what the *mover* knows, all its legal actions are known when it is made, and the
block is as long as that. Where it is of what *another* player knows, the legal actions differ from deal to deal: the
block grows, and a row of ``places`` tells the slot of each action.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from narabe.envs.rules.core import candidate_at, is_legal, num_actions, num_candidates
from narabe.envs.rules.jit import kernel

NODE = np.dtype(
    [
        ("key", np.uint64),
        ("first", np.int32),  # slot of the first edge
        ("visits", np.int32),
        ("row", np.int32),  # row of `places`, -1 where the legal actions are known
        ("epoch", np.int32),  # the search that made the node: older ones are free slots
        ("width", np.int16),  # edges
        ("room", np.int16),  # slots reserved
        ("tried", np.int16),  # edges tried, which come first (used where the legal actions are known)
        ("mover", np.int16),
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("total", np.float64),  # payoff sum of the player who moves here
        ("action", np.int32),
        ("visits", np.int32),
    ],
    align=True,
)
# columns of `stats`: total / visits; 1 / sqrt(visits), 0 for an edge not tried; visits of the node in which the action
# was legal (not counted where that is all of them)
MEAN, BONUS, AVAILABLE = 0, 1, 2
NODES, EDGES, ROWS, EPOCH, BITS = 0, 1, 2, 3, 4  # entries of `used`
NO_SLOT = -1
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_64 = np.uint64(64)


class Infosets:
    """The arrays of one table.

    ``nodes``: NODE records (2**k,); ``edges``: EDGE records (cap,); ``stats``: float64 (cap, 3), what selection reads;
    ``places``: int16 (rows, num_actions), slot within the block by action or -1; ``used``: int64[5], nodes, edges and
    rows in use, the number of this search, and how many bits of the table are in use.

    ``cap`` bounds the edges (40 bytes each); there are at most ``cap // 4`` nodes (64 bytes). The pages of unused
    slots are never touched. A search begins with a small table, which doubles as it fills, so that short searches stay in
    the cache.
    """

    SMALLEST = 10  # bits

    def __init__(self, cap: int, num_actions: int, growing: bool) -> None:
        if cap < 1:
            raise ValueError(f"a table needs at least one slot, not {cap}")
        self.max_nodes = max(1, cap // 4)
        self.bits = max(self.SMALLEST, (2 * self.max_nodes - 1).bit_length())
        self.nodes = _records(np.zeros(1 << self.bits, NODE))
        self.edges = _records(np.empty(cap, EDGE))
        self.stats = np.empty((cap, 3))
        self.places = np.empty((self.max_nodes if growing else 1, num_actions), np.int16)
        self.used = np.zeros(5, np.int64)
        self.clear()

    def clear(self) -> None:
        """Forget everything, without touching it."""
        epoch = int(self.used[EPOCH]) + 1
        if epoch == np.iinfo(np.int32).max:
            self.nodes["epoch"], epoch = 0, 1
        self.used[:] = 0, 0, 0, epoch, self.SMALLEST

    def grow(self) -> None:
        """Use twice as much of the table."""
        bits = int(self.used[BITS])
        before = self.nodes[: 1 << bits].copy()
        self.nodes["epoch"][: 2 << bits] = 0
        self.used[BITS] = bits + 1
        insert_all(before, self.nodes, self.used)


def _records(array: np.ndarray) -> np.ndarray:
    return array.view(np.recarray) if numba.config.DISABLE_JIT else array  # plain Python reads fields by name


@kernel
def slot_of(nodes, used, key):
    """The slot where the node of that key is, or would be."""
    mask = (np.int64(1) << used[BITS]) - 1
    slot = np.int64((key * _SPREAD) >> (_64 - np.uint64(used[BITS])))
    while nodes[slot].epoch == used[EPOCH] and nodes[slot].key != key:
        slot = (slot + 1) & mask
    return slot


@kernel
def insert_all(before, nodes, used):
    """Put the nodes of a smaller table into the larger one."""
    for i in range(before.shape[0]):
        if before[i].epoch == used[EPOCH]:
            nodes[slot_of(nodes, used, before[i].key)] = before[i]


@kernel
def is_full(used, max_nodes):
    """No room for one more node: in all, or (see `Infosets.grow`) in the part in use, half of which stays free."""
    return used[NODES] >= max_nodes or 2 * used[NODES] >= np.int64(1) << used[BITS]


@kernel
def new_node(s, nodes, edges, stats, used, slot, key, mover, extra):
    """Make a node with an edge for each legal action of ``s``, in the order of the candidates, and room for more.

    ``extra``: is there to be room for half as many again? False if there is none (then no node is made).
    """
    first, end, width = used[EDGES], edges.shape[0], np.int64(0)
    for i in range(num_candidates(s)):
        a = np.int64(candidate_at(s, i))
        if is_legal(s, a):
            if first + width == end:
                return False
            new_edge(edges, stats, first + width, a)
            width += 1
    room = min(width + width // 2 + 2, num_actions(s)) if extra else width
    if width == 0 or first + room > end:
        return False
    n = nodes[slot]
    n.key, n.first, n.visits, n.row, n.epoch = key, first, 0, -1, used[EPOCH]
    n.width, n.room, n.tried, n.mover = width, room, 0, mover
    used[NODES] += 1
    used[EDGES] = first + room
    return True


@kernel
def new_edge(edges, stats, slot, action):
    e = edges[slot]
    e.total, e.action, e.visits = 0.0, action, 0
    stats[slot, BONUS], stats[slot, AVAILABLE] = 0.0, 0.0


@kernel
def take_row(places, nodes, edges, used, slot):
    """Give a new node its row of `places`."""
    n = nodes[slot]
    n.row = used[ROWS]
    used[ROWS] += 1
    for a in range(places.shape[1]):
        places[n.row, a] = NO_SLOT
    for k in range(n.width):
        places[n.row, edges[n.first + k].action] = k


@kernel
def add_edge(places, nodes, edges, stats, used, slot, action):
    """A new edge of a node with a row; its place in the block, or NO_SLOT if there is no room."""
    n = nodes[slot]
    width = np.int64(n.width)
    if width == n.room and not widen(nodes, edges, stats, used, slot, places.shape[1]):
        return np.int64(NO_SLOT)
    new_edge(edges, stats, np.int64(n.first) + width, action)
    places[n.row, action] = width
    n.width = width + 1
    return width


@kernel
def widen(nodes, edges, stats, used, slot, most):
    """Move the edges of a node to a block twice as long; False if there is no room. (The old block is given up.)"""
    n = nodes[slot]
    first, new, width = np.int64(n.first), used[EDGES], np.int64(n.width)
    room = min(2 * np.int64(n.room), most)
    if new + room > edges.shape[0]:
        return False
    for k in range(width):
        edges[new + k] = edges[first + k]
        stats[new + k, MEAN] = stats[first + k, MEAN]
        stats[new + k, BONUS] = stats[first + k, BONUS]
        stats[new + k, AVAILABLE] = stats[first + k, AVAILABLE]
    n.first, n.room = new, room
    used[EDGES] = new + room
    return True


_ROOTS = np.array([0.0, *(math.sqrt(math.log(n)) for n in range(1, 4096))])


@kernel
def root_log(n):
    """sqrt(log(n)), from a table where n is small."""
    return _ROOTS[n] if n < 4096 else math.sqrt(math.log(n))
