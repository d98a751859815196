"""The case: what is to be proved, and what the search keeps beside the state to judge a position at a glance.

*Rows*: every stretch of ``row`` cells on a line, with how many stones of each colour it holds. A stretch without a stone of the
other colour weighs 2**(own stones); the sum over all stretches is a colour's *weight*. Weight 0: this colour can make no
row any more. In units of 2**row it is the sum of Erdős and Selfridge ("On a combinatorial game", 1973), who showed: with the
blocker to move and a sum below 1, all rows can be blocked. None of this holds where stones are taken.

*Keys*: the key of the stones under every symmetry of the board, kept from move to move; the smallest is the same for all
positions that are mirror images or rotations of each other.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.core import law_dtype
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.record import COLUMN_STEP, MAX_CELLS, ROW_STEP, SOURCES, Z_STONE
from narabe.envs.rules.line.stones import key_without_stones, stone_at

DIRECTIONS = 4
MAX_ROWS = DIRECTIONS * MAX_CELLS  # a stretch is numbered by direction and first cell
MAX_OPEN = DIRECTIONS * 64  # rows on the boards of `pairing`
SYMMETRIES = 8
UNLIMITED = 1 << 20  # as `last_ply`
NOWHERE, SAFELY, ANYWHERE = 0, 1, 2
"""On which empty cells the defender may lay a stone whatever happens: on none that we know of (captures, bans of fours or
overlines), on those that no double three can ever shut for him, on all."""

CASE = law_dtype(
    "proving_case",
    [*SOURCES, __file__],
    [
        ("salt", np.uint64),  # of the question: positions of different questions share no entry of the table
        ("attacker", np.int64),  # colour 0 or 1 of the side that wants to win; the other wants to hold
        ("last_ply", np.int64),  # the attacker must win by this ply, as counted by the state; UNLIMITED
        ("blocks", np.int64),  # NOWHERE, SAFELY or ANYWHERE
        ("captures", np.int64),
        ("row", np.int64),
        ("n_symmetries", np.int64),
        ("keys", np.uint64, (SYMMETRIES,)),
        ("turn", np.int16, (SYMMETRIES * MAX_CELLS,)),  # where a symmetry takes a cell
        ("back", np.int16, (SYMMETRIES * MAX_CELLS,)),  # and the reverse
        ("weight", np.int64, (2,)),
        ("lines", np.uint8, (MAX_CELLS,)),  # scratch of `safe_weight`: directions in which a stone may be in an open three
        ("gain", np.int32, (MAX_CELLS,)),  # scratch of `safe_weight` and of `pairing`, like all below
        ("n_open", np.int64),
        ("open_rows", np.uint64, (MAX_OPEN,)),
        ("open_weights", np.int32, (MAX_OPEN,)),
        ("open_places", np.int16, (MAX_OPEN,)),
        ("common", np.int32, (DIRECTIONS * 64 * 4,)),
        ("n_pairs", np.int64),
        ("pairs", np.int16, (64,)),
        ("stones", np.uint8, (2 * MAX_ROWS,)),  # by colour, stretch
        ("inside", np.uint8, (MAX_ROWS,)),  # is this stretch on the board?
    ],
)  # fmt: skip


def new_case() -> np.ndarray:
    """One zeroed record (without JIT as a recarray); `open_case` fills it."""
    from numba.core import config

    case = np.zeros(1, CASE)
    return case.view(np.recarray) if config.DISABLE_JIT else case


@kernel
def open_case(states, cases, attacker, last_ply, blocks, salt):
    """Write the case for the position ``states[0]``. ``attacker``: colour 0 or 1; ``blocks``: NOWHERE, SAFELY, ANYWHERE."""
    s, case = states[0], cases[0]
    case.salt, case.attacker, case.last_ply, case.blocks = salt, attacker, last_ply, blocks
    case.captures, case.row = s.captures, s.row
    case.n_symmetries = core.num_symmetries(s)
    for k in range(case.n_symmetries):
        case.keys[k] = 0
        for a in range(s.cells):
            b = core.symmetry(s, a, k)
            case.turn[k * MAX_CELLS + a] = b
            case.back[k * MAX_CELLS + b] = a
    for t in range(MAX_ROWS):
        case.inside[t] = 0
    for t in range(2 * MAX_ROWS):
        case.stones[t] = 0
    rows = 0
    for d in range(DIRECTIONS):
        for a in range(s.cells):
            r, c = a // s.width, a % s.width
            end_r = r + (case.row - 1) * np.int64(ROW_STEP[d])
            end_c = c + (case.row - 1) * np.int64(COLUMN_STEP[d])
            if end_r < s.height and end_c >= 0 and end_c < s.width:
                case.inside[d * MAX_CELLS + a] = 1
                rows += 1
    case.weight[0], case.weight[1] = rows, rows
    for a in range(s.cells):
        stone = stone_at(s, a)
        if stone != 0:
            _turn_keys(case, np.int64(stone) - 1, np.int64(a))
            _lay(s, case, np.int64(stone) - 1, np.int64(a))


@kernel
def _turn_keys(case, i, a):
    for k in range(case.n_symmetries):
        case.keys[k] ^= Z_STONE[i * MAX_CELLS + np.int64(case.turn[k * MAX_CELLS + a])]


@kernel
def _lay(s, case, i, a):
    """A stone of colour ``i`` comes to stand on ``a``: its stretches weigh twice as much, those of the other nothing more."""
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    own, other = i * MAX_ROWS, (1 - i) * MAX_ROWS
    for d in range(DIRECTIONS):
        dr, dc = np.int64(ROW_STEP[d]), np.int64(COLUMN_STEP[d])
        step = dr * s.width + dc
        for n in range(case.row):
            if r - n * dr < 0 or c - n * dc < 0 or c - n * dc >= s.width:
                break
            t = d * MAX_CELLS + a - n * step
            if case.inside[t] != 0:
                mine, theirs = np.int64(case.stones[own + t]), np.int64(case.stones[other + t])
                if theirs == 0:
                    case.weight[i] += 1 << mine
                if mine == 0:
                    case.weight[1 - i] -= 1 << theirs
                case.stones[own + t] = mine + 1


@kernel
def _lift(s, case, i, a):
    """The reverse of `_lay`."""
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    own, other = i * MAX_ROWS, (1 - i) * MAX_ROWS
    for d in range(DIRECTIONS):
        dr, dc = np.int64(ROW_STEP[d]), np.int64(COLUMN_STEP[d])
        step = dr * s.width + dc
        for n in range(case.row):
            if r - n * dr < 0 or c - n * dc < 0 or c - n * dc >= s.width:
                break
            t = d * MAX_CELLS + a - n * step
            if case.inside[t] != 0:
                mine, theirs = np.int64(case.stones[own + t]) - 1, np.int64(case.stones[other + t])
                if theirs == 0:
                    case.weight[i] -= 1 << mine
                if mine == 0:
                    case.weight[1 - i] += 1 << theirs
                case.stones[own + t] = mine


@kernel
def weight_at(s, case, i, a):
    """The weight of colour ``i``'s stretches through the empty cell ``a``: what it gains by a stone there."""
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    total = np.int64(0)
    for d in range(DIRECTIONS):
        dr, dc = np.int64(ROW_STEP[d]), np.int64(COLUMN_STEP[d])
        step = dr * s.width + dc
        for n in range(case.row):
            if r - n * dr < 0 or c - n * dc < 0 or c - n * dc >= s.width:
                break
            t = d * MAX_CELLS + a - n * step
            if case.inside[t] != 0 and case.stones[(1 - i) * MAX_ROWS + t] == 0:
                total += 1 << np.int64(case.stones[i * MAX_ROWS + t])
    return total


