"""Playing commutes with the symmetries of the board, over random options."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given

from narabe.envs import Game, State, game
from narabe.tests.laws.diagrams import stones
from narabe.tests.laws.strategies import games, positions, random_move, seeds


def image(state: State, k: int) -> State:
    """The state reached by the mirrored moves."""
    other = state.copy()
    while other.history:
        other.undo()
    assert other.ply == 0, "images are made from the start"
    for action in state.history:
        other.play(state.game.symmetry(action, k))
    return other


@given(games(), seeds)
def test_a_mirrored_game_is_the_mirror_of_the_game(played: Game, seed: int) -> None:
    rng, state = random.Random(seed), played.start()
    images = [played.start() for _ in range(played.num_symmetries)]
    assert played.num_symmetries == (8 if played.options["width"] == played.options["height"] else 4)
    for _ in range(50):
        mask, canonical = state.legal_mask(), state.canonical_key[0]
        for k, other in enumerate(images):
            moved = [played.symmetry(a, k) for a in range(played.num_actions)]
            assert mask.tolist() == other.legal_mask()[moved].tolist()
            assert (other.is_over, other.reason, other.payoffs) == (state.is_over, state.reason, state.payoffs)
            assert other.canonical_key[0] == canonical
            assert other.record["pairs"].tolist() == state.record["pairs"].tolist()
        if state.is_over:
            break
        action = random_move(state, rng)
        state.play(action)
        for k, other in enumerate(images):
            other.play(played.symmetry(action, k))


@given(games(), seeds)
def test_the_canonical_key_is_the_key_of_the_image_it_names(played: Game, seed: int) -> None:
    rng, state = random.Random(seed), played.start()
    for _ in range(12):
        if state.is_over:
            break
        state.play(random_move(state, rng))
        key, k = state.canonical_key
        assert key == image(state, k).key
        assert key == min(image(state, j).key for j in range(played.num_symmetries))


@given(positions(max_plies=0))
def test_symmetries_are_permutations_and_the_first_is_the_identity(state: State) -> None:
    played, everywhere = state.game, np.arange(state.game.num_actions)
    images = {tuple(played.symmetry(a, k) for a in everywhere) for k in range(played.num_symmetries)}
    assert len(images) == played.num_symmetries
    assert all(sorted(moved) == everywhere.tolist() for moved in images)
    assert [played.symmetry(a, 0) for a in everywhere] == everywhere.tolist()


def test_where_each_symmetry_takes_a_cell() -> None:
    """Bit 0 mirrors columns, bit 1 mirrors rows, bit 2 then swaps the two."""
    square = game("freestyle", size=5)
    names = [square.text_of(square.symmetry(square.action_of("B1"), k)) for k in range(8)]
    assert names == ["B1", "D1", "B5", "D5", "A2", "A4", "E2", "E4"]


def test_a_rectangle_is_never_turned() -> None:
    """Turned boards would be other games; only the two mirrors and both at once remain."""
    a = game("freestyle", width=4, height=3, row=3).start().play("A1")
    b = game("freestyle", width=3, height=4, row=3).start().play("A1")
    assert a.game.num_symmetries == 4
    assert a.canonical_key[0] != b.canonical_key[0]
    assert stones(image(a, 1)) == ([3], [])
