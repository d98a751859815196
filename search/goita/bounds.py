"""Values of a deal as ranks 0 to 15, and bounds of them that need no search.

The points of a deal are one of sixteen numbers; the rank is their place among these, so that the rank for the other pair
is 15 minus that for ours. Ranks of 8 and more are wins.
"""

from __future__ import annotations

from narabe.envs.rules.goita.hands import bottoms, cards
from narabe.envs.rules.jit import kernel
from narabe.search.goita.hands import KINGS, pairs_in

POINTS = (-10, -8, -6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 8, 10)
"""By rank."""
TOP = 15
WIN = 8
NONE = -1


@kernel
def rank_of_last(kinds):
    """The rank for going out with the dearest of a set of kinds, NONE for an empty set."""
    if kinds >> KINGS != 0:
        return 12
    if kinds >> 20 != 0:
        return 11
    if kinds >> 12 != 0:
        return 10
    if kinds >> 4 != 0:
        return 9
    return 8 if kinds != 0 else NONE


@kernel
def rank_of_double(kinds):
    """The same for going out with two cards of one kind, one of them face down."""
    if kinds >> KINGS != 0:
        return 15
    if kinds >> 20 != 0:
        return 14
    if kinds >> 12 != 0:
        return 13
    if kinds >> 4 != 0:
        return 11
    return 9 if kinds != 0 else NONE


@kernel
def reach(hand):
    """The best rank with which this hand could ever go out."""
    return max(rank_of_last(bottoms(hand)), rank_of_double(pairs_in(hand)))


@kernel
def run(hand, guarded, free):
    """The rank that a player can force alone by attacks that no opponent can guard, or NONE if there are too few.

    The hand of a player who leads (an even number of cards), or who has just guarded and attacks next (odd).
    ``guarded``: the set of kinds that some opponent can guard. ``free``: may a single king attack before the last card?

    Proof: such an attack comes back, as long as his partner passes, and no hand but his own changes. Going out takes
    ``need`` attacks before the last one; the other cards go face down, in any order, except the last two, which are
    any two that those attacks leave over. Two kings attack first, so the rule of kings lets both.
    """
    need = (cards(hand) - 1) >> 1
    kinds = bottoms(hand)
    sure = kinds & ~guarded
    if not free and (hand >> KINGS) == 1:
        sure &= (1 << KINGS) - 1
    spare = cards(hand & (sure * 15)) - need
    if spare < 0:
        return NONE
    last, double = kinds, pairs_in(hand)
    if spare < 1:
        last &= ~sure
    if spare < 2:
        double &= ~sure
    return max(rank_of_last(last), rank_of_double(double))
