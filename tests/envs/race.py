"""A small law with what the line games lack: chance turns, three seats, turns that do not alternate, no picture.

Chance throws a die of 1 to 3 before each move. The mover banks it (action 0), or with a 3 may instead set the next seat
back by two (action 1). A 2 gives the mover another turn. Who first has ``target`` points wins 1, the others lose a half
each. Before the first throw, chance tosses for the whole game: one time in four it is called off at once, a draw.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import law_dtype
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import below

PARAMS = ("target",)
WON, CALLED_OFF = 1, 2
MOVES = 512

STATE = law_dtype(
    "race",
    __file__,
    [
        ("points", np.int32, (3,)),
        ("target", np.int32),
        ("turn", np.int32),  # the seat whose turn it is
        ("die", np.int32),  # -1 before the toss, 0 before a throw
        ("result", np.int32),
        ("winner", np.int32),
        ("moves", np.int8, (MOVES,)),
        ("n", np.int32),
    ],
)


@kernel
def init(s, params):
    s.target = params[0] if params[0] > 0 else 9
    s.points[:], s.moves[:] = 0, 0
    s.turn, s.die, s.result, s.winner, s.n = 0, -1, 0, 0, 0


@kernel
def num_players(s):
    return 3


@kernel
def num_actions(s):
    return 2


@kernel
def observation_shape(s):
    return 2, 1, 3


@kernel
def to_move(s):
    return np.int64(0) if s.die <= 0 else np.int64(s.turn) + 1


@kernel
def is_over(s):
    return s.result != 0


@kernel
def result(s):
    return np.int64(s.result)


@kernel
def payoff(s, player):
    if s.winner == 0:
        return 0.0
    return 1.0 if s.winner == player else -0.5


@kernel
def apply(s, a):
    s.moves[s.n] = a
    s.n += 1
    follow(s, a)


@kernel
def follow(s, a):
    if s.die < 0:
        s.die = 0
        s.result = CALLED_OFF if a == 0 else 0
    elif s.die == 0:
        s.die = a + 1
    else:
        nxt = (s.turn + 1) % 3
        if a == 0:
            s.points[s.turn] += s.die
        else:
            s.points[nxt] = s.points[nxt] - 2 if s.points[nxt] > 2 else 0
        if s.points[s.turn] >= s.target:
            s.result, s.winner = WON, s.turn + 1
        if s.die != 2:
            s.turn = nxt
        s.die = 0


@kernel
def undo(s):
    n = s.n - 1
    s.points[:] = 0
    s.turn, s.die, s.result, s.winner = 0, -1, 0, 0
    for i in range(n):
        follow(s, np.int64(s.moves[i]))
    s.n = n
    s.moves[n] = 0


@kernel
def num_candidates(s):
    return np.int64(2 if s.die > 0 else 3 if s.die == 0 else 4)  # the outcomes, on a chance turn


@kernel
def candidate_at(s, i):
    return np.int64(i)


@kernel
def fault(s, a):
    if s.result != 0:
        return 1
    if s.die <= 0:
        return 0 if 0 <= a < (4 if s.die < 0 else 3) else 2
    return 0 if a == 0 or (a == 1 and s.die == 3) else 2


@kernel
def is_legal(s, a):
    return fault(s, a) == 0


@kernel
def legal_mask(s, out):
    for a in range(2):
        out[a] = 1 if fault(s, a) == 0 else 0


@kernel
def observe(s, player, out):
    for i in range(3):
        out[0, 0, i] = s.points[(player - 1 + i) % 3]
        out[1, 0, i] = s.die if (player - 1 + i) % 3 == s.turn else 0


@kernel
def key(s):
    k = np.uint64(s.turn + 3 * (s.die + 1) + 12 * s.result)
    for i in range(3):
        k = k * np.uint64(101) + np.uint64(s.points[i])
    return k


@kernel
def chance_draw(s, rng):
    return below(rng, 4) if s.die < 0 else below(rng, 3)
