"""Players that hardly think: uniformly random, and greedy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from narabe.agents.agent import Agent, Analysis, Budget, expect_turn, single_choice
from narabe.envs.game import View
from narabe.envs.rules import calls, core
from narabe.envs.rules.core import (
    apply,
    candidate_at,
    is_legal,
    is_over,
    num_candidates,
    to_move,
    undo,
    urgency,
)
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import below, new_stream
from narabe.search.at_once import wins_at_once


@dataclass(eq=False)
class SeededAgent(Agent):
    """An agent with one random stream for each slot."""

    _streams: dict[int, np.ndarray] = field(default_factory=dict, init=False, repr=False)

    def new_game(self, seat: int, seed: int, slot: int = 0) -> None:
        self._streams[slot] = new_stream(seed)

    def stream(self, slot: int) -> np.ndarray:
        """The slot's stream, seeded with 0 if no game was announced."""
        if slot not in self._streams:
            self._streams[slot] = new_stream(0)
        return self._streams[slot]


@dataclass(eq=False)
class RandomAgent(SeededAgent):
    """A uniformly random legal move."""

    def choose(self, views: Sequence[View], budget: Budget | None = None) -> list[Analysis]:
        return [self._choose(view) for view in views]

    def _choose(self, view: View) -> Analysis:
        expect_turn(view, self.game)
        mask = np.zeros(view.num_actions, np.int8)
        calls.legal_mask(view.record, 0, mask)
        legal = np.flatnonzero(mask)
        action = int(legal[below(self.stream(view.slot), len(legal))])
        return Analysis(action, mask / mask.sum(), np.zeros(view.num_actions, np.int64), None, (action,))


@kernel
def loses_at_once(s, a, player):
    """After ``player`` plays ``a``, can the one who moves next win at once?"""
    apply(s, a)
    lost = False
    if not is_over(s):
        other = to_move(s)
        if other > 0 and other != player:
            lost = wins_at_once(s, other, 0.0) >= 0
    undo(s)
    return lost


@kernel
def greedy(states, tried, worth, order, rng):
    """A winning move, else the most urgent one that does not lose at once, else the most urgent; (action, certain win).

    ``states[0]`` is the position and is restored. Scratch by action: ``tried`` (int64), ``worth`` (float64), ``order``.
    """
    s = states[0]
    me = to_move(s)
    winning = wins_at_once(s, me, 0.0)
    if winning >= 0:
        return winning, True
    n = 0
    for i in range(num_candidates(s)):
        a = np.int64(candidate_at(s, i))
        if is_legal(s, a):
            tried[n] = a
            worth[n] = urgency(s, a)
            order[n] = below(rng, 1 << 30)  # settles ties
            n += 1
    first = np.int64(-1)
    while True:
        best = -1
        for k in range(n):
            if tried[k] >= 0 and (best < 0 or _before(worth, order, k, best)):
                best = k
        if best < 0:
            return first, False
        if first < 0:
            first = tried[best]
        if not loses_at_once(s, tried[best], me):
            return tried[best], False
        tried[best] = -1


@kernel
def _before(worth, order, k, best):
    return worth[k] > worth[best] or (worth[k] == worth[best] and order[k] < order[best])


@dataclass(eq=False)
class GreedyAgent(SeededAgent):
    """Wins if it can, blocks if it must, else prefers lines.

    It looks one move ahead for a win and two for a loss, by the law itself, so that a block that the bans forbid is
    never chosen; moves that are neither are ordered by the law's `urgency`. Ties are broken by the seed.
    """

    def choose(self, views: Sequence[View], budget: Budget | None = None) -> list[Analysis]:
        return [self._choose(view) for view in views]

    def _choose(self, view: View) -> Analysis:
        expect_turn(view, self.game)
        n = view.num_actions
        states = core.new_states(self.game.law, 1)
        states[0] = view.record[0]
        scratch = np.zeros(n, np.int64), np.zeros(n), np.zeros(n, np.int64)
        action, certain = greedy(states, *scratch, self.stream(view.slot))
        return single_choice(n, int(action), n, 1.0 if certain else None)
