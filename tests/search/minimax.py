"""The exact winner of small positions by the law alone: full minimax, no tables, no patterns."""

from __future__ import annotations

import numpy as np

from narabe.envs import State
from narabe.envs.rules.core import apply, candidate_at, is_legal, is_over, num_candidates, payoff, to_move, undo
from narabe.envs.rules.jit import kernel


@kernel
def winner(s):
    """Who wins with best play: 0 nobody, else the player."""
    if is_over(s):
        worth = payoff(s, 1)
        return np.int64(0) if worth == 0 else np.int64(1) if worth > 0 else np.int64(2)
    mover = to_move(s)
    best = 3 - mover
    for j in range(num_candidates(s)):
        a = np.int64(candidate_at(s, j))
        if is_legal(s, a):
            apply(s, a)
            found = winner(s)
            undo(s)
            if found == mover:
                return found
            if found == 0:
                best = np.int64(0)
    return np.int64(best)


@kernel
def winner_of(states, i):
    return winner(states[i])


def exact_winner(state: State) -> int:
    """0 nobody, else the player from 1; for up to about nine empty cells."""
    return int(winner_of(state.copy().record, 0))
