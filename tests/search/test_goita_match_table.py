"""The match table: by hand, against plain recursion over fractions, and against matches drawn deal by deal."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from narabe.search.goita.match_table import (
    MOST_POINTS,
    SEATS,
    DealOdds,
    FiveChances,
    Tallies,
    even_odds,
    five_chances,
    match_table,
)

NO_FIVES = FiveChances(0.0, 0.0, 0.0)
MANY_FIVES = FiveChances(0.05, 0.04, 0.06)


def random_odds(seed: int, chances: FiveChances = MANY_FIVES) -> DealOdds:
    rng = np.random.default_rng(seed)
    fives = rng.dirichlet(np.full(SEATS * MOST_POINTS, 0.3), SEATS).reshape(SEATS, SEATS, MOST_POINTS)
    return DealOdds(rng.dirichlet(np.full(SEATS * MOST_POINTS, 0.3)).reshape(SEATS, MOST_POINTS), fives, chances)


# ---- by hand ----


def test_how_often_hands_hold_five() -> None:
    chances = five_chances()
    assert chances.partners == pytest.approx(0.000097222, abs=1e-9)
    assert chances.opponents == pytest.approx(0.00019444, abs=1e-8)
    assert SEATS * chances.one + chances.partners + chances.opponents == pytest.approx(0.147291, abs=1e-6)
    assert chances.one + 1.5 * chances.partners == pytest.approx(0.036896, abs=1e-6)  # a seat, whoever else does
    assert five_chances(4) == five_chances(4, 4) == NO_FIVES
    with pytest.raises(ValueError, match="at most ten"):
        five_chances(11)


def test_one_deal_decides() -> None:
    for rule in ("next", "winner"):
        table = match_table(DealOdds(*even_odds(5, 0.7)), 15, rule)
        assert table.win[10, 10] == pytest.approx(0.7)
        assert table.chance((10, 10), dealer=1, pair=0) == pytest.approx(0.3)
        assert table.chance((12, 14), dealer=2, pair=0) == pytest.approx(0.7)


def test_two_deals() -> None:
    """At 10-5 the dealer's pair wins at once, or the other makes it 10-10 and deals."""
    p = 0.7
    table = match_table(DealOdds(*even_odds(5, p)))
    assert table.win[10, 5] == pytest.approx(p + (1 - p) * (1 - p))
    assert table.win[5, 10] == pytest.approx(p * (1 - p))  # it must win both, the second as the other deals
    assert match_table(DealOdds(*even_odds(5, p)), dealer="winner").win[5, 10] == pytest.approx(p * p)


def test_dealers_who_always_win() -> None:
    """By turns each pair gets five points: the one who deals first gets there first."""
    table = match_table(DealOdds(*even_odds(5, 1.0)))
    assert table.win[0, 0] == table.win[5, 5] == table.win[10, 14] == 1.0
    assert table.win[0, 5] == table.win[5, 10] == table.win[4, 10] == 0.0
    assert match_table(DealOdds(*even_odds(5, 1.0)), dealer="winner").win.min() == 1.0


def test_even_deals_are_even() -> None:
    for rule in ("next", "winner"):
        win = match_table(DealOdds(*even_odds(3)), 15, rule).win
        assert np.allclose(win + win.T, 1.0)
        assert win[0, 3] == pytest.approx((56 + 28 + 8 + 1) / 256)  # five or more of eight deals


def test_a_redeal_pays_where_it_helps_the_holder() -> None:
    """One deal to win: the dealer's pair wins 60 %, with a five at a seat 40, 90, 70 or 10 %."""
    plain, _ = even_odds(5, 0.6)
    fives = np.stack([even_odds(5, p)[0] for p in (0.4, 0.9, 0.7, 0.1)])
    table = match_table(DealOdds(plain, fives, FiveChances(0.1, 0.0, 0.0)), 1)
    value = (0.6 * 0.6 + 0.1 * 0.7 + 0.1 * 0.1) / (1 - 0.2)  # seats 0 and 1 ask for a redeal
    assert table.win[0, 0] == pytest.approx(value)
    gains = [table.redeal_gain(holder)[0, 0] for holder in range(4)]
    assert gains == pytest.approx([value - 0.4, 0.9 - value, value - 0.7, 0.1 - value])
    never = match_table(DealOdds(plain, fives, FiveChances(0.1, 0.0, 0.0)), 1, redeals="never")
    assert never.win[0, 0] == pytest.approx(0.6 * 0.6 + 0.1 * (0.4 + 0.9 + 0.7 + 0.1))
    always = match_table(DealOdds(plain, fives, FiveChances(0.1, 0.0, 0.0)), 1, redeals="always")
    assert always.win[0, 0] == pytest.approx(0.6)


# ---- against others ----


