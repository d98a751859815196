"""Exact measures of a policy: its expected payoffs, the best replies to it, and how far it is from equilibrium."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from narabe.search.cfr.sweeps import best_reply, gather, plan_from
from narabe.search.cfr.tree import GameTree


class BestResponse(NamedTuple):
    """``value``: expected payoff of the seat that replies. ``policy``: the given one, with that seat's part replaced."""

    value: float
    policy: np.ndarray


def _checked(tree: GameTree, policy: np.ndarray) -> np.ndarray:
    """The policy as float64; `ValueError` unless it is one."""
    policy = np.asarray(policy, np.float64)
    if policy.shape != (tree.num_slots,):
        raise ValueError(f"a policy of shape {policy.shape}; this tree has {tree.num_slots} slots")
    sums = np.add.reduceat(policy, tree.infos["first"])
    if not (policy.min() >= 0 and np.abs(sums - 1).max() < 1e-9):  # nan is refused here too
        raise ValueError("no policy: probabilities must not be negative, and sum to one over each information set")
    return policy


def _plan(tree: GameTree, policy: np.ndarray, player: int) -> np.ndarray:
    plan = np.zeros(tree.num_slots + 1)
    plan_from(tree.infos, player, policy, plan)
    return plan


def expected_values(tree: GameTree, policy: np.ndarray) -> tuple[float, float]:
    """Expected payoff by seat when both play the policy."""
    policy = _checked(tree, policy)
    (one, two), (first, second) = (_plan(tree, policy, player) for player in (1, 2)), tree.ends
    value = float((tree.worth * one[first] * two[second]).sum())
    return value, 0.0 - value


def best_response(tree: GameTree, policy: np.ndarray, seat: int) -> BestResponse:
    """The exact best reply of a seat to the other seat's part of the policy; of equal actions the first."""
    if seat not in (0, 1):
        raise ValueError(f"seat {seat}: 0 or 1")
    reply, gains = _checked(tree, policy).copy(), np.zeros(tree.num_slots + 1)
    gather(tree.ends[seat], tree.ends[1 - seat], tree.worth, seat + 1, _plan(tree, reply, 2 - seat), gains)
    return BestResponse(float(best_reply(tree.infos, seat + 1, gains, reply)), reply)


def exploitability(tree: GameTree, policy: np.ndarray) -> float:
    """What the best replies to either part get, on average, above the value of the game: zero in equilibrium only.

    >>> from narabe.envs import game
    >>> tree = GameTree.of(game("goita_two_by_four"))
    >>> round(exploitability(tree, tree.uniform()), 4)
    0.2096
    """
    return sum(best_response(tree, policy, seat).value for seat in (0, 1)) / 2
