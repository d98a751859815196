"""Judging a position without a search: what is decided at a glance, which moves matter, and a first guess of the work left.

Proof numbers are kept from the side to move (Allis 1994; Nagai 2002): *phi*, the least number of positions that must still be
judged in its favour to reach its goal, and *delta*, the same for the other side. The attacker's goal is to win, the
defender's to hold. (0, INFINITE): the side to move reaches its goal; (INFINITE, 0): it cannot.

A position that is judged is one whose side to move may still win at once; the other side has just moved.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.bans import ban
from narabe.envs.rules.line.patterns import FOURS_SET, ROWS_SET, first_in, kind_of, next_in
from narabe.envs.rules.line.record import PAIRS_TO_WIN
from narabe.envs.rules.line.stones import pairs_at
from narabe.envs.rules.lines import FOUR, TWIN_FOUR
from narabe.search.proving.case import NOWHERE, SAFELY, safe_weight, weight_at
from narabe.search.proving.table import INFINITE

NO_CELL = np.int64(-1)
FEW_PARRIES = 4  # a guess of how many moves meet an open three


@kernel
def winning_cell(s, p, i, after):
    """The first cell above ``after`` on which colour ``i`` would win at once if it were its turn, else NO_CELL."""
    row = next_in(p, i, ROWS_SET, after)
    if s.captures == 0 or 3 * (PAIRS_TO_WIN - np.int64(s.pairs[i])) > s.cells - s.n_empty:
        return row  # a pair to take is three stones
    found = row
    for j in range(s.n_empty):
        a = np.int64(s.empties[j])
        if a > after and (found < 0 or a < found) and s.pairs[i] + pairs_at(s, i, a) >= PAIRS_TO_WIN:
            if ban(s, i, a) == 0:
                found = a
    return found


@kernel
def double_four(s, p, i):
    """A cell on which colour ``i``, whose turn it is or would be, gets several winning cells at once; NO_CELL: none.

    If the other side can neither win at once nor take stones, that decides the game.
    """
    a = first_in(p, i, FOURS_SET)
    while a >= 0:
        n = 0
        for d in range(4):
            kind = kind_of(p, i, a, d)
            n += 2 if kind == TWIN_FOUR else 1 if kind == FOUR else 0
        if n >= 2 and ban(s, i, a) == 0:
            return a
        a = next_in(p, i, FOURS_SET, a)
    return NO_CELL


@kernel
def ends_stuck(s, a):
    """Would the legal move ``a`` end the game as a draw, because the other side is left without a legal cell?"""
    if s.plain != 0:
        return False
    core.apply(s, a)
    stuck = core.is_over(s) and s.winner == 0
    core.undo(s)
    return stuck


@kernel
def is_blocked(s, case):
    """Can the defender block every row of the attacker, by weight? (Never said where stones can be taken.)"""
    if case.captures != 0:
        return False
    i = np.int64(case.attacker)
    weight, whole = np.int64(case.weight[i]), np.int64(1) << np.int64(case.row)
    if weight == 0:
        return True
    if case.blocks == NOWHERE or weight >= whole:
        return False
    if case.blocks == SAFELY:
        weight = safe_weight(s, case)
    if weight >= whole:
        return False
    if s.mover != i + 1 or 2 * weight < whole:
        return True
    for j in range(s.n_empty):
        a = np.int64(s.empties[j])
        gain = np.int64(case.gain[a]) if case.blocks == SAFELY else weight_at(s, case, i, a)
        if weight + gain >= whole:
            return False
    return True


@kernel
def judge(s, p, case):
    """(phi, delta) of a position: exact where it is decided at a glance, else a first guess."""
    attacker = np.int64(case.attacker)
    if s.result != 0:
        won = s.winner == attacker + 1
        return (0, INFINITE) if won == (s.mover == attacker + 1) else (INFINITE, 0)
    i = np.int64(s.mover) - 1
    attacks = i == attacker
    left = np.int64(case.last_ply) - s.ply
    if winning_cell(s, p, i, NO_CELL) >= 0 and (left >= 1 or not attacks):
        return 0, INFINITE
    if left < 3 and attacks:
        return INFINITE, 0
    if left < 2:
        return 0, INFINITE
    if is_blocked(s, case):
        return (INFINITE, 0) if attacks else (0, INFINITE)
    threat = winning_cell(s, p, 1 - i, NO_CELL)
    if threat >= 0:
        if case.captures == 0 and (winning_cell(s, p, 1 - i, threat) >= 0 or not core.is_legal(s, threat)):
            return INFINITE, 0
        return 1, 1
    if case.captures == 0:
        a = double_four(s, p, i)
        if a >= 0 and not ends_stuck(s, a):
            return 0, INFINITE
        if double_four(s, p, 1 - i) >= 0:
            return 1, FEW_PARRIES
    heavy = np.int64(case.weight[attacker]) * 8 >> np.int64(case.row)
    return (1, 1 + heavy) if attacks else (1 + heavy // 2, np.int64(s.n_empty))


@kernel
def candidates(s, p, case, moves):
    """Write the moves that matter to the side to move into ``moves`` (int16); returns how many.

    A winning cell of the other side must be occupied; where stones are taken, a capture may do as well.
    """
    i = np.int64(s.mover) - 1
    n = 0
    threat = winning_cell(s, p, 1 - i, NO_CELL)
    if threat >= 0 and case.captures == 0:
        if core.is_legal(s, threat):
            moves[n] = threat
            n += 1
        return n
    for j in range(core.num_candidates(s)):
        a = np.int64(core.candidate_at(s, j))
        if threat >= 0 and a != threat and pairs_at(s, i, a) == 0:
            if winning_cell(s, p, 1 - i, a - 1) != a:
                continue
        if core.is_legal(s, a):
            moves[n] = a
            n += 1
    return n
