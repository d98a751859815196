"""OpenSpiel's gomoku is freestyle: the same legal moves, ends and returns in random play."""

from __future__ import annotations

import numpy as np
import pytest

from narabe.envs import game

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is an optional peer (pip install narabe[peers])")


@pytest.mark.parametrize(("size", "games"), [(7, 60), (15, 25)])
def test_random_games_are_the_same_in_both(size: int, games: int) -> None:
    theirs = pyspiel.load_game("gomoku", {"size": size})
    ours = game("freestyle", size=size)
    assert theirs.num_distinct_actions() == ours.num_actions
    rng, returns = np.random.default_rng(size), set()
    for _ in range(games):
        a, b = theirs.new_initial_state(), ours.start()
        while not a.is_terminal():
            legal = b.legal_actions()
            assert a.legal_actions() == legal.tolist()
            assert (a.current_player(), b.is_over) == (b.to_play, False)
            move = int(rng.choice(legal))
            a.apply_action(move)
            b.play(move)
        assert b.is_over and tuple(a.returns()) == b.payoffs
        returns.add(b.payoffs)
    assert {(1.0, -1.0), (-1.0, 1.0)} <= returns


def test_a_full_board_is_a_draw_in_both() -> None:
    """Rows of two, shifted so that no line holds five of a colour."""
    size = 7
    black = [c for c in range(size * size) if (c % size + 2 * (c // size)) % 4 < 2]
    white = [c for c in range(size * size) if c not in black]
    a, b = pyspiel.load_game("gomoku", {"size": size}).new_initial_state(), game("freestyle", size=size).start()
    for move in [m for pair in zip(black, white, strict=False) for m in pair] + black[len(white) :]:
        assert not a.is_terminal()
        a.apply_action(move)
        b.play(move)
    assert a.is_terminal() and tuple(a.returns()) == b.payoffs == (0.0, 0.0)
    assert b.reason == "board full"
