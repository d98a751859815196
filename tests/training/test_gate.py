"""Matches of two networks: both sides of every opening, points for the right one, a score with its interval."""

from __future__ import annotations

import numpy as np
import pytest

from narabe.envs import game
from narabe.experiments import openings
from narabe.experiments.training.args import TrainArgs
from narabe.experiments.training.gate import Score, play_match

ARGS = TrainArgs(gate_sims=8)


def uniform(observations: np.ndarray, masks: np.ndarray, players: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.zeros(masks.shape, np.float32), np.zeros((len(masks), 2), np.float32)


def to_the_left(observations: np.ndarray, masks: np.ndarray, players: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Is sure of the leftmost columns, so that four discs come to lie upon each other."""
    logits = np.tile(-20.0 * np.arange(masks.shape[1], dtype=np.float32), (len(masks), 1))
    return logits, np.zeros((len(masks), 2), np.float32)


@pytest.mark.parametrize("search", ["gumbel", "puct"])
@pytest.mark.parametrize("spec", ["connect_four", "gomocku:size=7"])
def test_points_change_sides_with_the_networks(spec: str, search: str) -> None:
    g = game(spec)
    args = TrainArgs(gate_sims=8, search=search)  # type: ignore[arg-type]
    starts = openings.draw(g, 6, 2, 1)
    ours = play_match(g, (uniform, to_the_left), starts, args, np.random.SeedSequence(1))
    theirs = play_match(g, (to_the_left, uniform), starts, args, np.random.SeedSequence(1))
    # game 2k of the one is game 2k + 1 of the other: the same moves, and the points of the other side
    assert np.array_equal(ours.reshape(6, 2), 1 - theirs.reshape(6, 2)[:, ::-1])
    assert set(np.unique(ours)) <= {0, 0.5, 1}
    assert np.array_equal(ours, play_match(g, (uniform, to_the_left), starts, args, np.random.SeedSequence(1)))


def test_a_network_is_as_good_as_itself() -> None:
    g = game("connect_four")
    points = play_match(g, (uniform, uniform), openings.draw(g, 10, 3, 2), ARGS, np.random.SeedSequence(1))
    assert np.array_equal(points.reshape(10, 2).sum(1), np.ones(10))  # the same game twice, from either side


def test_scores() -> None:
    even = Score(100, 50)
    assert even.share == 0.5 and even.elo == 0 and not even.lost
    low, high = even.interval
    assert low == pytest.approx(0.4038, abs=1e-3) and high == pytest.approx(0.5962, abs=1e-3)  # Wilson's
    assert Score(64, 48).elo == pytest.approx(190.8, abs=4)
    assert Score(64, 64).interval[1] == pytest.approx(1) and Score(64, 64).elo < 1000
    assert [Score(64, points).lost for points in (23, 24, 25, 32, 40)] == [True, True, False, False, False]
    assert str(Score(64, 40)) == "62 % (50 to 73), Elo +87"
