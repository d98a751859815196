"""Connect Four against others: OpenSpiel plays the same games; known counts of eight-ply positions."""

from __future__ import annotations

import numpy as np
import pytest

from narabe.envs import game
from narabe.envs.rules import core
from narabe.envs.rules.core import apply, is_over, key, undo
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.stacking.reaches import can_win


@pytest.mark.parametrize(
    ("rows", "columns", "row", "games"), [(6, 7, 4, 60), (4, 4, 3, 40), (5, 9, 5, 30), (3, 6, 3, 30), (18, 18, 4, 8)]
)
def test_random_games_are_the_same_in_open_spiel(rows: int, columns: int, row: int, games: int) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is an optional peer (pip install narabe[peers])")
    theirs = pyspiel.load_game("connect_four", {"rows": rows, "columns": columns, "x_in_row": row})
    ours = game("connect_four", width=columns, height=rows, row=row)
    assert theirs.num_distinct_actions() == ours.num_actions
    rng, returns = np.random.default_rng(rows), set()
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


@kernel
def eight_plies(states, depth, exact, canonical, quiet, count):
    """Write the keys of all positions without a winner ``depth`` plies on; returns how many paths there are."""
    s = states[0]
    if depth == 0:
        exact[count] = key(s)
        canonical[count] = core.canonical_key(s)[0]
        quiet[count] = not can_win(s, np.int64(0)) and not can_win(s, np.int64(1))
        return count + 1
    for c in range(s.columns):
        if s.heights[c] < s.ceiling:
            apply(s, np.int64(c))
            if not is_over(s):
                count = eight_plies(states, depth - 1, exact, canonical, quiet, count)
            undo(s)
    return count


def test_the_eight_ply_positions_of_7x6_are_as_many_as_published() -> None:
    """182,383 positions without a winner, 91,295 up to mirror images, 67,557 of these quiet: no side can win at once."""
    states, paths = game("connect_four").start().record, 7**8
    exact, canonical = np.zeros(paths, np.uint64), np.zeros(paths, np.uint64)
    quiet = np.zeros(paths, np.bool_)
    n = eight_plies(states, 8, exact, canonical, quiet, 0)
    assert len(np.unique(exact[:n])) == 182_383
    assert len(np.unique(canonical[:n])) == 91_295
    assert len(np.unique(canonical[:n][quiet[:n]])) == 67_557