@kernel
def mark_lines(s, case):
    """Write to `lines`, by cell, the directions in which the defender may still have an open three through it.

    Such a three can become a run of row - 1 with an empty cell at both ends: row + 1 cells without a stone of the attacker.
    """
    own = np.int64(case.attacker) * MAX_ROWS
    for a in range(s.cells):
        case.lines[a] = 0
    for d in range(DIRECTIONS):
        step = np.int64(ROW_STEP[d]) * s.width + np.int64(COLUMN_STEP[d])
        for a in range(s.cells):
            t = d * MAX_CELLS + a
            if case.inside[t] != 0 and a + step < s.cells and case.inside[t + step] != 0:
                if case.stones[own + t] == 0 and case.stones[own + t + step] == 0:
                    for n in range(1, case.row):
                        case.lines[a + n * step] |= 1 << d


@kernel
def safe_weight(s, case):
    """The attacker's weight if he had all cells that a double three might shut for the defender; fills `gain`.

    A cell is safe where at most one line can hold an open three of the defender; stones only ever make more cells safe.
    `gain`: by safe empty cell, what a stone there would add.
    """
    own, other = np.int64(case.attacker) * MAX_ROWS, (1 - np.int64(case.attacker)) * MAX_ROWS
    mark_lines(s, case)
    for a in range(s.cells):
        case.gain[a] = 0
    total = np.int64(0)
    for d in range(DIRECTIONS):
        step = np.int64(ROW_STEP[d]) * s.width + np.int64(COLUMN_STEP[d])
        for a in range(s.cells):
            t = d * MAX_CELLS + a
            if case.inside[t] == 0 or case.stones[other + t] != 0:
                continue
            weight = np.int64(1) << np.int64(case.stones[own + t])
            for n in range(case.row):
                q = a + n * step
                if s.slot[q] >= 0 and case.lines[q] & (case.lines[q] - 1) != 0:
                    weight *= 2
            total += weight
            for n in range(case.row):
                q = a + n * step
                if s.slot[q] >= 0 and case.lines[q] & (case.lines[q] - 1) == 0:
                    case.gain[q] += weight
    return total


