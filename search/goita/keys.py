"""A position as the table knows it: the mover first, and kinds of equal worth in a fixed order.

Silver and gold (kinds 4 and 5) may change places throughout, and so may kinds 6 and 7: they differ in nothing. Once no
hand holds a king the same goes for kinds 2 and 3.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.goita.record import PASS
from narabe.envs.rules.jit import kernel
from narabe.search.goita.actions import action_of, attack_of, laid_of
from narabe.search.goita.table import UNKNOWN

_FOUR, _32, _20, _42, _40, _52 = (np.uint64(n) for n in (4, 32, 20, 42, 40, 52))
_KIND_2 = np.uint64(0x000000F0_000000F0)
_KIND_4 = np.uint64(0x0000F000_0000F000)
_KIND_6 = np.uint64(0x00F00000_00F00000)
_KING = np.uint64(0xF0000000_F0000000)
_LOW, _HIGH = np.uint64(0xFFFFF), np.uint64(0x333)
_ZERO = np.uint64(0)


@kernel
def two_hands(first, second):
    return np.uint64(first) | (np.uint64(second) << _32)


@kernel
def out_of_order(one, two, kind):
    """Of four hands, as two numbers: is the kind (a mask) held in a smaller way than the next kind? 2: it is alike."""
    x, y = one & kind, (one >> _FOUR) & kind
    if x != y:
        return 1 if x < y else 0
    x, y = two & kind, (two >> _FOUR) & kind
    if x != y:
        return 1 if x < y else 0
    return 2


@kernel
def swapped(hands, kind):
    """A kind and the next one change places."""
    differ = (hands ^ (hands >> _FOUR)) & kind
    return hands ^ differ ^ (differ << _FOUR)


@kernel
def swaps_of(one, two, attack):
    """Which kinds change places: 1 for kinds 2 and 3, 2 for 4 and 5, 4 for 6 and 7."""
    found = 0
    order = out_of_order(one, two, _KIND_4)
    if order == 1 or (order == 2 and attack == 5):
        found |= 2
    order = out_of_order(one, two, _KIND_6)
    if order == 1 or (order == 2 and attack == 7):
        found |= 4
    if (one | two) & _KING == _ZERO:
        order = out_of_order(one, two, _KIND_2)
        if order == 1 or (order == 2 and attack == 3):
            found |= 1
    return found


@kernel
def swap_hands(hands, swaps):
    """Two hands with those kinds changed."""
    if swaps & 1:
        hands = swapped(hands, _KIND_2)
    if swaps & 2:
        hands = swapped(hands, _KIND_4)
    if swaps & 4:
        hands = swapped(hands, _KIND_6)
    return hands


@kernel
def swap_kind(kind, swaps):
    """A kind (0 to 8) with those kinds changed."""
    if 2 <= kind <= 7 and (swaps >> ((kind >> 1) - 1)) & 1:
        return kind ^ 1
    return kind


@kernel
def swap_action(action, swaps):
    """An action with those kinds changed."""
    if swaps == 0 or action == PASS or action == UNKNOWN:
        return action
    return action_of(swap_kind(laid_of(action), swaps), swap_kind(attack_of(action), swaps))


@kernel
def squeezed(hands):
    """Two hands in 52 bits: kinds 1 to 5 with 4 bits each, kinds 6 to 8 with 2."""
    low = (hands & _LOW) | (((hands >> _32) & _LOW) << _20)
    return low | (((hands >> _20) & _HIGH) << _40) | (((hands >> _52) & _HIGH) << _42)


@kernel
def head_of(one, attack, behind, free, mode):
    """``behind``: how many seats after the mover the attacker sits."""
    rest = attack | (behind << 4) | (free << 6) | (mode << 7)
    return squeezed(one) | (np.uint64(rest) << _52)
