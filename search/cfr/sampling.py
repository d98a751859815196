"""External-sampling Monte-Carlo CFR: `ExternalSampling`.

Source: Lanctot, Waugh, Zinkevich, Bowling, "Monte Carlo sampling for regret minimization in extensive games", 2009.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import new_stream, uniform
from narabe.search.cfr.build import CHANCE_NODE, END_NODE
from narabe.search.cfr.learner import Learner, match_info
from narabe.search.cfr.tree import GameTree


@kernel
def drawn_outcome(nodes, node, rng):
    """A child of a chance node, by its chance."""
    n = nodes[node]
    left, last = uniform(rng) * n.chance, n.first + n.width - 1
    for child in range(n.first, last):
        left -= nodes[child].chance
        if left < 0.0:
            return np.int64(child)
    return np.int64(last)


@kernel
def drawn_action(nodes, node, info, policy, rng):
    """A child of a decision, by the policy."""
    left, last = uniform(rng), info.width - 1
    for i in range(last):
        left -= policy[info.first + i]
        if left < 0.0:
            return np.int64(nodes[node].first + i)
    return np.int64(nodes[node].first + last)


@kernel
def sample(nodes, infos, player, regrets, sums, policy, visited, below, rng):
    """Lay down the part of the tree that is looked at: all actions of the player, one drawn action or outcome elsewhere.

    ``visited``: int64, its nodes in an order in which parents come first; ``below``: where in it a node's children begin.
    The other player's policy is added to the average on the way. Returns how many nodes there are.
    """
    visited[0] = 0
    at, n = 0, 1
    while at < n:
        node = visited[at]
        below[at] = n
        if nodes[node].info >= 0:
            info = infos[nodes[node].info]
            match_info(info, regrets, policy)
            if info.player == player:
                for i in range(info.width):
                    visited[n + i] = nodes[node].first + i
                n += info.width
            else:
                for k in range(info.first, info.first + info.width):
                    sums[k] += policy[k]
                visited[n] = drawn_action(nodes, node, info, policy, rng)
                n += 1
        elif nodes[node].info == CHANCE_NODE:
            visited[n] = drawn_outcome(nodes, node, rng)
            n += 1
        at += 1
    return n


@kernel
def learn_sampled(nodes, infos, player, regrets, policy, visited, below, n, values):
    """From the back: what each node of the sample is worth to the player, and the regrets that follow.

    A sample comes through an information set of this player once at most, so its policy is still the one it began with.
    """
    sign = 1.0 if player == 1 else -1.0
    for at in range(n - 1, -1, -1):
        node = nodes[visited[at]]
        if node.info == END_NODE:
            values[at] = sign * node.gain
        elif node.info == CHANCE_NODE or infos[node.info].player != player:
            values[at] = values[below[at]]
        else:
            info, value = infos[node.info], 0.0
            for i in range(info.width):
                value += policy[info.first + i] * values[below[at] + i]
            for i in range(info.width):
                regrets[info.first + i] += values[below[at] + i] - value
            values[at] = value


@kernel
def iterate_sampled(nodes, infos, regrets, sums, policy, visited, below, values, iterations, rng):
    """So many iterations: one sample for each player."""
    for _ in range(iterations):
        for player in range(1, 3):
            n = sample(nodes, infos, player, regrets, sums, policy, visited, below, rng)
            learn_sampled(nodes, infos, player, regrets, policy, visited, below, n, values)


class ExternalSampling(Learner):
    """MCCFR that looks at all actions of one player, and draws those of the other and of chance; ``seed`` fixes all.

    >>> from narabe.envs import game
    >>> from narabe.search.cfr import GameTree, exploitability
    >>> tree = GameTree.of(game("goita_two_by_four"))
    >>> exploitability(tree, ExternalSampling(tree, seed=1).run(20000).average_policy()) < 0.01
    True
    """

    def __init__(self, tree: GameTree, seed: int = 0) -> None:
        super().__init__(tree)
        self._rng = new_stream(seed)
        n = len(tree.nodes)  # no sample has more nodes, and memory is touched only as far as samples go
        self._policy, self._values = np.zeros(tree.num_slots), np.zeros(n)
        self._visited, self._below = np.zeros(n, np.int64), np.zeros(n, np.int64)

    def _run(self, iterations: int) -> None:
        tree = self.tree
        iterate_sampled(
            tree.nodes, tree.infos, self.regrets, self.sums, self._policy, self._visited, self._below, self._values,
            iterations, self._rng,
        )  # fmt: skip
