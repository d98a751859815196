"""Gumbel AlphaZero: against the plain oracle, the paper's schedule and formulas, and the improvement it promises."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest

from narabe.envs import State, game
from narabe.envs.rules.random import new_stream
from narabe.search.puct import Gumbel, gumbel_search
from narabe.search.puct.halving import schedule
from narabe.search.puct.root import ABSENT, draw_dirichlet, gumbel, log_gamma_draw
from narabe.tests.games import game_of, heap
from narabe.tests.oracles.puct import Plain, halving
from narabe.tests.search.exact import Values, best_moves, exact
from narabe.tests.search.puct_cases import (
    Evaluate,
    assert_same,
    check,
    following,
    hashed,
    knowing,
    priors,
    starts,
    stream,
    uniform,
)  # fmt: skip

STARTS = starts()
TIC_TAC_TOE = STARTS["tic-tac-toe"]
every_start = pytest.mark.parametrize("name", STARTS)
OPTIONS: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "few considered": {"considered": 3},
    "one considered": {"considered": 1},
    "all considered": {"considered": 1000},
    "no randomness": {"gumbel_scale": 0.0},
    "values count little": {"visit_offset": 5.0, "value_scale": 0.2},
    "few edges": {"max_edges": 700},
    "few nodes": {"max_nodes": 40},
    "as in the paper": {"solve": False},
}


# ---- the oracle ---------------------------------------------------------------------------------------------------------


@every_start
@pytest.mark.parametrize("kind", OPTIONS)
def test_it_equals_the_plain_one(name: str, kind: str) -> None:
    state, options = STARTS[name], OPTIONS[kind]
    evaluate = hashed(state.game.num_players)
    search = Gumbel(state.game, batch=1, sims=250, **options)
    plain = Plain(state.game, evaluate, **({"considered": 16} | options))
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
@pytest.mark.parametrize("kind", ["as it comes", "few considered", "few nodes"])
def test_whole_games_on_one_tree_equal_those_of_the_plain_one(name: str, kind: str) -> None:
    start, options = STARTS[name], OPTIONS[kind]
    evaluate = hashed(start.game.num_players)
    search = Gumbel(start.game, batch=1, sims=60, reuse=True, **options)
    t = search.trees
    bounds = {"max_nodes": t.max_nodes, "max_edges": t.max_edges}
    plain = Plain(start.game, evaluate, **({"considered": 16} | bounds | options))
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
        check(search, 0)
        told = len(state.history)
        state.play(int(found.action[0]))
        for action in state.history[told:]:
            search.advance(np.array([action]))
            plain.advance(action)
    assert len(state.history) > len(start.history)


# ---- the schedule -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("considered", "sims", "levels"),
    [
        (8, 24, [0] * 8 + [1] * 4 + [2] * 4 + [3, 3, 4, 4, 5, 5, 6, 6]),
        (8, 13, [0] * 8 + [1] * 4 + [2]),
        (7, 24, [0] * 7 + [1] * 3 + [2] * 3 + [3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8]),
        (4, 16, [0] * 4 + [1] * 4 + [2, 2, 3, 3, 4, 4, 5, 5]),
        (2, 6, [0, 0, 1, 1, 2, 2]),
        (1, 5, [0, 1, 2, 3, 4]),
    ],
)
def test_schedules_that_are_known(considered: int, sims: int, levels: list[int]) -> None:
    """The first three are those of the authors' own tests."""
    assert schedule(considered, sims) == levels


@pytest.mark.parametrize("considered", [1, 2, 3, 4, 5, 7, 8, 16, 23, 32])
def test_schedules_of_all_lengths(considered: int) -> None:
    for sims in [*range(considered, 70), 100, 199, 200, 800]:
        assert schedule(considered, sims) == halving(considered, sims)


def test_the_visits_of_the_root_are_those_of_the_paper() -> None:
    """200 simulations of 16 actions: 3 each, then 6 more for 8, 12 for 4, 25 for 2, and the last six for those two."""
    state = STARTS["9x9"]
    rng = np.arange(20, dtype=np.uint64)
    found = gumbel_search(state.game, np.repeat(state.record, 20), hashed(2), rng, sims=200)
    for visits in found.visits:
        assert sorted(visits.tolist())[-17:] == [0] + [3] * 8 + [9] * 4 + [21] * 2 + [49] * 2
    assert (found.visits[np.arange(20), found.action] == 49).all()


