"""The deal as an outcome of chance: a number with twenty bits for each seat but the last.

Of a hand the number keeps the counts of kinds 1 to 7 (4 bits, four times 3, twice 2); kings fill it up.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.goita.hands import cards, count
from narabe.envs.rules.goita.record import DEAL, DEALER, DEALT, FIRST_DEALER, KINDS, SEAT_BITS
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import below

BYTES = np.uint64(0x0101010101010101)
HIGH = np.uint64(0x8080808080808080)
MOST = (15, 7, 7, 7, 7, 3, 3)  # of kinds 1 to 7, that the number can tell


@kernel
def packed(hand):
    """The twenty bits of a hand."""
    return (
        (hand & 15) | (hand >> 4 & 7) << 4 | (hand >> 8 & 7) << 7 | (hand >> 12 & 7) << 10 | (hand >> 16 & 7) << 13
        | (hand >> 20 & 3) << 16 | (hand >> 24 & 3) << 18
    )  # fmt: skip


@kernel
def unpacked(bits, size):
    """The hand of twenty bits and a number of cards; -1 if the bits hold more than that."""
    hand = (
        (bits & 15) | (bits >> 4 & 7) << 4 | (bits >> 7 & 7) << 8 | (bits >> 10 & 7) << 12 | (bits >> 13 & 7) << 16
        | (bits >> 16 & 3) << 20 | (bits >> 18 & 3) << 24
    )  # fmt: skip
    kings = size - cards(hand)
    return hand | kings << 28 if 0 <= kings < 16 else np.int64(-1)


@kernel
def dealt_hand(s, code, seat):
    """The hand of a seat in a deal (the number without its flag); -1 if there is no such hand."""
    last = np.int64(s.players) - 1
    if seat < last:
        return unpacked((code >> (SEAT_BITS * seat)) & ((1 << SEAT_BITS) - 1), np.int64(s.hand_size))
    rest = np.int64(s.deck)
    for other in range(last):
        hand = dealt_to_others(s, code, np.int64(other))
        if hand < 0:
            return np.int64(-1)
        for kind in range(1, KINDS + 1):
            if count(hand, kind) > count(rest, kind):
                return np.int64(-1)
        rest -= hand
    return rest


@kernel
def dealt_to_others(s, code, seat):
    """`dealt_hand` of a seat that is not the last."""
    return unpacked((code >> (SEAT_BITS * seat)) & ((1 << SEAT_BITS) - 1), np.int64(s.hand_size))


@kernel
def is_outcome(s, a):
    """Is ``a`` a possible outcome of the chance turn?"""
    if s.phase == FIRST_DEALER:
        return DEALER <= a < DEALER + np.int64(s.players)
    if s.phase != DEAL or a < DEALT or a - DEALT >= np.int64(1) << (SEAT_BITS * (np.int64(s.players) - 1)):
        return False
    code = a - DEALT
    if dealt_hand(s, code, np.int64(s.players) - 1) < 0:
        return False
    if s.no_five != 0:
        for seat in range(s.players):
            if dealt_hand(s, code, np.int64(seat)) & 15 >= 5:
                return False
    return True


@kernel
def draw_deal(s, rng):
    """A deal by its probability, as an outcome."""
    while True:
        code, too_many = _drawn(s, rng)
        if s.no_five == 0 or not too_many:
            return DEALT + code


@kernel
def pool_of(word):
    """Cards to draw from (a word) as a pool: byte k holds how many are of the first k + 1 kinds."""
    pool, total = np.uint64(0), np.uint64(0)
    for k in range(KINDS):
        total += np.uint64((word >> (4 * k)) & 15)
        pool |= total << np.uint64(8 * k)
    return pool


@kernel
def drawn_kind(pool, r):
    """The kind, from 0, of card number ``r`` of the pool: in how many of its bytes stands ``r`` or less."""
    low = ((np.uint64(r) * BYTES | HIGH) - pool) & HIGH
    return ((low >> np.uint64(7)) * BYTES) >> np.uint64(56)


@kernel
def without(pool, k):
    """The pool without one card of kind ``k`` (uint64, from 0)."""
    return pool - (BYTES << (np.uint64(8) * k))


@kernel
def _drawn(s, rng):
    """(a deal, does anybody hold five or more 市民?)"""
    n, size = np.int64(s.players), np.int64(s.hand_size)
    pool, left = pool_of(np.int64(s.deck)), n * size
    code, shi, too_many = np.int64(0), np.int64(0), False
    for seat in range(n - 1):
        hand = np.int64(0)
        for _ in range(size):
            k = drawn_kind(pool, below(rng, left))
            pool = without(pool, k)
            left -= 1
            hand += np.int64(1) << np.int64(np.uint64(4) * k)
        shi += hand & 15
        too_many = too_many or (hand & 15) >= 5
        code |= packed(hand) << (SEAT_BITS * seat)
    return code, too_many or (s.deck & 15) - shi >= 5


@kernel
def deal_probability(s, code):
    """The probability of a deal, 0 for a number that is none."""
    n, size = np.int64(s.players), np.int64(s.hand_size)
    if dealt_hand(s, code, n - 1) < 0:
        return 0.0
    ways, left = 1.0, n * size
    for seat in range(n):  # each hand: ways to take its cards, over all ways to take as many
        hand, rest = dealt_hand(s, code, np.int64(seat)), np.int64(s.deck)
        for other in range(seat):
            rest -= dealt_hand(s, code, np.int64(other))
        for kind in range(1, KINDS + 1):
            ways *= choose(count(rest, kind), count(hand, kind))
        ways /= choose(left, size)
        left -= size
    return ways


@kernel
def choose(n, k):
    """Binomial coefficient as a float64, exact below 2**53."""
    c = 1.0
    for i in range(k):
        c = c * (n - i) / (i + 1)
    return c
