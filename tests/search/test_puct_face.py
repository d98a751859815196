"""What surrounds a search with a network: its questions and answers, noise, batches, kept trees, refusals, plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from narabe.envs import LawError, State, game
from narabe.search.puct import Gumbel, Puct, Search, puct_search
from narabe.search.puct.expanding import weigh
from narabe.search.puct.trees import ENDED, NONE
from narabe.tests.games import game_of, heap, poker
from narabe.tests.oracles.puct import Plain
from narabe.tests.search.puct_cases import assert_same, digest, hashed, priors, some_positions, starts, stream, uniform

STARTS = starts()
TIC_TAC_TOE = STARTS["tic-tac-toe"]
every_start = pytest.mark.parametrize("name", STARTS)


# ---- the network's side -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [2, 10, 361, 400, 2000])
@pytest.mark.parametrize("spread", [0.0, 1.0, 30.0, 1e4, 1e30])
def test_the_softmax_is_exact_over_legal_actions(width: int, spread: float) -> None:
    rng = np.random.default_rng(width)
    logits = (rng.normal(0, 1, (1, width)) * spread).astype(np.float32)
    legal = (rng.random((1, width)) < 0.6).astype(np.int8)
    legal[0, 0] = 1
    logits[0, legal[0] == 0] = np.float32(3e38)  # what is not legal does not count, however high
    weights, actions = np.zeros(width), np.zeros(width, np.int32)
    n = weigh(logits, legal, 0, False, weights, actions)
    assert actions[:n].tolist() == np.flatnonzero(legal[0]).tolist()
    given = logits[0, legal[0] == 1].astype(np.float64)
    expected = np.exp(given - given.max())
    expected /= expected.sum()
    np.testing.assert_allclose(weights[:n], expected, rtol=2e-7, atol=1e-38)
    assert weights[:n].sum() == pytest.approx(1, abs=1e-6)


def test_what_a_masked_network_gives_is_taken() -> None:
    """Minus infinity for illegal actions, and for all legal ones but some."""
    logits = np.full((1, 6), -np.inf, np.float32)
    logits[0, [1, 4]] = 2.0
    legal = np.array([[0, 1, 1, 0, 1, 1]], np.int8)
    weights, actions = np.zeros(6), np.zeros(6, np.int32)
    assert weigh(logits, legal, 0, False, weights, actions) == 4
    assert weights[:4].tolist() == [0.5, 0, 0.5, 0]
    assert weigh(np.zeros((1, 6), np.float32), legal, 0, True, weights, actions) == 4
    assert weights[:4].tolist() == [0.25] * 4


@every_start
@pytest.mark.parametrize("make", [Puct, Gumbel])
def test_leaves_show_what_the_law_shows(name: str, make: type[Puct | Gumbel]) -> None:
    """Observation, mask and player of each leaf, against the position itself."""
    state = STARTS[name]
    search = make(state.game, batch=3, sims=40, solve=False)
    search.begin(np.repeat(state.record, 3), np.arange(3, dtype=np.uint64))
    evaluate = hashed(state.game.num_players)
    count = 0
    while leaves := search.leaves():
        for k, g in enumerate(leaves.games):
            at = State(state.game, search.states[g : g + 1], stream(1))
            assert at.to_play + 1 == leaves.players[k]
            assert leaves.masks[k].tolist() == at.legal_mask().astype(np.int8).tolist()
            assert leaves.observations[k].tobytes() == at.observe(at.to_play).tobytes()
            count += 1
        search.give(*evaluate(leaves.observations, leaves.masks, leaves.players))
    assert count > 20
    found, legal = search.found(), state.legal_mask().astype(bool)
    assert not found.visits[:, ~legal].any()
    assert (found.policy[:, ~legal] == 0).all()
    assert found.policy.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert found.simulations.tolist() == [40] * 3
    if make is Puct:
        assert (found.visits.sum(axis=1) == 40).all()


# ---- noise --------------------------------------------------------------------------------------------------------------


def test_noise_is_at_the_root_only_and_drawn_once() -> None:
    state = STARTS["9x9"]
    noisy, clean = (Puct(state.game, batch=1, sims=80, noise=x) for x in (0.25, 0.0))
    rng, unused = stream(4), stream(4)
    noisy.begin(state.record, rng)
    evaluate = hashed(2)
    drawn = []
    while leaves := noisy.leaves():
        noisy.give(*evaluate(leaves.observations, leaves.masks, leaves.players))
        drawn.append((int(noisy.streams[0]), tuple(sorted(priors(noisy, 0).items()))))
    assert drawn[0][0] != 4
    assert len(set(drawn)) == 1  # neither the stream nor the priors of the root changed after the first answer
    clean.run(state.record, evaluate, unused)
    assert unused[0] == 4  # without noise and chance nothing is drawn
    before, after = priors(clean, 0), priors(noisy, 0)
    share = {a: (after[a] - 0.75 * before[a]) / 0.25 for a in before}
    assert min(share.values()) > -1e-6
    assert sum(share.values()) == pytest.approx(1, abs=1e-5)
    assert max(share.values()) > 0.03
    assert np.flatnonzero(noisy.trees.clean[0]).tolist() == sorted(before)
    assert all(noisy.trees.clean[0][a] == np.float32(p) for a, p in before.items())
    for search in (noisy, clean):  # below the root all priors are the network's own
        for node in range(1, int(search.trees.desks["nodes"][0])):
            n = search.trees.nodes[node]
            if n["first"] >= 0 and n["turn"] > 0 and n["tried"] == 0:
                assert max(priors(search, node).values()) == search.trees.edges[n["first"]]["prior"]


def test_a_kept_tree_gets_new_noise_on_clean_priors() -> None:
    state = STARTS["9x9"].copy()
    search = Puct(state.game, batch=1, sims=200, noise=0.5, reuse=True)
    fresh = Puct(state.game, batch=1, sims=1)
    rng, evaluate = stream(4), hashed(2)
    found = search.run(state.record, evaluate, rng)
    first = priors(search, 0)
    search.run(state.record, evaluate, rng)  # the same position again
    second = priors(search, 0)
    fresh.run(state.record, evaluate, stream(1))
    for a, p in priors(fresh, 0).items():
        assert search.trees.clean[0][a] == np.float32(p)
    assert first != second
    state.play(int(found.action[0]))
    search.advance(found.action)
    search.begin(state.record, rng)
    fresh.clear()
    fresh.run(state.record, evaluate, stream(1))
    for a, p in priors(fresh, 0).items():
        assert search.trees.clean[0][a] == np.float32(p)
        assert priors(search, 0)[a] >= np.float32(0.499 * p)
    assert priors(search, 0) != priors(fresh, 0)


# ---- batches ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("make", "options"), [(Puct, {"noise": 0.25}), (Gumbel, {})])
def test_a_game_finds_the_same_bytes_in_any_batch(make: type[Any], options: dict[str, Any]) -> None:
    states = some_positions(13)
    records = np.concatenate([s.record for s in states])
    seeds = np.arange(100, 113, dtype=np.uint64)
    evaluate = hashed(2)
    whole = make(states[0].game, batch=13, sims=70, **options)
    rng = seeds.copy()
    together = whole.run(records, evaluate, rng)
    again = make(states[0].game, batch=40, sims=70, **options).run(records, evaluate, seeds.copy())
    for i in range(13):
        alone_rng = seeds[i : i + 1].copy()
        alone = make(states[0].game, batch=1, sims=70, **options).run(records[i : i + 1], evaluate, alone_rng)
        assert digest(alone, 0) == digest(together, i) == digest(again, i)
        assert alone_rng[0] == rng[i]
    other = make(states[0].game, batch=13, sims=70, **options).run(records, evaluate, seeds + np.uint64(1))
    assert any(digest(other, i) != digest(together, i) for i in range(13))


def test_a_used_search_finds_what_a_new_one_finds() -> None:
    states, evaluate = some_positions(6), hashed(2)
    search = Puct(states[0].game, batch=1, sims=50)
    for state in [*states, *states]:
        used = search.run(state.record, evaluate, stream(3))
        fresh = Puct(state.game, batch=1, sims=50).run(state.record, evaluate, stream(3))
        assert digest(used, 0) == digest(fresh, 0)


def test_games_at_different_points_step_by_step() -> None:
    """A worker's loop over two searches: games are begun anew, with other budgets, while others go on."""
    states, evaluate = some_positions(12), hashed(2)
    g = states[0].game
    searches: list[Search] = [Puct(g, batch=3, sims=40, noise=0.25), Gumbel(g, batch=2, sims=40)]
    waiting, got = [list(range(12)), list(range(12))], [{}, {}]
    at: list[dict[int, int]] = [{}, {}]

    def begin(which: int, i: int) -> None:
        k = waiting[which].pop(0)
        at[which][i] = k
        searches[which].begin(states[k].record, stream(k), games=np.array([i]), sims=20 + k)

    for which, search in enumerate(searches):
        for i in range(search.batch):
            begin(which, i)
    while at[0] or at[1]:
        asked = [search.leaves() for search in searches]
        answers = [evaluate(x.observations, x.masks, x.players) for x in asked]
        for which, search in enumerate(searches):
            search.give(*answers[which])
            for i in np.flatnonzero(search.finished()).tolist():
                if i in at[which]:
                    got[which][at[which].pop(i)] = digest(search.found(np.array([i])), 0)
                    if waiting[which]:
                        begin(which, i)
    for k, state in enumerate(states):
        one = Puct(g, batch=1, noise=0.25, sims=20 + k).run(state.record, evaluate, stream(k))
        other = Gumbel(g, batch=1, sims=20 + k).run(state.record, evaluate, stream(k))
        assert got[0][k] == digest(one, 0)
        assert got[1][k] == digest(other, 0)


