"""What is random at the root: Dirichlet noise in its priors, Gumbel variables. Once a search, from the game's own stream."""

from __future__ import annotations

import math

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import uniform
from narabe.search.puct.halving import begin_halving
from narabe.search.puct.improving import LEAST_PRIOR
from narabe.search.puct.trees import bring_up

ABSENT = np.inf  # in the scratch: no legal action


@kernel
def normal(rng):
    """A standard normal number (Marsaglia's polar method)."""
    while True:
        x, y = 2.0 * uniform(rng) - 1.0, 2.0 * uniform(rng) - 1.0
        r = x * x + y * y
        if 0.0 < r < 1.0:
            return x * math.sqrt(-2.0 * math.log(r) / r)


@kernel
def log_gamma_draw(alpha, rng):
    """The logarithm of a number drawn from the gamma distribution of shape ``alpha``, however small that is.

    Marsaglia and Tsang, "A simple method for generating gamma variables" (2000); for shapes below 1 that of shape + 1
    is multiplied by a power of a uniform number, which in logarithms does not underflow.
    """
    shift = 0.0
    if alpha < 1.0:
        shift = math.log(1.0 - uniform(rng)) / alpha
        alpha += 1.0
    d = alpha - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = normal(rng)
        v = 1.0 + c * x
        if v > 0.0:
            v = v * v * v
            if math.log(1.0 - uniform(rng)) < 0.5 * x * x + d - d * v + d * math.log(v):
                return math.log(d * v) + shift


@kernel
def gumbel(rng):
    """A standard Gumbel number."""
    while True:
        u = uniform(rng)
        if u > 0.0:
            return -math.log(-math.log(u))


@kernel
def draw_dirichlet(noise, concentration, rng):
    """Replace each entry of ``noise`` that is not ABSENT by a share; the shares sum to 1."""
    legal = 0
    for a in range(noise.shape[0]):
        legal += 1 if noise[a] != ABSENT else 0
    top = -np.inf
    for a in range(noise.shape[0]):
        if noise[a] != ABSENT:
            noise[a] = log_gamma_draw(concentration / legal, rng)
            top = max(top, noise[a])
    whole = 0.0
    for a in range(noise.shape[0]):
        if noise[a] != ABSENT:
            noise[a] = math.exp(noise[a] - top)
            whole += noise[a]
    for a in range(noise.shape[0]):
        if noise[a] != ABSENT:
            noise[a] /= whole


@kernel
def begin_root(nodes, edges, d, settings, clean, odds, spent, scratch, rng):
    """Make the expanded root ready for a search: noise, Gumbel variables, the plan of sequential halving.

    The clean priors are kept in ``clean``, by action; if the edges carry noise of an earlier search, they are taken from
    there. Random numbers are drawn in the order of actions.
    """
    n = nodes[d.node0]
    first, end = np.int64(n.first), np.int64(n.first) + n.width
    for e in range(first, end):
        if d.noisy:
            edges[e].prior = clean[edges[e].action]
        else:
            clean[edges[e].action] = edges[e].prior
    if settings.noise > 0.0:
        scratch[:] = ABSENT
        for e in range(first, end):
            scratch[edges[e].action] = 0.0
        draw_dirichlet(scratch, settings.concentration, rng)
        n.rest = 0.0
        for e in range(first, end):
            share = scratch[edges[e].action]
            edges[e].prior = np.float64(edges[e].prior) * (1.0 - settings.noise) + settings.noise * share
            if e >= first + n.tried:
                n.rest += np.float64(edges[e].prior)
        bring_up(edges, first + n.tried, end)
        d.noisy = 1
    if settings.gumbel:
        scratch[:] = ABSENT
        for e in range(first, end):
            scratch[edges[e].action] = edges[e].prior
        for a in range(scratch.shape[0]):
            spent[a] = 0
            if scratch[a] != ABSENT:
                odds[a] = math.log(max(scratch[a], LEAST_PRIOR))
                if settings.gumbel_scale > 0.0:
                    odds[a] += settings.gumbel_scale * gumbel(rng)
        begin_halving(d, settings.considered, np.int64(n.width))
