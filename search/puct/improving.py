"""Completed Q-values and the improved policy of Gumbel search.

Source: Danihelka, Guez, Schrittwieser, Silver, "Policy improvement by planning with Gumbel" (2022), sections 4, 5 and
appendix D. Actions that were not tried are given the mixed value

    (network's value + visits of children * mean of tried q, weighed by prior) / (1 + visits of children)

The improved policy is softmax(log prior + worth(q)), where worth(q) = (c_visit + most visits) * c_scale * q with q taken
from [-1, 1] to [0, 1]. Below the root the child is chosen whose share of visits lags furthest behind that policy.
"""

from __future__ import annotations

import math

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.search.puct.trees import NONE, is_lost

LEAST_PRIOR = 1e-45  # what a prior of 0 counts as (float32 holds nothing smaller), so that its logarithm is finite


@kernel
def prior_of(edge):
    return max(np.float64(edge.prior), LEAST_PRIOR)


@kernel
def worth(q, scale):
    """What a mean payoff adds to the log prior."""
    return scale * (0.5 * q + 0.5)


@kernel
def complete(nodes, edges, values, node, settings, scratch):
    """(mixed value, scale of `worth`, normaliser, highest q) of an expanded node.

    The improved probability of an edge is prior * exp(worth(q) - worth(highest q)) / normaliser; that quotient's
    numerator is written into ``scratch`` for each tried edge.
    """
    n = nodes[node]
    first, tried = np.int64(n.first), np.int64(n.tried)
    visits, most, mass, weighted, high = np.int64(0), np.int64(0), 0.0, 0.0, -np.inf
    for k in range(tried):
        child = nodes[edges[first + k].child]
        p = prior_of(edges[first + k])
        visits += child.visits
        most = max(most, np.int64(child.visits))
        mass += p
        weighted += p * child.q
        high = max(high, child.q)
    mean = values[node, n.turn - 1]
    if tried > 0:
        mean = (mean + visits * (weighted / mass)) / (1 + visits)
    scale = (settings.visit_offset + most) * settings.value_scale
    whole = 0.0
    if tried < n.width:
        high = max(high, mean)
        whole = max(n.rest, LEAST_PRIOR) * math.exp(worth(mean, scale) - worth(high, scale))
    for k in range(tried):
        q = nodes[edges[first + k].child].q
        scratch[k] = prior_of(edges[first + k]) * math.exp(worth(q, scale) - worth(high, scale))
        whole += scratch[k]
    return mean, scale, whole, high


@kernel
def improved_choice(nodes, edges, values, node, settings, scratch, room):
    """The edge below the root with the highest improved probability - visits / (1 + visits of all); NONE if none.

    The untried edge counts if there is ``room`` for its node. What is certain to be lost counts only where all is.
    """
    n = nodes[node]
    first, tried = np.int64(n.first), np.int64(n.tried)
    if tried == 0:
        return first if room else np.int64(NONE)
    mean, scale, whole, high = complete(nodes, edges, values, node, settings, scratch)
    visits = np.int64(1)
    for k in range(tried):
        visits += nodes[edges[first + k].child].visits
    best, top = np.int64(NONE), -np.inf
    for k in range(tried):
        if settings.solve and is_lost(nodes[edges[first + k].child]):
            continue
        x = scratch[k] / whole - nodes[edges[first + k].child].visits / visits
        if best < 0 or x > top or (x == top and edges[first + k].action < edges[best].action):
            best, top = first + k, x
    if room and tried < n.width:
        e = first + tried
        x = prior_of(edges[e]) * math.exp(worth(mean, scale) - worth(high, scale)) / whole
        if best < 0 or x > top or (x == top and edges[e].action < edges[best].action):
            best = e
    if best < 0:  # all that can be followed is lost, and no room to find what is not
        return first
    return best


@kernel
def improved_policy(nodes, edges, values, node, settings, scratch, policy):
    """Write the improved policy of an expanded node into ``policy`` (float32 by action, zeros before)."""
    n = nodes[node]
    first, tried = np.int64(n.first), np.int64(n.tried)
    mean, scale, whole, high = complete(nodes, edges, values, node, settings, scratch)
    untried = math.exp(worth(mean, scale) - worth(high, scale))
    for k in range(n.width):
        x = scratch[k] if k < tried else prior_of(edges[first + k]) * untried
        policy[edges[first + k].action] = x / whole
