"""What UCT finds: wins, blocks, the values of solved positions, each from the right player's point of view."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from narabe.envs import LawError, State, game
from narabe.envs.rules.random import new_stream
from narabe.search.uct import Found, Uct
from narabe.tests.games import game_of, heap, poker
from narabe.tests.search.exact import Values, best_moves, exact

TIC_TAC_TOE = game("gomoku", size=3, row=3).start()
FOUR_BY_FOUR = game("freestyle", size=4, row=3).start()
GOMOKU = game("gomoku", size=9)
FOUR, OTHERS = ["C5", "D5", "E5", "F5"], ["A1", "C8", "I2", "H9"]


def uct_for(state: State) -> Uct:
    return Uct(state.game, c=1.0)


def search(state: State, seed: int = 1, **budget: Any) -> Found:
    return uct_for(state).search(state.record, new_stream(seed), **budget)


@cache
def solved() -> dict[int, Values]:
    """Values of tic-tac-toe by key."""
    known: dict[int, Values] = {}
    exact(TIC_TAC_TOE, known)
    return known


@pytest.mark.parametrize("seat", [0, 1])
def test_it_wins_in_one(seat: int) -> None:
    black, white = (FOUR, OTHERS) if seat == 0 else (OTHERS, FOUR)
    found = search(GOMOKU.position(black=black, white=white, to_move=["black", "white"][seat]), sims=5000)
    assert GOMOKU.text_of(found.principal_variation[0]) in ("B5", "G5")
    assert found.value[seat] > 0.7
    assert found.value[seat] == -found.value[1 - seat]


@pytest.mark.parametrize("seat", [0, 1])
def test_it_blocks_a_four(seat: int) -> None:
    """It sees that the other wins next, though no payoff says so at once."""
    mine, theirs = [*OTHERS[:3], "B5"], FOUR
    black, white = (mine, theirs) if seat == 0 else (theirs, mine)
    found = search(GOMOKU.position(black=black, white=white, to_move=["black", "white"][seat]), sims=10_000)
    assert GOMOKU.text_of(found.principal_variation[0]) == "G5"


@pytest.mark.parametrize("to_move", ["black", "white"])
def test_an_open_four_is_worth_the_same_whoever_moves(to_move: str) -> None:
    found = search(GOMOKU.position(black=FOUR, white=OTHERS, to_move=to_move), sims=100_000)
    assert found.value[0] > 0.65
    assert found.value[1] == -found.value[0]


@pytest.mark.parametrize(
    ("before", "seat"),
    [
        ([], 0),
        ([0, heap.NEXT], 1),
        ([0, heap.NEXT] * 2, 2),
        ([0, heap.NEXT] * 3, 0),
        ([0, heap.NEXT, 0, heap.AGAIN], 1),
    ],
)
def test_any_seat_takes_the_last_three_of_a_heap(before: list[int], seat: int) -> None:
    state = game_of(heap, stones=3 + len(before) // 2).start(chance="manual")
    for action in before:
        state.play(action)
    assert state.to_play == seat
    found = search(state, sims=300)
    assert found.principal_variation == [2]
    assert found.value[seat] > 0.9
    assert found.value.sum() == pytest.approx(0)


@pytest.mark.parametrize("stones", range(2, 14))
def test_three_seats_with_chance_come_to_the_exact_values(stones: int) -> None:
    state = game_of(heap, stones=stones).start()
    found = search(state, sims=20_000)
    assert found.value == pytest.approx(exact(state), abs=0.06)
    assert found.principal_variation[0] in best_moves(state)


def test_tic_tac_toe_is_a_draw() -> None:
    assert solved()[TIC_TAC_TOE.key] == (0, 0)
    found = search(TIC_TAC_TOE, sims=300_000)
    assert found.value == pytest.approx([0, 0], abs=0.03)
    final = TIC_TAC_TOE.copy()
    for action in found.principal_variation:
        final.play(action)
    assert final.payoffs == (0, 0)


def test_the_first_player_wins_three_in_a_row_on_4x4() -> None:
    assert exact(FOUR_BY_FOUR) == (1, -1)
    found = search(FOUR_BY_FOUR, sims=300_000)
    assert found.value[0] > 0.85
    assert found.principal_variation[0] in (5, 6, 9, 10)  # the centre


def test_it_plays_every_position_of_tic_tac_toe_after_two_plies_perfectly() -> None:
    for first in range(9):
        for second in set(range(9)) - {first}:
            state = TIC_TAC_TOE.copy().play(first).play(second)
            found = search(state, sims=5000)
            assert found.principal_variation[0] in best_moves(state, solved())
            assert found.value[0] == pytest.approx(exact(state, solved())[0], abs=0.5)


def test_chance_turns_in_the_tree_fall_by_their_weights() -> None:
    state = game_of(heap, stones=20).start()
    for first in range(2):
        uct = uct_for(state)
        uct.search(state.record, new_stream(1), sims=20_000)
        uct.advance(first)
        coins = uct.tree.root_visits(3)
        assert chisquare(coins[:2], np.array([0.75, 0.25]) * coins.sum()).pvalue > 0.001


def test_the_same_seed_finds_the_same() -> None:
    one, other, third = (search(FOUR_BY_FOUR, seed, sims=500) for seed in (3, 3, 4))
    assert one.visits.tobytes() == other.visits.tobytes() != third.visits.tobytes()
    assert (one.principal_variation, one.value.tobytes()) == (other.principal_variation, other.value.tobytes())


def test_the_value_is_a_mean_over_all_searches_of_a_position() -> None:
    uct, rng = uct_for(FOUR_BY_FOUR), new_stream(6)
    for sims in (100, 300, 50):
        found = uct.search(FOUR_BY_FOUR.record, rng, sims=sims)
        assert found.simulations == sims
    whole = search(FOUR_BY_FOUR, 6, sims=450)
    np.testing.assert_array_equal(found.visits, whole.visits)
    np.testing.assert_array_equal(found.value, whole.value)


@pytest.mark.parametrize("ms", [1e-9, 0.5, 30])
def test_a_budget_of_time_makes_one_simulation_at_least(ms: float) -> None:
    found = search(FOUR_BY_FOUR, ms=ms)
    assert found.visits.sum() == found.simulations >= 1
    assert len(found.principal_variation) >= 1


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        ({}, "either sims or ms"),
        ({"sims": 10, "ms": 10}, "either sims or ms"),
        ({"sims": 0}, "sims=0: a whole number"),
        ({"sims": -5}, "sims=-5: a whole number"),
        ({"sims": 2.5}, "sims=2.5: a whole number"),
    ],
)
def test_budgets_that_are_refused(budget: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        search(FOUR_BY_FOUR, **budget)


def test_a_game_with_hidden_parts_is_refused() -> None:
    with pytest.raises(LawError, match="^plain UCT would look into hidden hands here: [^\n]*$"):
        uct_for(game_of(poker, cards=3).start())
