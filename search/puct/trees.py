"""Search trees of many games in arrays: bounded, re-rooted in place, read without recursion.

A node is a position that was reached, an edge an action or outcome that may be taken from one. The edges of a node are
one block, made when the node is expanded: legal actions only, ``width`` edges from ``first``, of which the first
``tried`` lead to nodes. The edge behind those is always the best of the untried: highest prior, then lowest action.
"""

from __future__ import annotations

import numba
import numpy as np

from narabe.envs.game import Game
from narabe.envs.rules.jit import kernel

ENDED, CHANCE = -1, 0  # what `turn` may be beside a player
NONE = -1  # no node, no edge, no action
MAX_LINE = 64  # actions of a principal variation
MAX_SLOTS = 1 << 31  # nodes or edges of all games together: indices are int32

NODE = np.dtype(
    [
        ("gain", np.float64),  # payoff sum of the player who moved into the node
        ("own", np.float64),  # payoff sum of the player to move at the node
        ("q", np.float64),  # gain / visits
        ("bonus", np.float64),  # 1 / (1 + visits)
        ("rest", np.float64),  # prior mass of the untried edges
        ("first", np.int32),  # first edge, NONE while not expanded
        ("width", np.int32),  # edges; legal actions, also where there was no room to expand
        ("tried", np.int32),  # edges that lead to a node
        ("visits", np.int32),
        ("action", np.int32),  # the action or outcome that leads here
        ("mover", np.int16),  # the player who moved into the node, 0 for chance and the root
        ("turn", np.int16),  # the player to move, CHANCE, or ENDED: over by the law, or proven
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("prior", np.float32),  # the network's, at the root of a search perhaps with noise; nothing on chance turns
        ("action", np.int32),
        ("child", np.int32),  # the node behind a tried edge
    ],
    align=True,
)
DESK = np.dtype(
    [
        ("root_key", np.uint64),  # exact key of the position at the root, where ``rooted``
        ("node0", np.int64),  # where this game's nodes begin: its root
        ("edge0", np.int64),  # where its edges begin
        (
            "leaf",
            np.int64,
        ),  # the node whose values the simulation in flight brings back, or NONE for a position without
        ("nodes", np.int32),  # nodes in use
        ("edges", np.int32),  # edges in use
        ("depth", np.int32),  # steps of the path of the simulation in flight
        ("planned", np.int32),  # simulations asked for
        ("done", np.int32),  # simulations made
        ("evaluated", np.int32),  # values in the totals of the root: simulations, and the root's own evaluation
        ("rooted", np.int8),  # is there a position at the root?
        ("over", np.int8),  # is it a finished game?
        ("noisy", np.int8),  # do the root's edges carry noise?
        ("waiting", np.int8),  # is the network asked?
        ("considered", np.int32),  # sequential halving: actions of this phase
        ("level", np.int32),  # visits that those due in this round have had
        ("rounds", np.int32),  # rounds of this phase still to be begun or ended
        ("due", np.int32),  # visits of this round still to be made
        ("phases", np.int32),
        ("least", np.int32),  # the last phase has so many actions: 2, or 1 if there is only one
    ],
    align=True,
)


def records(n: int, dtype: np.dtype) -> np.ndarray:
    """``n`` records, not cleared (without JIT as a recarray, so that plain Python can read fields by name)."""
    made = np.empty(n, dtype)
    return made.view(np.recarray) if numba.config.DISABLE_JIT else made


class Trees:
    """The trees of ``batch`` games, each in its own part of the same arrays.

    ``nodes``: NODE records (batch * max_nodes,); those of game g begin at ``desks[g]["node0"]``, its root
    ``edges``: EDGE records (batch * max_edges,)
    ``values``: float64 (batch * max_nodes, players), the network's values of a node by player, or exact payoffs
    ``desks``: DESK records (batch,), where each game stands
    ``totals``: float64 (batch, players), sums of the values brought back to this root by this search
    ``paths``: int32 (batch, max_nodes + 1), the nodes of the simulation in flight, from the root
    ``clean``: float32 (batch, actions), the root's priors without noise
    ``odds``: float64 (batch, actions), Gumbel search: Gumbel variable + log prior of the root's actions
    ``spent``: int32 (batch, actions), Gumbel search: visits of the root's actions by this search

    A tree never grows beyond its part: with no room for more edges, leaves are evaluated but not expanded; with no room
    for more nodes, only what has been tried is tried again. (An array is touched only as far as it is used.)
    """

    def __init__(self, game: Game, batch: int, max_nodes: int, max_edges: int) -> None:
        if max_nodes < 2 or max_edges < game.num_actions:
            raise ValueError(
                f"a tree of {max_nodes} nodes and {max_edges} edges is too small: at least 2 and {game.num_actions}"
            )
        if batch * max(max_nodes, max_edges) >= MAX_SLOTS:
            raise ValueError(f"{batch} games of {max_nodes} nodes and {max_edges} edges: 2**31 in all at most")
        self.max_nodes, self.max_edges = max_nodes, max_edges
        self.nodes = records(batch * max_nodes, NODE)
        self.edges = records(batch * max_edges, EDGE)
        self.values = np.empty((batch * max_nodes, game.num_players))
        self.desks = records(batch, DESK)
        self.desks[:] = np.zeros(1, DESK)[0]
        self.desks["node0"] = np.arange(batch) * max_nodes
        self.desks["edge0"] = np.arange(batch) * max_edges
        self.totals = np.zeros((batch, game.num_players))
        self.paths = np.empty((batch, max_nodes + 1), np.int32)
        self.clean = np.zeros((batch, game.num_actions), np.float32)
        self.odds = np.zeros((batch, game.num_actions))
        self.spent = np.zeros((batch, game.num_actions), np.int32)


