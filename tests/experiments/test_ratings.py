"""Ratings against an independent implementation, against known truths, and against the meaning of an interval."""

import choix
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from narabe.experiments.ratings import ELO, Pair, fit
from narabe.experiments.study_sprt import Openings

POINTS = np.array([[0, 7, 9.5, 10], [3, 0, 6.5, 8], [0.5, 3.5, 0, 5.5], [0, 2, 4.5, 0]])


def simulate(rng, elo, games):
    """Points of `games` games a pair between agents of these ratings, without draws."""
    points = np.zeros((len(elo), len(elo)))
    for i in range(len(elo)):
        for j in range(i):
            points[i, j] = rng.binomial(games, 1 / (1 + 10 ** ((elo[j] - elo[i]) / 400)))
            points[j, i] = games - points[i, j]
    return points


@pytest.mark.parametrize("prior", [0.01, 0.3])
def test_agrees_with_choix(prior):
    # A draw is half a win: decisive games enter twice and draws once each way, which doubles the weight of the games,
    # so that of the prior is doubled too.
    pairs = [(i, j) for i in range(4) for j in range(4) for _ in range(int(2 * POINTS[i, j]))]
    theirs = choix.opt_pairwise(4, pairs, alpha=2 * prior, method="Newton-CG", tol=1e-12)
    assert fit(POINTS, prior).elo / ELO == pytest.approx(theirs - theirs.mean(), abs=1e-6)


def test_ratings_have_mean_zero_and_follow_their_agents():
    ratings = fit(POINTS)
    assert ratings.elo.sum() == pytest.approx(0, abs=1e-9)
    assert ratings.covariance.sum(axis=1) == pytest.approx(np.zeros(4), abs=1e-6)
    order = [2, 0, 3, 1]
    moved = fit(POINTS[np.ix_(order, order)])
    assert moved.elo == pytest.approx(ratings.elo[order], abs=1e-6)
    assert moved.margin == pytest.approx(ratings.margin[order], abs=1e-6)


def test_exchanging_wins_and_losses_turns_the_ratings_round():
    assert fit(POINTS.T).elo == pytest.approx(-fit(POINTS).elo, abs=1e-6)


def test_the_interval_of_two_agents_is_that_of_their_logit():
    # With p = 1/2 and n games the difference has information n / 4, and each rating is half the difference.
    n = 4000
    margin = fit([[0, n / 2], [n / 2, 0]], prior=1e-9).margin
    assert margin == pytest.approx(1.959964 * ELO * np.sqrt(4 / n) / 2, rel=1e-5)


def test_a_perfect_score_is_finite_and_more_games_raise_it():
    few, many = fit([[0, 10], [0, 0]]), fit([[0, 1000], [0, 0]])
    assert 0 < few.elo[0] < many.elo[0] < 1500
    assert np.isfinite(many.margin).all()


@given(arrays(np.float64, (4, 4), elements=st.integers(0, 400).map(lambda half: half / 2)))
@example(np.array([[0, 0, 0, 0], [20, 0, 19, 0], [20, 0, 0, 0], [0, 0, 0, 0.0]]))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_any_points_have_finite_ratings_at_the_maximum(points):
    np.fill_diagonal(points, 0)
    ratings, prior = fit(points), 0.01
    assert np.isfinite(ratings.margin).all()
    assert ratings.margin.min() > 5
    r = ratings.elo / ELO
    expected = (points + points.T) / (1 + np.exp(r[None, :] - r[:, None]))
    assert points.sum(axis=1) - expected.sum(axis=1) == pytest.approx(2 * prior * r, abs=1e-6)


def test_no_games_say_nothing():
    ratings = fit(np.zeros((3, 3)))
    assert ratings.elo == pytest.approx(np.zeros(3), abs=1e-9)
    assert ratings.margin.min() > 1000


def test_intervals_hold_the_truth_as_often_as_they_claim():
    rng = np.random.default_rng(20)
    truth = np.array([150.0, 40.0, -60.0, -130.0])
    held = []
    for _ in range(400):
        ratings = fit(simulate(rng, truth, games=60))
        held.append(np.abs(ratings.elo - truth) <= ratings.margin)
    assert np.mean(held) == pytest.approx(0.95, abs=0.02)


@pytest.mark.parametrize("points", [[[0, 1]], [1, 2], [[0, -1], [1, 0]], [[0, np.nan], [1, 0]]])
def test_what_is_no_table_of_points_is_refused(points):
    with pytest.raises(ValueError, match="square array"):
        fit(points)


def test_a_prior_of_zero_is_refused():
    with pytest.raises(ValueError, match="prior"):
        fit(POINTS, prior=0.0)


# ---- superiority, and intervals by pairs ----


def test_superiority_is_the_chance_that_the_difference_is_above_zero():
    ratings = fit(POINTS)
    draws = np.random.default_rng(3).multivariate_normal(ratings.elo, ratings.covariance, 200_000)
    above = (draws[:, :, None] > draws[:, None, :]).mean(0)
    np.fill_diagonal(above, 0.5)
    assert ratings.superiority() == pytest.approx(above, abs=0.005)


def paired(rng, elo, bias, draw, count):
    """Points and pairs of matches of `count` pairs, from openings that favour a colour, with draws."""
    points, pairs = np.zeros((len(elo),) * 2), []
    for i in range(len(elo)):
        for j in range(i + 1, len(elo)):
            model = Openings(bias, draw)
            for k, score in enumerate(model.points(elo[i] - elo[j], (count,), rng)):
                points[i, j] += score
                points[j, i] += 2 - score
                pairs.append(Pair(k, i, j, float(score)))
    return points, pairs


@pytest.mark.parametrize(("bias", "draw"), [(0, 0), (300, 0), (0, 200)])
def test_intervals_by_pairs_hold_the_truth_as_often_as_they_claim(bias, draw):
    rng, held, width = np.random.default_rng(21), [], []
    for _ in range(300):
        points, pairs = paired(rng, (50.0, -50.0), bias, draw, 30)
        by_pairs = fit(points, pairs=pairs)
        held.append(abs(by_pairs.elo[0] - 50) <= by_pairs.margin[0])
        width.append(by_pairs.margin[0] / fit(points).margin[0])
    assert 0.92 <= np.mean(held) <= 0.98
    assert np.mean(width) < 0.85 if bias or draw else np.mean(width) == pytest.approx(1, abs=0.05)


def test_pairs_change_the_intervals_and_not_the_ratings():
    points, pairs = paired(np.random.default_rng(4), (80.0, 0.0, -80.0), 200, 50, 12)
    by_games, by_pairs = fit(points), fit(points, pairs=pairs)
    assert (by_games.elo == by_pairs.elo).all()
    assert by_pairs.covariance.sum(axis=1) == pytest.approx(np.zeros(3), abs=1e-6)
    assert fit(points, pairs=[]).margin == pytest.approx(by_games.margin, rel=1e-4)  # no pair is complete


def test_a_perfect_score_of_pairs_is_not_known_exactly():
    pairs = [Pair(k, 0, 1, 2.0) for k in range(10)]
    assert fit([[0, 20], [0, 0]], pairs=pairs).margin[0] > 0.8 * fit([[0, 20], [0, 0]]).margin[0]
