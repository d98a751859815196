"""Plain minimax over the law, every position looked at once: the oracle for proofs of whole games."""

from __future__ import annotations

import numpy as np

from narabe.envs import State
from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel

WIN = 1000  # a win in n plies is worth WIN - n, a loss n - WIN, a draw 0: quick wins and slow losses are best


@kernel
def slot_of(keys, key):
    at = np.int64(key >> np.uint64(20)) & (len(keys) - 1)
    while keys[at] != 0 and keys[at] != key:
        at = (at + 1) & (len(keys) - 1)
    return at


@kernel
def value(s, keys, values, count):
    """The value for the side to move. ``keys``, ``values``: a memo, its length a power of two."""
    if core.is_over(s):
        return np.int64(core.payoff(s, core.to_move(s)) * WIN)
    key = np.uint64(core.key(s))
    at = slot_of(keys, key)
    if keys[at] != 0:
        return np.int64(values[at])
    best = np.int64(-2 * WIN)
    for a in range(core.num_actions(s)):
        if core.is_legal(s, a):
            core.apply(s, a)
            v = -value(s, keys, values, count)
            core.undo(s)
            v -= 1 if v > 0 else -1 if v < 0 else 0
            best = max(best, v)
    at = slot_of(keys, key)
    keys[at], values[at] = key, best
    count[0] += 1
    if 2 * count[0] > len(keys):
        raise ValueError("the memo is full")
    return best


@kernel
def root_value(states, keys, values, count):
    return value(states[0], keys, values, count)


class Plain:
    """Values of positions of one game; the memo is kept."""

    def __init__(self, log2_size: int = 20) -> None:
        self._keys, self._values = np.zeros(1 << log2_size, np.uint64), np.zeros(1 << log2_size, np.int16)
        self._count = np.zeros(1, np.int64)

    def of(self, state: State) -> tuple[int | None, int | None]:
        """(the seat that wins with best play, in how many plies); (None, None) for a draw."""
        v = int(root_value(state.record.copy(), self._keys, self._values, self._count))
        if v == 0:
            return None, None
        return (state.to_play if v > 0 else 1 - state.to_play), WIN - abs(v)
