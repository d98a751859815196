"""The records of a search: a position and its question in a BOX, the stack in FRAMEs."""

from __future__ import annotations

import numpy as np

from narabe.search.goita.actions import ACTIONS

FRAMES = 64
"""More than any line has decisions: 16 plays, and at most three passes after each but the last."""

BOX = np.dtype(
    [
        ("goita_depth", np.int64),  # of the frame to go on with, -1: the question is not begun
        ("hands", np.int64, (4,)),  # by seat; two players are four of whom the last two hold nothing
        ("turn", np.int64),
        ("attack", np.int64),  # kind of the attack that the turn may guard, 0: the turn leads
        ("attacker", np.int64),
        ("free", np.int64),  # may a single king attack before the last card?
        ("burying", np.int64),  # option king_attack_after_burying
        ("win", np.int64),  # 1: only the sign of the value is asked for
        ("low", np.int64),  # bounds of the value for the turn's pair, as ranks
        ("high", np.int64),
        ("threshold", np.int64),  # the question now: is the value this rank or more?
        ("nodes", np.int64),
        ("history", np.int64, (4 * ACTIONS,)),  # by seat and action: how often, and how early, it was good enough
    ]
)
FRAME = np.dtype(
    [
        ("goita_count", np.int64),  # moves
        ("hands", np.int64, (4,)),
        ("turn", np.int64),
        ("attack", np.int64),
        ("attacker", np.int64),
        ("free", np.int64),
        ("next", np.int64),  # the next one to enter
        ("now", np.int64),  # the move entered last
        ("best", np.int64),  # the best rank so far
        ("choice", np.int64),  # its move
        ("since", np.int64),  # nodes when the position was entered
        ("bucket", np.int64),  # where the table holds the position
        ("head", np.uint64),
        ("rest", np.uint64),
        ("swaps", np.int64),  # which kinds changed places for the table
        ("moves", np.int64, (ACTIONS,)),
        ("worth", np.int64, (ACTIONS,)),
    ]
)