def test_the_actions_considered_are_those_of_the_highest_gumbel_and_prior() -> None:
    state = STARTS["9x9"]
    search = Gumbel(state.game, batch=1, sims=16)
    for seed in range(10):
        found = search.run(state.record, hashed(2), stream(seed))
        first = priors(search, 0)
        odds = search.trees.odds[0]
        best = sorted(first, key=lambda a: -odds[a])[:16]
        assert sorted(np.flatnonzero(found.visits[0])) == sorted(best)
        drawn = np.array([odds[a] - math.log(p) for a, p in first.items()])
        assert -2.5 < drawn.min() < drawn.max() < 15


def test_without_randomness_the_stream_does_not_matter() -> None:
    state = STARTS["9x9"]
    rng = np.arange(3, dtype=np.uint64)
    found = gumbel_search(state.game, np.repeat(state.record, 3), hashed(2), rng, sims=50, gumbel_scale=0)
    assert rng.tolist() == [0, 1, 2]
    assert (found.visits == found.visits[0]).all()


# ---- formulas -----------------------------------------------------------------------------------------------------------


def test_completed_values_and_the_improved_policy_by_hand() -> None:
    """One visit each of two actions, by the formulas of the paper, written out."""
    state = TIC_TAC_TOE
    search = Gumbel(state.game, batch=1, sims=2, considered=2, gumbel_scale=0.0)
    logits = np.log(np.array([[4, 3, 1, 1, 1, 1, 1, 1, 1]], np.float32) / 14)
    after = {0: 0.4, 1: -0.2}  # values for the mover of what actions 0 and 1 lead to

    def evaluate(o: np.ndarray, masks: np.ndarray, players: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        legal = masks[0].astype(bool)
        value = 0.1 if legal.all() else after[int(np.flatnonzero(~legal)[0])]
        return logits, np.array([[value, -value]])

    found = search.run(state.record, evaluate, stream(1))
    assert found.visits[0].tolist() == [1, 1, 0, 0, 0, 0, 0, 0, 0]
    p = np.array([4, 3, 1, 1, 1, 1, 1, 1, 1]) / 14
    weighted = (p[0] * 0.4 + p[1] * -0.2) / (p[0] + p[1])
    mixed = (0.1 + 2 * weighted) / (1 + 2)
    q = np.array([0.4, -0.2] + [mixed] * 7)
    expected = p * np.exp((50 + 1) * 1.0 * (q + 1) / 2)
    np.testing.assert_allclose(found.policy[0], expected / expected.sum(), rtol=1e-5)
    assert found.action[0] == 0
    assert found.value[0] == pytest.approx([0.1, -0.1])  # (0.1 + 0.4 - 0.2) / 3


def test_below_the_root_visits_follow_the_improved_policy() -> None:
    """Visit shares come as close to the improved policy as whole visits can, if the values stay as they are."""
    state = STARTS["9x9"]
    search = Gumbel(state.game, batch=1, sims=2000, considered=1, value_scale=0.02, solve=False)
    search.run(state.record, hashed(2, range_of_values=0.0), stream(1))
    child = int(search.trees.edges[search.trees.nodes[0]["first"]]["child"])
    n = search.trees.nodes[child]
    block = search.trees.edges[n["first"] : n["first"] + n["width"]]
    visits = np.zeros(len(block))
    visits[: n["tried"]] = search.trees.nodes[block["child"][: n["tried"]]]["visits"]
    assert visits.sum() == 1999
    np.testing.assert_allclose(visits / visits.sum(), block["prior"], atol=1.01 / 1999)


@pytest.mark.parametrize(("alpha", "n"), [(0.03, 361), (0.3, 9), (2.0, 5)])
def test_dirichlet_noise_has_the_right_mean_and_spread(alpha: float, n: int) -> None:
    rng, draws = new_stream(3), []
    for _ in range(3000):
        noise = np.full(n + 4, ABSENT)
        noise[2 : n + 2] = 0.0
        draw_dirichlet(noise, alpha * n, rng)
        assert (noise[[0, 1, -2, -1]] == ABSENT).all()
        draws.append(noise[2 : n + 2])
        assert draws[-1].sum() == pytest.approx(1)
        assert draws[-1].min() >= 0
    shares, spread = np.array(draws), (1 / n) * (1 - 1 / n) / (alpha * n + 1)
    assert shares.mean(axis=0) == pytest.approx(1 / n, abs=5 * math.sqrt(spread / 3000))
    assert shares.var(axis=0).mean() == pytest.approx(spread, rel=0.05)


@pytest.mark.parametrize("alpha", [0.05, 0.7, 1.0, 4.0])
def test_gamma_draws_have_the_right_mean_and_variance(alpha: float) -> None:
    rng = new_stream(8)
    drawn = np.exp([log_gamma_draw(alpha, rng) for _ in range(20_000)])
    assert drawn.mean() == pytest.approx(alpha, abs=5 * math.sqrt(alpha / 20_000))
    assert drawn.var() == pytest.approx(alpha, rel=0.15)


def test_gumbel_draws_have_the_right_mean_and_variance() -> None:
    rng = new_stream(8)
    drawn = np.array([gumbel(rng) for _ in range(40_000)])
    assert drawn.mean() == pytest.approx(0.5772, abs=0.03)
    assert drawn.var() == pytest.approx(math.pi**2 / 6, rel=0.04)


# ---- improvement --------------------------------------------------------------------------------------------------------


@cache
def solved() -> dict[int, Values]:
    known: dict[int, Values] = {}
    exact(TIC_TAC_TOE, known)
    return known


@cache
def perfect() -> Evaluate:
    return knowing(TIC_TAC_TOE, lambda state: exact(state, solved()))


@cache
def consistent(sharpness: float) -> Evaluate:
    """A random policy with its true values, for all of rows of three."""
    return following(TIC_TAC_TOE, hashed(2, sharpness))


def action_values(state: State, evaluate: Evaluate) -> np.ndarray:
    """What each action is worth to the mover if the policy is followed from then on, 0 for illegal ones."""
    out = np.zeros(state.game.num_actions)
    for a in state.legal_actions():
        after = state.copy().play(int(a))
        if after.is_over:
            out[a] = after.payoffs[state.to_play]
        else:
            out[a] = evaluate(after.observe(after.to_play)[None], out[None], np.array([after.to_play + 1]))[1][
                0, state.to_play
            ]
    return out


def positions(plies: int, every: int = 1) -> list[State]:
    found = [TIC_TAC_TOE.copy()]
    for _ in range(plies):
        found = [s.copy().play(int(a)) for s in found for a in s.legal_actions()]
    return [s for s in found[::every] if not s.is_over]


def gains(states: list[State], sims: np.ndarray, sharpness: float) -> np.ndarray:
    """What the improved policy is worth more than the prior, if the prior is followed afterwards."""
    evaluate = consistent(sharpness)
    search = Gumbel(TIC_TAC_TOE.game, batch=len(states), sims=int(sims.max()), solve=False)
    search.begin(np.concatenate([s.record for s in states]), np.arange(len(states), dtype=np.uint64), sims=sims)
    while leaves := search.leaves():
        search.give(*evaluate(leaves.observations, leaves.masks, leaves.players))
    found, out = search.found(), np.zeros(len(states))
    for i, state in enumerate(states):
        q = action_values(state, evaluate)
        first = priors(search, int(search.trees.desks["node0"][i]))
        out[i] = found.policy[i] @ q - sum(p * q[a] for a, p in first.items())
    return out


def test_the_improved_policy_is_never_worse_than_the_prior() -> None:
    """Every position after two plies and some after four, one action looked at or all, each once.

    The network's values are those of its own policy; so are then the completed values, and the theorem holds to the letter.
    """
    states = positions(2) + positions(4, every=29)
    legal = np.array([len(s.legal_actions()) for s in states])
    for sharpness in (0.5, 1.5, 3.0):
        for sims in (np.ones_like(legal), legal):
            gained = gains(states, sims, sharpness)
            assert gained.min() > -1e-6
            assert gained.mean() > 0.05


@pytest.mark.parametrize("sims", [2, 4])
def test_the_improved_policy_is_seldom_worse_where_some_actions_are_not_tried(sims: int) -> None:
    """Their mixed value is an estimate, so now and then a little is lost."""
    states = positions(2) + positions(4, every=29)
    for sharpness in (0.5, 1.5, 3.0):
        gained = gains(states, np.full(len(states), sims), sharpness)
        assert (gained < -1e-3).mean() < 0.05
        assert gained.min() > -0.1
        assert gained.mean() > 0.1


@pytest.mark.parametrize("sims", [2, 4, 16])
def test_the_actions_chosen_are_better_on_average_than_the_prior(sims: int) -> None:
    """The paper's promise for the action itself: over many draws, in positions where there is something to lose."""
    evaluate = consistent(1.5)
    for moves in ([4, 1], [0, 8, 2], [4, 0, 8]):
        state = TIC_TAC_TOE.copy()
        for a in moves:
            state.play(a)
        n = 2000
        search = Gumbel(state.game, batch=n, sims=sims, solve=False)
        rng = np.arange(n, dtype=np.uint64) * np.uint64(7919)
        found = search.run(np.repeat(state.record, n), evaluate, rng)
        q = action_values(state, evaluate)
        expected = sum(p * q[a] for a, p in priors(search, 0).items())
        chosen = q[found.action]
        assert chosen.mean() > expected + 3 * chosen.std() / math.sqrt(n)


def test_one_simulation_draws_from_the_prior() -> None:
    """With a single action considered, Gumbel-top-1 is a draw from the policy."""
    state, n = TIC_TAC_TOE, 20_000
    search = Gumbel(state.game, batch=n, sims=1)
    found = search.run(np.repeat(state.record, n), hashed(2, 0.7), np.arange(n, dtype=np.uint64) * np.uint64(104729))
    counts = np.bincount(found.action, minlength=9) / n
    for a, p in priors(search, 0).items():
        assert counts[a] == pytest.approx(p, abs=4 * math.sqrt(p / n))


# ---- play ---------------------------------------------------------------------------------------------------------------


def test_with_a_perfect_network_it_plays_perfectly() -> None:
    """As many simulations as actions: one look at each is enough."""
    states = positions(2) + positions(3, every=5)
    records = np.concatenate([s.record for s in states])
    found = gumbel_search(
        TIC_TAC_TOE.game, records, perfect(), np.arange(len(states), dtype=np.uint64), sims=7, gumbel_scale=0.0
    )
    for state, action in zip(states, found.action):
        assert action in best_moves(state, solved())


def test_knowing_nothing_it_finds_the_way_out_of_a_four() -> None:
    g = game("gomoku", size=7)
    state = g.position(black="C4 D4 E4 F4", white="A1 C7 G2 B4", to_move="white")
    found = gumbel_search(g, state.record, uniform, stream(1), sims=20_000, considered=64)
    assert g.text_of(int(found.action[0])) == "G4"


@pytest.mark.parametrize("stones", range(2, 12))
def test_three_seats_with_chance(stones: int) -> None:
    state = game_of(heap, stones=stones).start()

    def nothing(o: np.ndarray, masks: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(masks.shape, np.float32), np.zeros((len(masks), 3), np.float32)

    found = gumbel_search(state.game, state.record, nothing, stream(1), sims=3000)
    assert found.action[0] in best_moves(state)
    q = [exact(state.copy().play(int(a)))[0] for a in state.legal_actions()]
    policy = found.policy[0][state.legal_actions()]
    assert float(policy @ np.array(q)) > np.mean(q) or max(q) == min(q)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"considered": 0}, "considered=0"),
        ({"visit_offset": -1.0}, "visit_offset=-1.0"),
        ({"gumbel_scale": -1.0}, "gumbel_scale=-1.0"),
    ],
)
def test_options_that_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Gumbel(TIC_TAC_TOE.game, **options)
