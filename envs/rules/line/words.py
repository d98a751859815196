"""Lines as words, kept beside the patterns where pairs can be taken: rows, fours and pairs to be had on each line, as bits.

For each colour and line there are four words like those of the state's lines, each bit an empty cell: where a stone
completes a row, where it makes a four and no row, and where it takes the pair of the next two cells towards higher or lower
bits. A stone changes the words of its own four lines only, which is a fraction of the forty classes that it may change:
a search that asks for nothing else follows a move by `patterns.follow_words`.

The functions take the record of `patterns`, whose fields FIELDS are. What a word was goes into a log of its own of
``n_words`` entries.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.record import COLUMN_STEP, LINES, MAX_CELLS, MAX_MOVES, ROW_STEP
from narabe.envs.rules.line.stones import cell_on, count_bits, line_of

ROWS, FOURS, UP, DOWN = 0, 1, 2, 3  # kinds of words
WORDS_A_LINE = 4
STRIDE, LINE_BITS = 128, 7  # a word's place: (colour * WORDS_A_LINE + kind) << LINE_BITS | line
PLACE, WAS = 1023, 10  # an entry of the log: place | what the word was << WAS
ONE = np.uint64(1)
DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)  # its 64 windows of six bits all differ
PLACES = np.zeros(64, np.int8)
for _n in range(64):
    PLACES[((0x03F79D71B4CB0A89 << _n) & (1 << 64) - 1) >> 58] = _n
CELL_WORDS = (MAX_CELLS + 63) // 64
FIELDS = [
    ("words", np.int32, (2 * WORDS_A_LINE * STRIDE,)),
    ("active", np.uint64, (2 * 2 * WORDS_A_LINE,)),  # by colour and kind: lines whose word is not 0, in two halves
    ("takes", np.int32, (2,)),  # by colour: bits of its words UP and DOWN
    ("cells", np.uint64, (CELL_WORDS,)),  # scratch: a list of cells
    ("word_log", np.int64, (2 * WORDS_A_LINE * 4 * (MAX_MOVES + 32),)),
]


@kernel
def lowest_bit(word):
    """Number of the lowest set bit of a word that is not 0."""
    word = np.uint64(word)
    return np.int64(PLACES[((word & (~word + ONE)) * DE_BRUIJN) >> np.uint64(58)])


@kernel
def next_listed(p, a):
    """The first cell above ``a`` of the list of `gather`, -1 if there is none."""
    w = (a + 1) >> 6
    if w >= CELL_WORDS:
        return np.int64(-1)
    word = np.uint64(p.cells[w]) >> np.uint64((a + 1) & 63)
    if word != 0:
        return np.int64(a) + 1 + lowest_bit(word)
    for v in range(w + 1, CELL_WORDS):
        word = np.uint64(p.cells[v])
        if word != 0:
            return np.int64(v * 64) + lowest_bit(word)
    return np.int64(-1)


@kernel
def windows(own, empty, row, exact):
    """The windows of ``row`` cells of a line with one empty cell and own stones on the others, and those with two.

    All are looked at together, each at the bit of its first cell.
    """
    filled = own | empty
    whole = filled & filled >> 1 & filled >> 2
    if row > 3:
        whole &= filled >> 3
    if row > 4:
        whole &= filled >> 4
    if exact:
        whole &= ~(own << 1) & ~(own >> row)
    zero, one, two = whole, np.int64(0), np.int64(0)  # windows with so many empty cells among those seen
    for k in range(row):
        e = empty >> k
        two = two & ~e | one & e
        one = one & ~e | zero & e
        zero &= ~e
    return one, two


@kernel
def cells_of(found, row):
    """All the cells of windows."""
    cells = found | found << 1 | found << 2
    if row > 3:
        cells |= found << 3
    if row > 4:
        cells |= found << 4
    return cells


@kernel
def write_word(p, place, word):
    """Give a word another value, and tell those who count."""
    of, line = place >> LINE_BITS, place & (STRIDE - 1)
    if of & (WORDS_A_LINE - 1) >= UP:
        p.takes[of >> 2] += count_bits(word) - count_bits(np.int64(p.words[place]))
    p.words[place] = word
    bit = ONE << np.uint64(line & 63)
    half = 2 * of + (line >> 6)
    if word != 0:
        p.active[half] |= bit
    else:
        p.active[half] &= ~bit


@kernel
def look_along(s, p, line, i, mover):
    """A stone on the line came or went: read the words of colour ``i`` again after a move of ``mover``'s.

    Who has not moved gets no row or four on a line without any: no stone of his came, and what was emptied were his own
    stones. Unless longer rows do not win, where to lose a stone may help.
    """
    own, other = np.int64(s.lines[i * LINES + line]), np.int64(s.lines[(1 - i) * LINES + line])
    empty = ~(own | other | np.int64(s.wall[line])) & 0xFFFFFFFF
    row, exact = np.int64(s.row), s.exact[i] != 0
    place = (i * WORDS_A_LINE) << LINE_BITS | line
    rows, fours = np.int64(p.words[place]), np.int64(p.words[place + FOURS * STRIDE])
    if mover == i or exact or rows | fours != 0:
        two = own & (own - 1)  # without its lowest stone
        if row == 3 or row == 4 and two != 0 or two & (two - 1) != 0:
            one, two = windows(own, empty, row, exact)
            rows, fours = cells_of(one, row) & empty, cells_of(two, row) & empty
        else:  # too few stones
            rows, fours = np.int64(0), np.int64(0)
    pairs = other & other >> 1  # at the lower stone of each pair
    for kind in range(WORDS_A_LINE):
        if kind < UP:
            word = rows if kind == ROWS else fours & ~rows
        else:
            word = (pairs >> 1 & own >> 3 if kind == UP else pairs << 2 & own << 3) & empty
        was = np.int64(p.words[place])
        if word != was:
            p.word_log[p.n_words] = was << WAS | place
            p.n_words += 1
            write_word(p, place, word)
        place += STRIDE


@kernel
def follow_side(s, p, a, taken, i, mover):
    """Follow a move of ``mover``'s on ``a``, which took pairs in the directions ``taken``, in the words of colour ``i``."""
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    rest = taken << 1 | 1  # bit 0: the move itself
    for d in range(-1, 8):
        if rest & 1:
            for n in range(1, 2 if d < 0 else 3):
                y, x = r, c
                if d >= 0:
                    y, x = r + n * ROW_STEP[d], c + n * COLUMN_STEP[d]
                for e in range(4):
                    if d < 0 or e != d & 3:
                        line, b = line_of(e, y, x)
                        look_along(s, p, np.int64(line), i, mover)
        rest >>= 1
        if rest == 0:
            break


