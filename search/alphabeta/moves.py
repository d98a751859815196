"""Which moves are looked at, and in which order; what must be answered, and with what.

Candidates lie near the stones: within two cells in any direction, or three or four along a line. They are ordered by
what a stone there makes for its owner and what it takes from the other, by killers and history.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.bans import ban, codes_at
from narabe.envs.rules.line.patterns import FOURS_SET, ROWS_SET, kind_of, next_in
from narabe.envs.rules.line.record import COLUMN_STEP, LINES, MAX_CELLS, PAIRS_TO_WIN, ROW_STEP, SHIFT
from narabe.envs.rules.line.stones import pairs_at
from narabe.envs.rules.line.words import DOWN, ROWS, UP, gather, next_listed
from narabe.envs.rules.lines import FIVES, FOUR, REACH, TWIN_FOUR
from narabe.search.alphabeta.desk import CELL, CELL_BITS

# by KIND: what a stone makes, and what it takes away
MAKES = np.array([0, 0, 2, 4, 12, 16, 20, 90, 110, 130, 1000, 8000])
SPOILS = np.array([0, 0, 1, 3, 8, 11, 14, 60, 70, 70, 800, 6000])
TAKES = 70  # a pair
FIRST, KILLER = 1 << 20, 120
MOST_ORDER = (1 << 21) - 1
WORDS = (MAX_CELLS + 63) // 64
FEW_CELLS = 60  # a side that may be left without a legal cell is not while so many are empty
PAD = 3


@kernel
def next_winning_cell(s, p, i, a):
    """The first cell above ``a`` on which colour ``i`` would win at once, -1 if there is none."""
    row = next_in(p, i, ROWS_SET, a)
    if s.captures == 0:
        return row
    due = PAIRS_TO_WIN - np.int64(s.pairs[i])
    if p.takes[i] < due:
        return row
    for kind in range(UP, DOWN + 1):
        gather(s, p, i, np.int64(kind), np.int64(kind == UP))
    q = next_listed(p, a)
    while q >= 0 and (row < 0 or q < row):
        if pairs_at(s, i, q) >= due and (s.bound[i] == 0 or ban(s, i, q) == 0):
            return q
        q = next_listed(p, q)
    return row


@kernel
def two_fours(s, p, i, after):
    """The first cell above ``after`` where a legal stone of colour ``i`` makes two winning cells, -1 if there is none."""
    a = next_in(p, i, FOURS_SET, after)
    while a >= 0:
        ways = 0
        for d in range(4):
            kind = kind_of(p, i, a, d)
            ways += 2 if kind == TWIN_FOUR else 1 if kind == FOUR else 0
        if ways > 1 and (s.bound[i] == 0 or ban(s, i, a) == 0):
            return a
        a = next_in(p, i, FOURS_SET, a)
    return np.int64(-1)


@kernel
def stands(s, i):
    """Is two winning cells of colour ``i``, who has just moved, a sure win against a side that cannot win at once?

    Not where stones can be taken, nor where the other may be left without a legal cell, which is a draw.
    """
    other = 1 - i
    may_be_stuck = s.bound[other] != 0 and (s.double_four != 0 or s.overline != 0)
    return s.captures == 0 and (not may_be_stuck or s.n_empty > FEW_CELLS)


@kernel
def parrying_cells(s, p, desk, i):
    """Write into ``desk.parries`` the cells that touch each of the cells of `two_fours` of colour ``i``.

    A stone elsewhere leaves one of them as it is. The cell itself is one, and so are those that complete a row with it.
    """
    for w in range(WORDS):
        desk.parries[w] = ~np.uint64(0)
    a = two_fours(s, p, i, np.int64(-1))
    while a >= 0:
        for w in range(WORDS):
            desk.parries[WORDS + w] = 0
        desk.parries[WORDS + (a >> 6)] |= np.uint64(1) << np.uint64(a & 63)
        codes = codes_at(s, i, a)
        for d in range(4):
            if kind_of(p, i, a, d) >= FOUR:
                points = np.int64(FIVES[np.int64(s.rule[i]) + codes[d]])
                step = np.int64(ROW_STEP[d]) * s.width + np.int64(COLUMN_STEP[d])
                if d == 3:  # the bits of a falling diagonal run towards the lower right
                    step = -step
                for j in range(2 * REACH + 1):
                    if points >> j & 1:
                        q = a + (j - REACH) * step
                        desk.parries[WORDS + (q >> 6)] |= np.uint64(1) << np.uint64(q & 63)
        for w in range(WORDS):
            desk.parries[w] &= desk.parries[WORDS + w]
        a = two_fours(s, p, i, a)


@kernel
def order_of(s, p, desk, i, a):
    """How early the move should be tried: the larger, the earlier."""
    worth = np.int64(0)
    for d in range(4):
        worth += MAKES[kind_of(p, i, a, d)] + SPOILS[kind_of(p, 1 - i, a, d)]
    if s.captures != 0:
        if p.takes[i] != 0:
            worth += 2 * TAKES * pairs_at(s, i, a)
        if p.takes[1 - i] != 0:
            worth += TAKES * pairs_at(s, 1 - i, a)
    return worth


@kernel
def push(s, p, desk, i, a, first, ply):
    """Put a move on the stack, packed with its order."""
    order = order_of(s, p, desk, i, a) * 16 + (np.int64(desk.history[i * MAX_CELLS + a]) >> 4)
    if a == first:
        order = FIRST
    elif a == desk.killers[2 * ply] or a == desk.killers[2 * ply + 1]:
        order += KILLER * 16
    desk.stack[desk.top] = min(order, MOST_ORDER) << CELL_BITS | a
    desk.top += 1


@kernel
def pick(desk, k):
    """Bring the best of the moves from ``k`` on to place ``k`` of the stack and return its cell."""
    best = k
    for j in range(k + 1, desk.top):
        if desk.stack[j] > desk.stack[best]:
            best = j
    move = desk.stack[best]
    desk.stack[best] = desk.stack[k]
    desk.stack[k] = move
    return np.int64(move) & CELL


@kernel
def push_fours(s, p, desk, i, first, ply):
    """Every four of the side to move, and the cells in ``desk.parries``."""
    a = next_in(p, i, FOURS_SET, np.int64(-1))
    while a >= 0:
        desk.parries[a >> 6] |= np.uint64(1) << np.uint64(a & 63)
        a = next_in(p, i, FOURS_SET, a)
    for w in range(WORDS):
        word = np.uint64(desk.parries[w])
        a = np.int64(w * 64)
        while word != 0:
            if word & np.uint64(1):
                if s.slot[a] >= 0:
                    push(s, p, desk, i, a, first, ply)
            word >>= np.uint64(1)
            a += 1


@kernel
def push_captures(s, p, desk, i, first, ply):
    """The cells that complete a row of the other, and every one on which either takes a pair."""
    gather(s, p, 1 - i, np.int64(ROWS), np.int64(1))
    for kind in range(UP, DOWN + 1):
        for k in range(2):
            gather(s, p, np.int64(k), np.int64(kind), np.int64(0))
    a = next_listed(p, np.int64(-1))
    while a >= 0:
        push(s, p, desk, i, a, first, ply)
        a = next_listed(p, a)


@kernel
def push_near(s, p, desk, i, first, ply):
    """The candidates of a position in which nothing presses; all empty cells while the board or the stones are few.

    Returns whether every empty cell was pushed.
    """
    if desk.full != 0 or s.cells <= 36 or s.n_empty == s.cells or (s.opening != 0 and s.ply <= 2):
        for k in range(s.n_empty):
            push(s, p, desk, i, np.int64(s.empties[k]), first, ply)
        return True
    h, w = np.int64(s.height), np.int64(s.width)
    wide = h + 2 * 4
    for r in range(-4, h + 4):
        stones = 0
        if 0 <= r < h:
            stones = (np.int64(s.lines[r]) | np.int64(s.lines[LINES + r])) >> SHIFT
        desk.rows[r + 4] = stones
        desk.rows[wide + r + 4] = stones | stones << 1 | stones >> 1 | stones << 2 | stones >> 2
    n = 0
    for r in range(h):
        k, m = r + 4, wide + r + 4
        far = np.int64(desk.rows[k - 3] | desk.rows[k + 3])
        farther = np.int64(desk.rows[k - 4] | desk.rows[k + 4])
        own = np.int64(desk.rows[k])
        near = desk.rows[m - 2] | desk.rows[m - 1] | desk.rows[m] | desk.rows[m + 1] | desk.rows[m + 2]
        near |= far | far << 3 | far >> 3 | farther | farther << 4 | farther >> 4
        near |= own << 3 | own >> 3 | own << 4 | own >> 4
        near &= ~own & ((1 << w) - 1)
        a = r * w
        while near != 0:
            if near & 1:
                push(s, p, desk, i, a, first, ply)
                n += 1
            near >>= 1
            a += 1
    return n == s.n_empty
