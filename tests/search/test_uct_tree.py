"""The tree of UCT, slot by slot: against a plain one that draws the same random numbers, and by what must always hold."""

from __future__ import annotations

import numpy as np
import pytest

from narabe.envs import State, game
from narabe.envs.rules.random import new_stream
from narabe.search.tree import BONUS, MEAN, Tree
from narabe.search.uct import Uct
from narabe.tests.games import game_of, heap
from narabe.tests.search.plain_uct import Node, PlainUct

BANNED = "x4x/6/1x3x/6/xo2x1/ox4 b 9 0-0 - -"  # 6 of 27 points are allowed
STARTS: dict[str, State] = {
    "tic-tac-toe": game("gomoku", size=3, row=3).start(),
    "4x4": game("freestyle", size=4, row=3).start(),
    "oblong": game("gomoku", width=5, height=3, row=3).start(),
    "captures": game("capture_gomoku", size=7).start(),
    "bans": game("renju", size=6, row=3, recursive=False, five_spoils_three=False, same_line=True).from_text(BANNED),
    "three seats": game_of(heap, stones=14).start(),
}
every_start = pytest.mark.parametrize("name", STARTS)


def uct_for(state: State, c: float = 1.0, cap: int = 20_000) -> Uct:
    return Uct(state.game, c, cap)


def as_nodes(tree: Tree, slot: int = 0) -> Node:
    """The tree in the form of the plain one."""
    n = tree.nodes[slot]
    node = Node(int(n["action"]) if slot else -1, int(n["mover"]), int(n["visits"]), float(n["total"]))
    if n["first"] >= 0:
        first, tried, width = int(n["first"]), int(n["tried"]), int(n["width"])
        node.children = [as_nodes(tree, first + k) for k in range(tried)]
        node.untried = [int(tree.nodes[first + k]["action"]) for k in range(tried, width)]
    return node


def same(tree: Node, plain: Node) -> bool:
    """Equal in all but the root's action, and the idle slots of a chance turn."""
    idle = tree.untried == plain.untried or (plain.outcomes > 0 and tree.untried is not None)
    facts = [(n.mover, n.visits, n.total, [c.action for c in n.children]) for n in (tree, plain)]
    return idle and facts[0] == facts[1] and all(map(same, tree.children, plain.children))


def check(tree: Tree) -> None:
    """What holds for every tree."""
    taken = np.zeros(len(tree.nodes), np.int64)
    taken[0] = 1
    stack = [0]
    while stack:
        at = stack.pop()
        n = tree.nodes[at]
        first, width, tried, visits = (int(n[name]) for name in ("first", "width", "tried", "visits"))
        assert 0 <= tried <= width
        assert visits > 0 or at == 0
        if visits and n["mover"]:
            assert -visits <= n["total"] <= visits
            assert tree.stats[at, MEAN] == n["total"] / visits
        if visits:
            assert tree.stats[at, BONUS] == 1 / np.sqrt(visits)
        if first < 0:
            continue
        assert first > at
        assert first + width <= tree.used[0] <= len(tree.nodes)
        taken[first : first + width] += 1
        children = tree.children(at)
        assert len(set(children["action"])) == tried
        assert children["visits"].sum() <= visits
        stack += range(first, first + tried)
    assert taken.max() == 1  # no slot belongs to two blocks


@every_start
@pytest.mark.parametrize(("c", "cap"), [(1.0, 20_000), (0.1, 20_000), (1.4, 150), (0.3, 60)])
def test_the_tree_equals_the_plain_one(name: str, c: float, cap: int) -> None:
    state = STARTS[name]
    uct, plain = uct_for(state, c, cap), PlainUct(state.game, c, cap)
    rng, other_rng = new_stream(3), new_stream(3)
    for sims in (1, 2, 60, 300):
        uct.search(state.record, rng, sims=sims)
        plain.search(state.record, other_rng, sims)
        assert rng == other_rng
        assert same(as_nodes(uct.tree), plain.root)
        assert uct.tree.used[0] == plain.used
        np.testing.assert_array_equal(uct.tree.root_totals, plain.totals)
        check(uct.tree)
    root = uct.tree.nodes[0]
    assert root["visits"] == 363 == uct.tree.children(0)["visits"].sum()


