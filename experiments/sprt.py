"""A sequential test on pairs of games: play on until the result says which of two differences in strength is the likelier.

The two games from one opening are a pair, and score 0, 1/2, 1, 3/2 or 2 points for the first agent. Pairs are independent,
games are not: this takes in both the draws and what an opening does to both of its games. How often each of the five
scores came is multinomial with unknown probabilities, of which a hypothesis fixes only the mean: the expected score of a
game at a difference in Elo (logistic: 1 / (1 + 10**(-elo / 400))). The test statistic is the generalised log-likelihood
ratio (LLR) of the two, each with the probabilities that suit the counts best among those of its mean; the bounds are
Wald's (Annals of Mathematical Statistics 16, 1945). This is the test by which engines are developed on Fishtest: M. Van
den Bergh, "A practical introduction to the GSPRT" and "Comments on normalized Elo" (2019-2020), with the exact maximum.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from narabe.experiments.tournament_args import TournamentError

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What a pair may score, as a share of its two points."""

EMPTY = 1e-3
"""Stands for a count of 0, as on Fishtest: a score that did not come yet may come."""

STRONGER, NOT_STRONGER = "H1", "H0"


@dataclass(frozen=True)
class Sprt:
    """H0: the first agent is ``elo0`` Elo points above the second, against H1: it is ``elo1`` above.

    ``alpha``: the chance of accepting H1 where H0 holds, ``beta``: of accepting H0 where H1 holds; both approximate.

    >>> [round(bound, 3) for bound in Sprt(0, 50).bounds]
    [-2.944, 2.944]
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise TournamentError(f"--sprt elo0={self.elo0:g} elo1={self.elo1:g}: elo0 must be below elo1")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise TournamentError(f"--sprt {name}={value:g}: it must be above 0 and below 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """At or below the first the test accepts H0, at or above the second H1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """The log-likelihood ratio, by `log_likelihood_ratio`."""
        return log_likelihood_ratio(tuple(counts), self.elo0, self.elo1)


class Trial:
    """A test as it goes: pairs are judged strictly in their order until there is a verdict.

    Games may come in any order. A pair counts once all pairs before it are complete, so what is judged does not depend on
    which games were over first; what comes after the verdict counts for nothing. ``counts``: pairs by score, 0 to 2 points;
    ``path``: the LLR after each pair.

    >>> trial = Trial(Sprt(0, 50))
    >>> for number in range(60):
    ...     trial.game(number, 1.0)
    >>> print(trial)
    LLR +3.07 (-2.94 to 2.94), 23 pairs (0 0 0 0 23), H1 accepted
    """

    def __init__(self, test: Sprt) -> None:
        self.test = test
        self.counts = [0] * len(SCORES)
        self.llr = 0.0
        self.verdict: str | None = None
        self.path: list[float] = []
        self._waiting: dict[int, float] = {}

    @property
    def pairs(self) -> int:
        """How many are judged: the first so many."""
        return sum(self.counts)

    def game(self, number: int, points: float) -> None:
        """The first agent scored 0, 1/2 or 1 in a game. Pair k has the games of the numbers 2 k and 2 k + 1."""
        self._waiting[number] = points
        while self.verdict is None and {2 * self.pairs, 2 * self.pairs + 1} <= self._waiting.keys():
            first = 2 * self.pairs
            self._judge(self._waiting.pop(first) + self._waiting.pop(first + 1))

    def counts_for_the_result(self, number: int) -> bool:
        """Is this game part of the result: of all games until there is a verdict, then of those that were judged?"""
        return self.verdict is None or number < 2 * self.pairs

    def _judge(self, points: float) -> None:
        self.counts[SCORES.index(points / 2)] += 1
        self.llr = self.test.llr(self.counts)
        self.path.append(self.llr)
        low, high = self.test.bounds
        self.verdict = STRONGER if self.llr >= high else NOT_STRONGER if self.llr <= low else None

    def __str__(self) -> str:
        low, high = self.test.bounds
        counts = " ".join(map(str, self.counts))
        end = f", {self.verdict} accepted" if self.verdict else ""
        return f"LLR {self.llr:+.2f} ({low:.2f} to {high:.2f}), {self.pairs} pairs ({counts}){end}"


def expected_score(elo: float) -> float:
    """The expected score of a game at a difference of ``elo`` points: logistic Elo.

    >>> expected_score(0), round(expected_score(400), 3)
    (0.5, 0.909)
    """
    return 1 / (1 + 10 ** (-elo / 400))


@lru_cache(maxsize=1 << 16)
def log_likelihood_ratio(counts: tuple[int, ...], elo0: float, elo1: float) -> float:
    """The logarithm of the likelihood of ``counts`` (pairs by score, 0 to 2 points) at ``elo1``, over that at ``elo0``.

    Both with the probabilities that make the counts likeliest under the mean of the hypothesis (`constrained`).

    >>> round(log_likelihood_ratio((5, 20, 40, 25, 10), 0, 50), 3)
    0.191
    >>> log_likelihood_ratio((0, 0, 0, 0, 0), 0, 50)
    0.0
    """
    if not any(counts):
        return 0.0
    weights = [count or EMPTY for count in counts]
    shares = [weight / sum(weights) for weight in weights]
    p0, p1 = (constrained(shares, expected_score(elo)) for elo in (elo0, elo1))
    return sum(weight * math.log(b / a) for weight, a, b in zip(weights, p0, p1))


def constrained(shares: Sequence[float], mean: float) -> list[float]:
    """The probabilities of mean ``mean`` under which the observed ``shares`` of the five scores are likeliest.

    All shares are above 0 and sum to 1. With the multiplier x of the constraint they are p_i = shares_i / (1 + x (a_i -
    mean)), where x solves sum_i shares_i (a_i - mean) / (1 + x (a_i - mean)) = 0 between the poles next to 0 (Van den
    Bergh, "GSPRT", proposition 1.1; Owen, Biometrika 75, 1988): a falling function, so the root is the only one.

    >>> p = constrained([0.1, 0.2, 0.4, 0.2, 0.1], 0.6)
    >>> round(sum(p), 9), round(sum(a * q for a, q in zip(SCORES, p)), 9)
    (1.0, 0.6)
    """
    from scipy.optimize import brentq

    apart = [score - mean for score in SCORES]
    low, high = -1 / apart[-1], -1 / apart[0]

    def slope(x: float) -> float:
        return sum([share * a / (1 + x * a) for share, a in zip(shares, apart)])

    edge = 1e-12 * (high - low)  # shares of EMPTY over some millions of pairs still have their root inside
    x = brentq(slope, low + edge, high - edge, xtol=1e-10)  # the likelihood is level there: its error is the square
    return [share / (1 + x * a) for share, a in zip(shares, apart)]