@kernel
def _turn_taken(s, case, i, a, taken, back):
    """Stones of colour ``i`` next to ``a`` were taken (or are put back) in the directions of the bits ``taken``."""
    for d in range(8):
        if taken >> d & 1:
            step = np.int64(ROW_STEP[d]) * s.width + np.int64(COLUMN_STEP[d])
            for n in range(1, 3):
                _turn_keys(case, i, a + n * step)
                if back:
                    _lay(s, case, i, a + n * step)
                else:
                    _lift(s, case, i, a + n * step)


@kernel
def note_move(s, case, a):
    """After the move on ``a`` was applied to ``s``."""
    i = 2 - np.int64(s.mover)
    _turn_keys(case, i, a)
    _lay(s, case, i, a)
    taken = core.captured(s)
    if taken != 0:
        _turn_taken(s, case, 1 - i, a, taken, False)


@kernel
def note_undo(s, case, a):
    """Before that move is undone."""
    i = 2 - np.int64(s.mover)
    taken = core.captured(s)
    if taken != 0:
        _turn_taken(s, case, 1 - i, a, taken, True)
    _turn_keys(case, i, a)
    _lift(s, case, i, a)


@kernel
def canonical(s, case):
    """(key of the position and the question, the symmetry that gives it)."""
    best, best_k = np.uint64(case.keys[0]), np.int64(0)
    for k in range(1, case.n_symmetries):
        if case.keys[k] < best:
            best, best_k = np.uint64(case.keys[k]), np.int64(k)
    return best ^ key_without_stones(s) ^ case.salt, best_k


@kernel
def is_symmetric(case):
    """Is the position its own image under some symmetry?"""
    for k in range(1, case.n_symmetries):
        if case.keys[k] == case.keys[0]:
            return True
    return False
