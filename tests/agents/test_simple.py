"""The agents that hardly think: random is uniform; greedy wins if it can, blocks if it must and may, else builds lines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from narabe.agents import Analysis, make
from narabe.envs import Game, State, game
from narabe.tests.agents.play import LINE_NAMES
from narabe.tests.games import game_of, heap

SIDES = ("black", "white")
every_side = pytest.mark.parametrize("side", SIDES)
every_line_game = pytest.mark.parametrize("name", LINE_NAMES)
# the only block of a four is a double three: github.com/dhbloo/gomoku-calculator/issues/8
ONLY_BLOCK_BANNED = ["H8", "G6", "F6", "G5", "F7", "G4", "H7", "G3", "G2", "A1"]


def choose(spec: str, state: State, seed: int = 0) -> Analysis:
    agent = make(spec, state.game)
    agent.new_game(state.to_play, seed)
    return agent.choose([state.view(state.to_play)])[0]


def greedy_move(state: State, seed: int = 0) -> str:
    return state.game.text_of(choose("greedy", state, seed).action)


def position(g: Game, side: str, mine: list[str], theirs: list[str], **more: Any) -> State:
    """A position with ``side`` to move."""
    colours = (mine, theirs) if side == "black" else (theirs, mine)
    return g.position(black=colours[0], white=colours[1], to_move=side, **more)


def test_random_is_uniform_over_the_legal_moves() -> None:
    g = game("renju", size=6, row=3, recursive=False)
    state = g.from_text("x4x/6/1x3x/6/xo2x1/ox4 b 9 0-0 - -")  # most points are banned
    agent, view, legal = make("random", g), state.view(0), state.legal_actions()
    counts = np.bincount([agent.choose([view])[0].action for _ in range(3000)], minlength=g.num_actions)
    assert set(np.flatnonzero(counts)) == set(legal)
    assert chisquare(counts[legal]).pvalue > 0.001
    analysis = agent.choose([view])[0]
    np.testing.assert_array_equal(analysis.policy, state.legal_mask() / len(legal))
    assert not analysis.visits.any()
    assert analysis.value is None


@every_side
@every_line_game
def test_greedy_wins_if_it_can(name: str, side: str) -> None:
    """Also where the other threatens to win; it knows that it has won."""
    state = position(game(name, size=11), side, ["C5", "D5", "E5", "F5"], ["C8", "D8", "E8", "F8"])
    analysis = choose("greedy", state)
    assert state.game.text_of(analysis.action) in ("B5", "G5")
    assert analysis.proven == 1
    assert state.copy().play(analysis.action).payoffs[state.to_play] == 1


@every_side
def test_greedy_wins_by_the_fifth_pair(side: str) -> None:
    g = game("capture_gomoku", size=9)
    pairs = (4, 0) if side == "black" else (0, 4)
    state = position(g, side, ["C3", "A9"], ["D4", "E5", "H2", "H4"], pairs=pairs)
    assert greedy_move(state) == "F6"
    assert state.play("F6").reason == "five pairs"
    assert state.payoffs[SIDES.index(side)] == 1
    state = position(g, side, ["C3", "A9"], ["D4", "E5", "H2", "H4"])
    assert choose("greedy", state).proven is None


@every_side
@every_line_game
def test_greedy_blocks_a_four(name: str, side: str) -> None:
    state = position(game(name, size=11), side, ["G5", "C2", "I3", "K7"], ["C5", "D5", "E5", "F5"])
    assert greedy_move(state) == "B5"
    assert choose("greedy", state).proven is None


@every_side
@every_line_game
def test_greedy_blocks_a_four_with_a_gap(name: str, side: str) -> None:
    """Three more stones of one's own look better, but do not win in time."""
    state = position(game(name, size=11), side, ["C9", "D9", "E9", "A1"], ["D3", "D4", "D6", "D7"])
    assert greedy_move(state) == "D5"


