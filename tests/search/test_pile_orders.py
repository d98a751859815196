"""Piles laid out in every way, over every deal of small games."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from narabe.envs import State, game
from narabe.search.pile_orders import eager_policy, study_piles

SMALL = game("gomocku", size=4, stones=2, chance=2, coloured=2, deal="physical")


@pytest.mark.parametrize("seed", range(4))
def test_the_law_of_games_is_the_same_for_every_layout(seed: int) -> None:
    found = study_piles(SMALL, eager_policy(seed))
    assert found.same
    assert len(found.laws) == 4
    for law in found.laws.values():
        assert sum(law.values()) == 1
        assert len(law) > 1  # something was turned
    assert -1 <= found.worst_seen <= found.payoff <= found.best_seen <= 1


def test_to_one_who_knows_the_backs_it_matters() -> None:
    found = study_piles(game("gomocku", size=4, stones=3, chance=3, coloured=3, deal="physical"), eager_policy(0))
    assert found.same
    assert (found.worst_seen, found.payoff, found.best_seen) == (Fraction(-1, 5), Fraction(1, 4), Fraction(7, 10))


def test_a_layout_that_mattered_would_be_seen() -> None:
    found = study_piles(SMALL, eager_policy(0))
    pair, law = next(iter(found.laws.items()))
    (one, p), (other, q) = list(law.items())[:2]
    moved = Fraction(1, 1000)
    wrong = replace(found, laws=found.laws | {pair: law | {one: p + moved, other: q - moved}})
    assert not wrong.same


def test_policies_know_what_was_seen_and_nothing_else() -> None:
    told: set[tuple[int, ...]] = set()

    def listening(state: State, seen: tuple[int, ...]) -> int:
        told.add(seen)
        return eager_policy(0)(state, seen)

    study_piles(SMALL, listening)
    assert () in told
    assert {a for seen in told for a in seen if a < 0} == {-1, -2}
    assert all(a < SMALL.num_actions for seen in told for a in seen)  # no deal among them


def test_only_physical_deals_have_piles() -> None:
    with pytest.raises(ValueError, match="physical deals only"):
        study_piles(game("gomocku", size=4), eager_policy(0))
