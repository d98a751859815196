"""Legal moves kept up to date from move to move, in a side record beside the state.

A move changes line classes only on its own four lines, at most five cells away; so a whole Omok mask costs a tenth of
what it costs from scratch. The side record is for those who only go forward (vectorised environments): it knows no undo.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import law_dtype
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.bans import classes_at, real_threes, shape_ban
from narabe.envs.rules.line.moves import legal_mask
from narabe.envs.rules.line.record import COLUMN_STEP, DOUBLE_THREE, LINES, MAX_CELLS, ROW_STEP, SOURCES
from narabe.envs.rules.line.stones import line_of
from narabe.envs.rules.lines import CLASS, REACH, line_code

ALLOWED, SUSPECT = 1, 2  # a suspect is a double three by shape whose extending points must still be looked at

MASK = law_dtype(
    "line_mask",
    SOURCES,
    [
        ("classes", np.uint8, (8 * MAX_CELLS,)),  # low bits of CLASS by colour, direction, cell
        ("legal", np.int8, (2 * MAX_CELLS,)),  # 0, ALLOWED or SUSPECT by colour and cell
        ("suspects", np.int32, (2,)),
    ],
)


@kernel
def mask_init(s, m):
    """Fill the side record from scratch."""
    for i in range(2):
        m.suspects[i] = 0
        for a in range(s.width * s.height):
            m.legal[i * MAX_CELLS + a] = 0
            if s.bound[i] != 0:
                classes = classes_at(s, i, a)
                for d in range(4):
                    m.classes[(4 * i + d) * MAX_CELLS + a] = classes[d] & 127
            judge(s, m, i, a)


@kernel
def judge(s, m, i, a):
    """Set one cell's verdict for colour ``i`` from its four classes."""
    at = i * MAX_CELLS + a
    before = m.legal[at]
    verdict = 0
    if s.slot[a] >= 0:
        verdict = ALLOWED
        if s.bound[i] != 0:
            first = 4 * i * MAX_CELLS + a
            why = shape_ban(
                s,
                np.int64(m.classes[first]),
                np.int64(m.classes[first + MAX_CELLS]),
                np.int64(m.classes[first + 2 * MAX_CELLS]),
                np.int64(m.classes[first + 3 * MAX_CELLS]),
            )
            if why == DOUBLE_THREE and (s.recursive != 0 or s.five_spoils_three != 0):
                verdict = SUSPECT
            elif why != 0:
                verdict = 0
    m.suspects[i] += (1 if verdict == SUSPECT else 0) - (1 if before == SUSPECT else 0)
    m.legal[at] = verdict


@kernel
def changed(s, m, a):
    """The cell ``a`` was filled or emptied: look again at the cells that see it."""
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    judge(s, m, 0, a)
    judge(s, m, 1, a)
    if s.bound[0] == 0 and s.bound[1] == 0:
        return
    for d in range(4):
        line, b = line_of(d, r, c)
        dr, dc = ROW_STEP[d], COLUMN_STEP[d]
        across = dr * s.width + dc
        if d == 3:  # the bits of a falling diagonal run towards the lower right
            across = -across
        wall = np.int64(s.wall[line])
        for i in range(2):
            if s.bound[i] == 0:
                continue
            own = np.int64(s.lines[i * LINES + line])
            block = np.int64(s.lines[(1 - i) * LINES + line]) | wall
            plane = np.int64(s.rule[i])
            for j in range(-REACH, REACH + 1):
                if j == 0 or (wall >> (b + j)) & 1:
                    continue
                q = a + j * across
                at = (4 * i + d) * MAX_CELLS + q
                new = CLASS[plane + line_code(own, block, b + j)] & 127
                if new != m.classes[at]:
                    m.classes[at] = new
                    if s.slot[q] >= 0:
                        judge(s, m, i, q)


@kernel
def mask_update(s, m):
    """Follow the move just applied to ``s``, its captures included."""
    entry = np.int64(s.history[s.n_moves - 1])
    a, taken = entry & 511, entry >> 18
    changed(s, m, a)
    for d in range(8):
        if taken >> d & 1:
            dr, dc = ROW_STEP[d], COLUMN_STEP[d]
            for n in range(1, 3):
                changed(s, m, a + n * (dr * s.width + dc))


@kernel
def mask_write(s, m, out):
    """Write the mask of the side to move into ``out`` (int8), as `legal_mask` does."""
    if s.result != 0 or (s.opening != 0 and s.ply <= 2):
        legal_mask(s, out)
        return
    i = np.int64(s.mover) - 1
    for a in range(s.width * s.height):
        out[a] = m.legal[i * MAX_CELLS + a]
    if m.suspects[i] != 0:
        for a in range(s.width * s.height):
            if out[a] == SUSPECT:
                out[a] = 1 if real_threes(s, i, a) < 2 else 0
