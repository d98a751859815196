"""Ratings of agents from the points they scored against each other.

The model is Bradley and Terry's (Biometrika 39, 1952): agent i scores against j with probability
1 / (1 + exp(-(r_i - r_j))), and a draw counts as half a win and half a loss. Ratings maximise the likelihood plus a
weak Gaussian prior exp(-PRIOR * r_i**2) on each of them (standard deviation 7 in natural units, 1228 Elo), the same
penalty as `alpha` in the package choix. Without it an agent that won all its games would have no finite rating
(Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32, 2004).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

PRIOR = 0.01
"""Weight of the squared ratings (natural units) in the penalised likelihood."""

ELO = 400.0 / np.log(10.0)
"""Elo points in one natural unit: 400 points are odds of ten to one."""

SMOOTHING = 2.0
"""Pairs of games, as spread as the model has them, that are added to those of two agents before their spread is looked at:
without them a perfect score would seem to be known exactly."""

NORMAL_95 = 1.959963984540054
"""Half the width of the central 95 % of the normal distribution, in standard deviations."""


class Pair(NamedTuple):
    """Two games from one opening: agent number ``i`` scored ``points`` of 2 against ``j``."""

    opening: int
    i: int
    j: int
    points: float


@dataclass(frozen=True)
class Ratings:
    """Ratings in Elo points.

    Attributes:
        elo: rating of each agent; their mean is 0.
        margin: half the width of each 95 % interval.
        covariance: of the ratings, in squared Elo points; its rows sum to 0 as the ratings do.
    """

    elo: NDArray[np.float64]
    margin: NDArray[np.float64]
    covariance: NDArray[np.float64]

    def difference(self, i: int, j: int) -> tuple[float, float]:
        """How far agent i is above j, in Elo points, and half the width of its 95 % interval."""
        c = self.covariance
        return float(self.elo[i] - self.elo[j]), NORMAL_95 * float(np.sqrt(c[i, i] + c[j, j] - 2 * c[i, j]))

    def superiority(self) -> NDArray[np.float64]:
        """The likelihood of superiority (LOS), float64 (agents, agents): how probable it is that i is stronger than j.

        From the normal distribution of the ratings' difference; 1/2 on the diagonal.

        >>> fit([[0, 12], [8, 0]]).superiority().round(2)
        array([[0.5 , 0.81],
               [0.19, 0.5 ]])
        """
        from scipy.special import ndtr

        variance = np.diag(self.covariance)
        spread = variance[:, None] + variance[None, :] - 2 * self.covariance
        np.fill_diagonal(spread, 1.0)
        return ndtr((self.elo[:, None] - self.elo[None, :]) / np.sqrt(spread))


def fit(points: ArrayLike, prior: float = PRIOR, pairs: Sequence[Pair] | None = None) -> Ratings:
    """Ratings from `points`, where points[i, j] is what i scored in all games against j (1 a win, 1/2 a draw).

    Intervals come from the observed Fisher information, prior included, restricted to ratings of mean 0: with only
    differences known, an agent's interval is that of its distance from the mean. Draws make the true spread smaller
    than the model's, so with many draws the intervals are wider than they need be. Games are taken as independent.

    With ``pairs``, the complete ones among the games, the intervals come from the scores of pairs instead: the covariance
    is that of Huber and White with a pair as the unit, A^-1 B A^-1 with A the information above, and in B the spread of
    the pairs' scores about what the ratings expect (Liang and Zeger, Biometrika 73, 1986). This holds whatever
    an opening does to its two games, and takes in draws. A few pairs say little about their spread, so for each two agents
    it is mixed with `SMOOTHING` pairs that spread as the model has it.

    Raises `ValueError` if `points` is not a square array of numbers from 0 up, or `prior` is not above 0.

    >>> fit([[0, 10], [0, 0]]).elo.round()
    array([ 456., -456.])
    """
    from scipy.optimize import minimize
    from scipy.special import expit, log_expit

    points = np.array(points, dtype=np.float64)
    if points.ndim != 2 or points.shape[0] != points.shape[1] or not (points >= 0).all():
        raise ValueError("points must be a square array of numbers from 0 up")
    if not prior > 0:
        raise ValueError("the prior must be above 0")
    np.fill_diagonal(points, 0.0)
    games = points + points.T
    count = len(points)

    def loss(r):
        return prior * (r @ r) - np.sum(points * log_expit(r[:, None] - r[None, :]))

    def gradient(r):
        expected = games * expit(r[:, None] - r[None, :])
        return 2 * prior * r + (expected - points).sum(axis=1)

    def information(r):
        p = expit(r[:, None] - r[None, :])
        weight = games * p * (1 - p)
        return np.diag(weight.sum(axis=1) + 2 * prior) - weight

    best = minimize(
        loss, np.zeros(count), jac=gradient, hess=information, method="trust-exact", options={"gtol": 1e-10}
    ).x
    best -= np.linalg.solve(information(best), gradient(best))  # a last step, past what the loss can tell apart
    mean = np.full((count, count), 1.0 / count)  # projects on equal ratings; the rest is what games tell of
    centre = np.eye(count) - mean
    covariance = np.linalg.inv(centre @ information(best) @ centre + mean) - mean  # the pseudo-inverse
    if pairs is not None:
        covariance = covariance @ _spread(points, best, prior, pairs) @ covariance
    covariance *= ELO**2
    margin = NORMAL_95 * np.sqrt(np.diag(covariance))
    return Ratings((best - best.mean()) * ELO, margin, covariance)


def _spread(
    points: NDArray[np.float64], r: NDArray[np.float64], prior: float, pairs: Sequence[Pair]
) -> NDArray[np.float64]:
    """The covariance of the gradient of the likelihood at ratings ``r`` (natural units), by the scores of pairs.

    Games without a partner spread as the model has it.
    """
    from scipy.special import expit

    games = points + points.T
    p = expit(r[:, None] - r[None, :])
    squares, count = np.zeros_like(points), np.zeros_like(points)
    for _, i, j, score in pairs:
        squares[i, j] += (score - 2 * p[i, j]) ** 2
        count[i, j] += 1
    squares, count = squares + squares.T, count + count.T
    likely = (points + 1) / (games + 2)  # never 0 or 1, as p nearly is after a perfect score
    each = (squares + SMOOTHING * 2 * likely * (1 - likely)) / (count + SMOOTHING)
    weight = count * each + (games - 2 * count) * p * (1 - p)
    return np.diag(weight.sum(axis=1) + 2 * prior) - weight
