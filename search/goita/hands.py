"""What hands can do. A hand is a word as in the law: 4 bits a kind, kind k (1 to 8, 8 for both kings) at bit 4 * (k - 1).

Sets of kinds are words with bit 4 * (k - 1) for kind k; the law's `bottoms` is the set of the kinds that a hand holds.
"""

from __future__ import annotations

from narabe.envs.rules.goita.hands import ONES, bottoms
from narabe.envs.rules.jit import kernel

KINGS = 28  # where the count of kings stands
KING_GUARDS = 0x01111100  # what a king guards, the king apart: kinds 3 to 7


@kernel
def pairs_in(hand):
    """The set of kinds with two cards or more."""
    return ((hand >> 1) | (hand >> 2) | (hand >> 3)) & ONES


@kernel
def guarded_by(hand):
    """The set of kinds that a hand can guard."""
    kinds = bottoms(hand)
    if kinds >> KINGS != 0:
        kinds |= KING_GUARDS
    return kinds


@kernel
def can_guard(hand, kind):
    return (hand >> (4 * (kind - 1))) & 15 != 0 or (kind >= 3 and hand >> KINGS != 0)
