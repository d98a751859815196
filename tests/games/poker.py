"""Poker with one card each and no drawing (Kuhn's, with any number of cards): cards are hidden until the end.

Both pay 1. A player passes (0) or bets 1 (1); a bet is answered by folding (0) or calling (1). The higher card wins.
Payoffs are halved to stay within [-1, 1]. Chance deals the pair of cards ``first * cards + second``.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import law_dtype
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import below

PARAMS = ("cards",)
PASS, BET = 0, 1
FOLDED, SHOWN = 1, 2

STATE = law_dtype(
    "poker",
    __file__,
    [
        ("cards", np.int32),
        ("hand", np.int32, (2,)),  # -1 before the deal
        ("bets", np.int32, (3,)),  # what was played, -1 for what was not yet
        ("n", np.int32),  # how much of it
    ],
)


@kernel
def init(s, params):
    s.cards, s.n = params[0], -1
    s.hand[:], s.bets[:] = -1, -1


@kernel
def result(s):
    """FOLDED, SHOWN, or 0 while the game goes on."""
    if s.n < 2:
        return 0
    if s.bets[s.n - 1] == s.bets[s.n - 2]:
        return SHOWN
    return FOLDED if s.bets[s.n - 1] == PASS else 0


@kernel
def payoff(s, player):
    if result(s) == FOLDED:
        winner = (s.n - 2) % 2 + 1  # the one who bet
    else:
        winner = 1 if s.hand[0] > s.hand[1] else 2
    pot = 1.0 if result(s) == SHOWN and s.bets[s.n - 1] == BET else 0.5
    return pot if winner == player else -pot


@kernel
def apply(s, a):
    if s.n < 0:
        s.hand[0], s.hand[1] = a // s.cards, a % s.cards
    else:
        s.bets[s.n] = a
    s.n += 1


@kernel
def undo(s):
    s.n -= 1
    if s.n < 0:
        s.hand[:] = -1
    else:
        s.bets[s.n] = -1


@kernel
def fault(s, a):
    if result(s) != 0 or a < 0 or a >= num_candidates(s):
        return 1
    return 1 if s.n < 0 and a // s.cards == a % s.cards else 0


@kernel
def legal_mask(s, out):
    for a in range(2):
        out[a] = fault(s, a) == 0


@kernel
def chance_draw(s, rng):
    first, other = below(rng, s.cards), below(rng, s.cards - 1)
    return first * s.cards + (other if other < first else other + 1)


@kernel
def chance_weight(s, i):
    return 1.0 / (s.cards * (s.cards - 1)) if i // s.cards != i % s.cards else 0.0


@kernel
def observe(s, player, out):
    """One's own card, what was played, and at the end the other's card."""
    out[:] = 0
    if s.n >= 0:
        out[0, 0, s.hand[player - 1]] = 1
        if result(s) == SHOWN:
            out[2, 0, s.hand[2 - player]] = 1
    for i in range(3):
        out[1, 0, i] = s.bets[i] + 1


@kernel
def seen_action(s, a, player):
    """Of the deal a player sees the own card."""
    return np.int64(a) if s.n >= 0 else np.int64(a // s.cards if player == 1 else a % s.cards)


@kernel
def redeal(s, player, rng):
    if s.n >= 0 and result(s) != SHOWN:
        own, other = s.hand[player - 1], below(rng, s.cards - 1)
        s.hand[2 - player] = other if other < own else other + 1


@kernel
def info_key(s, player):
    k = np.uint64(s.hand[player - 1] + 1)
    for i in range(3):
        k = k * np.uint64(3) + np.uint64(s.bets[i] + 1)
    return k


# fmt: off
@kernel
def num_players(s): return 2
@kernel
def num_actions(s): return 2
@kernel
def observation_shape(s): return 3, 1, np.int64(s.cards)
@kernel
def to_move(s): return np.int64(0) if s.n < 0 else np.int64(s.n % 2 + 1)
@kernel
def is_over(s): return result(s) != 0
@kernel
def num_candidates(s): return np.int64(2) if s.n >= 0 else np.int64(s.cards * s.cards)
@kernel
def candidate_at(s, i): return np.int64(i)
@kernel
def is_legal(s, a): return fault(s, a) == 0
@kernel
def key(s): return info_key(s, 1) * np.uint64(1024) + np.uint64(s.hand[1] + 1)
# fmt: on
