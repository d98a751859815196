"""The value of a position by trying everything, as plain as can be: no window, no order, no table, no merging."""

from __future__ import annotations

import math

import numpy as np

from narabe.envs import State
from narabe.envs.rules import core


def expectimax(state: State) -> float:
    """Expected payoff of the first seat if both play best; chance is weighed by the law."""
    state = state.copy()
    state.chance = "manual"
    return _value(state)


def _value(state: State) -> float:
    if state.is_over:
        return state.payoffs[0]
    if state.to_play < 0:
        return math.fsum(weight * _after(state, outcome) for outcome, weight in outcomes(state))
    best = max if state.to_play == 0 else min
    return best(_after(state, int(action)) for action in state.legal_actions())


def _after(state: State, action: int) -> float:
    value = _value(state.play(action))
    state.undo()
    return value


def outcomes(state: State) -> list[tuple[int, float]]:
    """The possible outcomes of a chance turn and their probabilities."""
    s, law = state.record.view(np.recarray)[0], state.game.law
    with np.errstate(over="ignore"):
        found = [
            (int(core.plain(law.candidate_at)(s, i)), float(core.plain(law.chance_weight)(s, i)))
            for i in range(int(core.plain(law.num_candidates)(s)))
        ]
    return [(outcome, weight) for outcome, weight in found if weight > 0 and state.why_illegal(outcome) is None]
