"""Calls from Python for the search for continuous threats: one state, its patterns, the desks and tables of a search."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import follow, read, step_back
from narabe.search.threats.desk import WON
from narabe.search.threats.replay import HOLDS, fault_of_line
from narabe.search.threats.vcf import find
from narabe.search.threats.vct_cells import list_parries, winning_cell
from narabe.search.threats.vct_search import change_of, look
from narabe.search.threats.vct_table import slot_of


@kernel
def prepare(states, patterns):
    read(states[0], patterns[0])


@kernel
def step(states, patterns, a):
    """Play a move; the key then."""
    core.apply(states[0], a)
    follow(states[0], patterns[0], a)
    return core.key(states[0])


@kernel
def back(states, patterns):
    core.undo(states[0])
    step_back(patterns[0])


@kernel
def hand_over(states):
    core.hand_over(states[0])
    return core.key(states[0])


@kernel
def key(states):
    return core.key(states[0])


@kernel
def is_over(states):
    return core.is_over(states[0])


@kernel
def recall(states, desks, entries, left):
    """(proof number, best move) of the position, as the table has them; (-1, -1) if it knows nothing."""
    known = slot_of(entries, core.key(states[0]) ^ change_of(desks[0], left))
    if known < 0:
        return np.int64(-1), np.int64(-1)
    return np.int64(entries[known].proof), np.int64(entries[known].best)


@kernel
def reopen(states, desks, entries, left):
    """Forget what the table says of the position."""
    known = slot_of(entries, core.key(states[0]) ^ change_of(desks[0], left))
    if known >= 0:
        entries[known].proof, entries[known].disproof, entries[known].at, entries[known].best = 1, 1, -1, -1


@kernel
def inspect(states, patterns, desks, four_desks, failures, entries, left):
    """What `look` says of the position; its lists are in the desk."""
    return look(states[0], patterns[0], desks[0], four_desks[0], failures, entries, left)


@kernel
def fours(states, patterns, desks, four_desks, failures, left):
    """Does the side to move win by fours? The line is in the second desk."""
    return find(states[0], patterns[0], four_desks[0], failures, desks[0].four_nodes, left) == WON


@kernel
def legal(states, n):
    """The legal moves: uint8 by action."""
    out = np.zeros(n, np.int8)
    core.legal_mask(states[0], out)
    return out


@kernel
def wins(states, patterns, four_desks, i):
    """Could colour ``i`` win at once if it moved?"""
    return winning_cell(states[0], patterns[0], four_desks[0], i) >= 0


@kernel
def parries(states, patterns, desks, four_desks, i):
    """How many moves keep colour ``i`` from winning at once; they are in ``parries`` of the desk."""
    return list_parries(states[0], patterns[0], four_desks[0], i, desks[0].parries)


@kernel
def broken_by(states, line, length, cells):
    """Which defences spoil a line of fours: 1 for each cell (uint8) of a legal move after which it does not hold.

    The defender is to move. Only for rules without captures.
    """
    s = states[0]
    for a in range(core.num_actions(s)):
        cells[a] = 0
        if core.is_legal(s, a):
            core.apply(s, a)
            cells[a] = core.is_over(s) or fault_of_line(s, line, length) != HOLDS
            core.undo(s)
