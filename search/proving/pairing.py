"""Blocking by pairs of cells and by weight together.

The defender takes the second cell of a pair whenever the attacker takes the first, so a row that holds a pair is blocked,
and of all other rows the attacker may be granted the paired cells. What is left is blocked by weight (see `case`) if it weighs
little enough. Pairs are chosen greedily, each the one that lightens the rest most. A pairing strategy alone is the special
case in which nothing is left (Hales, Jewett, "Regularity and positional games", 1963).

For boards of up to 64 cells: a row is a word of its open cells.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.record import COLUMN_STEP, MAX_CELLS, ROW_STEP
from narabe.search.proving.case import ANYWHERE, DIRECTIONS, MAX_ROWS, NOWHERE, mark_lines

MOST_CELLS = 64
HEAVY = 3  # in units of 2**row: rows that weigh more are not tried
ONE = np.uint64(1)


@kernel
def _open_rows(s, case):
    """Write the attacker's rows that hold no stone of the defender, as words of their open cells; returns the total weight.

    An open cell is an empty one on which the defender may lay a stone whatever happens.
    """
    own, other = np.int64(case.attacker) * MAX_ROWS, (1 - np.int64(case.attacker)) * MAX_ROWS
    everywhere = case.blocks == ANYWHERE
    if not everywhere:
        mark_lines(s, case)
    n, total = 0, np.int64(0)
    for d in range(DIRECTIONS):
        step = np.int64(ROW_STEP[d]) * s.width + np.int64(COLUMN_STEP[d])
        for a in range(s.cells):
            t = d * MAX_CELLS + a
            if case.inside[t] == 0 or case.stones[other + t] != 0:
                continue
            word, weight = np.uint64(0), np.int64(1) << np.int64(case.stones[own + t])
            for k in range(case.row):
                q = a + k * step
                if s.slot[q] >= 0:
                    if everywhere or case.lines[q] & (case.lines[q] - 1) == 0:
                        word |= ONE << np.uint64(q)
                    else:
                        weight *= 2
            case.open_rows[n], case.open_weights[n], case.open_places[n] = word, weight, t
            total += weight
            n += 1
    case.n_open = n
    return total


@kernel
def _add_up(s, case):
    """Fill `gain`, what the rows through a cell weigh, and `common`, by direction, cell and distance, those through both."""
    for a in range(s.cells):
        case.gain[a] = 0
    for k in range(len(case.common)):
        case.common[k] = 0
    for n in range(case.n_open):
        word, weight, t = np.uint64(case.open_rows[n]), np.int64(case.open_weights[n]), np.int64(case.open_places[n])
        d = t // MAX_CELLS
        a = t - d * MAX_CELLS
        step = np.int64(ROW_STEP[d]) * s.width + np.int64(COLUMN_STEP[d])
        for i in range(case.row):
            q = a + i * step
            if word >> np.uint64(q) & ONE == 0:
                continue
            case.gain[q] += weight
            for j in range(i + 1, case.row):
                if word >> np.uint64(a + j * step) & ONE != 0:
                    case.common[(d * MOST_CELLS + q) * 4 + j - i - 1] += weight


@kernel
def _best_pair(s, case):
    """(what it lightens, the two cells) of the best pair; (0, -1, -1) if none lightens the rest."""
    best, best_q, best_r = np.int64(0), np.int64(-1), np.int64(-1)
    for d in range(DIRECTIONS):
        step = np.int64(ROW_STEP[d]) * s.width + np.int64(COLUMN_STEP[d])
        for q in range(s.cells):
            for k in range(case.row - 1):
                common = np.int64(case.common[(d * MOST_CELLS + q) * 4 + k])
                if common > 0:
                    r = q + (k + 1) * step
                    lighter = 3 * common - np.int64(case.gain[q]) - np.int64(case.gain[r])
                    if lighter > best:
                        best, best_q, best_r = lighter, np.int64(q), np.int64(r)
    return best, best_q, best_r


@kernel
def _set_pair(case, q, r):
    """Rows through both cells are blocked; others through one of them count it as the attacker's."""
    both = ONE << np.uint64(q) | ONE << np.uint64(r)
    m = 0
    for n in range(case.n_open):
        word, weight = np.uint64(case.open_rows[n]), np.int64(case.open_weights[n])
        if word & both == both:
            continue
        if word & both != 0:
            word &= ~both
            weight *= 2
        case.open_rows[m], case.open_weights[m], case.open_places[m] = word, weight, case.open_places[n]
        m += 1
    case.n_open = m
    case.pairs[2 * case.n_pairs], case.pairs[2 * case.n_pairs + 1] = q, r
    case.n_pairs += 1


@kernel
def pair_up(s, case):
    """Can the defender block all rows by pairs and by weight? If so, `pairs` holds the first `n_pairs` of them."""
    case.n_pairs = 0
    if case.blocks == NOWHERE or s.cells > MOST_CELLS or case.captures != 0:
        return False
    i = np.int64(case.attacker)
    whole = np.int64(1) << np.int64(case.row)
    if case.weight[i] > HEAVY * whole:
        return False
    total = _open_rows(s, case)
    attacks = s.mover == i + 1
    while True:
        _add_up(s, case)
        most = np.int64(0)
        if attacks:
            for a in range(s.cells):
                most = max(most, np.int64(case.gain[a]))
        if total + most < whole:
            return True
        lighter, q, r = _best_pair(s, case)
        if q < 0 or total > HEAVY * whole:
            return False
        total -= lighter
        _set_pair(case, q, r)
