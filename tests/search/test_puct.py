"""PUCT: against the plain oracle, and by what must always hold."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from narabe.envs import State, game
from narabe.envs.rules.random import new_stream
from narabe.search.puct import Puct, puct_search
from narabe.tests.games import game_of, heap, thicket
from narabe.tests.oracles.expectimax import expectimax
from narabe.tests.oracles.puct import Plain
from narabe.tests.search.exact import Values, best_moves, exact
from narabe.tests.search.puct_cases import (
    Evaluate,
    assert_same,
    check,
    hashed,
    knowing,
    starts,
    stream,
    uniform,
)  # fmt: skip

STARTS = starts()
TIC_TAC_TOE = STARTS["tic-tac-toe"]
every_start = pytest.mark.parametrize("name", STARTS)
OPTIONS: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "greedy": {"c": 0.3, "fpu": 0.5},
    "curious": {"c": 6.0, "c_growth": 50.0, "fpu": 0.0},
    "noise": {"noise": 0.25},
    "much noise": {"noise": 0.9, "concentration": 2.0, "root_fpu": 0.3},
    "few edges": {"max_edges": 700},
    "few nodes": {"max_nodes": 40},
    "as in the paper": {"solve": False},
    "hardly any": {"max_nodes": 3, "max_edges": 490},
}


def plain_for(state: State, evaluate: Evaluate, options: dict[str, Any]) -> Plain:
    options = {"root_fpu": 0.0 if options.get("noise") else options.get("fpu", 0.2)} | options
    return Plain(state.game, evaluate, **options)


# ---- the oracle ---------------------------------------------------------------------------------------------------------


@every_start
@pytest.mark.parametrize("kind", OPTIONS)
def test_it_equals_the_plain_one(name: str, kind: str) -> None:
    state, options = STARTS[name], OPTIONS[kind]
    evaluate = hashed(state.game.num_players)
    search, plain = Puct(state.game, batch=1, sims=250, **options), plain_for(state, evaluate, options)
    for seed, sims in ((1, 1), (2, 30), (3, 250)):
        search.clear()
        plain.clear()
        rng, other_rng = stream(seed), stream(seed)
        search.begin(state.record, rng, sims=sims)
        while leaves := search.leaves():
            search.give(*evaluate(leaves.observations, leaves.masks, leaves.players))
        plain.search(state.record, other_rng, sims)
        assert_same(search.found(), plain)
        assert search.streams[0] == other_rng[0]
        assert search.trees.desks["nodes"][0] == plain.nodes
        assert search.trees.desks["edges"][0] == plain.edges
        check(search, 0)


@every_start
@pytest.mark.parametrize("kind", ["as it comes", "noise", "few edges", "few nodes"])
def test_whole_games_on_one_tree_equal_those_of_the_plain_one(name: str, kind: str) -> None:
    """The root moves on after each move, chance turns too, and noise is drawn anew for the clean priors."""
    start, options = STARTS[name], OPTIONS[kind]
    evaluate = hashed(start.game.num_players)
    search = Puct(start.game, batch=1, sims=60, reuse=True, **options)
    t = search.trees
    plain = plain_for(start, evaluate, {"max_nodes": t.max_nodes, "max_edges": t.max_edges} | options)
    rng, other_rng = stream(5), stream(5)
    state = start.copy()
    state.rng = new_stream(9)
    for _ in range(14):
        if state.is_over:
            break
        found = search.run(state.record, evaluate, rng)
        plain.search(state.record, other_rng, 60)
        assert_same(found, plain)
        assert rng == other_rng
        assert (t.desks["nodes"][0], t.desks["edges"][0]) == (plain.nodes, plain.edges)
        check(search, 0)
        told = len(state.history)
        state.play(int(found.action[0]))
        for action in state.history[told:]:
            search.advance(np.array([action]))
            plain.advance(action)
    assert len(state.history) > len(start.history)


def test_probabilities_do_as_well_as_logits() -> None:
    state = STARTS["9x9"]
    evaluate = hashed(2)

    def as_probabilities(o: np.ndarray, m: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        outputs, values = evaluate(o, m, p)
        return np.exp(outputs) * 3, values  # of illegal actions too, and not of sum 1

    found = puct_search(state.game, state.record, as_probabilities, stream(1), sims=150, outputs="probabilities")
    plain = Plain(state.game, as_probabilities, probabilities=True)
    plain.search(state.record, stream(1), 150)
    assert_same(found, plain)


# ---- values -------------------------------------------------------------------------------------------------------------


@cache
def solved() -> dict[int, Values]:
    known: dict[int, Values] = {}
    exact(TIC_TAC_TOE, known)
    return known


@cache
def perfect() -> Evaluate:
    return knowing(TIC_TAC_TOE, lambda state: exact(state, solved()))


def test_with_a_perfect_network_it_plays_perfectly() -> None:
    """Every position of rows of three after two plies, all in one batch, few simulations."""
    states = [TIC_TAC_TOE.copy().play(a).play(b) for a in range(9) for b in range(9) if a != b]
    records = np.concatenate([s.record for s in states])
    found = puct_search(TIC_TAC_TOE.game, records, perfect(), np.arange(72, dtype=np.uint64), sims=60)
    for state, action in zip(states, found.action):
        assert action in best_moves(state, solved())


CALM = {"c": 1.0, "fpu": 0.3}  # less exploration: sooner at the exact values


def test_knowing_nothing_it_comes_to_the_draw_of_rows_of_three() -> None:
    found = puct_search(TIC_TAC_TOE.game, TIC_TAC_TOE.record, uniform, stream(1), sims=30_000, **CALM)
    assert found.value[0] == pytest.approx([0, 0], abs=0.05)
    final = TIC_TAC_TOE.copy()
    for action in found.principal_variation(0):
        final.play(action)
    assert final.payoffs == (0, 0)


def test_knowing_nothing_it_plays_every_position_of_rows_of_three_perfectly() -> None:
    states = [TIC_TAC_TOE.copy().play(a).play(b) for a in range(9) for b in range(9) if a != b]
    records = np.concatenate([s.record for s in states])
    found = puct_search(TIC_TAC_TOE.game, records, uniform, np.arange(72, dtype=np.uint64), sims=3000, **CALM)
    for i, state in enumerate(states):
        assert found.action[i] in best_moves(state, solved())
        assert found.value[i, 0] == -found.value[i, 1]


def test_the_first_player_wins_three_in_a_row_on_4x4() -> None:
    state = STARTS["4x4"]
    found = puct_search(state.game, state.record, uniform, stream(1), sims=100_000, **CALM)
    assert found.value[0, 0] > 0.8
    assert exact(state.copy().play(int(found.action[0])))[0] == 1


@pytest.mark.parametrize("stones", range(2, 14))
def test_three_seats_with_chance_come_to_the_exact_values(stones: int) -> None:
    state = game_of(heap, stones=stones).start()

    def nothing(o: np.ndarray, masks: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(masks.shape, np.float32), np.zeros((len(masks), 3), np.float32)

    found = puct_search(state.game, state.record, nothing, stream(1), sims=20_000, **CALM)
    assert found.value[0] == pytest.approx(exact(state), abs=0.05)
    assert found.action[0] in best_moves(state)


@pytest.mark.parametrize("seed", [0, 1, *range(4, 12)])
def test_trees_of_chance_come_to_the_exact_values(seed: int) -> None:
    options = {"levels": 5, "width": 0, "branch": 4, "chance": 40, "dead": 5, "steps": 5, "strict": 0}
    state = game_of(thicket, seed=seed, **options).start(seed=seed)
    found = puct_search(state.game, state.record, uniform, stream(1), sims=20_000, **CALM)
    assert found.value[0, 0] == pytest.approx(expectimax(state), abs=0.04)


@pytest.mark.parametrize(("before", "seat"), [([], 0), ([0, heap.NEXT], 1), ([0, heap.NEXT, 0, heap.AGAIN], 1)])
def test_any_seat_takes_the_last_three_of_a_heap(before: list[int], seat: int) -> None:
    state = game_of(heap, stones=3 + len(before) // 2).start(chance="manual")
    for action in before:
        state.play(action)
    assert state.to_play == seat
    found = puct_search(state.game, state.record, hashed(3), stream(1), sims=300)
    assert found.principal_variation(0) == [2]
    assert found.value[0, seat] > 0.8
    assert found.value[0].sum() == pytest.approx(0, abs=1e-6)


def test_ends_count_by_the_law_whatever_the_network_says() -> None:
    """White to move must stop a four; the network says that all is well for White."""
    g = game("gomoku", size=9)
    state = g.position(black="C5 D5 E5 F5", white="A1 C8 I2 B5", to_move="white")

    def rosy(o: np.ndarray, masks: np.ndarray, players: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(masks.shape, np.float32), np.full((len(masks), 2), [-0.5, 0.5], np.float32)

    found = puct_search(g, state.record, rosy, stream(1), sims=8000)
    assert g.text_of(int(found.action[0])) == "G5"
