"""Moves drawn by visits, for the openings of self-play games."""

from __future__ import annotations

import math

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import uniform


@kernel
def draw_by_visits(visits, temperature, streams, actions):
    """Draw an action a row with probability proportional to visits ** (1 / temperature); -1 where there are none.

    ``visits``: int64 (n, actions); ``streams``: uint64 (n,), advanced in place; written: ``actions``, int64 (n,).
    """
    for i in range(visits.shape[0]):
        most, whole = np.int64(0), 0.0
        for a in range(visits.shape[1]):
            most = max(most, visits[i, a])
        for a in range(visits.shape[1]):
            if visits[i, a] > 0:
                whole += math.exp(math.log(visits[i, a] / most) / temperature)
        actions[i], left = -1, uniform(streams[i : i + 1]) * whole if most > 0 else 0.0
        for a in range(visits.shape[1]):
            if visits[i, a] > 0 and (actions[i] < 0 or left >= 0.0):
                actions[i] = a
                left -= math.exp(math.log(visits[i, a] / most) / temperature)
