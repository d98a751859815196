"""Enumeration of the ways in which unseen cards may lie: cards into bins of fixed sizes, as compiled loops.

A bin is a hand, or the cards that a seat has laid face down. Bins are filled one after the other, kind by kind; the last one
takes what is left. A layout's ways are the physical deals behind it: cards of one kind told apart, and each place face down.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.goita.deals import choose
from narabe.envs.rules.goita.hands import cards, count
from narabe.envs.rules.goita.record import AUTO, KINDS, OFF
from narabe.envs.rules.jit import kernel

CASE = np.dtype(
    [
        ("layout_case", np.int64),
        ("pool", np.int64),  # the cards to lay, a word
        ("bins", np.int64),
        ("need", np.int64, (8,)),  # cards by bin
        ("seat", np.int64, (8,)),  # by bin: whose it is
        ("laid", np.int64, (8,)),  # by bin: 1 if its cards lie face down
        ("fixed", np.int64, (8,)),  # by bin: cards known to be there besides, a word
        ("known", np.int64, (4,)),  # by seat: all other cards that it held, a word
        ("announced", np.int64),  # bits of seats that hold exactly five shi
        ("specials", np.int64),
        ("strict", np.int64),  # 1: nobody may hold five
        ("open", np.int64),  # 1: hands were shown, and say nothing about the others
        ("ways", np.float64),  # a factor of all layouts
        # of the search
        ("left", np.int64, (72,)),  # by cell: the pool before it
        ("rest", np.int64, (72,)),  # by cell: cards that the bin still needs
        ("taken", np.int64, (72,)),  # by cell: cards of the kind that it takes
        ("product", np.float64, (72,)),  # by cell: ways so far
        ("word", np.int64, (8,)),
    ]
)


@kernel
def fits(case, last):
    """Do the words of the bins, and ``last`` for the last one, agree with all that was said about shi?"""
    fives = 0
    for seat in range(4):
        shi = case.known[seat] & 15
        for b in range(case.bins):
            if case.seat[b] == seat:
                shi += ((last if b == case.bins - 1 else case.word[b]) + case.fixed[b]) & 15
        if case.announced >> seat & 1 and shi != 5:
            return False
        if shi > 5 and (case.specials == AUTO or case.strict != 0):
            return False
        if shi == 5:
            fives |= 1 << seat
    if case.specials == OFF or case.open != 0:
        return True
    if fives != 0 and case.strict != 0:
        return False
    return case.specials != AUTO or (fives & 5 != 5 and fives & 10 != 10)


@kernel
def least(left, rest, kind):
    """How many of a kind the bin must take: what the later kinds cannot give."""
    return max(np.int64(0), rest - cards(left >> (4 * kind)))


@kernel
def enumerate_case(case, hands, laid, ways, start, room):
    """Write the layouts of the case from row ``start`` on, as far as there is ``room``; returns how many there are.

    ``hands``, ``laid``: int32 (rows, players), words, to which the bins' cards are added; ``ways``: float64 (rows).
    """
    cells, found = (case.bins - 1) * KINDS, np.int64(0)
    c = 0
    case.left[0], case.product[0] = case.pool, case.ways
    if cells > 0:
        enter_cell(case, 0)
    while c >= 0:
        if c == cells:
            last = np.int64(case.left[c])
            if fits(case, last):
                if found < room:
                    write(case, last, hands, laid, ways, start + found)
                found += 1
            c -= 1
            if c >= 0:
                case.taken[c] += 1
            continue
        kind = c % KINDS + 1
        n, left, rest = np.int64(case.taken[c]), np.int64(case.left[c]), np.int64(case.rest[c])
        held = count(left, kind)
        if n > held or n > rest:
            c -= 1
            if c >= 0:
                case.taken[c] += 1
            continue
        b = c // KINDS
        one = np.int64(1) << (4 * (kind - 1))
        case.word[b] = (case.word[b] & ((one - 1) if kind > 1 else 0)) + n * one
        case.left[c + 1] = left - n * one
        case.product[c + 1] = case.product[c] * choose(held, n)
        c += 1
        if c < cells:
            case.rest[c] = rest - n
            enter_cell(case, c)
    return found


@kernel
def enter_cell(case, c):
    """Begin with the fewest cards that the cell may take."""
    if c % KINDS == 0:
        case.rest[c] = case.need[c // KINDS]
    case.taken[c] = least(np.int64(case.left[c]), np.int64(case.rest[c]), c % KINDS + 1)


@kernel
def write(case, last, hands, laid, ways, row):
    for seat in range(hands.shape[1]):
        hands[row, seat], laid[row, seat] = 0, 0
    for b in range(case.bins):
        word = (last if b == case.bins - 1 else case.word[b]) + case.fixed[b]
        if case.laid[b] != 0:
            laid[row, case.seat[b]] += word
        else:
            hands[row, case.seat[b]] += word
    ways[row] = case.product[(case.bins - 1) * KINDS]


@kernel
def count_case(cases, i, hands, laid, ways):
    """How many layouts the case ``cases[i]`` has (the arrays are not written)."""
    return enumerate_case(cases[i], hands, laid, ways, np.int64(0), np.int64(0))


@kernel
def fill_case(cases, i, hands, laid, ways, start):
    """Write all layouts of ``cases[i]`` from row ``start`` on."""
    return enumerate_case(cases[i], hands, laid, ways, start, np.int64(hands.shape[0]) - start)


@kernel
def add_up(hands, weights, out):
    """Add to ``out`` (float64, players x kinds) the weights of the layouts in which a seat holds a kind."""
    for i in range(hands.shape[0]):
        for seat in range(hands.shape[1]):
            word, w = np.int64(hands[i, seat]), weights[i]
            for kind in range(1, KINDS + 1):
                if count(word, kind) > 0:
                    out[seat, kind - 1] += w
