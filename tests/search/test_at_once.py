"""Wins with one action: with the law's hint and without it the same is found, in all positions of random games."""

from __future__ import annotations

import numpy as np
import pytest

from narabe.envs import Game
from narabe.envs.rules.choosing import random_action
from narabe.envs.rules.core import (
    CHANCE,
    apply,
    candidate_at,
    chance_draw,
    has,
    is_legal,
    is_over,
    num_candidates,
    payoff,
    to_move,
    undo,
)
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import new_stream
from narabe.search.at_once import wins_at_once

GAMES = {
    "gomoku": Game("gomoku", size=6),
    "freestyle": Game("freestyle", size=5, row=4),
    "omok": Game("omok", size=6),
    "renju": Game("renju", size=6, row=4),
    "capture_gomoku": Game("capture_gomoku", size=6),
    "gomocku": Game("gomocku", size=9),
    "connect_four": Game("connect_four"),
    "stacking": Game("stacking"),
    "claims": Game("stacking_claim"),
}


@kernel
def plainly(s, player, least):
    best = np.int64(-1)
    for i in range(num_candidates(s)):
        a = np.int64(candidate_at(s, i))
        if is_legal(s, a):
            apply(s, a)
            if is_over(s) and payoff(s, player) > 0 and payoff(s, player) >= least and (best < 0 or a < best):
                best = a
            undo(s)
    return best


@kernel
def compare(states, games, rng, counts):
    """Random games from ``states[0]``; counts positions, those with a win, and differences."""
    for _ in range(games):
        states[1] = states[0]
        s = states[1]
        while not is_over(s):
            if to_move(s) == CHANCE:
                if has(s, "chance_draw"):
                    apply(s, np.int64(chance_draw(s, rng)))
                continue
            player = np.int64(to_move(s))
            for least in (0.0, 1.0):
                expected = plainly(s, player, least)
                counts[0] += 1
                counts[1] += expected >= 0
                counts[2] += expected != wins_at_once(s, player, least)
            apply(s, np.int64(random_action(s, rng)))


@pytest.mark.parametrize("name", GAMES)
def test_the_hint_of_the_law_hides_no_win(name: str) -> None:
    states = np.repeat(GAMES[name].start(chance="manual").record, 2)
    counts = np.zeros(3, np.int64)
    compare(states, 60, new_stream(1), counts)
    positions, wins, differences = counts
    assert positions > 500
    assert wins > 20
    assert differences == 0
