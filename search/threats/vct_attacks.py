"""The attacker's moves that may be threats, and how promising each looks."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import NOTHING, kind_of, level_of
from narabe.envs.rules.lines import FOUR, THREE, TWO
from narabe.search.threats.vct_cells import brackets, holds, list_parries, takes_pairs, winning_cell

GUESS = 8
"""Proof and disproof numbers count in eighths, so that guesses may differ a little."""
ONE_MORE = (GUESS, GUESS // 4)
"""What each further open child adds to a number: of a defence to a position's proof number, of an attack to its disproof number
(most attacks turn out to be no threats)."""


@kernel
def list_attacks(s, p, desk, fours):
    """List the attacker's candidates, with guesses: parries if the defender threatens to win, else what may be a threat."""
    i = np.int64(desk.attacker)
    desk.n_list = 0
    pairs = takes_pairs(s)
    if winning_cell(s, p, fours, 1 - i) >= 0:
        for k in range(list_parries(s, p, fours, 1 - i, desk.parries)):
            _add(p, desk, i, np.int64(desk.parries[k]))
        return
    for a in range(core.num_actions(s)):
        if s.slot[a] < 0:
            continue
        good = level_of(p, i, a) != NOTHING
        if not good and desk.every != 0:
            good = desk.every == 2 or _adds(p, i, a)
        if not good and pairs:
            good = brackets(s, i, np.int64(a))
        if good and (desk.masked == 0 or holds(desk.mask, a)) and core.is_legal(s, a):
            _add(p, desk, i, a)


@kernel
def _adds(p, i, a):
    """Does a stone of colour ``i`` on ``a`` make a line from which one more makes a three?"""
    for d in range(4):
        if kind_of(p, i, a, d) >= TWO:
            return True
    return False


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
        elif kind >= TWO:
            promise += 1
    base = GUESS if fours else 2 * GUESS if threes else 4 * GUESS if promise else 8 * GUESS
    extra = fours + threes - 1
    if fours == 1 and extra == 0 and promise == 0:
        base = 6 * GUESS  # it seldom helps, and can be thrown in anywhere
    desk.proof_guess[n] = max(GUESS // 2, base - (GUESS // 2) * max(extra, 0) - promise)
    desk.disproof_guess[n] = GUESS
    desk.n_list = n + 1
