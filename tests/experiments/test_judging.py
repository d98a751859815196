"""Shares with their intervals, and many positions put to an agent."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from narabe.agents import Analysis, make
from narabe.agents.agent import Agent
from narabe.envs import game
from narabe.experiments.judging import Share, choices


@pytest.mark.parametrize(("hits", "n"), [(1, 5), (50, 100), (2999, 3000)])
def test_the_interval_ends_where_so_many_hits_are_too_rare(hits, n):
    low, high = Share(hits, n).interval
    assert binom.sf(hits - 1, n, low) == pytest.approx(0.025)
    assert binom.cdf(hits, n, high) == pytest.approx(0.025)


def test_the_ends_and_nothing_at_all():
    assert Share(0, 7).interval[0] == 0.0
    assert Share(7, 7).interval == (pytest.approx(0.025 ** (1 / 7)), 1.0)
    assert Share(0, 0).interval == (0.0, 1.0)
    assert str(Share(0, 0)) == "-"
    assert Share(0, 0).to_dict()["share"] is None


class Counting(Agent):
    """Plays the lowest action, and notes what it was asked."""

    def __post_init__(self):
        self.begun, self.asked = [], []

    def new_game(self, seat, seed, slot=0):
        self.begun.append((seat, seed, slot))

    def choose(self, views, budget=None):
        self.asked.append([view.slot for view in views])
        return [Analysis.of(self.game, int(view.legal_actions()[0])) for view in views]


def test_positions_are_put_in_flights_and_each_is_a_game_of_its_own():
    three = game("gomoku", size=3, row=3)
    states = [three.start().play(0), three.start(), three.start().play(0).play(1)]
    agent = Counting(three)
    agent.__post_init__()
    assert choices(agent, states, flight=2).tolist() == [1, 0, 2]
    assert agent.asked == [[0, 1], [0]]
    assert [(seat, slot) for seat, _, slot in agent.begun] == [(1, 0), (0, 1), (0, 0)]
    assert len({seed for _, seed, _ in agent.begun}) == 3


def test_the_seed_settles_what_is_random_whatever_the_flight():
    nine = game("gomoku", size=9)
    states = [nine.start()] * 8
    found = choices(make("random", nine), states, seed=3)
    assert len(set(found.tolist())) > 1
    np.testing.assert_array_equal(found, choices(make("random", nine), states, seed=3, flight=3))
    assert found.tolist() != choices(make("random", nine), states, seed=4).tolist()
