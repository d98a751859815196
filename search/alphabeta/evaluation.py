"""The estimate of a position: what both colours could still make on the lines, weighed by tuned numbers.

The score is 256 times the logarithm of the odds of winning, for the side to move (*own*). The features stand in
`weights`: how many lines of each KIND run through empty cells, cells where two of them cross, pairs taken and to be taken.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import FOURS_SET, THREES_SET, kind_of, next_in
from narabe.envs.rules.lines import KINDS, THREE
from narabe.search.alphabeta.desk import MOST
from narabe.search.alphabeta.weights import FEATURES, FINE, FORKS, PAIRS, TAKING, TEMPO


@kernel
def crossings(p, i, level):
    """How many cells of a set have two lines or more of which each makes a three or more."""
    n = np.int64(0)
    a = next_in(p, i, level, np.int64(-1))
    while a >= 0:
        lines = 0
        for d in range(4):
            lines += 1 if kind_of(p, i, a, d) >= THREE else 0
        n += 1 if lines > 1 else 0
        a = next_in(p, i, level, a)
    return n


@kernel
def estimate(s, p, desk):
    """Points for the side to move."""
    i = np.int64(s.mover) - 1
    w = i * FEATURES
    own, other = i * KINDS, (1 - i) * KINDS
    points = np.int64(desk.weights[w + TEMPO])
    for k in range(1, KINDS):
        points += np.int64(desk.weights[w + k - 1]) * np.int64(p.counts[own + k])
        points += np.int64(desk.weights[w + KINDS - 2 + k]) * np.int64(p.counts[other + k])
    f = w + FORKS
    points += np.int64(desk.weights[f]) * crossings(p, i, THREES_SET)
    points += np.int64(desk.weights[f + 1]) * crossings(p, i, FOURS_SET)
    points += np.int64(desk.weights[f + 2]) * crossings(p, 1 - i, THREES_SET)
    points += np.int64(desk.weights[f + 3]) * crossings(p, 1 - i, FOURS_SET)
    if s.captures != 0:
        for k in range(2):
            colour = i if k == 0 else 1 - i
            pairs = min(np.int64(s.pairs[colour]), 4)
            if pairs > 0:
                points += np.int64(desk.weights[w + PAIRS + 4 * k + pairs - 1])
            points += np.int64(desk.weights[w + TAKING + k]) * np.int64(p.takes[colour])
    return max(-MOST, min(MOST, points // FINE))


@kernel
def features(s, p, out):
    """Write what `estimate` weighs into ``out`` (int32, FEATURES)."""
    i = np.int64(s.mover) - 1
    out[:] = 0
    for k in range(1, KINDS):
        out[k - 1] = p.counts[i * KINDS + k]
        out[KINDS - 2 + k] = p.counts[(1 - i) * KINDS + k]
    for k in range(2):
        colour = i if k == 0 else 1 - i
        out[FORKS + 2 * k] = crossings(p, colour, THREES_SET)
        out[FORKS + 2 * k + 1] = crossings(p, colour, FOURS_SET)
        if s.captures != 0:
            pairs = min(np.int64(s.pairs[colour]), 4)
            if pairs > 0:
                out[PAIRS + 4 * k + pairs - 1] = 1
            out[TAKING + k] = p.takes[colour]
    out[TEMPO] = 1