@kernel
def restore_words(p, start):
    """Undo the log down to its entry ``start``."""
    while p.n_words > start:
        p.n_words -= 1
        entry = np.int64(p.word_log[p.n_words])
        write_word(p, entry & PLACE, entry >> WAS)


@kernel
def read_words(s, p):
    """Read every line; there is nothing to undo then."""
    for k in range(2 * WORDS_A_LINE * STRIDE):
        p.words[k] = 0
    for k in range(2 * 2 * WORDS_A_LINE):
        p.active[k] = 0
    p.takes[0], p.takes[1] = 0, 0
    for line in range(LINES):
        p.n_words = 0
        for i in range(2):
            look_along(s, p, np.int64(line), np.int64(i), np.int64(i))
    p.n_words = 0


@kernel
def gather(s, p, i, kind, anew):
    """Add to the list the cells of all words of a kind of colour ``i``; ``anew`` 1: to an empty list, see `next_listed`."""
    if anew != 0:
        for w in range(CELL_WORDS):
            p.cells[w] = 0
    first = i * WORDS_A_LINE + kind
    for half in range(2):
        lines = np.uint64(p.active[2 * first + half])
        while lines != 0:
            line = half * 64 + lowest_bit(lines)
            lines &= lines - ONE
            word = np.uint64(p.words[first << LINE_BITS | line])
            while word != 0:
                a = cell_on(s, line, lowest_bit(word))
                word &= word - ONE
                p.cells[a >> 6] |= ONE << np.uint64(a & 63)


@kernel
def any_word(p, i, kind):
    """Is there a cell in the words of a kind?"""
    at = 2 * (i * WORDS_A_LINE + kind)
    return p.active[at] | p.active[at + 1] != 0
