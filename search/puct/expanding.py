"""From what the network says of a position to the edges of its node."""

from __future__ import annotations

import math

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.search.puct.trees import NONE, bring_up


@kernel
def is_sound(outputs, legal, values, probabilities, k):
    """Can row ``k`` be used? Values are numbers; some legal action has a weight, and none an infinite one."""
    for player in range(values.shape[1]):
        if not abs(values[k, player]) < np.inf:
            return False
    some = False
    for a in range(legal.shape[1]):
        if legal[k, a]:
            x = outputs[k, a]
            if not x < np.inf or (probabilities and x < 0.0):
                return False
            some = some or probabilities or x > -np.inf
    return some


@kernel
def expand(nodes, edges, d, node, outputs, legal, k, settings):
    """Give ``node`` an edge for each legal action of row ``k``, in the order of actions, if the tree has room.

    ``outputs``: float32 (rows, actions), logits (the priors are their softmax over the legal actions) or probabilities
    (divided by their sum over the legal actions; all equal where that is zero); ``legal``: int8 (rows, actions).
    """
    n = nodes[node]
    n.width, top = 0, np.float32(-np.inf)
    for a in range(legal.shape[1]):
        if legal[k, a]:
            n.width += 1
            top = max(top, outputs[k, a])
    if d.edges + n.width > settings.max_edges:
        return
    first = np.int64(d.edge0) + d.edges
    n.first, n.tried = first, 0
    d.edges += n.width
    e, whole = first, 0.0
    for a in range(legal.shape[1]):
        if legal[k, a]:
            x = np.float32(outputs[k, a])
            if not settings.probabilities:
                x = np.float32(math.exp(np.float64(x) - np.float64(top)))
            edges[e].prior, edges[e].action, edges[e].child = x, a, NONE
            whole += np.float64(x)
            e += 1
    n.rest = 0.0
    for e in range(first, first + n.width):
        if whole > 0.0:
            edges[e].prior = np.float64(edges[e].prior) / whole
        else:
            edges[e].prior = 1.0 / n.width
        n.rest += np.float64(edges[e].prior)
    bring_up(edges, first, first + n.width)
