"""Matches of Goita: the chance to win from every score, by dynamic programming over how deals end.

Everything is seen from the dealer. Seats are counted from the dealer, who is 0; the partner is 2, the right neighbour 1.
All deals are alike but for the seat that deals, so one table holds for every dealer. A deal ends with points for the pair
of a seat that goes out; a hand of exactly five shi may be redealt, which leaves score and dealer as they are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

SEATS, MOST_POINTS = 4, 10
"""Seats of a deal, and the most points that it brings."""
ROUNDS = 40
"""Of the fixed point of redeals: each makes the error seven times smaller."""
DealerRule = Literal["next", "winner"]
Redeals = Literal["best", "never", "always"]


@dataclass(frozen=True)
class FiveChances:
    """How likely it is, in a deal, that hands hold exactly five shi.

    >>> chances = five_chances()
    >>> round(SEATS * chances.one + chances.partners + chances.opponents, 6)
    0.147291
    """

    one: float
    """A given seat, and nobody else."""
    partners: float
    """Both of a pair, which wins the match; either pair."""
    opponents: float
    """One of each pair: one of them always prefers a redeal."""

    @property
    def none(self) -> float:
        """Nobody."""
        return 1.0 - SEATS * self.one - self.partners - self.opponents


def five_chances(shi: int = 10, hand: int = 8) -> FiveChances:
    """The chances for a deck of four hands with so many shi, at most ten (`ValueError`)."""
    if not 0 <= shi <= 10:
        raise ValueError(f"{shi} shi: hands of five are counted for at most ten")
    if hand < 5:
        return FiveChances(0.0, 0.0, 0.0)
    cards = SEATS * hand
    alone = math.comb(shi, 5) * math.comb(cards - shi, hand - 5) / math.comb(cards, hand)
    second = math.comb(shi - 5, 5) if shi >= 10 else 0
    both = alone * second * math.comb(cards - shi - hand + 5, hand - 5) / math.comb(cards - hand, hand)
    return FiveChances(alone - 3 * both, 2 * both, 4 * both)


@dataclass(frozen=True)
class DealOdds:
    """How deals end. Any axes may stand before those named; the last two are the seat that goes out, and points - 1.

    ``plain``: float64 [seat, points], where nobody holds exactly five shi. ``fives``: float64 [holder, seat, points],
    where this seat alone holds five and the deal is played on. ``chances``: of each such deal.
    """

    plain: np.ndarray
    fives: np.ndarray
    chances: FiveChances = FiveChances(0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        lead = self.plain.shape[:-2]
        if self.plain.shape != (*lead, SEATS, MOST_POINTS) or self.fives.shape != (*lead, SEATS, SEATS, MOST_POINTS):
            raise ValueError(
                f"shapes {self.plain.shape} and {self.fives.shape}: [seat, points], [holder, seat, points]"
            )
        for odds in (self.plain, self.fives):
            if not np.allclose(odds.sum((-2, -1)), 1.0) or (odds < 0).any():
                raise ValueError("the chances of how a deal ends must sum to 1")


@dataclass(frozen=True)
class Tallies:
    """Counted deals: ``plain`` int64 [seat, points - 1] and ``fives`` int64 [holder, seat, points - 1], as in `DealOdds`."""

    plain: np.ndarray
    fives: np.ndarray
    chances: FiveChances

    def odds(self) -> DealOdds:
        """The shares; `ValueError` where a kind of deal was never seen."""
        if self.plain.sum() == 0 or (self.chances.one and (self.fives.sum((1, 2)) == 0).any()):
            raise ValueError("no table without deals of every kind")
        return DealOdds(_shares(self.plain), _shares(self.fives), self.chances)

    def resampled(self, times: int, seed: int = 0) -> DealOdds:
        """Bootstrap: shares of as many deals drawn from these, ``times`` of them along a first axis."""
        rng, odds = np.random.default_rng(seed), self.odds()

        def drawn(counts: np.ndarray, shares: np.ndarray) -> np.ndarray:
            flat = rng.multinomial(max(int(counts.sum()), 1), shares.ravel(), size=times)
            return _shares(flat.reshape(times, SEATS, MOST_POINTS))

        fives = [drawn(counts, shares) for counts, shares in zip(self.fives, odds.fives)]
        return DealOdds(drawn(self.plain, odds.plain), np.stack(fives, 1), self.chances)


def _shares(counts: np.ndarray) -> np.ndarray:
    """Counts over their sums along the last two axes; an even spread where nothing was counted."""
    sums = counts.sum((-2, -1), keepdims=True)
    return np.where(sums > 0, counts / np.maximum(sums, 1), 1.0 / (SEATS * MOST_POINTS))


@dataclass(frozen=True)
class MatchTable:
    """The chance that the dealer's pair wins the match, by its own score and the other's.

    ``win``: float64 [own, other], before the deal. ``on``: float64 [holder, own, other], once the seat ``holder`` alone
    is known to hold five shi and the deal is played on. Axes of the odds stand before these.
    """

    win: np.ndarray
    on: np.ndarray
    target: int
    dealer: DealerRule

    def chance(self, scores: tuple[int, int], dealer: int = 0, pair: int = 0) -> float:
        """The chance of ``pair`` (0: seats 0 and 2) at the scores of the pairs, where the seat ``dealer`` deals.

        >>> odds = DealOdds(*even_odds(points=5))
        >>> match_table(odds).chance((10, 10), dealer=3, pair=1)
        0.5
        """
        own = dealer & 1
        win = self.win[..., scores[own], scores[1 - own]]
        return float(win if pair == own else 1.0 - win)

    def redeal_gain(self, holder: int) -> np.ndarray:
        """float64 [holder's score, other score]: what a redeal adds to the chance of the pair of a holder of five shi."""
        gain = self.win - self.on[..., holder, :, :]
        return gain if holder % 2 == 0 else -np.swapaxes(gain, -1, -2)


def match_table(odds: DealOdds, target: int = 15, dealer: DealerRule = "next", redeals: Redeals = "best") -> MatchTable:
    """The table for a match to ``target`` points, where the next seat deals, or the one who went out.

    ``redeals``: what the pair of a seat that alone holds five shi does: what is best for it, on average over its hands, or
    never or always a redeal. Five in both pairs are dealt again. Exact for these odds, to float64 rounding.

    >>> float(match_table(DealOdds(*even_odds(points=5))).win[0, 0].round(12))
    0.5
    """
    if target < 1 or dealer not in ("next", "winner") or redeals not in ("best", "never", "always"):
        raise ValueError(
            f"target={target}, dealer={dealer!r}, redeals={redeals!r}: at least 1; next, winner; best, never, always"
        )
    lead = odds.plain.shape[:-2]
    # all kinds of deals along one axis: 0 plain, then by holder; of seats only the pairs matter
    kinds = np.concatenate([odds.plain[..., None, :, :], odds.fives], -3)
    pairs = np.stack([kinds[..., 0, :] + kinds[..., 2, :], kinds[..., 1, :] + kinds[..., 3, :]], -2)
    win, on = np.zeros((*lead, target, target)), np.zeros((*lead, SEATS, target, target))
    for total in range(2 * target - 2, -1, -1):  # a deal brings a point or more
        for own in range(max(0, total - target + 1), min(total, target - 1) + 1):
            other = total - own
            after = _after(win, own, other, target, dealer)
            played = (pairs * after[..., None, :, :]).sum((-2, -1))
            on[..., own, other] = played[..., 1:]
            win[..., own, other] = _with_redeals(played[..., 0], played[..., 1:], odds.chances, redeals)
    return MatchTable(win, on, target, dealer)


def _after(win: np.ndarray, own: int, other: int, target: int, dealer: DealerRule) -> np.ndarray:
    """float64 [..., pair, points - 1]: the chance of the dealer's pair once this pair has won so many points."""
    after = np.zeros((*win.shape[:-2], 2, MOST_POINTS))
    for points in range(1, MOST_POINTS + 1):
        if own + points >= target:
            after[..., 0, points - 1] = 1.0
        elif dealer == "winner":
            after[..., 0, points - 1] = win[..., own + points, other]
        else:
            after[..., 0, points - 1] = 1.0 - win[..., other, own + points]
        if other + points < target:  # by both rules a seat of that pair deals next
            after[..., 1, points - 1] = 1.0 - win[..., other + points, own]
    return after


def _with_redeals(plain: np.ndarray, on: np.ndarray, chances: FiveChances, redeals: Redeals) -> np.ndarray:
    """The value of a deal to come, ``on`` [..., holder] being those of deals with five that are played on.

    Before a redeal the value is what it was before the deal, so that it stands on both sides of an equation.
    """
    rest = chances.none * plain + chances.partners / 2
    if redeals == "never":
        return (rest + chances.one * on.sum(-1)) / (1.0 - chances.opponents)
    if redeals == "always":
        return rest / (chances.none + chances.partners)
    value = plain
    for _ in range(ROUNDS):
        now = value[..., None]
        chosen = np.where(np.arange(SEATS) % 2 == 0, np.maximum(on, now), np.minimum(on, now))
        value = rest + chances.one * chosen.sum(-1) + chances.opponents * value
    return value


def even_odds(points: int, dealer_wins: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    """``plain`` and ``fives`` of deals that all bring so many points, from 1 to 10; for trials."""
    plain = np.zeros((SEATS, MOST_POINTS))
    plain[:, points - 1] = (
        dealer_wins / 2,
        (1 - dealer_wins) / 2,
        dealer_wins / 2,
        (1 - dealer_wins) / 2,
    )
    return plain, np.stack([plain] * SEATS)