@pytest.mark.parametrize("make", [Puct, Gumbel])
def test_a_finished_game_in_the_batch(make: type[Any]) -> None:
    final = TIC_TAC_TOE.copy()
    for action in (0, 3, 1, 4, 2):
        final.play(action)
    records = np.concatenate([TIC_TAC_TOE.record, final.record, TIC_TAC_TOE.copy().play(4).record])
    found = make(final.game, batch=4, sims=30).run(records, uniform, np.arange(3, dtype=np.uint64))
    assert found.value[1].tolist() == [1, -1]
    assert found.action.tolist()[1] == -1
    assert not found.visits[1].any()
    assert not found.policy[1].any()
    assert found.principal_variation(1) == []
    assert found.simulations.tolist() == [30, 0, 30]
    only = make(final.game, batch=1, sims=30).run(final.record, uniform, stream(0))
    assert only.value[0].tolist() == [1, -1]


def test_moves_are_drawn_by_visits() -> None:
    states = some_positions(3)
    found = puct_search(states[0].game, np.concatenate([s.record for s in states]), hashed(2), np.zeros(3, np.uint64))
    found.visits[2] = 0
    n, rng = 4000, np.arange(3, dtype=np.uint64)
    for temperature in (1.0, 0.5):
        drawn = np.array([found.sample(rng, temperature) for _ in range(n)])
        assert (drawn[:, 2] == -1).all()
        for i in (0, 1):
            shares = found.visits[i] ** (1 / temperature)
            counts = np.bincount(drawn[:, i], minlength=49)
            assert not counts[shares == 0].any()
            np.testing.assert_allclose(counts / n, shares / shares.sum(), atol=0.04)
    cold = found.sample(rng, 1e-6)
    assert (found.visits[[0, 1], cold[:2]] == found.visits[:2].max(axis=1)).all()
    with pytest.raises(ValueError, match="temperature=0"):
        found.sample(rng, 0)


