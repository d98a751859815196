"""Random playouts: uniform over the legal actions, payoffs and plies counted right, the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chisquare

from narabe.envs import State, game
from narabe.envs.rules import calls, core
from narabe.envs.rules.random import new_stream
from narabe.search.playout import playouts
from narabe.tests.games import game_of, heap, poker
from narabe.tests.search.plain_uct import playout as plain_playout

RENJU = game("renju", size=6, row=3, recursive=False, five_spoils_three=False, same_line=True)
STARTS: dict[str, State] = {
    "gomoku": game("gomoku", size=5, row=4).start(),
    "captures": game("capture_gomoku", size=7).start(),
    "bans": RENJU.from_text("x4x/6/1x3x/6/xo2x1/ox4 b 9 0-0 - -"),
    "heap": game_of(heap, stones=14).start(),
    "poker": game_of(poker, cards=4).start(chance="manual"),
}
every_start = pytest.mark.parametrize("name", STARTS)


def final_states(start: State, count: int, seed: int) -> tuple[np.ndarray, np.ndarray, int]:
    """(final record of each playout, sums of payoffs, plies)."""
    states, rng = np.concatenate([start.record] * 2), new_stream(seed)
    totals, ends, plies = np.zeros(start.game.num_players), np.zeros(count, start.record.dtype), 0
    for i in range(count):
        plies += playouts(states, 1, rng, totals)
        ends[i] = states[1]
    assert not core.differences(states[:1], start.record)  # the start is left alone
    return ends, totals, plies


def first_moves(start: State, count: int) -> np.ndarray:
    """How often a playout of a line game began with each action."""
    ends, _, _ = final_states(start, count, 7)
    cells = ends["history"][:, int(start.record["n_moves"][0])] & 511
    return np.bincount(cells, minlength=start.game.num_actions)


@pytest.mark.parametrize(
    ("text", "legal"),
    [
        ("x4x/6/1x3x/6/xo2x1/ox4 b 9 0-0 - -", 6),  # of 27 empty points: one choice in 72 comes to the scan
        ("o1x2x/4x1/1x4/2x2o/x2x2/1o2x1 b 11 0-0 - -", 3),  # of 25: one in 9
    ],
)
def test_first_moves_are_uniform_over_the_legal_ones(text: str, legal: int) -> None:
    state = RENJU.from_text(text)
    counts = first_moves(state, 40_000)
    assert len(state.legal_actions()) == legal
    assert set(np.flatnonzero(counts)) == set(state.legal_actions())
    assert chisquare(counts[state.legal_actions()]).pvalue > 0.001


def test_the_opening_rule_binds_playouts_too() -> None:
    state = game("capture_gomoku", size=9).start()
    assert np.flatnonzero(first_moves(state, 20)).tolist() == [40]
    state.play("E5").play("A1")
    counts = first_moves(state, 20_000)
    assert set(np.flatnonzero(counts)) == set(state.legal_actions())
    assert chisquare(counts[state.legal_actions()]).pvalue > 0.001


@every_start
def test_playouts_equal_plain_ones(name: str) -> None:
    start = STARTS[name]
    states, rng, totals = np.concatenate([start.record] * 2), new_stream(2), np.zeros(start.game.num_players)
    plies = playouts(states, 50, rng, totals)
    plain_rng, plain_totals, plain_plies = new_stream(2), np.zeros(start.game.num_players), 0
    for _ in range(50):
        s, payoffs = start.record.copy(), np.zeros(start.game.num_players)
        plain_plies += len(plain_playout(s, plain_rng))
        calls.payoffs(s, 0, payoffs)
        plain_totals += payoffs
    assert not core.differences(states[1:], s)
    assert (plies, rng[0]) == (plain_plies, plain_rng[0])
    np.testing.assert_array_equal(totals, plain_totals)


@every_start
def test_payoffs_sum_to_zero_and_plies_are_counted(name: str) -> None:
    start = STARTS[name]
    ends, totals, plies = final_states(start, 300, 1)
    moves = "n" if "n" in ends.dtype.names else "n_moves"
    assert plies == int((ends[moves] - start.record[moves]).sum())
    payoffs = np.zeros((len(ends), start.game.num_players))
    for i in range(len(ends)):
        assert calls.facts(ends, i)[1]
        calls.payoffs(ends, i, payoffs[i])
    assert np.abs(payoffs).max() <= 1
    assert not payoffs.sum(axis=1).any()
    np.testing.assert_allclose(totals, payoffs.sum(axis=0))


@every_start
def test_the_same_seed_gives_the_same_bytes(name: str) -> None:
    one, other, third = (final_states(STARTS[name], 100, seed)[0] for seed in (4, 4, 5))
    assert not core.differences(one, other)
    assert core.differences(one, third)


def test_chance_falls_by_its_weights_and_players_choose_evenly() -> None:
    ends, _, _ = final_states(STARTS["heap"], 4000, 3)
    moves = np.concatenate([end["moves"][: end["n"]] for end in ends])
    coins = moves[moves >> 4 == 1] & 3
    assert chisquare(np.bincount(coins), np.array([0.75, 0.25]) * len(coins)).pvalue > 0.001
    assert chisquare(np.bincount(ends["moves"][:, 0] & 3)).pvalue > 0.001


def test_every_deal_is_drawn_and_none_twice_as_often() -> None:
    ends, _, _ = final_states(STARTS["poker"], 6000, 3)
    deals = np.bincount(ends["hand"] @ [4, 1], minlength=16)
    assert set(np.flatnonzero(deals == 0)) == {0, 5, 10, 15}  # the pairs of equal cards
    assert chisquare(deals[deals > 0]).pvalue > 0.001
