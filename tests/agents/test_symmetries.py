"""Symmetries of observations and actions, against the laws: games played on with mapped actions."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from narabe.agents.symmetries import Symmetries
from narabe.envs import Game, State, game
from narabe.tests.games import game_of, heap

STACKING = {"span": 3, "reach": 2, "max_height": 6, "row": 6}  # long games, which fill the whole frame
GAMES = [
    game("gomoku", size=9),
    game("renju", width=7, height=9),
    game("capture_gomoku", size=7),
    game("gomocku", size=7),
    game("gomocku", width=7, height=6, deal="physical"),
    game("connect_four"),
    game("stacking_cylinder"),
    game("stacking", **STACKING),
    game("stacking", players=3, resign=True, **STACKING),
    game("stacking_claim", **STACKING),
    game("stacking", takeback=True, **STACKING),
    game("stacking", span=20, reach=1),
]


def pairs(g: Game, k: int, seed: int) -> list[tuple[State, State]]:
    """Positions of random games, and those of the games of mapped actions (outcomes of chance, which lie nowhere, unmapped)."""
    rng = np.random.default_rng(seed)
    found: list[tuple[State, State]] = []
    while len(found) < 120:
        state, image = g.start(seed), g.start(seed)
        while not state.is_over:
            found.append((state.copy(), image.copy()))
            before = len(state.history)
            state.play(int(rng.choice(state.legal_actions())))
            image.chance = "manual"
            image.play(g.symmetry(state.history[before], k))
            outcomes = state.history[before + 1 :]
            if len(set(outcomes)) > 1:
                break  # backs are seen in an order that no symmetry maps, so these would lie elsewhere in the image
            for outcome in outcomes:
                image.play(outcome)
    return found


@pytest.mark.parametrize("g", GAMES, ids=lambda g: g.spec)
def test_the_image_of_what_is_seen_is_what_the_image_shows(g: Game) -> None:
    symmetries = Symmetries(g)
    assert symmetries.count == g.num_symmetries
    for k in range(symmetries.count):
        found = pairs(g, k, seed=k)
        ks = np.full(len(found), k)
        for seat in range(g.num_players):
            seen = np.stack([state.observe(seat) for state, _ in found])
            np.testing.assert_array_equal(
                symmetries.planes(seen, ks), np.stack([image.observe(seat) for _, image in found])
            )
        legal = np.stack([state.legal_mask() for state, _ in found])
        np.testing.assert_array_equal(
            symmetries.by_action(legal, ks), np.stack([image.legal_mask() for _, image in found])
        )


@pytest.mark.parametrize("g", GAMES, ids=lambda g: g.spec)
def test_each_row_has_its_own_symmetry_and_torch_gives_what_numpy_gives(g: Game) -> None:
    symmetries = Symmetries(g)
    rng = np.random.default_rng(1)
    states = [state for state, _ in pairs(g, 0, seed=3)]
    k = rng.integers(0, symmetries.count, len(states))
    planes = np.stack([state.observe(0) for state in states])
    policy = rng.random((len(states), g.num_actions), np.float32)
    mapped, moved = symmetries.planes(planes, k), symmetries.by_action(policy, k)
    for i in range(len(states)):
        np.testing.assert_array_equal(mapped[i], symmetries.planes(planes[i : i + 1], k[i : i + 1])[0])
        for a in range(0, g.num_actions, 7):
            assert moved[i, g.symmetry(a, int(k[i]))] == policy[i, a]
    ks = torch.from_numpy(k)
    np.testing.assert_array_equal(symmetries.planes(torch.from_numpy(planes), ks).numpy(), mapped)
    np.testing.assert_array_equal(symmetries.by_action(torch.from_numpy(policy), ks).numpy(), moved)
    assert mapped.dtype == np.int8 and moved.dtype == np.float32


def test_one_value_a_cell_moves_as_actions_do() -> None:
    symmetries = Symmetries(game("gomoku", width=5, height=6))
    x, k = np.arange(60, dtype=np.float32).reshape(2, 6, 5), np.array([1, 3])
    np.testing.assert_array_equal(symmetries.cells(x, k).reshape(2, 30), symmetries.by_action(x.reshape(2, 30), k))


def test_games_without_a_known_order_have_the_identity() -> None:
    symmetries = Symmetries(game_of(heap, stones=12))
    x = np.ones((2, *game_of(heap, stones=12).observation_shape), np.int8)
    assert symmetries.count == 1
    np.testing.assert_array_equal(symmetries.planes(x, np.zeros(2, np.int64)), x)


def test_hidden_hands_are_refused() -> None:
    with pytest.raises(ValueError, match="goita has hidden hands"):
        Symmetries(game("goita"))