@every_start
@pytest.mark.parametrize("c", [1.0, 0.1])
def test_whole_games_on_one_tree_equal_those_on_the_plain_one(name: str, c: float) -> None:
    """The root moves on after each move, chance turns too; with a new game the tree is used again."""
    start = STARTS[name]
    uct, plain = uct_for(start, c, 1500), PlainUct(start.game, c, 1500)
    rng, other_rng = new_stream(8), new_stream(8)
    for n in range(3):
        state = start.copy()
        state.rng = new_stream(n)
        uct.clear()
        plain.clear()
        while not state.is_over:
            found = uct.search(state.record, rng, sims=80)
            plain.search(state.record, other_rng, 80)
            np.testing.assert_array_equal(found.value, plain.totals / 80)
            assert found.principal_variation == plain.line()
            told = len(state.history)
            state.play(found.principal_variation[0])
            for action in state.history[told:]:
                uct.advance(action)
                plain.advance(action)
                assert same(as_nodes(uct.tree), plain.root)
                assert uct.tree.used[0] == plain.used
                check(uct.tree)
    assert rng == other_rng


@every_start
@pytest.mark.parametrize("c", [1.0, 0.05])
def test_a_new_root_keeps_its_subtree_as_it_was(name: str, c: float) -> None:
    state = STARTS[name]
    uct = uct_for(state, c)
    for seed in range(5):
        uct.clear()
        found = uct.search(state.record, new_stream(seed), sims=800)
        for action in np.flatnonzero(found.visits):
            kept = uct_for(state, c)
            kept.search(state.record, new_stream(seed), sims=800)
            expected = as_nodes(kept.tree).child(action)
            expected.mover, expected.total = 0, 0.0
            kept.advance(action)
            assert same(as_nodes(kept.tree), expected)
            check(kept.tree)


def test_a_search_goes_on_where_it_was() -> None:
    state = STARTS["4x4"].copy()
    uct = uct_for(state)
    found = uct.search(state.record, new_stream(1), sims=1000)
    move = found.principal_variation[0]
    grandchildren = {c.action: c.visits for c in as_nodes(uct.tree).child(move).children}
    state.play(move)
    uct.advance(move)
    again = uct.search(state.record, new_stream(2), sims=100)
    assert again.visits.sum() == sum(grandchildren.values()) + 100
    assert all(again.visits[action] >= visits for action, visits in grandchildren.items())
    assert again.simulations == 100
    check(uct.tree)


def test_an_action_without_a_node_leaves_an_empty_tree() -> None:
    state = STARTS["4x4"].copy()
    uct = uct_for(state)
    found = uct.search(state.record, new_stream(1), sims=3)
    action = int(np.flatnonzero(found.visits == 0)[0])
    uct.advance(action)
    assert uct.tree.used[0] == 1
    assert uct.search(state.play(action).record, new_stream(1), sims=10).visits.sum() == 10


def test_the_tree_of_another_position_is_dropped() -> None:
    """It would mislead; also where one took moves back or skipped some, and the tree was not told."""
    state = STARTS["4x4"].copy()
    uct = uct_for(state)
    uct.search(state.record, new_stream(1), sims=500)
    state.play("B2")
    found, fresh = (u.search(state.record, new_stream(2), sims=300) for u in (uct, uct_for(state)))
    np.testing.assert_array_equal(found.visits, fresh.visits)
    np.testing.assert_array_equal(found.value, fresh.value)
    assert found.principal_variation == fresh.principal_variation


@every_start
def test_memory_is_bounded_by_the_cap(name: str) -> None:
    state = STARTS[name]
    actions = state.game.num_actions
    for cap in (actions + 1, actions + 2, 2 * actions, 5 * actions):
        uct = uct_for(state, cap=cap)
        found = uct.search(state.record, new_stream(5), sims=2000)
        check(uct.tree)
        assert len(uct.tree.nodes) == cap
        assert found.visits.sum() == 2000
        assert set(np.flatnonzero(found.visits)) == set(state.legal_actions())


def test_a_cap_without_room_for_the_first_moves_still_gives_a_value() -> None:
    found = uct_for(STARTS["tic-tac-toe"], cap=5).search(STARTS["tic-tac-toe"].record, new_stream(1), sims=3000)
    assert found.principal_variation == []
    assert found.value == pytest.approx([0.29, -0.29], abs=0.05)  # what random play gives


def test_a_tree_of_no_nodes_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one node, not 0"):
        Tree(0, 2)
