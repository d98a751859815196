"""What the writer of proofs asks of a solved position: the move that reaches the goal, and what answers the replies to it."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import read
from narabe.envs.rules.line.record import MAX_CELLS
from narabe.search.proving.case import canonical
from narabe.search.proving.descent import play, take_back
from narabe.search.proving.judge import NO_CELL, double_four, ends_stuck, is_blocked, judge, winning_cell
from narabe.search.proving.pairing import MOST_CELLS, pair_up
from narabe.search.proving.table import MISS, NO_MOVE, look_up, move_of, phi_of
from narabe.search.threats.proof import DEAD, LIGHT, WIN_NOW

NODE, OVER, LOST = 0, 1, 2  # besides the reasons: another node answers the reply; it ends the game, well or badly
LOST_ENTRY = -2  # instead of a move
MOST_PAIRED = MOST_CELLS


@kernel
def judge_state(states, patterns, cases):
    """Read the patterns of the position and judge it: (phi, delta)."""
    read(states[0], patterns[0])
    return judge(states[0], patterns[0], cases[0])


@kernel
def pairs_of(states, cases, cells):
    """The pairs by which the defender blocks every row (see `pairing`): how many cells were written to ``cells`` (int16).

    -1: there are none that are found. Which pairs are found may depend on how the position is turned.
    """
    case = cases[0]
    if not pair_up(states[0], case):
        return np.int64(-1)
    for k in range(2 * case.n_pairs):
        cells[k] = case.pairs[k]
    return np.int64(2 * case.n_pairs)


@kernel
def play_move(states, patterns, cases, a):
    """Play the move; returns (is the game over?, the exact key of the position)."""
    play(states[0], patterns[0], cases[0], np.int64(a))
    return core.is_over(states[0]), np.uint64(core.key(states[0]))


@kernel
def take_move_back(states, patterns, cases, a):
    take_back(states[0], patterns[0], cases[0], np.int64(a))


@kernel
def move_in(states, patterns, cases, table):
    """The move by which the side to move reaches its goal, which it is known to do.

    LOST_ENTRY: a search has to find it again.
    """
    s, p, case = states[0], patterns[0], cases[0]
    i = np.int64(s.mover) - 1
    a = winning_cell(s, p, i, NO_CELL)
    if a >= 0:
        return a
    if case.captures == 0:
        a = winning_cell(s, p, 1 - i, NO_CELL)
        if a >= 0:
            return a
        a = double_four(s, p, i)
        if a >= 0 and not ends_stuck(s, a):
            return a
    key, turned = canonical(s, case)
    word = look_up(table, key)
    if word == MISS or phi_of(word) != 0 or move_of(word) == NO_MOVE:
        return np.int64(LOST_ENTRY)
    return np.int64(case.back[turned * MAX_CELLS + move_of(word)])


@kernel
def reasons_after(states, patterns, cases, targets):
    """For every legal reply of the side to move, what answers it: NODE, OVER, LOST, or a reason. Others are left alone.

    ``targets``: int8 by action. Returns the number of legal replies.
    """
    s, p, case = states[0], patterns[0], cases[0]
    prover = 2 - np.int64(s.mover)
    holds = prover != case.attacker
    n = 0
    for a in range(s.cells):
        if not core.is_legal(s, a):
            continue
        n += 1
        play(s, p, case, a)
        if core.is_over(s):
            targets[a] = OVER if s.winner == prover + 1 or (holds and s.winner == 0) else LOST
        elif winning_cell(s, p, prover, NO_CELL) >= 0:
            targets[a] = WIN_NOW
        elif holds and case.captures == 0 and case.weight[case.attacker] == 0:
            targets[a] = DEAD
        elif holds and is_blocked(s, case):
            targets[a] = LIGHT
        else:
            targets[a] = NODE
        take_back(s, p, case, a)
    return n
