"""A game's tree in arrays: what is in it, how policies get onto it, and which games are refused."""

from __future__ import annotations

import numpy as np
import pytest

from narabe.agents import make
from narabe.envs import Game, LawError, State
from narabe.search.cfr import CfrPlus, GameTree, TreeError, best_response
from narabe.search.cfr.build import END_NODE
from narabe.tests.games import fog, game_of, heap, poker, thicket
from narabe.tests.oracles.expectimax import expectimax
from narabe.tests.oracles.regrets import Node, grown

KUHN = game_of(poker, cards=3)


def fog_game(seed: int, **options: int) -> Game:
    return game_of(fog, **{"seed": seed, "levels": 7, "branch": 3, "dead": 5} | options)


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    return GameTree.of(KUHN)


def test_kuhn_poker_has_twelve_information_sets(kuhn: GameTree) -> None:
    assert (kuhn.num_infos, kuhn.num_slots, kuhn.num_decisions, len(kuhn.nodes)) == (12, 24, 24, 55)
    assert kuhn.payoff_range == (-1.0, 1.0)
    assert "12 information sets, 24 decision histories" in repr(kuhn)
    assert abs(kuhn.nodes["chance"][kuhn.nodes["info"] == END_NODE].sum() - 5) < 1e-12  # five ends to each deal


@pytest.mark.parametrize("g", [KUHN, *map(fog_game, range(8))], ids=lambda g: g.spec)
def test_the_tree_is_that_of_a_naive_recursion(g: Game) -> None:
    """Movers, actions in order, chances, payoffs, and which histories share an information set."""
    tree, names = GameTree.of(g), {}

    def compare(at: int, node: Node, chance: float) -> None:
        found = tree.nodes[at]
        assert np.isclose(found["chance"], chance, rtol=1e-12)
        if node.player < 0:
            assert (found["info"], found["gain"], found["width"]) == (END_NODE, node.gain, 0)
            return
        children = range(found["first"], found["first"] + found["width"])
        actions = [int(tree.nodes["action"][i]) for i in children]
        assert sorted(node.children) == sorted(actions)
        if node.player:
            info = int(found["info"])
            assert names.setdefault(node.name, info) == info and tree.seat(info) == node.player - 1
            assert tree.actions[tree.slots(info)].tolist() == actions == sorted(actions)
        for i, action in zip(children, actions):
            compare(i, node.children[action], chance * node.chance.get(action, 1.0))

    compare(0, grown(g.start(chance="manual")), 1.0)
    assert len(set(names.values())) == len(names) == tree.num_infos


def test_every_information_set_has_a_position_to_look_at(kuhn: GameTree) -> None:
    for info in range(kuhn.num_infos):
        state = kuhn.state(info)
        assert state.to_play == kuhn.seat(info)
        assert kuhn.info_of(state) == info
        np.testing.assert_array_equal(state.legal_actions(), kuhn.actions[kuhn.slots(info)])
    with pytest.raises(KeyError):
        kuhn.info_of(kuhn.state(0).play(0).play(0))


def test_a_policy_of_anything_that_plays(kuhn: GameTree) -> None:
    def by_card(state: State) -> np.ndarray:
        card = int(state.observe(state.to_play)[0, 0].argmax())
        return np.array([3.0 - card, 1.0])  # scaled to sum to one

    policy = kuhn.policy_of(by_card)
    for info in range(kuhn.num_infos):
        card = kuhn.state(info).record["hand"][0][kuhn.seat(info)]
        np.testing.assert_allclose(policy[kuhn.slots(info)], np.array([3.0 - card, 1.0]) / (4 - card))
    agent, seen = make("random", KUHN), []
    policy = kuhn.policy_of(lambda s: agent.analyse(s).policy, track=lambda infos: (seen.append(i) or i for i in infos))
    assert policy.shape == (24,) and seen == list(range(12))
    for wrong in ([1.0], [0.0, 0.0], [2.0, -1.0], [np.nan, 1.0]):
        with pytest.raises(ValueError, match="probabilities"):
            kuhn.policy_of(lambda state, wrong=wrong: wrong)


@pytest.mark.parametrize("seed", range(4))
def test_where_the_law_names_no_information_sets_each_history_is_one(seed: int) -> None:
    """Nothing is hidden there: the value is that of a plain search, though the positions are reached on many ways."""
    g = game_of(thicket, seed=seed, levels=6, width=4, branch=3, chance=30, dead=5, steps=5, strict=0)
    tree = GameTree.of(g)
    assert tree.num_infos == tree.num_decisions
    assert all(tree.info_of(tree.state(info)) == info for info in range(tree.num_infos))
    policy = CfrPlus(tree).run(300).average_policy()
    exact = expectimax(g.start(chance="manual"))
    assert -best_response(tree, policy, 1).value - 1e-9 <= exact <= best_response(tree, policy, 0).value + 1e-9
    assert best_response(tree, policy, 0).value - exact < 2e-3 > exact + best_response(tree, policy, 1).value


@pytest.mark.parametrize(
    ("flaw", "words"),
    [
        (fog.FORGETS, "are one information set, but the player came there by different actions of its own"),
        (fog.UNEQUAL, "not a game of perfect recall: .* are one information set, but the legal actions differ"),
        (fog.GENEROUS, "after .*: the payoffs do not sum to zero"),
        (fog.LOPSIDED, "after the start: the weights of its outcomes do not sum to one"),
        (fog.STUCK, "after . . .: there is no legal action, and the game is not over"),
    ],
)
def test_a_game_that_cannot_be_solved_is_refused(flaw: int, words: str) -> None:
    with pytest.raises(TreeError, match=words):
        GameTree.of(fog_game(3 if flaw == fog.UNEQUAL else 1, flaw=flaw))


def test_a_tree_is_bounded(kuhn: GameTree) -> None:
    assert len(GameTree.of(KUHN, max_nodes=55).nodes) == 55
    with pytest.raises(TreeError, match="more than max_nodes=54 nodes"):
        GameTree.of(KUHN, max_nodes=54)
    with pytest.raises(ValueError, match="max_nodes=0"):
        GameTree.of(KUHN, max_nodes=0)


def test_games_of_three_and_chance_that_cannot_be_weighed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TreeError, match="3 players"):
        GameTree.of(game_of(heap, stones=5))
    monkeypatch.delattr(poker, "chance_weight")
    with pytest.raises(LawError, match="no chance_weight"):
        GameTree.of(KUHN)


def test_chance_that_cannot_be_counted_is_refused() -> None:
    with pytest.raises(TreeError, match="cannot be counted"):
        GameTree.of(game_of(poker, cards=0))
