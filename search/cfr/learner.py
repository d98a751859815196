"""What all methods share: they are run for some iterations, or some time, and then again."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Self

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.search.cfr.tree import GameTree

LOOKS_A_SECOND = 4.0  # how often `Learner.solve` looks at the clock, and lets Ctrl-C through


class Learner(ABC):
    """A method that improves a policy by playing against itself on a `GameTree`.

    ``regrets``, ``sums``: float64 by slot, all that is learnt: what each action would have gained on the whole, and how
    much weight it has in the average policy. ``iterations``: done so far.
    """

    def __init__(self, tree: GameTree) -> None:
        self.tree, self.iterations = tree, 0
        self.regrets, self.sums = np.zeros(tree.num_slots), np.zeros(tree.num_slots)

    @abstractmethod
    def _run(self, iterations: int) -> None:
        """Do so many iterations."""

    def run(self, iterations: int) -> Self:
        """Do so many iterations more; returns the learner itself."""
        _not_negative(iterations)
        self._run(iterations)
        self.iterations += iterations
        return self

    def solve(
        self,
        seconds: float | None = None,
        iterations: int | None = None,
        progress: Callable[[Self], object] | None = None,
    ) -> Self:
        """Go on until so many seconds have passed or so many iterations more are done, whichever is first.

        However short the time, one iteration is done. ``progress`` is called with the learner some times a second.
        """
        if seconds is None and iterations is None:
            raise ValueError("give seconds, iterations, or both")
        _not_negative(iterations or 0)
        begun, goal = time.perf_counter(), None if iterations is None else self.iterations + iterations
        chunk = 1
        while goal is None or self.iterations < goal:
            chunk_begun = time.perf_counter()
            self.run(chunk if goal is None else min(chunk, goal - self.iterations))
            now = time.perf_counter()
            if progress is not None:
                progress(self)
            if seconds is not None and now - begun >= seconds:
                break
            left = np.inf if seconds is None else seconds - (now - begun)
            one = (now - chunk_begun) / chunk
            chunk = max(1, min(2 * chunk, int(min(1 / LOOKS_A_SECOND, left) / max(one, 1e-9))))
        return self

    def average_policy(self) -> np.ndarray:
        """The policy that comes to equilibrium: the average over all iterations; uniform where nothing was learnt."""
        policy = np.zeros(self.tree.num_slots)
        match(self.tree.infos, self.sums, policy)
        return policy

    def current_policy(self) -> np.ndarray:
        """The policy of the next iteration: in proportion to the positive regrets."""
        policy = np.zeros(self.tree.num_slots)
        match(self.tree.infos, self.regrets, policy)
        return policy


def _not_negative(iterations: int) -> None:
    if iterations < 0:
        raise ValueError(f"iterations={iterations}: none or more")


@kernel
def match_info(info, weights, policy):
    """Write into ``policy`` the share of each action in the positive ``weights`` of its information set; uniform if none."""
    first, last = info.first, info.first + info.width
    total = 0.0
    for k in range(first, last):
        total += max(weights[k], 0.0)
    for k in range(first, last):
        policy[k] = max(weights[k], 0.0) / total if total > 0.0 else 1.0 / info.width


@kernel
def match(infos, weights, policy):
    """The same for all information sets."""
    for i in range(infos.shape[0]):
        match_info(infos[i], weights, policy)
