"""What a position is worth before it is searched: its payoff at the end, a guess at the horizon."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import CHANCE, has, is_over, key, payoff, score, to_move
from narabe.envs.rules.jit import kernel

_CHANCE_KEY = np.uint64(0x5851F42D4C957F2D)
_ONE = np.uint64(1)


@kernel
def guess(s):
    """A value in (-1, 1) for player 1, by the law's points where it counts any, else 0: all it knows of unfinished games."""
    if has(s, "score"):
        ahead = np.float64(score(s, 1)) - np.float64(score(s, 2))
        return 0.9 * ahead / (3.0 + abs(ahead))
    return 0.0


@kernel
def settled(s, w, plies, last):
    """(is the value known without a search, the value for player 1). A turn begins where the player changes."""
    if is_over(s):
        return True, np.float64(payoff(s, 1))
    if plies <= 0:
        mover = to_move(s)
        if mover != CHANCE and mover != last:
            w.guesses += 1
            return True, guess(s)
    return False, 0.0


@kernel
def position_key(s, last):
    """The key under which a position is kept; before a chance turn it also says who played last."""
    k = key(s)
    if to_move(s) == CHANCE:
        k ^= _CHANCE_KEY * np.uint64(last + 1)
    return k if k != np.uint64(0) else _ONE
