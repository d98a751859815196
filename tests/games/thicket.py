"""A two-player game of chance whose tree is random: players and chance in any order, given by hashing.

A position is a level and a word; the word of the next one is a hash of both and of what was played. ``width`` 0 makes a
tree, another number a web of so many positions a level, which are reached on many ways. Some actions and some outcomes
are struck out, some actions are twins (`alike`) that lead to the same position. ``chance`` and ``dead`` are percentages
of chance turns and of early ends; payoffs are multiples of ``1 / steps``. ``strict`` 1 lets the players alternate, with
one chance turn after each, as in most games with dice.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import law_dtype
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import uniform

PARAMS = ("seed", "levels", "width", "branch", "chance", "dead", "steps", "strict")
MAX_LEVELS, MAX_BRANCH = 24, 8
_A, _B, _C = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)
# What `part` is asked for, and below which number: typed, since it would be compiled anew for each number as such
KIDS, DEAD, KIND, PLAYER, WORTH, WORD, TWIN, BAN, SHARE, URGE = (
    np.int64(n) for n in (1, 2, 3, 4, 5, 9, 20, 40, 60, 80)
)
TWO, THREE, FOUR, FIVE, PERCENT = (np.int64(n) for n in (2, 3, 4, 5, 100))

STATE = law_dtype(
    "thicket",
    __file__,
    [
        ("word", np.uint64),
        ("past", np.uint64, (MAX_LEVELS,)),
        ("level", np.int32),
        ("kind", np.int32),  # 0 chance, 1, 2 the players, 3 the game is over
        ("kids", np.int32),
        ("levels", np.int32),
        ("width", np.int32),
        ("branch", np.int32),
        ("chance", np.int32),
        ("dead", np.int32),
        ("steps", np.int32),
        ("strict", np.int32),
    ],
)


@kernel
def mixed(word, more):
    """A hash of a word and a whole number."""
    z = word + _A * (np.uint64(more) + np.uint64(1))
    z = (z ^ (z >> _30)) * _B
    z = (z ^ (z >> _27)) * _C
    return z ^ (z >> _31)


@kernel
def part(word, what, n):
    """One of the facts that a word stands for: a whole number below ``n``."""
    return np.int64(mixed(word, 1000 + what) >> np.uint64(8)) % n


@kernel
def look(s):
    """What the position is, from its word and level."""
    s.kids = 1 + part(s.word, KIDS, np.int64(s.branch))
    if s.level == s.levels or (s.level > 0 and part(s.word, DEAD, PERCENT) < s.dead):
        s.kind, s.kids = 3, 0
    elif s.strict:
        s.kind = (s.level // 2) % 2 + 1 if s.level % 2 == 0 else 0
    else:
        s.kind = 0 if part(s.word, KIND, PERCENT) < s.chance else 1 + part(s.word, PLAYER, TWO)


@kernel
def init(s, params):
    s.levels, s.width, s.branch, s.chance = params[1], params[2], params[3], params[4]
    s.dead, s.steps, s.strict = params[5], params[6], params[7]
    s.past[:] = 0
    s.level = 0
    s.word = mixed(np.uint64(12345), params[0])
    look(s)


@kernel
def alike(s, a):
    return part(s.word, TWIN + a, THREE)


@kernel
def apply(s, a):
    twins = alike(s, a) if s.kind > 0 else np.int64(0)
    s.past[s.level] = s.word
    word = mixed(s.word, 100 + twins if twins > 0 else a)
    s.level += 1
    if s.width > 0:  # one of a few words of this level
        word = mixed(np.uint64(part(word, WORD, np.int64(s.width))), np.int64(s.level))
    s.word = word
    look(s)


@kernel
def undo(s):
    s.level -= 1
    s.word = s.past[s.level]
    s.past[s.level] = 0
    look(s)


@kernel
def fault(s, a):
    if a < 0 or a >= s.kids:
        return 1
    return 2 if a > 0 and part(s.word, BAN + a, PERCENT) < 20 else 0


@kernel
def legal_mask(s, out):
    for a in range(MAX_BRANCH):
        out[a] = fault(s, a) == 0


@kernel
def _share(s, a):
    return 1 + part(s.word, SHARE + a, FIVE) if fault(s, a) == 0 else 0


@kernel
def chance_weight(s, i):
    whole = 0
    for a in range(s.kids):
        whole += _share(s, a)
    return _share(s, i) / whole


@kernel
def chance_draw(s, rng):
    left = uniform(rng)
    for i in range(s.kids):
        left -= chance_weight(s, i)
        if left < 0:
            return np.int64(i)
    return np.int64(0)


@kernel
def payoff(s, player):
    if s.kind != 3:
        return 0.0
    worth = (part(s.word, WORTH, np.int64(2 * s.steps + 1)) - s.steps) / s.steps
    return worth if player == 1 else -worth


@kernel
def observe(s, player, out):
    out[0, 0, 0] = s.level


# fmt: off
@kernel
def num_players(s): return 2
@kernel
def num_actions(s): return MAX_BRANCH
@kernel
def observation_shape(s): return 1, 1, 1
@kernel
def to_move(s): return np.int64(s.kind % 3)
@kernel
def is_over(s): return s.kind == 3
@kernel
def result(s): return np.int64(s.kind == 3)
@kernel
def num_candidates(s): return np.int64(s.kids)
@kernel
def candidate_at(s, i): return np.int64(i)
@kernel
def is_legal(s, a): return fault(s, a) == 0
@kernel
def key(s): return mixed(s.word, np.int64(s.level))
@kernel
def urgency(s, a): return part(s.word, URGE + a, FOUR) * 1.0
# fmt: on
