"""From what the network says of a position to the edges of its node."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.search.puct.trees import NONE, bring_up

LEAST_EXPONENT = -104.0  # e to this is nothing in float32


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
def exponentiate(x, n):
    """Replace the first ``n`` numbers of ``x`` (float64), none above 0, by their exponentials.

    A power series of a 256th, squared eight times: straight-line arithmetic, which the compiler turns into vector code,
    five times as quick as calls of exp, and the same on every machine. Relative error below 1e-11 down to exp(-30), and
    below 4e-7 for the smallest numbers that float32 holds.
    """
    for k in range(n):
        r = max(x[k], LEAST_EXPONENT) * (1.0 / 256.0)
        y = r * (1.0 / 5040.0 + r * (1.0 / 40320.0))
        y = 1.0 + r * (
            1.0 + r * (1.0 / 2.0 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r * (1.0 / 720.0 + y)))))
        )
        y *= y
        y *= y
        y *= y
        y *= y
        y *= y
        y *= y
        y *= y
        x[k] = y * y


@kernel
def added(x, n):
    """The sum of the first ``n`` numbers, in four parts that do not wait for each other."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    whole = n - n % 4
    for k in range(0, whole, 4):
        a += x[k]
        b += x[k + 1]
        c += x[k + 2]
        d += x[k + 3]
    for k in range(whole, n):
        a += x[k]
    return (a + b) + (c + d)


@kernel
def weigh(outputs, legal, k, probabilities, weights, actions):
    """Write the legal actions of row ``k`` and their shares of the policy, in the order of actions; returns their number.

    ``outputs``: float32 (rows, actions), logits (the policy is their softmax over the legal actions) or probabilities
    (divided by their sum over the legal actions; all equal where that is zero); ``legal``: int8 (rows, actions);
    ``weights`` (float64), ``actions`` (int32): an entry an action.
    """
    n, top = 0, -np.inf
    for a in range(legal.shape[1]):
        x = np.float64(outputs[k, a])
        weights[n], actions[n] = x, a
        if legal[k, a]:
            top = max(top, x)
            n += 1
    if not probabilities:
        for j in range(n):
            weights[j] -= top
        exponentiate(weights, n)
    whole = added(weights, n)
    scale = 1.0 / whole if whole > 0.0 else 0.0
    level = 0.0 if whole > 0.0 else 1.0 / n
    for j in range(n):
        weights[j] = np.float64(np.float32(weights[j] * scale + level))
    return n


@kernel
def expand(nodes, edges, d, node, outputs, legal, k, settings, weights, actions):
    """Give ``node`` an edge for each legal action of row ``k`` if the tree has room; the arrays are those of `weigh`."""
    n = nodes[node]
    width = weigh(outputs, legal, k, settings.probabilities != 0, weights, actions)
    n.width = width
    if d.edges + width > settings.max_edges:
        return
    first = np.int64(d.edge0) + d.edges
    n.first, n.tried, n.rest = first, 0, added(weights, width)
    d.edges += width
    for j in range(width):
        e = edges[first + j]
        e.prior, e.action, e.child = weights[j], actions[j], NONE
    bring_up(edges, first, first + width)
