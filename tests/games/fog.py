"""A two-player game of chance and hidden moves whose tree is random, given by hashing.

Who moves on a level is known to all. Of an action or outcome each player sees, by level, everything, only whether its
number is odd, or nothing; the own actions always. What a player has seen is a word, and the number of legal actions
hangs on the mover's word. Weights, early ends (``dead`` in a hundred) and payoffs hang on everything. Candidates come in
an order that tells of what is hidden.

``flaw`` makes it no game to be solved: 1 a player forgets its own actions, 2 the number of actions hangs on what is
hidden, 3 payoffs do not sum to zero, 4 nor do the weights of chance to one, 5 a player may be stuck.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import law_dtype
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import below
from narabe.tests.games import thicket
from narabe.tests.games.thicket import mixed, part

PARAMS = ("seed", "levels", "branch", "dead", "flaw")
MAX_LEVELS, MAX_BRANCH = 12, 4
FORGETS, UNEQUAL, GENEROUS, LOPSIDED, STUCK = 1, 2, 3, 4, 5

STATE = law_dtype(
    "fog",
    [__file__, thicket.__file__],
    [
        ("seed", np.uint64),
        ("words", np.uint64, (MAX_LEVELS + 1, 3)),  # by level: the truth, what either player has seen
        ("level", np.int32),
        ("levels", np.int32),
        ("branch", np.int32),
        ("dead", np.int32),
        ("flaw", np.int32),
    ],
)


@kernel
def init(s, params):
    s.levels, s.branch, s.dead, s.flaw, s.level = params[1], params[2], params[3], params[4], 0
    s.seed = mixed(np.uint64(54321), params[0])
    s.words[:] = 0
    for i in range(3):
        s.words[0, i] = mixed(s.seed, i)


@kernel
def is_over(s):
    return s.level == s.levels or (s.level > 2 and part(s.words[s.level, 0], 1, 100) < s.dead)


@kernel
def to_move(s):
    return np.int64(0) if s.level == 0 else part(s.seed, 10 + s.level, 5) % 3


@kernel
def num_candidates(s):
    word = s.words[s.level, 0 if s.flaw == UNEQUAL else to_move(s)]
    return np.int64(1 + part(word, 3, s.branch))


@kernel
def candidate_at(s, i):
    n = num_candidates(s)
    return np.int64((i + part(s.words[s.level, 0], 4, n)) % n)


@kernel
def fault(s, a):
    if is_over(s) or a < 0 or a >= num_candidates(s):
        return 1
    if s.flaw == STUCK and s.level == 3:
        return 2
    return 2 if a > 0 and part(s.words[s.level, to_move(s)], 40 + a, 100) < 20 else 0


@kernel
def seen_action(s, a, player):
    if player == to_move(s):
        return np.int64(-1) if s.flaw == FORGETS else np.int64(a)
    sight = part(s.seed, 100 + 2 * s.level + player, 3)
    return np.int64(a) if sight == 2 else (np.int64(a & 1) if sight == 1 else np.int64(-1))


@kernel
def apply(s, a):
    now = s.words[s.level]
    after = s.words[s.level + 1]
    after[0] = mixed(now[0], np.int64(a))
    for player in range(1, 3):
        after[player] = mixed(now[player], seen_action(s, a, player) + 7)
    s.level += 1


@kernel
def undo(s):
    s.words[s.level] = 0
    s.level -= 1


@kernel
def legal_mask(s, out):
    for a in range(MAX_BRANCH):
        out[a] = fault(s, a) == 0


@kernel
def _share(s, a):
    return 1 + part(s.words[s.level, 0], 60 + a, 5) if fault(s, a) == 0 else 0


@kernel
def chance_weight(s, i):
    whole = 0
    for a in range(num_candidates(s)):
        whole += _share(s, a)
    return _share(s, candidate_at(s, i)) / (whole + 1 if s.flaw == LOPSIDED else whole)


@kernel
def chance_draw(s, rng):
    while True:
        a = below(rng, num_candidates(s))
        if fault(s, a) == 0 and below(rng, 5) < _share(s, a):
            return a


@kernel
def payoff(s, player):
    worth = (part(s.words[s.level, 0], 5, 41) - 20) / 20
    return worth if player == 1 else (0.5 - worth if s.flaw == GENEROUS else -worth)


@kernel
def redeal(s, player, rng):
    """Nothing: what these tests measure looks at one position only to tell its information set."""


# fmt: off
@kernel
def num_players(s): return 2
@kernel
def num_actions(s): return MAX_BRANCH
@kernel
def observation_shape(s): return 1, 1, 1
@kernel
def result(s): return np.int64(is_over(s))
@kernel
def is_legal(s, a): return fault(s, a) == 0
@kernel
def observe(s, player, out): out[0, 0, 0] = s.level
@kernel
def key(s): return s.words[s.level, 0]
@kernel
def info_key(s, player): return s.words[s.level, player]
# fmt: on
