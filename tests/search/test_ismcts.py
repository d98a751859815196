"""Information-set MCTS: count by count against a plain one, what it finds with hidden cards, and what always holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from narabe.envs import LawError, State, game
from narabe.envs.rules import calls, core
from narabe.envs.rules.random import new_stream
from narabe.search.infosets import EDGES, EPOCH, NODES
from narabe.search.ismcts import MULTIPLE, POOL, SINGLE, WIDENING, Ismcts, drawn_deal, node_at
from narabe.search.uct import Found
from narabe.tests.games import game_of, heap, poker
from narabe.tests.search.exact import best_moves, exact
from narabe.tests.search.plain_ismcts import Node, PlainIsmcts, _info_key

FOUR_BY_FOUR = game("freestyle", size=4, row=3).start()
POKER = game_of(poker, cards=3)
both_forms = pytest.mark.parametrize("observer", [SINGLE, MULTIPLE])


def dealt(first: int, second: int, *line: int, cards: int = 3) -> State:
    """Poker with these cards, after ``line``."""
    state = game_of(poker, cards=cards).start(chance="manual").play(first * cards + second)
    for action in line:
        state.play(action)
    return state


def goita_after(plies: int, seed: int, name: str = "goita", **options: Any) -> State:
    """A game of Goita after so many random plies, where there is something to choose."""
    rng = np.random.default_rng(seed)
    state = game(name, **options).start(seed=seed)
    while state.ply < plies or len(state.legal_actions()) < 2:
        state.play(int(rng.choice(state.legal_actions())))
    return state


STARTS: dict[str, State] = {
    "goita, start": goita_after(0, 3),
    "goita, later": goita_after(9, 2),
    "goita, words": goita_after(0, 15, specials="choice"),
    "poker, first": dealt(4, 9, cards=12),
    "poker, second": dealt(7, 3, poker.PASS, cards=12),
    "tic-tac-toe": game("gomoku", size=3, row=3).start(),
    "three seats": game_of(heap, stones=14).start(),
}


def search(state: State, observer: str, seed: int = 1, c: float = 1.0, **budget: Any) -> Found:
    return Ismcts(state.game, c, observer).search(state.record, new_stream(seed), **budget)


def nodes_of(search: Ismcts) -> np.ndarray:
    """The records of the nodes in the table."""
    return search.table.nodes[search.table.nodes["epoch"] == search.table.used[EPOCH]]


def counts(search: Ismcts) -> list[list[tuple[int, int, float]]]:
    """Action, visits and payoff sum of each tried edge of each node, in an order of their own."""
    blocks = (search.table.edges[int(n["first"]) : int(n["first"]) + int(n["width"])] for n in nodes_of(search))
    return sorted(
        sorted((int(e["action"]), int(e["visits"]), float(e["total"])) for e in block if e["visits"])
        for block in blocks
    )


def plain_counts(nodes: list[Node]) -> list[list[tuple[int, int, float]]]:
    return sorted(sorted((a, e.visits, e.total) for a, e in node.edges.items() if e.visits) for node in nodes)


@both_forms
@pytest.mark.parametrize("name", STARTS)
def test_it_counts_as_the_plain_one_does(name: str, observer: str) -> None:
    state = STARTS[name]
    search, plain = (
        Ismcts(state.game, 0.3, observer),
        PlainIsmcts(state.game, 0.3, observer == SINGLE and core.hides(state.game.law)),
    )
    rng, other_rng = new_stream(3), new_stream(3)
    for sims in (1, 2, 200):
        found = search.search(state.record, rng, sims=sims)
        plain.search(state.record, other_rng, sims)
        assert rng == other_rng
        assert {int(a): int(found.visits[a]) for a in np.flatnonzero(found.visits)} == plain.visits()
        np.testing.assert_array_equal(found.value, plain.totals / sims)
        assert counts(search) == plain_counts(list(plain.nodes.values()))
    assert found.visits.sum() == found.simulations == 200


@pytest.mark.parametrize(("name", "cap"), [("tic-tac-toe", 9), ("tic-tac-toe", 100), ("goita, start", 60)])
def test_a_full_table_counts_as_the_plain_one_does(name: str, cap: int) -> None:
    state = STARTS[name]
    search, plain = Ismcts(state.game, 0.7, MULTIPLE, cap), PlainIsmcts(state.game, 0.7, False, cap)
    rng, other_rng = new_stream(3), new_stream(3)
    found = search.search(state.record, rng, sims=300)
    plain.search(state.record, other_rng, 300)
    assert rng == other_rng
    assert counts(search) == plain_counts(list(plain.nodes.values()))
    assert found.slots == plain.used <= cap


@both_forms
@pytest.mark.parametrize("name", STARTS)
def test_a_full_table_goes_on_with_what_it_holds(name: str, observer: str) -> None:
    state = STARTS[name]
    for more in (0, 11, 50):
        cap = len(state.legal_actions()) + more
        search = Ismcts(state.game, 1.0, observer, cap)
        found = search.search(state.record, new_stream(5), sims=2000)
        assert found.slots == search.table.used[EDGES] <= cap
        assert len(nodes_of(search)) == search.table.used[NODES] <= max(1, cap // 4)
        assert found.visits.sum() == 2000
        assert set(np.flatnonzero(found.visits)) == set(state.legal_actions())


@both_forms
def test_a_table_that_grows_keeps_its_nodes(observer: str) -> None:
    """The same as one that was large from the beginning."""
    state = STARTS["goita, start"]
    grown, large = Ismcts(state.game, 0.5, observer), Ismcts(state.game, 0.5, observer)
    large.table.SMALLEST = large.table.bits
    found = [search.search(state.record, new_stream(2), sims=6000) for search in (grown, large)]
    assert grown.table.used[NODES] > 1 << grown.table.SMALLEST
    np.testing.assert_array_equal(found[0].visits, found[1].visits)
    assert counts(grown) == counts(large)


# ---- what it finds ----


@both_forms
def test_with_the_best_card_it_calls_and_with_the_worst_it_folds(observer: str) -> None:
    """Whatever else the other may hold: only the own card decides."""
    for other in range(2):
        for line, action in (([poker.BET], poker.BET), ([poker.PASS, poker.BET], poker.BET)):
            hands = (2, other) if len(line) == 2 else (other, 2)
            assert search(dealt(*hands, *line), observer, sims=500).principal_variation == [action]
            hands = (0, other + 1) if len(line) == 2 else (other + 1, 0)
            assert search(dealt(*hands, *line), observer, sims=500).principal_variation == [poker.PASS]


@both_forms
def test_after_a_pass_the_best_card_bets(observer: str) -> None:
    """To pass wins one half; to bet can only win more."""
    found = search(dealt(1, 2, poker.PASS), observer, sims=3000, c=0.5)
    assert found.principal_variation == [poker.BET]
    assert found.value[1] >= 0.5


@pytest.mark.parametrize("stones", range(2, 10))
def test_three_seats_with_chance_come_to_the_exact_values(stones: int) -> None:
    state = game_of(heap, stones=stones).start()
    found = search(state, MULTIPLE, sims=20_000)
    assert found.value == pytest.approx(exact(state), abs=0.06)
    assert found.principal_variation[0] in best_moves(state)


def test_it_finds_the_forced_win_of_an_open_game() -> None:
    found = search(FOUR_BY_FOUR, MULTIPLE, sims=60_000)
    assert found.value[0] > 0.6
    assert found.principal_variation[0] in (5, 6, 9, 10)  # the centre
    final = FOUR_BY_FOUR.copy()
    for action in found.principal_variation:
        final.play(action)
    assert final.payoffs == (1, -1)


def test_tic_tac_toe_is_a_draw() -> None:
    state = STARTS["tic-tac-toe"]
    found = search(state, MULTIPLE, sims=30_000)
    assert found.value == pytest.approx([0, 0], abs=0.1)
    for action in found.principal_variation:
        state = state.copy().play(action)
    assert state.payoffs == (0, 0)


# ---- what it depends on ----


def sample() -> str:
    """JSON of a few searches: for comparing compiled code with plain Python."""
    found = {
        f"{name}, {observer}": Ismcts(state.game, 0.5, observer, 400).search(state.record, new_stream(8), sims=60)
        for name, state in STARTS.items()
        for observer in (SINGLE, MULTIPLE)
    }
    return json.dumps({k: (f.visits.tolist(), f.value.tolist(), f.principal_variation) for k, f in found.items()})


def test_compiled_and_plain_python_find_the_same() -> None:
    code = "from narabe.tests.search.test_ismcts import sample; print(sample())"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    # plain Python warns where unsigned numbers wrap around, as they are meant to
    command = [sys.executable, "-W", "ignore::RuntimeWarning", "-c", code]
    plain = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.strip() == sample()


@both_forms
def test_it_depends_only_on_what_the_player_knows(observer: str) -> None:
    for own in range(5):
        truths = [dealt(other, own, poker.BET, cards=5) for other in range(5) if other != own]
        found = [search(state, observer, sims=300) for state in truths]
        assert len({f.visits.tobytes() for f in found}) == 1
        assert len({f.value.tobytes() for f in found}) == 1


@both_forms
@pytest.mark.parametrize("name", ["goita, start", "goita, later", "goita, words"])
def test_in_goita_too(name: str, observer: str) -> None:
    """Other hands of the others, dealt so that its player cannot tell."""
    state, found = STARTS[name], []
    hands = set()
    for seed in range(4):
        other = state.copy()
        calls.redeal(other.record, 0, state.to_play + 1, new_stream(seed))
        hands.add(other.record["hand"].tobytes())
        found.append(search(other, observer, sims=300).visits.tobytes())
    assert len(hands) > 2
    assert len(set(found)) == 1


def test_without_hidden_parts_both_forms_are_one() -> None:
    found = [search(FOUR_BY_FOUR, observer, sims=500) for observer in (SINGLE, MULTIPLE)]
    np.testing.assert_array_equal(found[0].visits, found[1].visits)


@both_forms
def test_the_same_seed_finds_the_same(observer: str) -> None:
    again = Ismcts(FOUR_BY_FOUR.game, 1.0, observer)
    again.search(FOUR_BY_FOUR.record, new_stream(9), sims=700)  # what was searched before leaves no trace
    one, third = (search(FOUR_BY_FOUR, observer, seed, sims=500) for seed in (3, 4))
    other = again.search(FOUR_BY_FOUR.record, new_stream(3), sims=500)
    assert one.visits.tobytes() == other.visits.tobytes() != third.visits.tobytes()
    assert one.value.tobytes() == other.value.tobytes()


@pytest.mark.parametrize("ms", [1e-9, 0.5, 30])
def test_a_budget_of_time_makes_one_simulation_at_least(ms: float) -> None:
    found = search(FOUR_BY_FOUR, MULTIPLE, ms=ms)
    assert found.visits.sum() == found.simulations >= 1
    assert len(found.principal_variation) >= 1


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        ({}, "either sims or ms"),
        ({"sims": 10, "ms": 10}, "either sims or ms"),
        ({"sims": 0}, "sims=0: a whole number of simulations, at least one"),
        ({"sims": 0.5}, r"sims=0.5: a whole number"),
    ],
)
def test_a_budget_must_be_one_of_the_two(budget: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        search(FOUR_BY_FOUR, MULTIPLE, **budget)


def test_where_nobody_is_to_move_there_is_nothing_to_search() -> None:
    for state in (POKER.start(chance="manual"), dealt(0, 1, poker.PASS, poker.PASS)):
        with pytest.raises(ValueError, match="nobody is to move"):
            search(state, MULTIPLE, sims=10)


def test_hidden_parts_without_a_key_of_what_is_known_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    g = game_of(poker, cards=3)
    monkeypatch.delattr(poker, "info_key")
    with pytest.raises(LawError, match="has no info_key, which this needs"):
        Ismcts(g)


def test_a_wrong_observer_or_rollout_is_refused() -> None:
    with pytest.raises(ValueError, match="observer=both: single or multiple"):
        Ismcts(POKER, observer="both")
    with pytest.raises(ValueError, match="rollout=wise: random"):
        Ismcts(POKER, rollout="wise")
    with pytest.raises(ValueError, match="at least one slot, not 0"):
        Ismcts(POKER, max_nodes=0)


def test_deals_are_drawn_by_how_plausible_they_are() -> None:
    g, size, draws, rng = game("goita"), 16, 5_000, new_stream(3)
    state = g.position(hands="11223448,11122357,11356678,11134455", dealer=0, plies="114,2p,3p,444,142")
    states, pads = core.new_states(g.law, POOL + size), core.new_pads(g.law, 1)
    states[0] = state.view(1).record[0]
    weights, counts = np.zeros(size + 1), np.zeros(size, np.int64)
    drawn_deal(states, weights, 2, pads[0], 3.0, rng)  # fills the pool
    sums = weights[:size].copy()
    for _ in range(draws):
        weights[size] = 1  # no new pool yet
        counts[drawn_deal(states, weights, 2, pads[0], 3.0, rng)] += 1
    shares = np.diff(sums, prepend=0.0) / sums[-1]
    assert shares.max() > 4 * shares.min()  # the model tells deals apart
    assert (np.abs(counts / draws - shares) <= 4.5 * np.sqrt(shares * (1 - shares) / draws)).all()
    keys = {int(_info_key(states[POOL + i : POOL + i + 1], 2)) for i in range(size)}
    assert keys == {int(_info_key(state.record, 2))}  # all agree with what the seat has seen
    assert len({states[POOL + i].tobytes() for i in range(size)}) == size


def test_below_the_root_advice_comes_first_and_others_join_slowly() -> None:
    g = game("goita")
    state = g.position(hands="11223448,11122357,11356678,11134455", dealer=0, plies="114,2p,3p,444")
    search = Ismcts(g, rollout="advised", sharpness=3.0)
    search.search(state.view(0).record, new_stream(1), sims=2_000)
    t = search.table
    made = t.nodes[(t.nodes["epoch"] == t.used[EPOCH]) & (t.nodes["key"] != t.nodes["key"][root_of(search, 1)])]
    assert len(made) > 100
    assert (made["tried"] >= 1).all()
    assert (WIDENING * (made["tried"].astype(int) - 1) ** 2 < made["visits"]).all()
    assert (made["tried"] < made["width"]).any()


def root_of(search: Ismcts, player: int) -> int:
    """The slot of the root's node."""
    return int(node_at(search.states, search.table.nodes, search.table.used, player, search.single))
