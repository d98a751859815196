"""One simulation's way down a tree: from the root to a position whose values are known or must be asked for.

A chance turn is drawn by its law and never chosen; its outcomes are nodes too, and the network is not asked about it.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import (
    apply,
    chance_draw,
    has,
    is_over,
    mask_update,
    num_candidates,
    payoff,
    to_move,
)
from narabe.envs.rules.jit import kernel
from narabe.search.puct.certain import look_one_ahead, winning_edge
from narabe.search.puct.choosing import puct_choice
from narabe.search.puct.halving import count_visit, root_choice
from narabe.search.puct.improving import improved_choice
from narabe.search.puct.trees import CHANCE, ENDED, NONE, bring_up, find_child, set_node, swap


@kernel
def descend(s, m, nodes, edges, values, path, d, settings, odds, spent, scratch, rng):
    """Play on ``s`` (with its mask record ``m``) from the root; returns whether the network must be asked about it.

    Sets ``d.leaf``, whose values are to be brought back (NONE where the position has no node), and ``d.depth``.
    """
    node, depth = np.int64(d.node0), np.int64(0)
    path[0] = node
    while True:
        n = nodes[node]
        turn = np.int64(n.turn)
        child = np.int64(NONE)
        if turn == ENDED:
            break
        if turn == CHANCE:
            if has(s, "chance_draw"):
                action = np.int64(chance_draw(s, rng))
                child = outcome(s, nodes, edges, d, settings, node, action)
                apply(s, action)
                mask_update(s, m)
            if child < 0:
                settle(s, m, rng)
                node = np.int64(NONE)
                break
        elif n.first < 0:
            break
        else:
            e = choose(s, nodes, edges, values, d, settings, node, odds, spent, scratch)
            if e < 0:
                break
            if e == n.first + n.tried:
                new_child(nodes, edges, d, node, turn)
            child = np.int64(edges[e].child)
            apply(s, np.int64(edges[e].action))
            mask_update(s, m)
        if nodes[child].visits == 0:
            arrive(s, nodes, values, child, settings)
        depth += 1
        path[depth] = child
        node = child
    d.leaf, d.depth = node, depth
    if node < 0:
        return not is_over(s)
    n = nodes[node]
    return n.turn > 0 and n.first < 0 and (n.visits == 0 or d.edges + n.width <= settings.max_edges)


@kernel
def choose(s, nodes, edges, values, d, settings, node, odds, spent, scratch):
    """The edge of an expanded node to follow, the first untried one included; NONE if there is room for none."""
    room = d.nodes < settings.max_nodes
    at_root = node == d.node0
    if at_root and settings.solve and d.done == 0 and room:
        e = winning_edge(s, nodes, edges, node)
        if e >= 0:  # this simulation will settle the search
            return e
    if not settings.gumbel:
        return puct_choice(nodes, edges, node, settings, settings.root_fpu if at_root else settings.fpu, room)
    if not at_root:
        return improved_choice(nodes, edges, values, node, settings, scratch, room)
    e = root_choice(nodes, edges, values, d, settings, odds, spent, scratch, np.int64(d.level), room)
    count_visit(d)
    if e < 0:
        return e
    spent[edges[e].action] += 1
    n = nodes[node]
    if e >= n.first + n.tried:  # the halving took another untried edge than the first
        front = np.int64(n.first) + n.tried
        swap(edges, front, e)
        return front
    return e


@kernel
def new_child(nodes, edges, d, node, mover):
    """Make a node behind the first untried edge of ``node``."""
    n = nodes[node]
    e = np.int64(n.first) + n.tried
    child = np.int64(d.node0) + d.nodes
    set_node(nodes, child, np.int64(edges[e].action), mover, CHANCE)
    edges[e].child = child
    d.nodes += 1
    n.tried += 1
    n.rest -= np.float64(edges[e].prior)
    bring_up(edges, e + 1, np.int64(n.first) + n.width)


@kernel
def arrive(s, nodes, values, node, settings):
    """Say of a new node whose turn it is at ``s``, and what the end is worth if it is one or can be made at once."""
    if is_over(s):
        nodes[node].turn = ENDED
        for player in range(values.shape[1]):
            values[node, player] = payoff(s, player + 1)
    else:
        turn = np.int64(to_move(s))
        ends = settings.solve and turn > 0 and look_one_ahead(s, values, node, turn)
        nodes[node].turn = ENDED if ends else turn


@kernel
def outcome(s, nodes, edges, d, settings, node, action):
    """The node behind outcome ``action`` of the chance turn ``s``, made if need be; NONE if there is no room for it."""
    n = nodes[node]
    if n.first < 0:
        width = np.int64(num_candidates(s))
        if width == 0 or d.edges + width > settings.max_edges:
            return np.int64(NONE)
        n.first, n.width = d.edge0 + d.edges, width
        d.edges += width
    child = find_child(nodes, edges, node, action)
    if child < 0 and n.tried < n.width and d.nodes < settings.max_nodes:
        e = np.int64(n.first) + n.tried
        child = np.int64(d.node0) + d.nodes
        set_node(nodes, child, action, CHANCE, CHANCE)
        edges[e].prior, edges[e].action, edges[e].child = 0.0, action, child
        d.nodes += 1
        n.tried += 1
    return child


@kernel
def settle(s, m, rng):
    """Play the chance turns that come before the next choice, where there are no nodes for them."""
    if has(s, "chance_draw"):
        while not is_over(s) and to_move(s) == CHANCE:
            apply(s, np.int64(chance_draw(s, rng)))
            mask_update(s, m)