# ---- proven positions, kept trees ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("solve", [False, True])
@pytest.mark.parametrize("considered", [0, 16])
def test_proven_leaves_count_as_ends(considered: int, solve: bool) -> None:
    """Of the positions after each move the prover knows some; the oracle is told the same."""
    state = STARTS["9x9"]
    g, evaluate = state.game, hashed(2)

    def known(record: np.ndarray) -> np.ndarray | None:
        seen = int(State(g, record, stream(0)).key % 5)
        return np.array([1.0, -1.0]) if seen == 0 else np.array([-0.25, 0.25]) if seen == 1 else None

    def prove(states: np.ndarray, games: np.ndarray) -> np.ndarray:
        told = [known(states[i : i + 1]) for i in games]
        return np.array([x if x is not None else [np.nan, np.nan] for x in told])

    search: Search = (Gumbel if considered else Puct)(g, batch=1, sims=300, solve=solve)
    found = search.run(state.record, evaluate, stream(2), prove)
    plain = Plain(g, evaluate, considered=considered, solve=solve, prove=known)
    plain.search(state.record, stream(2), 300)
    assert_same(found, plain)
    nodes = search.trees.nodes[: search.trees.desks["nodes"][0]]
    ended = nodes[nodes["turn"] == ENDED]
    assert len(ended) > (1 if solve else 5)  # a certain win ends the search
    assert (ended["first"] == NONE).all() or solve
    assert set(ended["q"].tolist()) <= {1.0, -1.0, 0.25, -0.25}