@kernel
def set_node(nodes, node, action, mover, turn):
    """Begin a node that nothing is known of."""
    n = nodes[node]
    n.gain, n.own, n.q, n.bonus, n.rest = 0.0, 0.0, 0.0, 1.0, 0.0
    n.first, n.width, n.tried, n.visits = NONE, 0, 0, 0
    n.action, n.mover, n.turn = action, mover, turn


@kernel
def clear(nodes, d, turn):
    """Forget a game's tree but for an unvisited root."""
    set_node(nodes, np.int64(d.node0), NONE, CHANCE, turn)
    d.nodes, d.edges, d.noisy = 1, 0, 0


@kernel
def bring_up(edges, start, end):
    """Swap the best of the untried edges ``start`` to ``end`` - 1 to ``start``."""
    if start >= end:
        return
    best = start
    top = edges[best].prior
    for e in range(start + 1, end):
        p = edges[e].prior
        if p > top or (p == top and edges[e].action < edges[best].action):
            best, top = e, p
    swap(edges, start, best)


@kernel
def swap(edges, e, f):
    """Swap two untried edges."""
    if e != f:
        a, b = edges[e], edges[f]
        a.prior, b.prior = b.prior, a.prior
        a.action, b.action = b.action, a.action


@kernel
def find_child(nodes, edges, node, action):
    """The node behind the tried edge of ``action``, or NONE."""
    first = np.int64(nodes[node].first)
    for e in range(first, first + nodes[node].tried):
        if edges[e].action == action:
            return np.int64(edges[e].child)
    return np.int64(NONE)


@kernel
def is_won(child):
    """Is the action that led to ``child`` certain to bring its player the highest payoff, 1?"""
    return child.turn == ENDED and child.q >= 1.0


@kernel
def is_lost(child):
    """Is it certain to bring the lowest?"""
    return child.turn == ENDED and child.q <= -1.0


@kernel
def best_edge(nodes, edges, node, solve):
    """The edge of an expanded node with the most visits, then the best mean, then the lowest action.

    If ``solve``, certain wins come before all others, and certain losses last. Where none was tried, the first: the one
    with the highest prior.
    """
    first = np.int64(nodes[node].first)
    best = first
    for e in range(first + 1, first + nodes[node].tried):
        if better(nodes[edges[e].child], nodes[edges[best].child], solve):
            best = e
    return best


@kernel
def better(a, b, solve):
    """Is ``a`` before ``b`` by what is certain (if ``solve``), then visits, then mean, then lower action?"""
    if solve and is_won(a) != is_won(b):
        return is_won(a)
    if solve and is_lost(a) != is_lost(b):
        return is_lost(b)
    if a.visits != b.visits:
        return a.visits > b.visits
    return a.q > b.q or (a.q == b.q and a.action < b.action)


@kernel
def write_line(nodes, edges, child, line, solve):
    """Write the actions from ``child`` on down the most visited children, NONE behind the last."""
    for k in range(line.shape[0]):
        line[k] = NONE
        if child >= 0:
            line[k] = nodes[child].action
            more = nodes[child].tried > 0
            child = np.int64(edges[best_edge(nodes, edges, child, solve)].child) if more else np.int64(NONE)


@kernel
def reroot(nodes, edges, values, d, child, places, order):
    """Move the subtree of ``child`` to the front of its game's part, in place; the rest is dropped.

    ``places``, ``order``: int32 scratch, an entry a node. A child's number is higher than its parent's, so one pass in
    the order of numbers meets a node when it is known to be kept, and moves no node up. Blocks of edges keep their
    order too (which may differ from that of their nodes, where one was expanded late).
    """
    node0, edge0 = np.int64(d.node0), np.int64(d.edge0)
    for k in range(d.nodes):
        places[k] = NONE
    places[child - node0] = 0
    kept, blocks = 0, 0
    for k in range(child - node0, d.nodes):
        if places[k] < 0:
            continue
        places[k] = kept
        n = nodes[node0 + k]
        if n.first >= 0:
            for e in range(n.first, n.first + n.tried):
                places[edges[e].child - node0] = 0
            j = blocks
            while j > 0 and nodes[node0 + order[j - 1]].first > n.first:
                order[j] = order[j - 1]
                j -= 1
            order[j] = kept
            blocks += 1
        nodes[node0 + kept] = nodes[node0 + k]
        for player in range(values.shape[1]):
            values[node0 + kept, player] = values[node0 + k, player]
        kept += 1
    used = edge0
    for j in range(blocks):
        n = nodes[node0 + order[j]]
        first = np.int64(n.first)
        n.first = used
        for k in range(n.width):
            edges[used + k] = edges[first + k]
            if k < n.tried:
                edges[used + k].child = node0 + places[edges[first + k].child - node0]
        used += n.width
    d.nodes, d.edges, d.noisy = kept, used - edge0, 0
    root = nodes[node0]
    root.mover, root.gain, root.q = CHANCE, 0.0, 0.0  # nobody's choice any more
