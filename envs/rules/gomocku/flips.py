"""What comes of flips: which pieces a move turns, whether that wins, and what a foul turns back."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.gomocku.pieces import in_long_row, kind_at, neighbour, turn
from narabe.envs.rules.gomocku.record import (
    FIVE,
    KNOWN_COLOURED,
    KNOWN_RED,
    PERMUTATIONS,
    TURNED,
    UNSEEN,
)  # fmt: skip
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.stones import wins_at


@kernel
def unseen_among(s, a, mask):
    """The directions in ``mask`` in which the piece next to the cell has a back that nobody has seen."""
    found = 0
    for d in range(8):
        if mask >> d & 1 and kind_at(s, neighbour(s, a, d)) == UNSEEN:
            found |= 1 << d
    return found


@kernel
def turn_all(s, i, a, mask):
    """Turn (or turn back) the pieces of known backs next to the cell, in the directions of ``mask``."""
    for d in range(8):
        if mask >> d & 1:
            turn(s, i, neighbour(s, a, d))


@kernel
def first_of(mask):
    """The lowest direction in a mask that is not empty."""
    d = 0
    while mask >> d & 1 == 0:
        d += 1
    return d


@kernel
def unseen_backs(s, j):
    """(coloured, all) backs of colour ``j``'s pieces, on the board or not, that nobody has seen.

    A set-up may hold more pieces than a side has; the backs beyond are red.
    """
    coloured = np.int64(s.coloured) - s.seen_coloured[j]
    return coloured, max(np.int64(s.plies) // 2 - s.seen_coloured[j] - s.seen_red[j], coloured)


@kernel
def back_of(s, j, number):
    """Is the back of colour ``j``'s piece of that number coloured? In a physical deal, once both sides' piles lie."""
    absent = 4 - np.int64(s.plies) // 2 // s.pile  # piles; the first permutations of four leave the first ones in place
    pile = np.int64(PERMUTATIONS[s.order[j], absent + number // s.pile]) - absent
    return (np.int64(s.hidden[j]) >> (pile * s.pile + number % s.pile)) & 1


@kernel
def judge(s, i, a, chosen):
    """Whether the flips of colour ``i``'s move on ``a`` win; else, the directions that a foul turns back.

    Returns (won, put back). The winning row must hold the piece laid or one that now shows the mover's colour; so must a
    row that is too long, and with a five neither counts against the mover.
    """
    if wins_at(s, i, a):
        return True, 0
    long = 0
    for d in range(8):
        if chosen >> d & 1:
            q = neighbour(s, a, d)
            if kind_at(s, q) == TURNED:
                if wins_at(s, i, q):
                    return True, 0
                if s.bound[i] != 0 and in_long_row(s, i, q):
                    long |= 1 << d
    return False, (chosen if long != 0 and s.restore_all != 0 else long)


@kernel
def see_back(s, j, coloured, change):
    """Count a back of colour ``j``'s pieces as seen (``change`` 1), or no longer (-1)."""
    if coloured:
        s.seen_coloured[j] += change
    else:
        s.seen_red[j] += change


@kernel
def kind_of_back(coloured):
    return KNOWN_COLOURED if coloured else KNOWN_RED


@kernel
def end_by_flips(s, i, a, chosen):
    """Judge a move whose flips are done: set the result of a win, or turn back what is foul; returns the latter."""
    won, put_back = judge(s, i, a, chosen)
    if won:
        s.result, s.winner = FIVE, i + 1
    turn_all(s, i, a, put_back)
    return put_back
