"""The value of a position by trying everything: each player takes what is best for themselves, chance is averaged."""

from __future__ import annotations

import numpy as np

from narabe.envs import State
from narabe.envs.rules.core import plain

Values = tuple[float, ...]


def exact(state: State, known: dict[int, Values] | None = None) -> Values:
    """Expected payoff by seat. ``known``: values by key, filled on the way."""
    known = {} if known is None else known
    state = state.copy()
    state.chance = "manual"
    return _exact(state, known)


def _exact(state: State, known: dict[int, Values]) -> Values:
    if state.is_over:
        return state.payoffs
    if state.key not in known:
        known[state.key] = _chance(state, known) if state.to_play < 0 else _best(state, known)
    return known[state.key]


def _best(state: State, known: dict[int, Values]) -> Values:
    seat, best = state.to_play, None
    for action in state.legal_actions():
        values = _exact(state.play(int(action)), known)
        state.undo()
        if best is None or values[seat] > best[seat]:
            best = values
        if best[seat] == 1:  # nothing is better
            break
    assert best is not None
    return best


def _chance(state: State, known: dict[int, Values]) -> Values:
    s, total = state.record.view(np.recarray)[0], np.zeros(state.game.num_players)
    for outcome in range(int(plain(state.game.law.num_candidates)(s))):
        weight = plain(state.game.law.chance_weight)(s, outcome)
        total += weight * np.array(_exact(state.play(outcome), known))
        state.undo()
    return tuple(map(float, total))


def best_moves(state: State, known: dict[int, Values] | None = None) -> set[int]:
    """The actions after which the seat to play has its best value."""
    known = {} if known is None else known
    worth = {}
    for action in state.legal_actions():
        after = state.copy()
        after.chance = "manual"
        worth[int(action)] = exact(after.play(int(action)), known)[state.to_play]
    return {action for action, value in worth.items() if value > max(worth.values()) - 1e-9}