@pytest.mark.parametrize("rule", ["next", "winner"])
def test_against_plain_recursion(rule: str) -> None:
    """Fractions, seats and scores of pairs as they are: nothing is seen from the dealer."""
    odds, target = random_odds(3, NO_FIVES), 9
    exact = {(s, p): Fraction(float(odds.plain[s, p - 1])) for s in range(SEATS) for p in range(1, MOST_POINTS + 1)}

    @cache
    def wins(first: int, second: int, dealer: int) -> Fraction:
        """Of seats 0 and 2."""
        if first >= target or second >= target:
            return Fraction(first >= target)
        total = Fraction(0)
        for (turn, points), chance in exact.items():
            out = (dealer + turn) % 4
            following = out if rule == "winner" else (dealer + 1) % 4
            total += chance * wins(first + points * (out % 2 == 0), second + points * (out % 2), following)
        return total

    table = match_table(odds, target, rule)  # type: ignore[arg-type]
    for first in range(target):
        for second in range(target):
            for dealer in range(4):
                found = table.chance((first, second), dealer)
                assert found == pytest.approx(float(wins(first, second, dealer)), abs=1e-12)


@pytest.mark.parametrize("rule", ["next", "winner"])
@pytest.mark.parametrize("redeals", ["best", "never", "always"])
def test_against_matches_drawn_deal_by_deal(rule: str, redeals: str) -> None:
    odds, target, count = random_odds(5), 15, 6000
    table = match_table(odds, target, rule, redeals)  # type: ignore[arg-type]
    rng = np.random.default_rng(7)
    won = np.mean([drawn_match(odds, table, redeals, rng) for _ in range(count)])
    expected = table.chance((0, 0), dealer=1)
    assert abs(won - expected) < 4 * np.sqrt(expected * (1 - expected) / count)


def drawn_match(odds: DealOdds, table, redeals: str, rng: np.random.Generator) -> bool:
    """Does the pair of seats 0 and 2 win a match in which seat 1 deals first?"""
    scores, dealer, fives = [0, 0], 1, odds.chances
    kinds = np.array([fives.none, *[fives.one] * 4, fives.partners / 2, fives.partners / 2, fives.opponents])
    while True:
        kind = rng.choice(8, p=kinds)
        if kind in (5, 6):
            return (dealer + kind - 5) % 2 == 0
        if kind == 7:
            continue
        if kind:
            holder = (dealer + kind - 1) % 4
            own = scores[holder % 2], scores[1 - holder % 2]
            pays = table.redeal_gain(kind - 1)[own] > 0
            if redeals == "always" or (redeals == "best" and pays):
                continue
        cell = rng.choice(SEATS * MOST_POINTS, p=(odds.fives[kind - 1] if kind else odds.plain).ravel())
        out, points = (dealer + cell // MOST_POINTS) % 4, cell % MOST_POINTS + 1
        scores[out % 2] += points
        if scores[out % 2] >= table.target:
            return out % 2 == 0
        dealer = out if table.dealer == "winner" else (dealer + 1) % 4


def test_the_best_choice_beats_fixed_ones_for_the_pair_that_has_it() -> None:
    """Only seats 0 and 2 ever hold five: to choose cannot be worse than never or always, while they deal and after."""
    odds = random_odds(11)
    fives = odds.fives.copy()
    fives[1] = fives[3] = odds.plain
    odds = DealOdds(odds.plain, fives, FiveChances(0.05, 0.0, 0.0))
    best = match_table(odds, 1)
    for other in ("never", "always"):
        assert best.win[0, 0] >= match_table(odds, 1, redeals=other).win[0, 0] - 1e-12  # type: ignore[arg-type]


# ---- counted deals ----


def test_tallies() -> None:
    rng = np.random.default_rng(1)
    odds = random_odds(2, five_chances())
    plain = rng.multinomial(4000, odds.plain.ravel()).reshape(SEATS, MOST_POINTS)
    fives = np.stack([rng.multinomial(900, o.ravel()).reshape(SEATS, MOST_POINTS) for o in odds.fives])
    tallies = Tallies(plain, fives, odds.chances)
    assert tallies.odds().plain[2, 3] == plain[2, 3] / 4000
    spread = match_table(tallies.resampled(200, seed=3), 1).on  # [time, holder, own, other]
    p = tallies.odds().fives[0][[0, 2]].sum()
    assert spread[:, 0, 0, 0].std() == pytest.approx(np.sqrt(p * (1 - p) / 900), rel=0.2)
    assert np.array_equal(tallies.resampled(3, seed=3).plain, tallies.resampled(3, seed=3).plain)
    with pytest.raises(ValueError, match="every kind"):
        Tallies(plain, 0 * fives, odds.chances).odds()
    assert Tallies(plain, 0 * fives, NO_FIVES).odds().chances == NO_FIVES


def test_what_is_no_table() -> None:
    plain, fives = even_odds(3)
    with pytest.raises(ValueError, match="sum to 1"):
        DealOdds(plain * 2, fives)
    with pytest.raises(ValueError, match="shapes"):
        DealOdds(fives, plain)
    with pytest.raises(ValueError, match="at least 1"):
        match_table(DealOdds(plain, fives), 0)
