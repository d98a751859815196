"""Expected payoffs, best responses and exploitability against naive recursion over histories."""

from __future__ import annotations

import numpy as np
import pytest

from narabe.envs import Game
from narabe.search.cfr import GameTree, best_response, expected_values, exploitability
from narabe.tests.games import fog, game_of, poker
from narabe.tests.oracles.regrets import Policy, best_value, grown, value

GAMES = [game_of(poker, cards=4), *(game_of(fog, seed=i, levels=7, branch=3, dead=5) for i in range(30))]
every_game = pytest.mark.parametrize("g", GAMES, ids=lambda g: g.spec)


def by_name(tree: GameTree, policy: np.ndarray) -> Policy:
    """The policy in the form of the oracle."""
    return {
        (tree.seat(info) + 1, int(tree.infos["info_of_cfr"][info])): dict(
            zip(tree.actions[tree.slots(info)].tolist(), policy[tree.slots(info)].tolist())
        )
        for info in range(tree.num_infos)
    }


def some_policy(tree: GameTree, rng: np.random.Generator) -> np.ndarray:
    """A random policy, in which some actions are never played."""
    policy = rng.random(tree.num_slots) ** 3 * (rng.random(tree.num_slots) < 0.8)
    for info in range(tree.num_infos):
        where = tree.slots(info)
        policy[where] = policy[where] / policy[where].sum() if policy[where].any() else np.eye(len(policy[where]))[0]
    return policy


@every_game
def test_values_and_best_responses_are_those_of_naive_recursion(g: Game) -> None:
    tree, root, rng = GameTree.of(g), grown(g.start(chance="manual")), np.random.default_rng(1)
    for policy in (tree.uniform(), some_policy(tree, rng), some_policy(tree, rng)):
        named = by_name(tree, policy)
        first, second = expected_values(tree, policy)
        assert first == -second == pytest.approx(value(root, named), abs=1e-12)
        replies = [best_response(tree, policy, seat) for seat in (0, 1)]
        for seat, reply in enumerate(replies):
            assert reply.value == pytest.approx(best_value(root, named, seat + 1), abs=1e-12)
            assert expected_values(tree, reply.policy)[seat] == pytest.approx(reply.value, abs=1e-12)
            others = np.repeat(tree.infos["player"] != seat + 1, tree.infos["width"])
            np.testing.assert_array_equal(reply.policy[others], policy[others])
        assert exploitability(tree, policy) == pytest.approx(sum(r.value for r in replies) / 2, abs=1e-12)


def test_what_is_no_policy_is_refused() -> None:
    tree = GameTree.of(GAMES[0])
    for wrong in (np.ones(3), np.ones(tree.num_slots), tree.uniform() * np.nan, tree.uniform() * [2, 0, *[1] * 30][:1]):
        with pytest.raises(ValueError, match="policy"):
            exploitability(tree, wrong)
    with pytest.raises(ValueError, match="seat 2"):
        best_response(tree, tree.uniform(), 2)