def test_a_proven_node_that_becomes_the_root_is_searched() -> None:
    state = TIC_TAC_TOE.copy()
    search = Puct(state.game, batch=1, sims=50, reuse=True)
    search.run(state.record, uniform, stream(1), lambda states, games: np.array([[0.5, -0.5]] * len(games)))
    assert search.trees.desks["nodes"][0] == 10
    search.advance(np.array([4]))
    found = search.run(state.play(4).record, uniform, stream(1))
    assert found.visits.sum() == 50


def test_a_search_goes_on_where_it_was() -> None:
    state, evaluate = STARTS["9x9"].copy(), hashed(2)
    search = Puct(state.game, batch=1, sims=300, reuse=True)
    found = search.run(state.record, evaluate, stream(1))
    move = found.action
    kept = found.visits[0, move[0]] - 1
    search.advance(move)
    again = search.run(state.play(int(move[0])).record, evaluate, stream(1))
    assert kept > 0
    assert again.visits.sum() == kept + 300
    assert again.simulations[0] == 300


def test_the_tree_of_another_position_is_dropped() -> None:
    state, evaluate = STARTS["9x9"].copy(), hashed(2)
    search = Puct(state.game, batch=1, sims=100, reuse=True)
    search.run(state.record, evaluate, stream(1))
    state.play("B2")
    found, fresh = (s.run(state.record, evaluate, stream(2)) for s in (search, Puct(state.game, batch=1, sims=100)))
    assert digest(found, 0) == digest(fresh, 0)
    search.advance(np.array([0]))  # A1 is taken: there is no such child
    assert not search.trees.desks["rooted"][0]


def test_cards_that_were_dealt_but_not_seen_are_not_looked_at() -> None:
    """Gomocku with the backs dealt into piles: two truths that look the same are searched alike."""
    g, found = game("gomocku", size=7, deal="physical"), []
    for seed in (1, 2):
        state, rng = g.start(seed=seed), np.random.default_rng(0)
        while state.ply < 30:
            state.play(int(rng.choice(state.legal_actions())))
        found.append((state, puct_search(g, state.record, hashed(2), stream(3), sims=400)))
    assert found[0][0].to_text() != found[1][0].to_text()
    assert digest(found[0][1], 0) == digest(found[1][1], 0)


# ---- what is refused ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [Puct, Gumbel])
def test_games_with_hidden_parts_are_refused(make: type[Any]) -> None:
    with pytest.raises(LawError, match="^this search would look into hidden hands here: [^\n]*$"):
        make(game_of(poker, cards=3))
    with pytest.raises(LawError, match="hidden hands"):
        make(game("goita"))


