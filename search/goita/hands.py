"""Hands as numbers: 4 bits a kind, kind k (1 to 8, 8 for both kings) at bit 4 * (k - 1) of an int64.

Sets of kinds are numbers with bit 4 * (k - 1) for kind k.
"""

from __future__ import annotations

from narabe.envs.rules.jit import kernel

KINDS = 8
KING = 8
ONES = 0x11111111  # all kinds
KINGS = 28  # where the count of kings stands
KING_GUARDS = 0x01111100  # what a king guards, the king apart: kinds 3 to 7
BYTES = 0x0F0F0F0F


@kernel
def count_of(hand, kind):
    return (hand >> (4 * (kind - 1))) & 15


@kernel
def cards_in(hand):
    """How many cards."""
    pairs = (hand & BYTES) + ((hand >> 4) & BYTES)
    pairs += pairs >> 8
    return (pairs + (pairs >> 16)) & 63


@kernel
def kinds_in(hand):
    """The set of kinds with a card or more."""
    hand |= hand >> 1
    return (hand | (hand >> 2)) & ONES


@kernel
def pairs_in(hand):
    """The set of kinds with two cards or more."""
    return ((hand >> 1) | (hand >> 2) | (hand >> 3)) & ONES


@kernel
def guarded_by(hand):
    """The set of kinds that a hand can guard."""
    kinds = kinds_in(hand)
    if kinds >> KINGS != 0:
        kinds |= KING_GUARDS
    return kinds


@kernel
def can_guard(hand, kind):
    return (hand >> (4 * (kind - 1))) & 15 != 0 or (kind >= 3 and hand >> KINGS != 0)
