"""A threat of a threat-space search on the board: its gain, and all its costs at once.

Only for rules without captures. Between threats the attacker is to move.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import follow, kind_of, step_back
from narabe.envs.rules.line.record import LINES
from narabe.envs.rules.line.stones import line_of
from narabe.envs.rules.lines import CLASS, FIVES, FOUR, KIND, REACH, THREE, TWIN_FOUR, WIDE_THREE, line_code
from narabe.search.threats.spaces_desk import COSTS

NO_THREAT = -1


@kernel
def offset_of(bits):
    """How far from P the one cell of an entry of FIVES lies."""
    j = np.int64(-REACH)
    while bits > 1:
        bits >>= 1
        j += 1
    return j


@kernel
def step_of(s, d):
    """How far apart neighbours on a line of direction ``d`` are, upwards in its bits."""
    w = np.int64(s.width)
    return np.int64(1) if d == 0 else w if d == 1 else w + 1 if d == 2 else 1 - w


@kernel
def lay(s, p, desk, a, d):
    """Lay the threat of the side to move that gains ``a`` on the line in direction ``d``, and its costs.

    Returns how many costs there are (in ``desk.cost``), 0 if nothing parries it; NO_THREAT with no stone laid if it is none,
    is not allowed, or gives the defender a row. A three whose gain makes a four on another line is none: the four is answered.
    """
    i = np.int64(desk.attacker)
    kind = kind_of(p, i, a, d)
    if kind < THREE or kind > FOUR or not core.is_legal(s, a):
        return np.int64(NO_THREAT)
    for other in range(4):
        if kind_of(p, i, a, other) > max(kind, WIDE_THREE):
            return np.int64(NO_THREAT)
    core.apply(s, a)
    follow(s, p, a)
    desk.work += 1
    n = np.int64(NO_THREAT)
    if not core.is_over(s):
        n = list_costs(s, desk, i, a, d, kind)
    if n == NO_THREAT:
        core.undo(s)
        step_back(p)
        return n
    if n == 0:
        core.hand_over(s)
    for k in range(n):
        if k > 0:
            core.hand_over(s)
        cell = np.int64(desk.cost[k])
        core.apply(s, cell)
        follow(s, p, cell)
        desk.work += 1
        if core.is_over(s):
            lift(s, p, np.int64(k + 1))
            return np.int64(NO_THREAT)
    return n


@kernel
def lift(s, p, n):
    """Take the threat laid last, with ``n`` costs, off the board."""
    if n == 0:
        core.hand_over(s)
    for k in range(n):
        if k > 0:
            core.hand_over(s)
        core.undo(s)
        step_back(p)
    core.undo(s)
    step_back(p)


@kernel
def list_costs(s, desk, i, a, d, kind):
    """List the legal replies that parry the threat just laid on ``a``; how many, NO_THREAT if it threatens nothing."""
    r = (a * s.inverse) >> 16
    line, b = line_of(d, r, a - r * s.width)
    step, plane = step_of(s, d), np.int64(s.rule[i])
    own = np.int64(s.lines[i * LINES + line])
    block = np.int64(s.lines[(1 - i) * LINES + line]) | np.int64(s.wall[line])
    if kind == FOUR:
        cell = a + offset_of(np.int64(FIVES[plane + line_code(own, block, b)])) * step
        if not core.is_legal(s, cell):
            return np.int64(0)
        desk.cost[0] = cell
        return np.int64(1)
    extensions, cells = np.int64(0), np.int64(0)  # what makes an open four of it, and what completes that
    core.hand_over(s)
    for side in range(2):
        for j in range(1, REACH + 1):
            e = b + j if side == 0 else b - j
            if block >> e & 1:
                break
            if own >> e & 1:
                continue
            code = plane + line_code(own, block, e)
            if np.int64(CLASS[code]) >> KIND == TWIN_FOUR and core.is_legal(s, a + (e - b) * step):
                extensions |= np.int64(1) << e
                cells |= np.int64(FIVES[code]) << (e - REACH)
    core.hand_over(s)
    if extensions == 0:
        return np.int64(NO_THREAT)
    cells |= extensions
    n = np.int64(0)
    for e in range(b - 2 * REACH, b + 2 * REACH + 1):
        if e < 0 or e > 31 or cells >> e & 1 == 0 or not _stops(plane, own, block, extensions, np.int64(e)):
            continue
        cell = a + (e - b) * step
        if core.is_legal(s, cell):
            if n == COSTS:
                return np.int64(NO_THREAT)
            desk.cost[n] = cell
            n += 1
    return n


@kernel
def _stops(plane, own, block, extensions, e):
    """Does a stone on bit ``e`` of the line leave no way to an open four?"""
    block |= np.int64(1) << e
    for q in range(REACH, 32):
        if extensions >> q & 1 and q != e:
            if np.int64(CLASS[plane + line_code(own, block, np.int64(q))]) >> KIND >= TWIN_FOUR:
                return False
    return True
