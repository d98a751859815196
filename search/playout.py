"""Random playouts, written once against the generic law."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.choosing import random_action
from narabe.envs.rules.core import (
    CHANCE,
    advise,
    apply,
    candidate_at,
    chance_draw,
    has,
    is_legal,
    is_over,
    num_candidates,
    payoff,
    to_move,
)
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import below


@kernel
def playout(s, rng):
    """Play uniformly random legal actions, and chance by its law, until the game is over; returns the plies played."""
    plies = 0
    while not is_over(s):
        if has(s, "chance_draw") and to_move(s) == CHANCE:
            apply(s, np.int64(chance_draw(s, rng)))
        else:
            # the first draw is made here: a function that takes an array pays for counting a reference to it, which is
            # more than the draw costs
            a = np.int64(candidate_at(s, below(rng, num_candidates(s))))
            if not is_legal(s, a):
                a = np.int64(random_action(s, rng))
                if a < 0:  # a law that goes on without a legal action is at fault; do not write before the record
                    break
            apply(s, a)
        plies += 1
    return plies


@kernel
def advised_playout(s, pad, rng):
    """Play on as the law advises (``pad``: a record of `core.new_pads`) until the game is over; returns the plies played."""
    plies = 0
    while not is_over(s):
        if has(s, "chance_draw") and to_move(s) == CHANCE:
            apply(s, np.int64(chance_draw(s, rng)))
        else:
            apply(s, np.int64(advise(s, pad)))
        plies += 1
    return plies


@kernel
def playouts(states, count, rng, totals):
    """``count`` playouts from ``states[0]`` (``states[1]`` is scratch); adds each player's payoffs to ``totals``.

    ``totals``: float64, one entry a player. Returns the number of plies played.
    """
    plies = 0
    for _ in range(count):
        states[1] = states[0]
        s = states[1]
        plies += playout(s, rng)
        for player in range(totals.shape[0]):
            totals[player] += payoff(s, player + 1)
    return plies


def random_playouts(record: np.ndarray, num_players: int, count: int, rng: np.ndarray) -> tuple[np.ndarray, int]:
    """(mean payoff by seat, plies played) of ``count`` random playouts from ``record`` (array of one state).

    >>> from narabe.envs import game
    >>> from narabe.envs.rules.random import new_stream
    >>> means, plies = random_playouts(game("gomoku", size=5, row=4).start().record, 2, 1000, new_stream(1))
    >>> float(means.sum()), plies > 7000
    (0.0, True)
    """
    states = np.concatenate([record[:1], record[:1]])
    totals = np.zeros(num_players)
    plies = int(playouts(states.view(type(record)), count, rng, totals))
    return totals / count, plies
