"""Counterfactual regret minimisation over the whole tree: `Cfr` and `CfrPlus`.

Sources: Zinkevich, Johanson, Bowling, Piccione, "Regret minimization in games with incomplete information", 2007;
Tammelin, "Solving large imperfect information games using CFR+", 2014.

An iteration updates one player after the other; it reads the ends of the game once for each and sweeps over the
information sets, but never through the histories.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.search.cfr.learner import Learner, match, match_info
from narabe.search.cfr.sweeps import gather, plan_from
from narabe.search.cfr.tree import GameTree


@kernel
def learn(infos, player, gains, policy, plan, regrets, sums, weight, plus):
    """From the back: add to the player's regrets and, with ``weight``, to the average. ``plus``: no regret below zero."""
    for i in range(infos.shape[0] - 1, -1, -1):
        info = infos[i]
        if info.player != player:
            continue
        first, last = info.first, info.first + info.width
        value = 0.0
        for k in range(first, last):
            value += policy[k] * gains[k]
        for k in range(first, last):
            regret = regrets[k] + gains[k] - value
            regrets[k] = max(regret, 0.0) if plus else regret
            sums[k] += weight * plan[k]
        gains[info.before] += value


@kernel
def renew(infos, player, regrets, policy, plan):
    """From the front: the player's next policy by regret matching, and its plan."""
    for i in range(infos.shape[0]):
        info = infos[i]
        if info.player == player:
            match_info(info, regrets, policy)
            reach = plan[info.before]
            for k in range(info.first, info.first + info.width):
                plan[k] = reach * policy[k]


@kernel
def iterate(infos, ends, worth, regrets, sums, policy, plans, gains, done, iterations, plus):
    """So many iterations after those ``done``. ``plans``: float64 [2, slots + 1], kept in step with ``policy``."""
    for t in range(done, done + iterations):
        weight = t + 1.0 if plus else 1.0
        for p in range(2):
            gather(ends[p], ends[1 - p], worth, p + 1, plans[1 - p], gains)
            learn(infos, p + 1, gains, policy, plans[p], regrets, sums, weight, plus)
            renew(infos, p + 1, regrets, policy, plans[p])


class Cfr(Learner):
    """Regret matching in every information set, the players in turn; the average policy weighs all iterations alike.

    >>> from narabe.envs import game
    >>> from narabe.search.cfr import GameTree, exploitability
    >>> tree = GameTree.of(game("goita_two_by_four"))
    >>> learner = Cfr(tree).run(100)
    >>> early = exploitability(tree, learner.average_policy())
    >>> early > exploitability(tree, learner.run(900).average_policy())
    True
    """

    PLUS = False

    def __init__(self, tree: GameTree) -> None:
        super().__init__(tree)
        self._policy, self._plans = np.zeros(tree.num_slots), np.zeros((2, tree.num_slots + 1))
        self._gains = np.zeros(tree.num_slots + 1)
        match(tree.infos, self.regrets, self._policy)
        for player in (1, 2):
            plan_from(tree.infos, player, self._policy, self._plans[player - 1])

    def _run(self, iterations: int) -> None:
        tree = self.tree
        iterate(
            tree.infos, tree.ends, tree.worth, self.regrets, self.sums, self._policy, self._plans, self._gains,
            self.iterations, iterations, self.PLUS,
        )  # fmt: skip


class CfrPlus(Cfr):
    """CFR+: regrets never fall below zero, and iteration t counts t times in the average policy.

    >>> from narabe.envs import game
    >>> from narabe.search.cfr import GameTree, expected_values
    >>> tree = GameTree.of(game("goita_two_by_four"))
    >>> first, second = expected_values(tree, CfrPlus(tree).solve(iterations=1000).average_policy())
    >>> round(15 * first, 3)  # points that dealing is worth
    2.486
    """

    PLUS = True
