"""What the defender may try against a threat: the parries of a four, or all that the fours behind a three do not refute."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import FOURS_SET, WORDS, count_of, follow, level_of, step_back
from narabe.envs.rules.lines import FOUR, THREE, WIDE_THREE
from narabe.search.threats.desk import UNKNOWN, WON
from narabe.search.threats.vcf import find
from narabe.search.threats.vct_attacks import GUESS
from narabe.search.threats.vct_cells import clear, holds, list_parries, takes_pairs, winning_cell
from narabe.search.threats.vct_desk import DISPROVEN, LINE_CELLS, OPEN, PROVEN
from narabe.search.threats.vct_table import slot_of
from narabe.search.threats.vct_zone import trace


@kernel
def list_defences(s, p, desk, fours, failures, entries, left, key_change):
    """List what the defender must be answered to, with guesses; PROVEN, DISPROVEN or OPEN.

    ``left``: plies to the end of the win, this one included. What loses to fours is noted in the desk, with the line.
    """
    i = np.int64(desk.attacker)
    desk.n_list, desk.n_refuted, desk.n_cells = 0, 0, 0
    desk.line_first[0] = 0
    if left < 2 or winning_cell(s, p, fours, 1 - i) >= 0:
        return DISPROVEN
    if winning_cell(s, p, fours, i) >= 0:
        n = list_parries(s, p, fours, i, desk.parries)
        for k in range(n):
            _add(p, desk, np.int64(desk.parries[k]))
        return PROVEN if n == 0 else OPEN if n > 0 else DISPROVEN
    core.hand_over(s)
    found = find(s, p, fours, failures, desk.four_nodes, left - 1)
    desk.nodes += fours.nodes
    if found == WON:
        _note(s, p, desk, fours, np.int64(-1))
    core.hand_over(s)
    if found != WON:
        desk.cut += found == UNKNOWN
        return DISPROVEN
    if desk.counter_nodes > 0:
        found = find(s, p, fours, failures, desk.counter_nodes, left)
        desk.nodes += fours.nodes
        if found == WON:
            return DISPROVEN
    for k in range(WORDS):
        desk.alive[k] = desk.zone[k]
    return _list_answers(s, p, desk, fours, failures, entries, left, key_change, takes_pairs(s))


@kernel
def _add(p, desk, a):
    n = desk.n_list
    i = np.int64(desk.attacker)
    desk.moves[n] = a
    ways = count_of(p, i, THREE) + count_of(p, i, WIDE_THREE) + count_of(p, i, FOUR)
    desk.proof_guess[n] = GUESS + max(0, GUESS - ways)
    desk.disproof_guess[n] = GUESS + min(ways, 2 * GUESS) // 2
    desk.n_list = n + 1


@kernel
def _note(s, p, desk, fours, a):
    """Remember the line of fours found after the defence ``a`` and trace its zone."""
    clear(desk.zone)
    n = desk.n_refuted
    desk.line_relies[n] = trace(s, p, desk.zone, fours.line, fours.length)
    desk.refuted[n] = a
    length = min(np.int64(fours.length), LINE_CELLS - desk.n_cells)
    for k in range(length):
        desk.line_cells[desk.n_cells + k] = fours.line[k]
    for k in range(WORDS):
        desk.line_zone[n * WORDS + k] = desk.zone[k]
    desk.n_cells += length
    desk.n_refuted = n + 1
    desk.line_first[n + 1] = desk.n_cells


@kernel
def _is_extra(desk, key, a):
    for k in range(desk.n_extra):
        if desk.extra_key[k] == key and desk.extra_cell[k] == a:
            return True
    return False


@kernel
def _list_answers(s, p, desk, fours, failures, entries, left, key_change, pairs):
    i = np.int64(desk.attacker)
    key = core.key(s)
    for a in range(core.num_actions(s)):
        if s.slot[a] < 0:
            continue
        free = level_of(p, 1 - i, a) == FOURS_SET or _is_extra(desk, key, a)
        free = free or pairs  # a stone may take part in a capture later on: no zone holds all that matters
        if not free and not holds(desk.alive, a):
            continue
        if not core.is_legal(s, a):
            continue
        core.apply(s, a)
        follow(s, p, a)
        over = core.is_over(s)
        if not over:
            known = slot_of(entries, core.key(s) ^ key_change)
            found = UNKNOWN
            if known < 0 or entries[known].proof != 0:
                found = find(s, p, fours, failures, desk.four_nodes, left - 1)
                desk.nodes += fours.nodes
            if found == WON and not pairs:
                _note(s, p, desk, fours, np.int64(a))
                if desk.line_relies[desk.n_refuted - 1] == 0:  # else it may need the stone on a
                    for k in range(WORDS):
                        desk.alive[k] &= desk.zone[k]
            elif found != WON:
                _add(p, desk, a)
                if free:
                    desk.proof_guess[desk.n_list - 1] |= 1 << 14
        core.undo(s)
        step_back(p)
        if over:
            return DISPROVEN
    n = 0
    for k in range(desk.n_list):
        a = np.int64(desk.moves[k])
        free = desk.proof_guess[k] >> 14 & 1
        if free or holds(desk.alive, a):
            desk.moves[n] = a
            desk.proof_guess[n] = desk.proof_guess[k] & (1 << 14) - 1
            desk.disproof_guess[n] = desk.disproof_guess[k]
            n += 1
    desk.n_list = n
    return PROVEN if n == 0 else OPEN
