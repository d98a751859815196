"""Many positions put to an agent, and the share of them in which it does well, with an interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from narabe.agents import Agent, Budget
from narabe.envs import State

FLIGHT = 256
"""Positions that an agent is asked about at once."""


def exact_interval(hits: float, n: int) -> tuple[float, float]:
    """The 95 % interval of Clopper and Pearson (Biometrika 26, 1934) for ``hits`` of ``n``; halves (drawn games) are allowed.

    >>> [round(x, 3) for x in exact_interval(9.5, 10)]
    [0.619, 1.0]
    """
    from scipy.special import betaincinv

    low = float(betaincinv(hits, n - hits + 1, 0.025)) if hits > 0 else 0.0
    high = float(betaincinv(hits + 1, n - hits, 0.975)) if hits < n else 1.0
    return low, high


@dataclass(frozen=True)
class Share:
    """``hits`` of ``n`` trials.

    >>> print(Share(95, 100))
    95.0 % (88.7 to 98.4)
    """

    hits: int
    n: int

    @property
    def share(self) -> float:
        """From 0 to 1; NaN of no trials."""
        return self.hits / self.n if self.n else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The exact 95 % interval of Clopper and Pearson (Biometrika 26, 1934); all of 0 to 1 without trials.

        >>> [round(x, 3) for x in Share(0, 10).interval]
        [0.0, 0.308]
        """
        return exact_interval(self.hits, self.n)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.share:.1f} % ({100 * low:.1f} to {100 * high:.1f})" if self.n else "-"

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON; the share is None of no trials."""
        return {"hits": self.hits, "n": self.n, "share": self.share if self.n else None, "interval": self.interval}


def share_of(hits: np.ndarray) -> Share:
    """The share of a boolean array.

    >>> share_of(np.array([True, False, True]))
    Share(hits=2, n=3)
    """
    return Share(int(np.count_nonzero(hits)), len(hits))


def choices(
    agent: Agent, states: Sequence[State], seed: int = 0, flight: int = FLIGHT, budget: Budget | None = None
) -> np.ndarray:
    """The action, int64, that an agent chooses in each position; each is a game of its own, begun with ``seed`` and its number.

    >>> from narabe.agents import make
    >>> from narabe.envs import game
    >>> g = game("gomoku", size=9)
    >>> four = g.position(black="E5 F5 G5 H5", white="A1 B1 C1 D5")
    >>> [g.text_of(a) for a in choices(make("greedy", g), [four, four])]
    ['I5', 'I5']
    """
    found: list[int] = []
    for begin in range(0, len(states), flight):
        part = states[begin : begin + flight]
        for slot, state in enumerate(part):
            agent.new_game(state.to_play, int(np.random.SeedSequence((seed, begin + slot)).generate_state(1)[0]), slot)
        views = [state.view(state.to_play, slot) for slot, state in enumerate(part)]
        found += [analysis.action for analysis in agent.choose(views, budget)]
    return np.array(found, np.int64)
