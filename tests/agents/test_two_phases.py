"""The player of Gomocku that is made of two."""

from __future__ import annotations

import numpy as np
import pytest

from narabe.agents import AgentError, Budget, make
from narabe.agents.two_phases import first_phase
from narabe.envs import game

NINE = game("gomocku", size=9)


def test_the_first_phase_is_a_line_game_of_the_same_law() -> None:
    """Legal cells and ends agree, position by position, in random games."""
    twin, rng = first_phase(NINE), np.random.default_rng(1)
    refused = 0
    for seed in range(30):
        state, line = NINE.start(seed=seed), twin.start()
        while not state.is_over and state.ply < 30:
            cells = state.legal_actions()
            assert cells.tolist() == line.legal_actions().tolist()
            refused += 81 - state.ply - len(cells)
            near = [a for a in cells if 2 <= a % 9 <= 6 and 2 <= a // 9 <= 6]
            action = int(rng.choice(near or cells))
            state.play(action)
            line.play(action)
            assert (state.is_over, state.payoffs) == (line.is_over, line.payoffs)
    assert refused > 20


def test_it_wins_by_fours_and_knows_the_bans() -> None:
    agent = make("two_phases:nodes=2000", NINE)
    four_three = NINE.position(black="C5 D5 E5 F3 F4", white="B5 A1 A9 I1 I9", ply=10)
    found = agent.analyse(four_three)
    assert NINE.text_of(found.action) == "F5"
    assert found.proven == 1.0
    assert found.policy.sum() == 1.0


def test_a_win_that_comes_too_late_is_not_proven() -> None:
    """The same stones, but the chance begins before the win is there."""
    short = game("gomocku", size=9, stones=6, chance=5, coloured=4)
    found = make("two_phases:nodes=2000", short).analyse(short.position(black="C5 D5 E5 F3 F4", white="B5 A1 A9 I1 I9"))
    assert found.proven is None


def test_in_the_second_phase_it_is_expectimax() -> None:
    late = NINE.from_text("o3x4/ooxxox1xx/oorx3xo/xxx4xx/x4oo2/xx1o4o/x8/oo6o/3ox1xoo 37 - H8 -")
    found, other = make("two_phases", NINE).analyse(late), make("expectimax", NINE).analyse(late, Budget(sims=100_000))
    assert (found.action, found.proven) == (other.action, other.proven) == (NINE.action_of("I5"), 1.0)


def test_it_plays_gomocku_alone() -> None:
    with pytest.raises(AgentError, match="this agent plays gomocku"):
        make("two_phases", game("gomoku"))
