"""Values of whole small games by plain minimax with every position kept: who wins, and in how many plies.

The winner hurries and the loser delays. No pruning but one: who can win at once does so. Positions are kept by the law's
canonical key, since mirrored boards have the same value.
"""

from __future__ import annotations

import numpy as np

from narabe.envs import Game, State
from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel

AT_ONCE = 1000  # value of a position in which the side to move has just won; a win in n plies is worth AT_ONCE - n


@kernel
def slot_of(keys, key):
    """Where a key is, or goes, in the open table ``keys`` (uint64, a power of two; 0 is free)."""
    mask = np.uint64(len(keys) - 1)
    k = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20)
    k &= mask
    while keys[k] != 0 and keys[k] != key:
        k = (k + np.uint64(1)) & mask
    return np.int64(k)


@kernel
def value(s, keys, values, room):
    """Value for the side to move: AT_ONCE - n for a win in n plies, n - AT_ONCE for a loss, 0 for a draw.

    ``room``: int64[1], free places of the table; below 0 it was too small, and the value means nothing.
    """
    player = core.to_move(s)
    if core.is_over(s):
        return np.int64(AT_ONCE * core.payoff(s, player))
    if room[0] < 0:
        return np.int64(0)
    key = core.canonical_key(s)[0] | np.uint64(1)
    k = slot_of(keys, key)
    if keys[k] == key:
        return np.int64(values[k])
    best = np.int64(-AT_ONCE)
    n = core.num_candidates(s)
    for j in range(n):  # a win at once
        a = np.int64(core.candidate_at(s, j))
        if core.is_legal(s, a):
            core.apply(s, a)
            if core.is_over(s) and core.payoff(s, player) > 0:
                best = np.int64(AT_ONCE - 1)
            core.undo(s)
            if best > 0:
                break
    if best < 0:
        for j in range(n):
            a = np.int64(core.candidate_at(s, j))
            if core.is_legal(s, a):
                core.apply(s, a)
                v = -value(s, keys, values, room)
                core.undo(s)
                v -= 1 if v > 0 else (-1 if v < 0 else 0)
                best = max(best, v)
    k = slot_of(keys, key)
    keys[k] = key
    values[k] = best
    room[0] -= 1
    return best


@kernel
def values_of(states, keys, values, room, out):
    for i in range(len(out)):
        out[i] = value(states[i], keys, values, room)


class Minimax:
    """Minimax of one game, with a table for ``positions`` (a power of two) that is kept from call to call.

    >>> from narabe.envs import game
    >>> minimax = Minimax(game("freestyle", size=3, row=3))
    >>> minimax.solve(minimax.game.start())
    (0, 0)
    >>> minimax = Minimax(game("freestyle", width=4, height=3, row=3))
    >>> minimax.solve(minimax.game.start())
    (1, 7)
    """

    def __init__(self, made: Game, positions: int = 1 << 20) -> None:
        self.game = made
        self._keys, self._values = np.zeros(positions, np.uint64), np.zeros(positions, np.int16)
        self._room = np.array([positions * 7 // 8], np.int64)

    @property
    def positions(self) -> int:
        """Positions kept."""
        return len(self._keys) * 7 // 8 - int(self._room[0])

    def values(self, records: np.ndarray) -> np.ndarray:
        """int64 by state of a batch: `value`. `MemoryError` if the table is too small."""
        out = np.zeros(len(records), np.int64)
        values_of(records, self._keys, self._values, self._room, out)
        if self._room[0] < 0:
            raise MemoryError(f"more than {len(self._keys) * 7 // 8} positions of {self.game.spec}")
        return out

    def solve(self, state: State) -> tuple[int, int]:
        """(1, 0 or -1 for the side to move: win, draw or loss; plies to the end of a won game, 0 for a draw)."""
        found = int(self.values(state.record.copy())[0])
        return (found > 0) - (found < 0), AT_ONCE - abs(found) if found else 0
