"""Expectimax, alpha-beta, Star1 and Star2 on thousands of random trees, players and chance in any order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from narabe.envs import LawError, State, check_game, game
from narabe.envs.rules import calls, core
from narabe.envs.rules.random import new_stream
from narabe.search.star import METHODS, Solved, Star
from narabe.tests.games import game_of, heap, poker, thicket
from narabe.tests.oracles.expectimax import expectimax
from narabe.tests.search.exact import best_moves

PLAIN = ("expectimax", "alphabeta", "star1", "star2")


ANY = game_of(thicket, levels=7, branch=4, steps=1)


def start(seed: int, levels: int = 7, width: int = 0, **options: int) -> State:
    """The root of a random tree; payoffs are few in half of them, so that many values tie."""
    drawn = {"branch": [3, 5, 4, 2][seed % 4], "steps": [1, 2, 5, 1000][seed // 4 % 4], "strict": seed // 2 % 2}
    given = {"seed": seed, "levels": levels, "width": width, "chance": 40, "dead": 5} | drawn | options
    record = core.new_states(thicket, 1)
    calls.init(record, 0, np.array([given[name] for name in thicket.PARAMS], np.int64))
    return State(ANY, record, new_stream(0), "manual")


def starts(seeds: range, width: int = 0, levels: int = 7) -> Iterator[State]:
    for seed in seeds:
        yield start(seed, levels, width)


@cache
def star(method: str, table: int = 0, merge: bool = False) -> Star:
    """One search for all trees: it is told all it must know by the record."""
    return Star(ANY, method, table, merge)


def search(state: State, method: str, table: int = 0, merge: bool = False) -> Solved:
    star(method, table, merge).clear()
    return star(method, table, merge).search(state.record)


def nodes(state: State, merge: bool = True) -> list[int]:
    return [search(state, m, merge=merge).nodes for m in PLAIN]


@pytest.mark.parametrize("width", [0, 5])
@pytest.mark.parametrize("strict", [0, 1])
def test_the_random_trees_keep_the_contract_of_a_law(width: int, strict: int) -> None:
    g = game_of(thicket, seed=4, levels=8, width=width, branch=4, chance=40, dead=5, steps=3, strict=strict)
    assert check_game(g, games=10) >= 10


@pytest.mark.parametrize("method", PLAIN)
def test_values_are_those_of_the_naive_oracle(method: str) -> None:
    """Every method, with and without merging, against plain recursion; ties, chains of chance, impossible outcomes."""
    for state in starts(range(80), levels=5):
        value = expectimax(state)
        for merge in (False, True):
            found = search(state, method, merge=merge)
            assert found.value == pytest.approx((value, -value), abs=1e-12)
            assert found.exact and found.complete


def test_two_thousand_trees_have_the_values_of_expectimax() -> None:
    """Fail-soft bounds, windows and cutoffs of all methods; with a table too, which is too small for what is put in."""
    for k, state in enumerate(starts(range(1000, 3000))):
        value = search(state, "expectimax").value[0]
        for method, table in (("alphabeta", 0), ("star1", 0), ("star2", 0), ("star1", 16), ("star2", 64)):
            found = search(state, method, table)
            assert found.value[0] == pytest.approx(value, abs=1e-12), (k, method, table)


@pytest.mark.parametrize("method", ["alphabeta", "star1", "star2"])
def test_webs_have_the_values_of_expectimax_by_iterative_deepening(method: str) -> None:
    """Positions reached on many ways, bounds from shallower searches, guesses at the horizon in the same table."""
    for state in starts(range(300), width=4):
        value = search(state, "expectimax").value[0]
        star(method, 1 << 10).clear()
        found = star(method, 1 << 10).solve(state.record)
        assert found.exact and found.complete
        assert found.value[0] == pytest.approx(value, abs=1e-12)


def test_star1_never_needs_more_nodes_than_alpha_beta_nor_that_more_than_expectimax() -> None:
    """Windows only get narrower."""
    total = np.zeros(4)
    for state in starts(range(5000, 5600)):
        counted = nodes(state)
        assert counted[0] >= counted[1] >= counted[2]
        total += counted
    assert total[2] < 0.9 * total[1]


def test_star2_saves_nodes_on_the_whole_where_leaves_are_dear() -> None:
    """It may lose on a tree what its probes cost, above all on a small one; here most of the leaves have many moves."""
    total = sum(np.array(nodes(start(seed, levels=7, branch=8, strict=1))) for seed in range(30))
    assert total[3] < 0.97 * total[2]
    assert total[2] < 0.97 * total[1]


def test_expectimax_counts_every_position_of_the_tree() -> None:
    """The meaning of a node: the root and each state entered."""

    def size(state: State) -> int:
        if state.is_over:
            return 1
        legal = [a for a in range(state.game.num_actions) if state.why_illegal(a) is None]
        return 1 + sum(size(state.copy().play(a)) for a in legal)

    for state in starts(range(20), levels=4):
        assert nodes(state, merge=False)[0] == size(state)


def test_merging_twins_changes_no_value_and_saves_nodes() -> None:
    saved = 0
    for state in starts(range(300, 500)):
        found = [search(state, "expectimax", merge=merge) for merge in (False, True)]
        assert found[0].value[0] == pytest.approx(found[1].value[0], abs=1e-12)
        assert found[1].nodes <= found[0].nodes
        saved += found[0].nodes - found[1].nodes
    assert saved > 1000


@pytest.mark.parametrize("method", PLAIN)
def test_the_move_is_a_best_one(method: str) -> None:
    for state in starts(range(100), levels=5):
        if state.to_play < 0:
            assert search(state, method).action == -1
            continue
        action = search(state, method).action
        after = expectimax(state.copy().play(action))
        assert after == pytest.approx(expectimax(state), abs=1e-12)


def test_a_search_in_slices_is_the_same_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stack is kept between slices: nothing is searched twice."""
    whole = [search(s, "star2") for s in starts(range(30))]
    monkeypatch.setattr("narabe.search.star.solve.SLICE", 7)
    sliced = [search(s, "star2") for s in starts(range(30))]
    assert [(f.value, f.action, f.nodes) for f in whole] == [(f.value, f.action, f.nodes) for f in sliced]


def test_games_without_chance_are_searched_too() -> None:
    state = game("gomoku", size=3, row=3).start()
    found = Star(state.game).solve(state.record)
    assert (found.value, found.exact, found.plies) == ((0.0, 0.0), True, 9)
    assert found.principal_variation[0] in best_moves(state)
    final = state.copy()
    for action in found.principal_variation:
        final.play(action)
    assert final.payoffs == (0, 0)


def test_games_it_cannot_search_are_refused_in_one_line() -> None:
    with pytest.raises(LawError, match="^this search is for two players, and heap:stones=5 has 3$"):
        Star(game_of(heap, stones=5))
    with pytest.raises(LawError, match="^this search would look into hidden hands here: [^\n]*$"):
        Star(game_of(poker, cards=3))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "star3"}, "method='star3': choose one of expectimax, alphabeta, star1, star2"),
        ({"table": -1}, "table=-1"),
    ],
)
def test_options_that_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Star(game("gomoku", size=3, row=3), **options)  # type: ignore[arg-type]
    assert list(METHODS) == list(PLAIN)