@every_side
def test_greedy_blocks_the_fifth_pair(side: str) -> None:
    g = game("capture_gomoku", size=9)
    pairs = (0, 4) if side == "black" else (4, 0)
    state = position(g, side, ["D4", "E5", "H2"], ["C3", "A9", "I9"], pairs=pairs)
    state.play(greedy_move(state))
    assert not any(state.copy().play(int(a)).is_over for a in state.legal_actions())


@every_side
def test_greedy_breaks_an_open_four_by_a_capture(side: str) -> None:
    """Both ends cannot be blocked, but the four stands on a pair that can be taken."""
    state = position(game("capture_gomoku", size=9), side, ["D4", "H1", "I8"], ["C5", "D5", "E5", "F5", "D6"])
    assert greedy_move(state) == "D7"


@pytest.mark.parametrize("name", ["omok", "renju"])
def test_greedy_plays_something_legal_where_the_only_block_is_banned(name: str) -> None:
    state = game(name, size=15).start()
    for move in ONLY_BLOCK_BANNED:
        state.play(move)
    assert state.why_illegal("G7") == "G7: double three (two open threes at once) is banned"
    for seed in range(5):
        assert state.why_illegal(greedy_move(state, seed)) is None
    free = game("gomoku", size=15).start()
    for move in ONLY_BLOCK_BANNED:
        free.play(move)
    assert greedy_move(free) == "G7"  # where it is allowed


@every_side
@every_line_game
def test_greedy_loses_a_lost_game_on_the_spot_where_it_hurts_most(name: str, side: str) -> None:
    """Against an open four it still takes one end; it does not throw the game away in a corner."""
    state = position(game(name, size=11), side, ["A1", "C9", "I9", "K1"], ["C5", "D5", "E5", "F5"])
    assert greedy_move(state) in ("B5", "G5")


@every_side
@every_line_game
def test_greedy_makes_lines(name: str, side: str) -> None:
    state = position(game(name, size=11), side, ["D6", "E6", "F6"], ["A1", "K1", "A11"])
    assert greedy_move(state) in ("C6", "G6")  # an open four
    state = position(game(name, size=11), side, ["A1", "K1", "A11"], ["D6", "E6", "F6"])
    assert greedy_move(state) in ("C6", "G6")  # an open three is shut before it is one
    state = position(game(name, size=11), side, ["F6"], ["A1"])
    dr, dc = np.subtract(divmod(state.game.action_of(greedy_move(state)), 11), (5, 5))
    assert max(abs(dr), abs(dc)) <= 4 and (dr == 0 or dc == 0 or abs(dr) == abs(dc))


def test_the_seed_settles_ties_of_greedy() -> None:
    state = game("gomoku", size=9).start()
    assert len({greedy_move(state, seed) for seed in range(20)}) > 5


def test_greedy_plays_laws_that_know_no_urgency() -> None:
    """Any seat takes the rest of a heap."""
    for taken, stones in ((0, 3), (1, 4), (2, 5)):
        state = game_of(heap, stones=stones).start(chance="manual")
        for _ in range(taken):
            state.play(0).play(heap.NEXT)
        analysis = choose("greedy", state)
        assert (state.to_play, analysis.action, analysis.proven) == (taken, 2, 1)


def test_greedy_does_not_take_its_own_next_move_for_a_threat() -> None:
    """Who takes three of six stones moves again and then could win: no reason to shun it."""
    state = game_of(heap, stones=6).start()
    assert {choose("greedy", state, seed).action for seed in range(20)} == {0, 1, 2}


@every_side
def test_greedy_does_not_count_a_win_that_is_banned(side: str) -> None:
    """The fifth pair would be taken by a double three, which only a five would allow."""
    pairs = (4, 0) if side == "black" else (0, 4)
    stones = ["D5", "F5", "E4", "E6", "H8"], ["F6", "G7", "A1", "I1"]
    free = position(game("capture_gomoku", size=9), side, *stones, pairs=pairs)
    assert greedy_move(free) == "E5"
    banned = position(game("capture_gomoku", size=9, double_three=True), side, *stones, pairs=pairs)
    assert banned.why_illegal("E5") == "E5: double three (two open threes at once) is banned"
    assert choose("greedy", banned).proven is None
    assert banned.why_illegal(greedy_move(banned)) is None
