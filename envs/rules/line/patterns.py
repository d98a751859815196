"""Line patterns kept up to date from move to move, in a side record beside the state, with undo.

For each empty cell, colour and direction the record holds the CLASS of the line tables: what a stone there would make.
From these follow, for each colour, three *sets* of cells (by the best of the four lines) and how many lines of each KIND
run through empty cells, which is what an evaluation adds up.

    read(s, p)         from scratch
    follow(s, p, a)    after a move was applied to s: only the cells that see a changed cell are looked at again
    follow_words(s, p, a)  the same, for a search that asks for no class, set or count, but for `words` only
    step_back(p)       after that move was undone on s (or before: s is not looked at)

A move is followed by a *mark* in the log and a list of the entries it changed, so stepping back only restores them. What an
occupied cell's entries say stands still meanwhile and is right again when the stone is lifted by undo.

The sets know shapes only: whether the bans allow a cell, ask `is_legal`. They are bits in words of 64 cells, `first_in`
and `next_in` walk through them in the order of the cells.

Works on any record with the lines of the line games, such as that of Gomocku.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import NEVER, captured, law_dtype, pairs_due, to_move
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.bans import classes_at
from narabe.envs.rules.line.record import COLUMN_STEP, LINES, MAX_CELLS, MAX_MOVES, ROW_STEP, SOURCES
from narabe.envs.rules.line.stones import line_of, stone_at
from narabe.envs.rules.line.words import FIELDS, follow_side, lowest_bit, read_words, restore_words
from narabe.envs.rules.lines import CLASS, FOUR, KIND, KINDS, REACH, ROW, SPAN_MASK, THREE, line_code

NOTHING, THREES_SET, FOURS_SET, ROWS_SET = 0, 1, 2, 3  # levels of a cell: the best that a stone there makes on any line
LEVELS = 4
CELLS = 512  # stride of a colour, a power of two so that indices come apart by shifts
WORDS = (MAX_CELLS + 63) // 64
ONE_WORD = np.uint64(1)
CHANGED, FILLED, EMPTIED, RAW = 0, 1, 2, 3  # kinds of entries in the log
ENTRY, WAS, SORT = 4095, 12, 28  # an entry: index of the class (or the cell) | what it was << WAS | kind << SORT
KEPT = 65535 & ~SPAN_MASK  # of CLASS: what searches read; spans change too often
LOG = 80 * (MAX_MOVES + 32)  # a changed cell touches at most 80 classes, and pairs are taken a dozen times

PATTERNS = law_dtype(
    "line_patterns",
    SOURCES,
    [
        ("sets", np.uint64, (2 * LEVELS * WORDS,)),  # by colour, level; level NOTHING is not kept
        ("counts", np.int32, (2 * KINDS,)),  # by colour, kind: lines through empty cells
        ("classes", np.uint16, (8 * CELLS,)),  # by colour, cell, direction
        ("level", np.uint8, (2 * CELLS,)),  # by colour, cell
        ("low", np.int32),  # classes below are kept as 0
        ("n_log", np.int32),
        ("n_marks", np.int32),
        ("n_words", np.int32),  # entries of the log of `words`
        ("marks", np.int64, (MAX_MOVES + 2,)),  # n_log | n_words << 32
        ("log", np.int32, (LOG,)),
        *FIELDS,
    ],
)


def new_patterns(n: int = 1, least: int = 0) -> np.ndarray:
    """``n`` records (without JIT as a recarray); `read` fills one.

    Lines of a KIND below ``least`` are kept as DEAD, which is quicker where nobody asks for them: a stone changes forty
    entries, ten of which are of kind CLOSED_THREE or above.
    """
    from numba.core import config

    patterns = np.zeros(n, PATTERNS)
    patterns["low"] = least << KIND
    return patterns.view(np.recarray) if config.DISABLE_JIT else patterns


@kernel
def class_of(p, i, a, d):
    """CLASS of the line in direction ``d`` (0..3) if colour ``i`` (0, 1) played on the empty cell ``a``."""
    return np.int64(p.classes[(i * CELLS + a) * 4 + d])


@kernel
def kind_of(p, i, a, d):
    """KIND of that line."""
    return np.int64(p.classes[(i * CELLS + a) * 4 + d]) >> KIND


@kernel
def level_of(p, i, a):
    """The best of the four lines of an empty cell: NOTHING, THREES_SET, FOURS_SET or ROWS_SET."""
    return np.int64(p.level[i * CELLS + a])


@kernel
def count_of(p, i, kind):
    """How many lines of a kind run through empty cells (each cell counts its four lines)."""
    return np.int64(p.counts[i * KINDS + kind])


@kernel
def next_in(p, i, level, a):
    """The first cell above ``a`` in a set of colour ``i``, -1 if there is none."""
    first = (i * LEVELS + level) * WORDS
    w = (a + 1) >> 6
    if w >= WORDS:
        return np.int64(-1)
    word = np.uint64(p.sets[first + w]) >> np.uint64((a + 1) & 63)
    if word != 0:
        return np.int64(a) + 1 + lowest_bit(word)
    for v in range(w + 1, WORDS):
        word = np.uint64(p.sets[first + v])
        if word != 0:
            return np.int64(v * 64) + lowest_bit(word)
    return np.int64(-1)


@kernel
def first_in(p, i, level):
    """The lowest cell of a set of colour ``i``, -1 if it is empty."""
    return next_in(p, i, level, np.int64(-1))


@kernel
def _level(p, i, a):
    """The level that the four classes of a cell give."""
    at = (i * CELLS + a) * 4
    best = max(
        max(np.int64(p.classes[at]) >> KIND, np.int64(p.classes[at + 1]) >> KIND),
        max(np.int64(p.classes[at + 2]) >> KIND, np.int64(p.classes[at + 3]) >> KIND),
    )
    return ROWS_SET if best >= ROW else FOURS_SET if best >= FOUR else THREES_SET if best >= THREE else NOTHING


@kernel
def _flip(p, i, level, a):
    """Put a cell into a set, or take it out."""
    if level != NOTHING:
        p.sets[(i * LEVELS + level) * WORDS + (a >> 6)] ^= ONE_WORD << np.uint64(a & 63)


@kernel
def _fill(p, a):
    """A cell is empty no more: nothing of it counts."""
    for i in range(2):
        at = (i * CELLS + a) * 4
        for d in range(4):
            p.counts[i * KINDS + (np.int64(p.classes[at + d]) >> KIND)] -= 1
        _flip(p, i, np.int64(p.level[i * CELLS + a]), a)


@kernel
def _empty(p, a):
    """The reverse of `_fill`, by what the entries of the cell say."""
    for i in range(2):
        at = (i * CELLS + a) * 4
        for d in range(4):
            p.counts[i * KINDS + (np.int64(p.classes[at + d]) >> KIND)] += 1
        _flip(p, i, np.int64(p.level[i * CELLS + a]), a)


@kernel
def _regrade(p, at):
    """The best line of the cell of entry ``at`` may have changed."""
    i, a = at >> 11, at >> 2 & 511
    level = _level(p, i, a)
    was = np.int64(p.level[i * CELLS + a])
    if level != was:
        _flip(p, i, was, a)
        _flip(p, i, level, a)
        p.level[i * CELLS + a] = level


@kernel
def _set(p, at, old, new):
    """Give an entry of an empty cell another class."""
    p.classes[at] = new
    before, after = old >> KIND, new >> KIND
    first = (at >> 11) * KINDS
    p.counts[first + before] -= 1
    p.counts[first + after] += 1
    if (before | after) >= THREE:  # one of them, or nearly so: it costs only a look
        _regrade(p, at)


@kernel
def _note(p, entry):
    p.log[p.n_log] = entry
    p.n_log += 1


@kernel
def _look_around(s, p, a):
    """The stone on ``a`` came, went or changed: look again at the empty cells that see it."""
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    low = np.int64(p.low)
    for d in range(4):
        line, b = line_of(d, r, c)
        step = np.int64(ROW_STEP[d]) * s.width + np.int64(COLUMN_STEP[d])
        if d == 3:  # the bits of a falling diagonal run towards the lower right
            step = -step
        wall = np.int64(s.wall[line])
        black, white = np.int64(s.lines[line]), np.int64(s.lines[LINES + line])
        black_blocked, white_blocked = white | wall, black | wall
        for side in range(2):
            black_sees, white_sees = True, True
            for j in range(1, REACH + 1):
                e = b + j if side == 0 else b - j
                bit = np.int64(1) << e
                if wall & bit:
                    break
                if black & bit:
                    white_sees = False
                    if not black_sees:
                        break
                    continue
                if white & bit:
                    black_sees = False
                    if not white_sees:
                        break
                    continue
                q = a + j * step if side == 0 else a - j * step
                if black_sees:
                    at = q * 4 + d
                    new = np.int64(CLASS[np.int64(s.rule[0]) + line_code(black, black_blocked, e)]) & KEPT
                    new = new if new >= low else 0
                    old = np.int64(p.classes[at])
                    if new != old:
                        p.log[p.n_log] = at | old << WAS
                        p.n_log += 1
                        _set(p, at, old, new)
                if white_sees:
                    at = (CELLS + q) * 4 + d
                    new = np.int64(CLASS[np.int64(s.rule[1]) + line_code(white, white_blocked, e)]) & KEPT
                    new = new if new >= low else 0
                    old = np.int64(p.classes[at])
                    if new != old:
                        p.log[p.n_log] = at | old << WAS
                        p.n_log += 1
                        _set(p, at, old, new)


@kernel
def _filled(p, a):
    _fill(p, a)
    _note(p, a | FILLED << SORT)


@kernel
def _emptied(s, p, q):
    """The cell ``q`` became empty: what its entries say is of the time before the stone, so they are written anew."""
    for i in range(2):
        classes = classes_at(s, i, q)
        for d in range(4):
            at = (i * CELLS + q) * 4 + d
            new = classes[d] & KEPT
            new = new if new >= p.low else 0
            if new != p.classes[at]:
                _note(p, at | np.int64(p.classes[at]) << WAS | RAW << SORT)
                p.classes[at] = new
        p.level[i * CELLS + q] = _level(p, i, q)
    _empty(p, q)
    _note(p, q | EMPTIED << SORT)


@kernel
def mark(p):
    """Begin the changes that one `step_back` takes back."""
    p.marks[p.n_marks] = np.int64(p.n_log) | np.int64(p.n_words) << 32
    p.n_marks += 1


@kernel
def turned(s, p, a):
    """The stone on ``a`` shows another colour, or became a wall."""
    _look_around(s, p, a)


@kernel
def follow(s, p, a):
    """Follow the move on ``a`` just applied to ``s``, its captures included."""
    mark(p)
    _filled(p, a)
    taken = np.int64(captured(s))
    if taken != 0:
        _follow_captures(s, p, a, taken)
    _look_around(s, p, a)
    if pairs_due(s, 1) != NEVER:
        for i in range(2):
            follow_side(s, p, a, taken, np.int64(i), 2 - np.int64(to_move(s)))


@kernel
def follow_words(s, p, a):
    """Follow the move by the words of its lines alone: the classes stay as they are. Only where pairs are taken."""
    mark(p)
    for i in range(2):
        follow_side(s, p, a, np.int64(captured(s)), np.int64(i), 2 - np.int64(to_move(s)))


@kernel
def _follow_captures(s, p, a, taken):
    """Every emptied cell gets its own entries back before any of them is looked at from its neighbours."""
    for look in range(2):
        for d in range(8):
            if taken >> d & 1:
                step = np.int64(ROW_STEP[d]) * s.width + np.int64(COLUMN_STEP[d])
                for n in range(1, 3):
                    if look == 0:
                        _emptied(s, p, a + n * step)
                    else:
                        _look_around(s, p, a + n * step)


@kernel
def step_back(p):
    """Take back the changes since the last mark."""
    p.n_marks -= 1
    start = np.int64(p.marks[p.n_marks]) & 0xFFFFFFFF
    while p.n_log > start:
        p.n_log -= 1
        entry = np.int64(p.log[p.n_log])
        at, sort = entry & ENTRY, entry >> SORT & 3
        if sort == CHANGED:
            _set(p, at, np.int64(p.classes[at]), entry >> WAS & 65535)
        elif sort == FILLED:
            _empty(p, at)
        elif sort == EMPTIED:
            _fill(p, at)
        else:
            p.classes[at] = entry >> WAS & 65535
            i, a = at >> 11, at >> 2 & 511
            p.level[i * CELLS + a] = _level(p, i, a)
    if p.n_words != 0:
        restore_words(p, np.int64(p.marks[p.n_marks]) >> 32)


@kernel
def read(s, p):
    """Fill the record from scratch; there is nothing to step back to."""
    p.n_log, p.n_words, p.n_marks = 0, 0, 0
    if pairs_due(s, 1) != NEVER:
        read_words(s, p)
    for k in range(2 * LEVELS * WORDS):
        p.sets[k] = 0
    for k in range(2 * KINDS):
        p.counts[k] = 0
    for a in range(s.width * s.height):
        if stone_at(s, a) == 0 and s.slot[a] >= 0:
            for i in range(2):
                classes = classes_at(s, i, a)
                at = (i * CELLS + a) * 4
                for d in range(4):
                    new = classes[d] & KEPT
                    p.classes[at + d] = new if new >= p.low else 0
                p.level[i * CELLS + a] = _level(p, i, a)
            _empty(p, a)
        else:
            for k in range(4):
                p.classes[a * 4 + k] = 0
                p.classes[(CELLS + a) * 4 + k] = 0
            p.level[a], p.level[CELLS + a] = 0, 0
