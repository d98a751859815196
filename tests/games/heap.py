"""Three players take one to three stones from a heap; who takes the last one wins 1, the others lose a half each.

Who takes three takes again at once. Otherwise a coin falls: in one case of four the same player takes again, else the
next one does. So there are chance turns, whose two outcomes have known weights, and turns do not alternate.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import law_dtype
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import below

PARAMS = ("stones",)
NEXT, AGAIN = 0, 1  # the faces of the coin; the actions 0, 1, 2 of a player take 1, 2, 3 stones

STATE = law_dtype(
    "heap",
    __file__,
    [
        ("left", np.int32),  # stones
        ("turn", np.int32),  # the player who takes, or has just taken: 1, 2, 3
        ("coin", np.int32),  # 1 where the coin is in the air
        ("n", np.int32),
        ("moves", np.int8, (128,)),  # action, player << 2, coin << 4
    ],
)


@kernel
def init(s, params):
    s.left, s.turn, s.coin, s.n = params[0], 1, 0, 0
    s.moves[:] = 0


@kernel
def apply(s, a):
    s.moves[s.n] = a | s.turn << 2 | s.coin << 4
    s.n += 1
    if s.coin:
        s.turn = s.turn if a == AGAIN else s.turn % 3 + 1
        s.coin = 0
    else:
        s.left -= a + 1
        s.coin = 1 if s.left and a < 2 else 0


@kernel
def undo(s):
    s.n -= 1
    move = np.int64(s.moves[s.n])
    s.moves[s.n] = 0
    s.turn, s.coin = move >> 2 & 3, move >> 4
    if not s.coin:
        s.left += (move & 3) + 1


@kernel
def fault(s, a):
    if s.left == 0 or a < 0 or a > 2:
        return 1
    return 0 if a < (2 if s.coin else s.left) else 2


@kernel
def legal_mask(s, out):
    for a in range(3):
        out[a] = fault(s, a) == 0


@kernel
def observe(s, player, out):
    out[0, 0, 0], out[1, 0, 0] = s.left, (s.turn - player) % 3


# fmt: off
@kernel
def num_players(s): return 3
@kernel
def num_actions(s): return 3
@kernel
def observation_shape(s): return 2, 1, 1
@kernel
def to_move(s): return np.int64(0) if s.coin else np.int64(s.turn)
@kernel
def is_over(s): return s.left == 0
@kernel
def result(s): return np.int64(s.left == 0)
@kernel
def payoff(s, player): return 0.0 if s.left else (1.0 if player == s.turn else -0.5)
@kernel
def num_candidates(s): return np.int64(2) if s.coin else np.int64(3)
@kernel
def candidate_at(s, i): return np.int64(i)
@kernel
def is_legal(s, a): return fault(s, a) == 0
@kernel
def key(s): return np.uint64(s.left * 8 + s.turn * 2 + s.coin)
@kernel
def chance_draw(s, rng): return np.int64(AGAIN if below(rng, 4) == 0 else NEXT)
@kernel
def chance_weight(s, i): return 0.25 if i == AGAIN else 0.75
# fmt: on
