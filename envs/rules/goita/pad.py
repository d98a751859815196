"""The scratch record of the rule policy of Goita, and its numbers.

A pad holds what a seat makes of the table before it decides (filled anew for every decision) and the weights by which it
decides, so that two policies with other weights can play each other in one compiled kernel.
"""

from __future__ import annotations

import numpy as np
from numba.core import config

# the weights, by name; those with a number go by that many cards
NAMES = (
    "points",  # what a point is worth beside going out at all
    "passed", "passed_king",  # places for a kind, and for a king, that are left to a seat that passed on that kind
    "again",  # how far an attack that came back is trusted to come back again
    "lost2", "lost4", "lost6",  # the turn is lost, with so many cards in hand
    "guard2", "guard4", "guard6", "guard8",  # chance to guard the next attack
    "sure4", "sure6", "sure8",  # how likely the attacks in hand come back, on average
    "foe2", "foe4", "foe6",  # fewest cards of an opponent, when the turn is lost
    "mate2", "mate4", "mate6",  # cards of the partner, when the turn is lost
    "foe_leads4", "foe_leads6",  # an opponent leads with so many cards
    "mate_leads2", "mate_leads4", "mate_leads6",  # the partner does
    "mate_guards2", "mate_guards4", "mate_guards6",  # the partner guards, and has so many cards left then
    "mate_stopped",  # an opponent guards the partner's attack
    "willing",  # chance that the partner guards where he can
    "king", "pair", "shi", "spread",  # of a hand while others play: each king, pair of cards, shi beyond the first, kind
    "repeat",  # how much likelier a kind comes for each time that it came before
    "mate_holds",  # places for a kind in the partner's hand that are taken for sure, if he attacked with it
    "last_chance",  # to pass as the last one who could guard against the other pair
)  # fmt: skip
# where each group begins
POINT, PASSED, PASSED_KING, AGAIN, LOST, GUARD, SURE, FOE, MATE, FOE_LEADS, MATE_LEADS, MATE_GUARDS, MATE_STOPPED, WILLING, \
    KINGS, PAIRS, SHIS, SPREAD, REPEAT, MATE_HOLDS, LAST_CHANCE = (
    NAMES.index(name)
    for name in (
        "points", "passed", "passed_king", "again", "lost2", "guard2", "sure4", "foe2", "mate2", "foe_leads4", "mate_leads2",
        "mate_guards2", "mate_stopped", "willing",
        "king", "pair", "shi", "spread", "repeat", "mate_holds", "last_chance",
    )
)  # fmt: skip
WEIGHTS = np.array(
    [
        0.92, 0.22, 0.81, 1.0, -0.11, -0.45, -0.87, 0.07, 0.17, 0.52, 0.53, 0.4, 1.0, 0.21, -0.16, 0.09,
        0.13, -0.39, -0.34, -0.36, -1.27, -0.81, 2.3, 0.51, 0.64, 1.01, 0.46, -0.16, -0.73, 0.0, 1.52, -0.18,
        -0.06, -0.03, 0.56, 1.0, -0.08,
    ],
)  # fmt: skip
PAD = np.dtype(
    [
        ("goita_pad", np.int64),
        ("weights", np.float64, (len(NAMES),)),
        ("unseen", np.int64, (9,)),  # by kind: cards in other hands or face down
        ("back", np.float64, (9,)),  # by kind: the chance that no opponent can guard it
        ("comes", np.float64, (9,)),  # by kind: the chance that it is the next attack
        ("came", np.int64, (9,)),  # by kind: attacks of the other pair
        ("mates", np.int64, (9,)),  # by kind: attacks of the partner
        ("passed", np.int64, (4,)),  # by seat: bits of kinds on which it passed
        ("king_place", np.float64, (4,)),  # by seat: how much of its cards may be kings
        ("total", np.int64),  # unseen cards
        ("free", np.int64),  # may a single king attack before the last card?
        ("burying", np.int64),
        ("me", np.int64),
        ("mate", np.int64),  # cards of the partner, 0: there is none
        ("foe", np.int64),  # fewest cards of an opponent
    ]
)


def new_pads(n: int = 1, weights: np.ndarray = WEIGHTS) -> np.ndarray:
    """``n`` scratch records with these weights (float64, in the order of `NAMES`)."""
    pads = np.zeros(n, PAD)
    pads["weights"] = weights
    return pads.view(np.recarray) if config.DISABLE_JIT else pads
