"""Nim as a user's own law, written as ``docs/design.md`` tells and no longer than it has to be.

Three heaps; a move takes one to three stones from one heap (action = heap * 3 + stones - 1); who takes the last stone wins.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import law_dtype
from narabe.envs.rules.jit import kernel

PARAMS = ("first", "second", "third")
STATE = law_dtype(
    "nim",
    __file__,
    [("heaps", np.int32, (3,)), ("mover", np.int32), ("n_moves", np.int32), ("history", np.int8, (300,))],
)


@kernel
def init(s, params):
    for i in range(3):
        s.heaps[i] = params[i]
    for i in range(300):
        s.history[i] = 0
    s.mover, s.n_moves = 1, 0


@kernel
def num_players(s):
    return 2


@kernel
def num_actions(s):
    return 9


@kernel
def observation_shape(s):
    return 1, 1, 3


@kernel
def to_move(s):
    return np.int64(s.mover)


@kernel
def is_over(s):
    return s.heaps[0] + s.heaps[1] + s.heaps[2] == 0


@kernel
def result(s):
    return 1 if is_over(s) else 0


@kernel
def payoff(s, player):
    return 0.0 if not is_over(s) else (-1.0 if player == s.mover else 1.0)


@kernel
def apply(s, a):
    s.heaps[a // 3] -= a % 3 + 1
    s.history[s.n_moves] = a
    s.n_moves += 1
    s.mover = 3 - s.mover


@kernel
def undo(s):
    s.n_moves -= 1
    a = s.history[s.n_moves]
    s.history[s.n_moves] = 0
    s.heaps[a // 3] += a % 3 + 1
    s.mover = 3 - s.mover


@kernel
def num_candidates(s):
    return 9


@kernel
def candidate_at(s, i):
    return np.int64(i)


@kernel
def fault(s, a):
    return 0 if 0 <= a < 9 and s.heaps[a // 3] > a % 3 else 1


@kernel
def is_legal(s, a):
    return fault(s, a) == 0


@kernel
def legal_mask(s, out):
    for a in range(9):
        out[a] = is_legal(s, a)


@kernel
def observe(s, player, out):
    for i in range(3):
        out[0, 0, i] = s.heaps[i]


@kernel
def key(s):
    k = np.uint64(s.mover)
    for i in range(3):
        k = k * np.uint64(1009) + np.uint64(s.heaps[i])
    return k
