"""Positions whose outcome is certain, and what follows from them for those above.

A node is certain (its turn is ENDED) if the game is over there, if the player to move can end it at once with the highest
payoff there is, 1, or if a prover says so. Up the path of a simulation a node becomes certain when the player to move has a
certain action worth 1, or, between two players, when all actions are certain: then it is worth the best of them (Winands,
Bjornsson, Saito, "Monte-Carlo tree search solver", 2008; here with draws, and with an end of the search where the root's
outcome is known). Chance turns never become certain, nor does the root, whose actions are what is asked for.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import apply, payoff, undo
from narabe.envs.rules.jit import kernel
from narabe.search.at_once import wins_at_once
from narabe.search.puct.trees import ENDED, NONE, is_lost, is_won, swap

BEST = 1.0  # the highest payoff of all games


@kernel
def look_one_ahead(s, values, node, player):
    """Can ``player``, to move at ``s``, end the game at once with the highest payoff? Writes all payoffs if so."""
    a = wins_at_once(s, player, BEST)
    if a < 0:
        return False
    apply(s, a)
    for other in range(values.shape[1]):
        values[node, other] = payoff(s, other + 1)
    undo(s)
    return True


@kernel
def spread(nodes, edges, values, path, d):
    """Follow a certain leaf up the path of the simulation in flight; the step of the topmost node that is certain."""
    top = np.int64(d.depth)
    while top > 1:
        node = np.int64(path[top - 1])
        turn = np.int64(nodes[node].turn)
        if turn <= 0:
            return top
        best = np.int64(path[top])
        if values[best, turn - 1] < BEST:
            if values.shape[1] != 2:
                return top
            best = best_of_all(nodes, edges, values, node, turn)
            if best < 0:
                return top
        nodes[node].turn = ENDED
        for player in range(values.shape[1]):
            values[node, player] = values[best, player]
        top -= 1
    return top


@kernel
def best_of_all(nodes, edges, values, node, turn):
    """The child that is worth most to ``turn``, where all actions of ``node`` are certain; else NONE."""
    n = nodes[node]
    if n.tried < n.width:
        return np.int64(NONE)
    best = np.int64(NONE)
    for e in range(n.first, n.first + n.width):
        child = np.int64(edges[e].child)
        if nodes[child].turn != ENDED:
            return np.int64(NONE)
        if best < 0 or values[child, turn - 1] > values[best, turn - 1]:
            best = child
    return best


@kernel
def is_settled(nodes, edges, values, path, d):
    """Does the simulation just brought back settle the root: an action won, or all certain?"""
    if d.depth < 1 or nodes[path[1]].turn != ENDED:
        return False
    root = np.int64(d.node0)
    turn = np.int64(nodes[root].turn)
    return is_won(nodes[path[1]]) or best_of_all(nodes, edges, values, root, turn) >= 0


@kernel
def won_edge(nodes, edges, node):
    """The edge of the lowest certain win among the tried actions of ``node``; NONE if there is none."""
    best = np.int64(NONE)
    first = np.int64(nodes[node].first)
    for e in range(first, first + nodes[node].tried):
        if is_won(nodes[edges[e].child]) and (best < 0 or edges[e].action < edges[best].action):
            best = e
    return best


@kernel
def settled_edge(nodes, edges, node):
    """The tried edge that is worth most; of equal ones the most visited, which took longest to settle, then the lowest."""
    first = np.int64(nodes[node].first)
    best = first
    for e in range(first + 1, first + nodes[node].tried):
        a, b = nodes[edges[e].child], nodes[edges[best].child]
        if a.q > b.q or (a.q == b.q and (a.visits > b.visits or (a.visits == b.visits and a.action < b.action))):
            best = e
    return best


@kernel
def drop_lost(nodes, edges, node, policy):
    """Take from ``policy`` (float32 by action) the shares of actions that are certain to be lost, unless all are."""
    first = np.int64(nodes[node].first)
    left = 0.0
    for a in range(policy.shape[0]):
        left += np.float64(policy[a])
    for e in range(first, first + nodes[node].tried):
        if is_lost(nodes[edges[e].child]):
            left -= np.float64(policy[edges[e].action])
    if left <= 1e-6:
        return
    for e in range(first, first + nodes[node].tried):
        if is_lost(nodes[edges[e].child]):
            policy[edges[e].action] = 0.0
    for a in range(policy.shape[0]):
        policy[a] = np.float64(policy[a]) / left


@kernel
def winning_edge(s, nodes, edges, node):
    """The edge, brought in front of the untried, by which the player to move at ``s`` ends the game well; or NONE."""
    n = nodes[node]
    action = wins_at_once(s, np.int64(n.turn), BEST)
    if action < 0:
        return np.int64(NONE)
    first = np.int64(n.first)
    for e in range(first, first + n.width):
        if edges[e].action == action:
            if e < first + n.tried:
                return e
            swap(edges, first + n.tried, e)
            return first + n.tried
    return np.int64(NONE)
