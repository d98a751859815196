"""Hands as words: four bits a kind, kind 1 lowest."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.goita.record import MULTIPLIER
from narabe.envs.rules.jit import kernel

ONES = 0x11111111


@kernel
def count(hand, kind):
    """How many cards of a kind a hand holds."""
    return (hand >> (4 * (kind - 1))) & 15


@kernel
def card(kind):
    """The hand of one card."""
    return np.int64(1) << (4 * (kind - 1))


@kernel
def bottoms(hand):
    """The lowest bit of each kind that the hand holds."""
    return (hand | hand >> 1 | hand >> 2 | hand >> 3) & ONES


@kernel
def kinds(hand):
    """How many kinds the hand holds."""
    return ((bottoms(hand) * ONES) >> 28) & 15


@kernel
def nth_kind(hand, i):
    """The kind that comes ``i``-th, from 0, in the hand."""
    m = bottoms(hand)
    for _ in range(i):
        m &= m - 1
    below = ((m & -m) - 1) & ONES
    return (((below * ONES) >> 28) & 15) + 1


@kernel
def cards(hand):
    """How many cards the hand holds."""
    pairs = (hand & 0x0F0F0F0F) + (hand >> 4 & 0x0F0F0F0F)
    return ((pairs * 0x01010101) >> 24) & 255


@kernel
def mixed(word, code):
    """A hash of a word (uint64) and a whole number."""
    word = (word ^ np.uint64(code)) * MULTIPLIER
    word = word ^ (word >> np.uint64(29))
    word = word * MULTIPLIER
    return word ^ (word >> np.uint64(32))
