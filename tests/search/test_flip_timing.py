"""Turning now against waiting: every move's value against a naive search, and what cannot be asked."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from narabe.envs import State, game
from narabe.search.flip_timing import TimingError, flip_timing
from narabe.tests.oracles.expectimax import expectimax

SMALL = game("gomocku", size=5, stones=4, chance=3, coloured=3)


def late(seed: int, plies: int) -> State | None:
    """A random game on the small board, to `plies` plies before its end."""
    rng, state = np.random.default_rng(seed), SMALL.start(seed=seed)
    while not state.is_over and state.ply < 14 - plies:
        state.play(int(rng.choice(state.legal_actions())))
    return None if state.is_over else state


def after(state: State, cell: str, flips: str) -> State:
    """The position after a move, its reveals still to come."""
    state = state.copy()
    state.chance = "manual"
    state.play(cell)
    if not state.is_over and int(state.record["stage"][0]) == 1:
        state.play(flips)
    return state


@pytest.mark.parametrize(("plies", "seeds"), [(1, 12), (2, 3)])
def test_values_are_those_of_the_naive_search(plies: int, seeds: int) -> None:
    turned = 0
    for seed in range(seeds):
        state = late(seed, plies)
        if state is None:
            continue
        seat, found = state.to_play, flip_timing(state)
        sign = 1 if seat == 0 else -1
        for choice in found.choices:
            then = after(state, choice.cell, choice.flips)
            value = then.payoffs[0] if then.is_over else expectimax(then)
            assert choice.value == pytest.approx(sign * value, abs=1e-12)
            for cell in choice.same:
                twin = after(state, cell, "none")
                assert expectimax(twin) == pytest.approx(value, abs=1e-12)
            turned += choice.turns
        values = [choice.value for choice in found.choices]
        assert values == sorted(values, reverse=True)
        assert max(values) == pytest.approx(sign * expectimax(state), abs=1e-12)
        cells = [cell for c in found.choices if not c.turns for cell in (c.cell, *c.same)]
        assert sorted(cells) == sorted(SMALL.text_of(a) for a in state.legal_actions())
    assert turned > 5


def test_now_later_and_what_is_declined() -> None:
    nine = game("gomocku", size=9)
    state = nine.from_text("o3x4/ooxxox1xx/oorx3xo/xxx4xx/x4oo2/xx1o4o/x8/oo6o/3ox1xoo 37 - H8 -")
    found = flip_timing(state)
    assert (str(found.later), str(found.now)) == ("I5", "I5 turning N")
    assert found.gain == pytest.approx(found.now.value - 1)
    assert found.declined()["I5"] == pytest.approx(found.gain)
    assert next(c for c in found.choices if c.flips == "E+W").foul == Fraction(14, 95)


def test_what_cannot_be_asked() -> None:
    with pytest.raises(TypeError, match="not in gomoku"):
        flip_timing(game("gomoku").start())
    with pytest.raises(TimingError, match="pieces are turned from ply 8 on"):
        flip_timing(SMALL.start())
    state = late(0, 3)
    assert state is not None
    with pytest.raises(TimingError, match="allow more seconds"):
        flip_timing(game("gomocku", size=9).position(black="A1 B3 C5", white="B1 C3 D7", ply=30), seconds=0.01)
    while not state.is_over:
        state.play(int(state.legal_actions()[0]))
    with pytest.raises(TimingError, match="over"):
        flip_timing(state)
