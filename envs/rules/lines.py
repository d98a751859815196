"""Line tables: what a stone at P would make on one line, for every surrounding and every rule set.

A line is looked at through a window of five cells on each side of P. What lies behind the nearest *blocker* (an
opponent's stone or the wall) cannot matter, so one side has only 63 states: with the blocker at distance d+1
(or none, d = 5) and the d cells before it read as bits, nearest first, its code is ``bits | 1 << d``. Two sides make a
*line code* below 4096:

    code = left * 64 + right

For each rule set (row of 3, 4 or 5; a longer run wins or not: `rule_index`) three tables answer, by code:

``CLASS``   uint16 of flags and small counts, see the constants below
``FIVES``   uint16: cells that would complete a winning row with P (bit j = the cell at distance j - 5 from P)
``OPENS``   uint16: cells that would make, with P, a row-minus-one open at both ends, either end winning

P itself counts as placed. "Five", "four", "three" are the names of a row of 5; with a row of 4 they are four, three
and two. Bans, evaluation and threat search all read these tables; a naive reading of the same definitions, cell by
cell, checks each entry in the tests. The tables stay under 64 KB each because numba will not cache kernels
that reach larger constants.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel

REACH = 5  # cells looked at on each side of P
SIDES = 64
CODES = SIDES * SIDES
ROWS = (3, 4, 5)

WIN = 1  # the stone completes a winning row
OVERLONG = 2  # the stone stands in a run longer than the row
FOURS = 2  # shift of a two-bit count: sets of row-1 stones, P among them, that one cell completes (0 if WIN)
THREES = (
    4  # shift of a two-bit count: sets of row-2 stones, P among them, one move from an open four (0 if a four or WIN)
)
OPEN_FOUR = 64  # the stone makes a run of row-1, both ends of which win
SPAN = 7  # shift of a three-bit count: most own stones (P included) in any row-long stretch through P free of blockers
SPAN_MASK = 7 << SPAN
KIND = 10  # shift of a four-bit grade: how near the line is to a row, see below
FOUR_MASK = 3 << FOURS
THREE_MASK = 3 << THREES

# KIND, each by what one more own stone on the line can make of it; names as for a row of 5, and by counting cells that
# complete a row with P, whatever shape they have (the bans count shapes: FOURS, THREES)
KINDS = 12
DEAD = 0  # no own stones can make a row with P here
CLOSED_ONE = 1  # can become CLOSED_TWO
ONE = 2  # can become TWO
CLOSED_TWO = 3  # can become CLOSED_THREE
TWO = 4  # can become THREE
WIDE_TWO = 5  # can become WIDE_THREE
CLOSED_THREE = 6  # can become FOUR
THREE = 7  # one cell makes it TWIN_FOUR
WIDE_THREE = 8  # several cells do
FOUR = 9  # one cell wins
TWIN_FOUR = 10  # several cells win: no single stone stops them
ROW = 11  # the stone itself completes a winning row


def rule_index(row: int, exact: bool) -> int:
    """Which plane of the tables serves a rule set: ``row`` in 3..5, ``exact`` if longer runs do not win."""
    if row not in ROWS:
        raise ValueError(f"line tables exist for rows of {ROWS}, not {row}")
    return (row - ROWS[0]) * 2 + int(exact)


def _sides() -> tuple[np.ndarray, np.ndarray]:
    """(left, right): tables by ``own | block << 5`` of the side's code, left already times 64.

    Right: bit 0 is the nearest cell. Left: bit 4 is the nearest cell, as it comes out of a line's word.
    """
    left, right = np.zeros(1024, np.int16), np.zeros(1024, np.int16)
    for block in range(32):
        for own in range(32):
            d = next((i for i in range(REACH) if block >> i & 1), REACH)
            right[own | block << 5] = own & ((1 << d) - 1) | 1 << d
    mirror = [int(f"{i:05b}"[::-1], 2) for i in range(32)]
    for block in range(32):
        for own in range(32):
            left[own | block << 5] = SIDES * right[mirror[own] | mirror[block] << 5]
    return left, right


def _windows() -> tuple[np.ndarray, np.ndarray]:
    """(own, closed) of every code as 11-bit words: bit 5 is P (own), bit 0 the farthest cell on the left.

    Cells at and behind a blocker are closed. Codes whose side is 0 do not occur; they read as closed next to P.
    """
    own_side, closed_side = np.zeros(SIDES, np.int64), np.full(SIDES, 31, np.int64)
    for side in range(1, SIDES):
        d = side.bit_length() - 1
        own_side[side] = side - (1 << d)
        closed_side[side] = 31 & ~((1 << d) - 1)
    mirror = np.array([int(f"{i:05b}"[::-1], 2) for i in range(32)])
    code = np.arange(CODES)
    left, right = code // SIDES, code % SIDES
    own = mirror[own_side[left]] | 1 << REACH | own_side[right] << (REACH + 1)
    closed = mirror[closed_side[left]] | closed_side[right] << (REACH + 1)
    return own, closed


def _run(word: np.ndarray) -> np.ndarray:
    """The maximal run of set bits through P, as a word."""
    run = np.full_like(word, 1 << REACH)
    for _ in range(REACH):
        run |= (run << 1 | run >> 1) & word
    return run


def _count(word: np.ndarray) -> np.ndarray:
    return sum((word >> j) & 1 for j in range(2 * REACH + 1))  # type: ignore[return-value]


def _wins(word: np.ndarray, row: int, exact: bool) -> np.ndarray:
    length = _count(_run(word))
    return length == row if exact else length >= row


def _distinct(sets: list[np.ndarray]) -> np.ndarray:
    """How many different non-zero words each code has among ``sets``."""
    number = np.zeros_like(sets[0])
    for i, word in enumerate(sets):
        seen = word == 0
        for other in sets[:i]:
            seen |= other == word
        number += ~seen
    return number


def _completions(own: np.ndarray, empty: np.ndarray, row: int, exact: bool) -> np.ndarray:
    """Cells that complete a winning row with P."""
    points = np.zeros_like(own)
    for j in range(2 * REACH + 1):
        bit = 1 << j
        points |= np.where((empty & bit != 0) & (_run(own | bit) & bit != 0) & _wins(own | bit, row, exact), bit, 0)
    return points


def _four_sets(own: np.ndarray, empty: np.ndarray, row: int, exact: bool) -> list[np.ndarray]:
    """For each row-long stretch through P, its stones if one empty cell completes it to a winning row, else 0."""
    sets = []
    for start in range(REACH - row + 1, REACH + 1):
        stretch = ((1 << row) - 1) << start
        missing = stretch & ~own
        hit = (_count(missing) == 1) & (empty & missing != 0) & _wins(own | missing, row, exact)
        sets.append(np.where(hit, own & stretch, 0))
    return sets


def _open_four(word: np.ndarray, empty: np.ndarray, row: int, exact: bool) -> np.ndarray:
    """Is the run through P exactly row-1 long, with both end cells empty and each of them winning?"""
    run = _run(word)
    low, high = run & -run, (run + (run & -run)) & ~run  # lowest stone; the cell above the highest
    below = low >> 1
    return (
        (_count(run) == row - 1)
        & (below & empty != 0)
        & (high & empty != 0)
        & _wins(word | below, row, exact)
        & _wins(word | high, row, exact)
    )


def _span(own: np.ndarray, closed: np.ndarray, row: int) -> np.ndarray:
    best = np.zeros_like(own)
    for start in range(REACH - row + 1, REACH + 1):
        stretch = ((1 << row) - 1) << start
        best = np.maximum(best, np.where(closed & stretch == 0, _count(own & stretch), 0))
    return best


def _with_stone() -> np.ndarray:
    """int64 (2 * REACH + 1, CODES): the code with one more own stone in the window, -1 where there is no free cell."""
    after = np.full((2 * REACH + 1, CODES), -1)
    own, closed = _windows()
    code = np.arange(CODES)
    for j in range(2 * REACH + 1):
        bit = 1 << (j - REACH - 1) if j > REACH else SIDES << (REACH - 1 - j) if j < REACH else 0
        free = (own | closed) >> j & 1 == 0
        after[j] = np.where(free, code + bit, -1)
    return after


def _kinds(win: np.ndarray, fives: np.ndarray) -> np.ndarray:
    """The KIND of every code, from what it completes, downwards."""
    after, many = _with_stone(), _count(fives)
    kind = np.where(win, ROW, np.where(many > 1, TWIN_FOUR, np.where(many == 1, FOUR, DEAD)))
    for low, wide, sources in (
        (THREE, WIDE_THREE, (TWIN_FOUR,)),
        (CLOSED_THREE, CLOSED_THREE, (FOUR,)),
        (WIDE_TWO, WIDE_TWO, (WIDE_THREE,)),
        (TWO, TWO, (THREE,)),
        (CLOSED_TWO, CLOSED_TWO, (CLOSED_THREE,)),
        (ONE, ONE, (TWO, WIDE_TWO)),
        (CLOSED_ONE, CLOSED_ONE, (CLOSED_TWO,)),
    ):
        ways = ((after >= 0) & np.isin(kind[after], sources)).sum(0)
        kind = np.where(kind > DEAD, kind, np.where(ways > 1, wide, np.where(ways == 1, low, DEAD)))
    return kind


def line_tables(row: int, exact: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(CLASS, FIVES, OPENS) of one rule set: three uint16 arrays of length `CODES`.

    >>> classes, fives, opens = line_tables(5, exact=False)
    >>> entry = int(classes[1 << 5 << 6 | 1 << 5])          # an empty line
    >>> entry >> SPAN & 7, entry >> KIND == ONE             # no more than P itself in a stretch of five
    (1, True)
    """
    own, closed = _windows()
    empty = ~(own | closed) & (1 << 2 * REACH + 1) - 1
    win = _wins(own, row, exact)
    fives = np.where(win, 0, _completions(own, empty, row, exact))
    fours = np.where(win, 0, _distinct(_four_sets(own, empty, row, exact)))
    opens, three_sets = np.zeros_like(own), []
    for j in range(2 * REACH + 1):
        bit = 1 << j
        through = _run(own | bit) & bit != 0
        hit = (empty & bit != 0) & through & ~win & (fives == 0) & _open_four(own | bit, empty & ~bit, row, exact)
        opens |= np.where(hit, bit, 0)
        three_sets.append(np.where(hit, _run(own | bit) & ~bit, 0))
    overlong = _count(_run(own)) > row
    classes = (
        np.where(win, WIN, 0)
        | np.where(overlong, OVERLONG, 0)
        | np.minimum(fours, 3) << FOURS
        | np.minimum(_distinct(three_sets), 3) << THREES
        | np.where(~win & _open_four(own, empty, row, exact), OPEN_FOUR, 0)
        | _span(own, closed, row) << SPAN
        | _kinds(win, fives) << KIND
    )
    return classes.astype(np.uint16), fives.astype(np.uint16), opens.astype(np.uint16)


LEFT, RIGHT = _sides()
_TABLES = [line_tables(row, exact) for row in ROWS for exact in (False, True)]
CLASS, FIVES, OPENS = (np.concatenate([tables[i] for tables in _TABLES]) for i in range(3))


@kernel
def line_code(own, block, b):
    """The code of the line around bit ``b`` (>= 5) of the words ``own`` and ``block`` (opponent's stones and walls)."""
    left = (own >> (b - 5)) & 31 | ((block >> (b - 5)) & 31) << 5
    right = (own >> (b + 1)) & 31 | ((block >> (b + 1)) & 31) << 5
    return np.int64(LEFT[left]) + np.int64(RIGHT[right])
