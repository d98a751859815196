"""The shared names as calls from Python on ``(states, i)``: an array of records and an index.

Passing an array and an index costs 0.4 us a call, passing a single record 2 us.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel


def init(states, i, params):
    """Start state ``i`` afresh. A game is begun once and copied from then on, so this runs uncompiled."""
    s = states.view(np.recarray)[i]
    with np.errstate(over="ignore"):
        core.plain(core.law_of(states.dtype).init)(s, params)


def sizes(states, i):
    """(num_players, num_actions, number of symmetries, shape of the observation), asked once a game and uncompiled."""
    law, s = core.law_of(states.dtype), states.view(np.recarray)[i]
    symmetries = core.plain(law.num_symmetries)(s) if hasattr(law, "num_symmetries") else 1
    shape = core.plain(law.observation_shape)(s)
    return int(core.plain(law.num_players)(s)), int(core.plain(law.num_actions)(s)), int(symmetries), *map(int, shape)


def teams(states, i, players):
    """The seats of each team, in order of their first seats; uncompiled, since it is asked once a game."""
    law, s = core.law_of(states.dtype), states.view(np.recarray)[i]
    found = {}
    for seat in range(players):
        number = int(core.plain(law.team)(s, seat + 1)) if hasattr(law, "team") else seat
        found.setdefault(number, []).append(seat)
    return tuple(tuple(seats) for seats in found.values())


@kernel
def facts(states, i):
    """(to_move, is_over, result) of state ``i``."""
    s = states[i]
    return np.int64(core.to_move(s)), core.is_over(s), np.int64(core.result(s))


@kernel
def apply(states, i, a):
    core.apply(states[i], a)


@kernel
def undo(states, i):
    core.undo(states[i])


@kernel
def fault(states, i, a):
    return np.int64(core.fault(states[i], a))


@kernel
def legal_mask(states, i, out):
    core.legal_mask(states[i], out)


@kernel
def payoffs(states, i, out):
    """Write each player's payoff into ``out`` (float64)."""
    for player in range(out.shape[0]):
        out[player] = core.payoff(states[i], player + 1)


@kernel
def observe(states, i, player, out):
    core.observe(states[i], player, out)


@kernel
def key(states, i):
    return core.key(states[i])


@kernel
def key_from_scratch(states, i):
    return core.key_from_scratch(states[i])


@kernel
def canonical_key(states, i):
    return core.canonical_key(states[i])


@kernel
def symmetry(states, i, a, k):
    return np.int64(core.symmetry(states[i], a, k))


@kernel
def chance_draw(states, i, rng):
    return np.int64(core.chance_draw(states[i], rng))


@kernel
def seen_action(states, i, a, player):
    return np.int64(core.seen_action(states[i], a, player))


@kernel
def redeal(states, i, player, rng):
    core.redeal(states[i], player, rng)


@kernel
def candidates(states, i, out):
    """Write the candidates of state ``i`` into ``out`` (int64); returns how many there are."""
    s = states[i]
    n = core.num_candidates(s)
    for j in range(min(n, out.shape[0])):
        out[j] = core.candidate_at(s, j)
    return np.int64(n)