def test_a_chance_turn_at_the_root_is_refused() -> None:
    state = game_of(heap, stones=5).start(chance="manual")
    records = np.concatenate([state.record, state.copy().play(0).record])
    with pytest.raises(ValueError, match=r"^records\[1\] is at a chance turn"):
        Puct(state.game, batch=2).begin(records, np.zeros(2, np.uint64))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch": 0}, "batch=0, sims=100: at least one"),
        ({"sims": 0}, "batch=64, sims=0: at least one"),
        ({"noise": 1.5}, "noise=1.5"),
        ({"c": -1.0}, "c=-1.0"),
        ({"outputs": "values"}, "outputs='values': logits or probabilities"),
        ({"max_edges": 8}, "too small: at least 2 and 9"),
        ({"max_nodes": 1}, "too small"),
        ({"batch": 1 << 20, "max_nodes": 1 << 12, "max_edges": 9}, r"2\*\*31 in all"),
    ],
)
def test_options_that_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Puct(TIC_TAC_TOE.game, **options)


def test_answers_that_are_refused() -> None:
    search = Puct(TIC_TAC_TOE.game, batch=1, sims=5)
    search.begin(TIC_TAC_TOE.copy().play(0).record, stream(1))
    with pytest.raises(ValueError, match="no search to tell of"):
        search.found()
    search.leaves()
    with pytest.raises(ValueError, match="1 answers of the network are due"):
        search.leaves()
    with pytest.raises(ValueError, match="answers first, or clear"):
        search.begin(TIC_TAC_TOE.record, stream(1))
    good, values = np.zeros((1, 9), np.float32), np.zeros((1, 2), np.float32)
    for outputs, said, message in (
        (good[:, :8], values, r"outputs \(1, 9\) and values \(1, 2\) are due"),
        (good, values[:, 0], r"not \(1, 9\) and \(1,\)"),
        (good * np.nan, values, "row 0 of the network cannot be used"),
        (good, values * np.nan, "row 0 of the network"),
        (good - np.inf, values, "row 0 of the network"),
    ):
        with np.errstate(invalid="ignore"), pytest.raises(ValueError, match=message):
            search.give(outputs, said)
    fine = good.copy()
    fine[0, 0] = np.nan  # which is not legal
    search.give(fine, values)
    with pytest.raises(ValueError, match="games 0 to 1 of a search of 1"):
        search.begin(np.repeat(TIC_TAC_TOE.record, 2), np.zeros(2, np.uint64))
    with pytest.raises(ValueError, match="records of gomoku:size=3,row=3 are due"):
        search.begin(game_of(heap, stones=3).start().record, stream(1))
    with pytest.raises(ValueError, match="streams"):
        search.begin(TIC_TAC_TOE.record, np.zeros(1))
    with pytest.raises(ValueError, match="sims=0"):
        search.begin(TIC_TAC_TOE.record, stream(1), sims=0)
    with pytest.raises(ValueError, match="sims=6 to 6: 1 to 5"):
        search.begin(TIC_TAC_TOE.record, stream(1), sims=6)


# ---- plain Python ---------------------------------------------------------------------------------------------------------


def sample() -> str:
    """What small searches find, as text."""
    lines = []
    for name in ("tic-tac-toe", "three seats", "captures", "bans"):
        state = STARTS[name]
        for search in (
            Puct(state.game, batch=2, sims=25, noise=0.25, reuse=True),
            Gumbel(state.game, batch=2, sims=25, considered=4, reuse=True),
        ):
            rng, position = np.array([1, 2], np.uint64), state.copy()
            evaluate = hashed(state.game.num_players)
            for _ in range(2):
                records = np.concatenate([position.record] * 2).view(type(position.record))
                found = search.run(records, evaluate, rng)
                lines.append((name, found.visits.tolist(), found.value.tolist(), found.policy.tolist(), rng.tolist()))
                told = len(position.history)
                position.play(int(found.action[0]))
                for action in position.history[told:]:
                    search.advance(np.array([action, action]))
                if position.is_over:
                    break
    return str(lines)


def test_compiled_and_plain_python_find_the_same() -> None:
    code = "from narabe.tests.search.test_puct_face import sample; print(sample())"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "ignore::RuntimeWarning", "-c", code]
    plain = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.strip() == sample()
