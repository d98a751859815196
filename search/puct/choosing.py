"""PUCT: which edge of a node a simulation follows.

    q + c(N) * prior * sqrt(N) / (1 + visits),    c(N) = c + log((1 + N + c_growth) / c_growth)

with N the visits of the node, its own evaluation included (Silver et al., "A general reinforcement learning algorithm
that masters chess, shogi, and Go through self-play", 2018). q is the mean payoff of the player who moves. For an untried
action it is the mean at the node itself, less fpu * sqrt(prior mass of the tried actions): what has not been tried
is a little worse than what has (first-play urgency, as in Leela Zero and KataGo). Among the untried all but the prior is
equal, so only the one with the highest prior, then the lowest number, can be next.
"""

from __future__ import annotations

import math

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.search.puct.trees import NONE, is_lost


@kernel
def puct_choice(nodes, edges, node, settings, fpu, room):
    """The edge with the highest score, then the lowest action; NONE if there is none.

    The untried edge counts if there is ``room`` for its node. What is certain to be lost counts only where all is.
    """
    n = nodes[node]
    first, tried = np.int64(n.first), np.int64(n.tried)
    visits = np.float64(n.visits)
    factor = settings.c + math.log((1.0 + visits + settings.c_growth) / settings.c_growth)
    factor *= math.sqrt(visits)
    best, top = np.int64(NONE), -np.inf
    for e in range(first, first + tried):
        child = nodes[edges[e].child]
        if settings.solve and is_lost(child):
            continue
        x = child.q + factor * np.float64(edges[e].prior) * child.bonus
        if x > top or (x == top and edges[e].action < edges[best].action):
            best, top = e, x
    if room and tried < n.width:
        e = first + tried
        x = n.own / visits - fpu * math.sqrt(max(0.0, 1.0 - n.rest)) + factor * np.float64(edges[e].prior)
        if best < 0 or x > top or (x == top and edges[e].action < edges[best].action):
            best = e
    if best < 0 and tried > 0:  # all that can be followed is lost, and no room to find what is not
        return first
    return best
