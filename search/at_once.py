"""Games that the player to move can end at once."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import apply, candidate_at, is_legal, is_over, may_win, num_candidates, payoff, undo
from narabe.envs.rules.jit import kernel


@kernel
def wins_at_once(s, player, least):
    """The lowest action by which ``player``, who is to move, ends the game with a payoff above 0 and at least ``least``.

    -1 if there is none. The record is restored.
    """
    best = np.int64(-1)
    if not may_win(s):
        return best
    for i in range(num_candidates(s)):
        a = np.int64(candidate_at(s, i))
        if (best < 0 or a < best) and is_legal(s, a):
            apply(s, a)
            if is_over(s):
                gain = payoff(s, player)
                if gain > 0.0 and gain >= least:
                    best = a
            undo(s)
    return best
