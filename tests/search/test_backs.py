"""The law of the backs, against counting every order of a small set, and against the law of the game."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from narabe.envs import game
from narabe.search.backs import Backs, backs_of
from narabe.search.flip_odds import flip_odds

SMALL = Backs(6, 2, 2)
ORDERS = list(permutations([True] * SMALL.coloured + [False] * SMALL.red))  # the pile comes last


def share(condition, given=lambda order: True) -> Fraction:
    """The part of all orders, among those in which something is given, in which a condition holds."""
    orders = [order for order in ORDERS if given(order)]
    return Fraction(sum(bool(condition(order)) for order in orders), len(orders))


def test_the_next_back_by_what_was_seen() -> None:
    for b in range(3):
        for r in range(5):
            if b + r < 6:
                seen = lambda order, b=b, r=r: sum(order[: b + r]) == b  # noqa: E731
                assert SMALL.chance(b, r) == share(lambda order, n=b + r: order[n], seen)
                assert SMALL.chance(b, r) == share(lambda order: order[5], seen)  # wherever it lies
    assert SMALL.chance(2, 4) == 0


def test_several_at_once_and_piles() -> None:
    for n in range(7):
        law = SMALL.turned(n)
        assert sum(law.values()) == 1
        assert law == {k: share(lambda order, n=n, k=k: sum(order[:n]) == k) for k in law}
    for k, p in SMALL.in_pile().items():
        assert p == share(lambda order, k=k: sum(order[4:]) == k)
        assert SMALL.outside(k) == share(lambda order: order[0], lambda order, k=k: sum(order[4:]) == k)
        assert SMALL.inside(k) == share(lambda order: order[5], lambda order, k=k: sum(order[4:]) == k)


@pytest.mark.parametrize("pile", [1, 5, 10, 19])
def test_a_pile_that_nobody_has_seen_changes_nothing(pile: int) -> None:
    backs = Backs(pile=pile)
    assert sum(p * backs.outside(k) for k, p in backs.in_pile().items()) == Fraction(2, 5)
    assert sum(p * backs.inside(k) for k, p in backs.in_pile().items()) == Fraction(2, 5)


def test_the_game_turns_by_the_same_law() -> None:
    gomocku = game("gomocku", size=7, stones=6, chance=3, coloured=5)
    backs = backs_of(gomocku)
    assert backs == Backs(9, 5, 3)
    rose = {"black": "B2 D2 F2 B4 F4 B6", "white": "C3 D3 E3 C4 E4 C5", "ply": 12}
    odds = flip_odds(gomocku.position(**rose), "D4", "W+E+SW+S+SE+NW")
    assert odds.coloured() == backs.turned(6)


@pytest.mark.parametrize("wrong", [{"pieces": 5}, {"coloured": -1}, {"pile": 20}, {"pile": 0}])
def test_what_cannot_be(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="coloured is 0 to pieces"):
        Backs(**wrong)


def test_more_than_there_is() -> None:
    for ask in (lambda: SMALL.chance(3), lambda: SMALL.chance(0, 5), lambda: SMALL.turned(7), lambda: SMALL.turned(-1)):
        with pytest.raises(ValueError, match="backs seen|turned at once"):
            ask()
    with pytest.raises(TypeError, match="not of gomoku"):
        backs_of(game("gomoku"))
