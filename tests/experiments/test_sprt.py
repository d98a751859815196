"""The sequential test: its statistic against a general optimiser, its order, and how often it errs."""

import math
import random

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, minimize
from scipy.stats import binom

from narabe.experiments.sprt import SCORES, Sprt, Trial, expected_score, log_likelihood_ratio
from narabe.experiments.study_sprt import Openings, play
from narabe.experiments.tournament_args import TournamentError


def best_likelihood(counts, mean):
    """The greatest log-likelihood of the counts among distributions of this mean, found without the multiplier."""
    counts = np.array(counts, float)
    found = minimize(
        lambda p: -counts @ np.log(p) / counts.sum(),
        np.full(5, 0.2),
        jac=lambda p: -counts / p / counts.sum(),
        bounds=[(1e-9, 1)] * 5,
        constraints=[LinearConstraint(np.array([np.ones(5), SCORES]), [1, mean], [1, mean])],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert found.success
    return -found.fun * counts.sum()


@pytest.mark.parametrize("counts", [(5, 20, 40, 25, 10), (1, 1, 1, 1, 1), (2, 30, 60, 40, 9), (40, 9, 80, 11, 47)])
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 50), (-100, 20), (5, 200)])
def test_the_ratio_is_that_of_the_best_distributions(counts, elo0, elo1):
    best = [best_likelihood(counts, expected_score(elo)) for elo in (elo0, elo1)]
    assert log_likelihood_ratio(counts, elo0, elo1) == pytest.approx(best[1] - best[0], abs=2e-4)


def test_exchanging_the_agents_turns_the_ratio_round():
    counts = (3, 17, 30, 28, 11)
    assert log_likelihood_ratio(counts, 5, 60) == pytest.approx(-log_likelihood_ratio(counts[::-1], -60, -5), abs=1e-9)


@pytest.mark.parametrize("counts", [(0, 0, 0, 0, 10**6), (10**6, 0, 0, 0, 0), (0, 0, 10**6, 0, 0), (1, 0, 0, 0, 0)])
def test_scores_that_never_came_leave_the_ratio_finite(counts):
    for elo0, elo1 in ((0, 5), (-800, 800)):
        assert math.isfinite(log_likelihood_ratio(counts, elo0, elo1))


def test_bounds_are_walds():
    low, high = Sprt(0, 10, alpha=0.01, beta=0.2).bounds
    assert (math.exp(low), math.exp(high)) == pytest.approx((0.2 / 0.99, 0.8 / 0.01))


def match(seed, pairs):
    """The points of the first agent in each game of a match."""
    rng = random.Random(seed)
    return [rng.choice((0.0, 0.5, 1.0, 1.0)) for _ in range(2 * pairs)]


def test_pairs_are_judged_in_their_order_however_games_arrive():
    games = match(1, 200)
    trials = []
    for shuffled in range(5):
        trial, order = Trial(Sprt(0, 100)), list(range(len(games)))
        if shuffled:
            random.Random(shuffled).shuffle(order)
        for number in order:
            trial.game(number, games[number])
        trials.append((trial.verdict, trial.counts, trial.path))
    assert trials[0][0] == "H1"
    assert len(trials[0][2]) < 200
    assert all(trial == trials[0] for trial in trials)


def test_a_missing_game_holds_up_what_comes_after_it():
    trial = Trial(Sprt(0, 50))
    for number in range(100):
        if number != 5:
            trial.game(number, 1.0)
    assert (trial.pairs, trial.verdict, trial.counts_for_the_result(99)) == (2, None, True)
    trial.game(5, 1.0)
    assert (trial.pairs, trial.verdict) == (23, "H1")
    assert (trial.counts_for_the_result(45), trial.counts_for_the_result(46)) == (True, False)


@pytest.mark.parametrize(
    ("values", "words"),
    [((50, 0), "below elo1"), ((0, 0), "below elo1"), ((0, 50, 0.5), "alpha=0.5"), ((0, 50, 0.05, 0.0), "beta=0")],
)
def test_a_test_that_cannot_be_meant_is_refused(values, words):
    with pytest.raises(TournamentError, match=words):
        Sprt(*values)


@pytest.mark.parametrize(("elo", "wrong"), [(0.0, "H1"), (120.0, "H0")])
def test_it_errs_about_as_often_as_it_was_told_to(elo, wrong):
    """400 matches, with draws and with openings that favour a colour, so that the games of a pair hang together."""
    points = Openings(bias=250, draw=120).points(elo, (400, 1000), np.random.default_rng(7))
    trials = [play(Sprt(0, 120), row) for row in points]
    errors = sum(trial.verdict == wrong for trial in trials)
    assert all(trial.verdict for trial in trials)
    assert binom.ppf(0.001, 400, 0.05) <= errors <= binom.ppf(0.999, 400, 0.05)
    assert np.mean([trial.pairs for trial in trials]) < 60  # a fixed match of these error rates takes about 100


def test_games_taken_for_independent_would_mislead():
    """What pairs are for: with biased openings a pair's score spreads less than two games of a coin would."""
    points = Openings(bias=400, draw=0).points(0.0, (20_000,), np.random.default_rng(8))
    assert points.mean() == pytest.approx(1.0, abs=0.02)
    assert points.var() < 0.6 * 2 * 0.25
