"""The attacker's moves that may be threats, and how promising each looks."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import FOURS_SET, NOTHING, THREES_SET, first_in, follow, kind_of, level_of, next_in, step_back
from narabe.envs.rules.line.stones import captured_directions, stone_at
from narabe.envs.rules.line.record import COLUMN_STEP, ROW_STEP
from narabe.envs.rules.lines import CLOSED_TWO, FOUR, THREE
from narabe.search.threats.vcf import NO_CELL, winning_cell
from narabe.search.threats.vct_zone import holds

GUESS = 8
"""Proof and disproof numbers count in eighths, so that guesses may differ a little."""


@kernel
def list_attacks(s, p, desk):
    """List the attacker's candidates, with guesses: parries if the defender threatens to win, else what may be a threat."""
    i = np.int64(desk.attacker)
    desk.n_list = 0
    pairs = core.pairs_due(s, 1) != core.NEVER
    threat = winning_cell(s, p, 1 - i, np.int64(NO_CELL))
    if threat >= 0:
        _list_parries(s, p, desk, i, threat, pairs)
        return
    for a in range(core.num_actions(s)):
        if s.slot[a] < 0:
            continue
        level = level_of(p, i, a)
        good = level == FOURS_SET or level == THREES_SET
        if not good and desk.every != 0:
            best = 0
            for d in range(4):
                best = max(best, kind_of(p, i, a, d))
            good = best >= CLOSED_TWO
        if not good and pairs:
            good = _takes(s, i, a)
        if good and (desk.masked == 0 or holds(desk.mask, a)) and core.is_legal(s, a):
            _add(p, desk, i, a)


@kernel
def _add(p, desk, i, a):
    n = desk.n_list
    desk.moves[n] = a
    promise, fours, threes = 0, 0, 0
    for d in range(4):
        kind = kind_of(p, i, a, d)
        if kind >= FOUR:
            fours += 1
        elif kind >= THREE:
            threes += 1
        elif kind >= CLOSED_TWO:
            promise += 1
    base = GUESS if fours else 2 * GUESS if threes else 4 * GUESS
    extra = fours + threes - 1
    desk.proof_guess[n] = max(GUESS // 2, base - (GUESS // 2) * max(extra, 0) - promise)
    desk.disproof_guess[n] = GUESS
    desk.n_list = n + 1


@kernel
def _list_parries(s, p, desk, i, threat, pairs):
    """The legal moves after which the defender cannot win at once."""
    if not pairs:
        if winning_cell(s, p, 1 - i, threat) < 0 and core.is_legal(s, threat):
            _add(p, desk, i, threat)
        return
    for a in range(core.num_actions(s)):
        if core.is_legal(s, a) and (a == threat or captured_directions(s, i, a // s.width, a % s.width) != 0):
            core.apply(s, a)
            follow(s, p, a)
            good = winning_cell(s, p, 1 - i, np.int64(NO_CELL)) < 0
            core.undo(s)
            step_back(p)
            if good:
                _add(p, desk, i, a)


@kernel
def _takes(s, i, a):
    """Does a stone of colour ``i`` on ``a`` take a pair, or threaten to?"""
    r = a // s.width
    c = a - r * s.width
    if captured_directions(s, i, r, c) != 0:
        return True
    for d in range(8):
        dr, dc = np.int64(ROW_STEP[d]), np.int64(COLUMN_STEP[d])
        y, x = r + 3 * dr, c + 3 * dc
        if 0 <= y < s.height and 0 <= x < s.width and s.slot[y * s.width + x] >= 0:
            if stone_at(s, (r + dr) * s.width + c + dc) == 2 - i and stone_at(s, (r + 2 * dr) * s.width + c + 2 * dc) == 2 - i:
                return True
    return False
