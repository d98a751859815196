"""What a search works on beside the state, its patterns and the table: limits, counters, killers, history, moves, lines."""

from __future__ import annotations

import math

import numpy as np

from narabe.envs.rules.core import law_dtype
from narabe.envs.rules.line.record import MAX_CELLS, SOURCES
from narabe.search.alphabeta.weights import FEATURES

MAX_PLY = 128  # a search goes no deeper, forced replies included
STACK = 64 * MAX_CELLS
MAX_SIDE = 20
CELL, CELL_BITS = 511, 9  # a move on the stack: order << CELL_BITS | cell
WIDEST = 64  # moves and depths beyond this are reduced no more

WIN = 30000  # less the plies to the end: a win that is proven
BELIEVED = 29000  # less the plies: a win against the replies that were tried
PROVEN_WIN, BELIEVED_WIN = WIN - 500, BELIEVED - 500  # least scores of either kind
MOST = 20000  # an estimate lies within +- MOST
INFINITE = 32000

DESK = law_dtype(
    "alphabeta_desk",
    [*SOURCES, __file__],
    [
        ("stop", np.int64),  # set (also from another thread) to have the search return at once
        ("limit", np.int64),  # nodes after which it stops by itself
        ("nodes", np.int64),  # moves made
        ("vcf_nodes", np.int64),  # fours made by the search for victory by continuous fours, counted apart
        ("age", np.int64),  # number of the search, for the table
        ("own_age_only", np.int64),  # entries of earlier searches do not count
        ("best", np.int64),  # the best move at the root so far, -1 before there is one
        ("score", np.int64),  # its score
        ("deepest", np.int64),  # ply reached
        ("top", np.int64),  # moves on the stack
        ("full", np.int64),  # every legal move at full depth, no pruning: for checks
        ("vcf_leaf", np.int64),  # fours allowed at a leaf
        ("vcf_inner", np.int64),  # fours allowed before moves are tried
        ("weights", np.int32, (2 * FEATURES,)),  # of the estimate, by colour to move
        ("reductions", np.int8, (WIDEST * WIDEST,)),  # plies, by depth and number of the move
        ("killers", np.int16, (2 * (MAX_PLY + 2),)),
        ("history", np.int32, (2 * MAX_CELLS,)),
        ("rows", np.int32, (3 * (MAX_SIDE + 6),)),  # scratch of the candidates
        ("parries", np.uint64, (2 * ((MAX_CELLS + 63) // 64),)),  # scratch of the forced replies
        ("stack", np.int32, (STACK,)),
        ("pv_length", np.int16, (MAX_PLY + 2,)),
        ("pv", np.int16, ((MAX_PLY + 2) * MAX_PLY,)),
    ],
)


def new_desk(weights: np.ndarray) -> np.ndarray:
    """One record with ``weights`` (int32, 2 * FEATURES) (without JIT as a recarray)."""
    from numba.core import config

    desk = np.zeros(1, DESK)
    desk["weights"][0] = weights
    table = desk["reductions"][0].reshape(WIDEST, WIDEST)
    for depth in range(1, WIDEST):
        for number in range(1, WIDEST):
            table[depth, number] = int(0.5 + math.log(depth) * math.log(number) / 2.2)
    return desk.view(np.recarray) if config.DISABLE_JIT else desk
