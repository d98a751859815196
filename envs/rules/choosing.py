"""A uniformly random legal action, written once against the generic law."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import candidate_at, is_legal, num_candidates
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import below

REDRAWS = 16  # candidates drawn in vain before the legal ones are counted out


@kernel
def random_action(s, rng):
    """A uniformly random legal action of the player to move, or -1 if there is none.

    Candidates are drawn until one is legal (which keeps the choice uniform); after `REDRAWS` failures one scan settles
    it by reservoir sampling.
    """
    n = num_candidates(s)
    for _ in range(REDRAWS):
        a = np.int64(candidate_at(s, below(rng, n)))
        if is_legal(s, a):
            return a
    chosen, seen = np.int64(-1), np.int64(0)
    for i in range(n):
        a = np.int64(candidate_at(s, i))
        if is_legal(s, a):
            seen += 1
            if below(rng, seen) == 0:
                chosen = a
    return chosen
