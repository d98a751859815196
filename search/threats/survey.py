"""What a stone on each cell would make, by the law alone: wins, fours with their parries, open threes, captures.

For looking at one position, not for searching: every move is played and taken back, which takes some milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from narabe.envs.rules import calls, core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.bans import classes_at
from narabe.envs.rules.lines import KIND, THREE, WIDE_THREE


@kernel
def hand_over(states, i):
    """Let the other side move in state ``i``, as if a move had been passed."""
    core.hand_over(states[i])


@kernel
def calm_plies(states, i):
    """Plies of pure laying left: 0 where there are no threats any more."""
    return np.int64(core.calm_plies(states[i]))


@kernel
def captured(states, i):
    """Bits of the directions in which the last move took a pair."""
    return np.int64(core.captured(states[i]))


@kernel
def mark_wins(states, i, out):
    """Write 1 into ``out`` (int8) for each cell on which the side to move of state ``i`` wins at once, else 0."""
    s = states[i]
    out[:] = 0
    if core.is_over(s) or core.calm_plies(s) < 1:
        return
    mover = core.to_move(s)
    for a in range(out.shape[0]):
        if core.is_legal(s, a):
            core.apply(s, a)
            out[a] = core.is_over(s) and core.payoff(s, mover) > 0
            core.undo(s)


@kernel
def mark_threes(states, i, out):
    """Write 1 into ``out`` for each empty cell on which the side to move would make an open three by shape, else 0."""
    s = states[i]
    colour = core.to_move(s) - 1
    for a in range(out.shape[0]):
        out[a] = 0
        if s.slot[a] >= 0:
            c0, c1, c2, c3 = classes_at(s, colour, a)
            k0, k1, k2, k3 = c0 >> KIND, c1 >> KIND, c2 >> KIND, c3 >> KIND
            if k0 == THREE or k0 == WIDE_THREE or k1 == THREE or k1 == WIDE_THREE:
                out[a] = 1
            if k2 == THREE or k2 == WIDE_THREE or k3 == THREE or k3 == WIDE_THREE:
                out[a] = 1


@dataclass(frozen=True)
class Survey:
    """What the side to move can do; cells in ascending order."""

    wins: list[int]
    fours: dict[int, tuple[list[int], list[int]]]
    """By cell: where its player would then win, and the legal replies after which he could not. Each makes a winning point
    that was none before: who can win already need not be told that he still can after any other move."""
    threes: list[int]
    captures: dict[int, int]
    """By cell: bits of the directions in which a pair is taken."""


def survey(record: np.ndarray, actions: int) -> Survey:
    """Look at every move of the side to move in an array of one record, which is as before afterwards.

    ``actions``: how many actions its game has.
    """
    cells = int(record["cells"][0])
    shapes, wins = np.zeros(cells, np.int8), wins_of(record)
    mark_threes(record, 0, shapes)
    found = Survey(wins, {}, [], {})
    calm, before = calm_plies(record, 0), set(wins)
    for a in _legal(record, actions) if calm >= 1 else ():
        calls.apply(record, 0, a)
        taken = captured(record, 0)
        if taken:
            found.captures[a] = taken
        if a not in before and calm >= 3 and not calls.facts(record, 0)[1]:
            hand_over(record, 0)
            after = wins_of(record)
            hand_over(record, 0)
            if set(after) - before:
                found.fours[a] = after, parries_of(record, actions)
            elif shapes[a]:
                found.threes.append(a)
        calls.undo(record, 0)
    return found


def wins_of(record: np.ndarray) -> list[int]:
    """The cells on which the side to move wins at once."""
    out = np.zeros(int(record["cells"][0]), np.int8)
    mark_wins(record, 0, out)
    return np.flatnonzero(out).tolist()


def parries_of(record: np.ndarray, actions: int) -> list[int]:
    """The cells on which the side to move may play so that the other one neither has won nor could win at once."""
    found, payoffs = [], np.zeros(2)
    other = 2 - int(calls.facts(record, 0)[0])  # index of its payoff
    for b in _legal(record, actions):
        calls.apply(record, 0, b)
        if calls.facts(record, 0)[1]:
            calls.payoffs(record, 0, payoffs)
            if payoffs[other] <= 0:
                found.append(b)
        elif not wins_of(record):
            found.append(b)
        calls.undo(record, 0)
    return found


def _legal(record: np.ndarray, actions: int) -> list[int]:
    """The cells on which the side to move may play."""
    mask = np.zeros(actions, np.int8)
    calls.legal_mask(record, 0, mask)
    return np.flatnonzero(mask[: int(record["cells"][0])]).tolist()
