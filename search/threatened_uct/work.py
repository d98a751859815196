"""What a threat-aware UCT search works on beside the tree: its settings, its verdict, and scratch."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import law_dtype
from narabe.envs.rules.line.record import MAX_CELLS, MAX_SIDE, SOURCES
from narabe.envs.rules.lines import KINDS
from narabe.search.alphabeta.weights import FEATURES as TERMS
from narabe.search.uct import MAX_DEPTH

OPEN, DRAWN = -1, 0  # a verdict; any other is the player who wins, from 1
HOPELESS = -2  # of the root: all moves in the tree lose, but there are others, so that nothing is proven
FEATURES = 2 * KINDS + 4  # what the prior of a move weighs, see `children`
SPARE = 4  # slots of a block for moves that were left out

WORK = law_dtype(
    "threatened_uct",
    [*SOURCES, __file__],
    [
        ("c", np.float64),  # exploration
        ("caution", np.float64),  # how much less than the children tried a new one is expected to be worth
        ("trust", np.float64),  # share of the estimate in the value of a leaf; the rest is the playout's
        ("fours", np.int64, (2,)),  # fours that a search for VCF may play at a new node: at depth 1, and deeper
        ("logits", np.float64, (FEATURES,)),  # of the priors
        ("weights", np.int32, (2 * TERMS,)),  # of the estimate, see `narabe.search.alphabeta`
        ("verdict", np.int32),  # OPEN, HOPELESS, or how the root ends, proven
        ("depth", np.int32),  # of the node where the simulation left the tree
        ("judged", np.int64),  # positions looked at
        ("n", np.int32),  # moves in `slots`
        ("slots", np.int32, (MAX_CELLS + SPARE,)),  # what a node's block of children is to hold, see `children`
        ("worth", np.float64, (MAX_CELLS,)),
        ("near", np.int32, (MAX_SIDE,)),  # by row, bit SHIFT + column: within two steps of a stone
        ("path", np.int32, (MAX_DEPTH,)),  # slots from the root down
        ("safe", np.int8, (MAX_DEPTH,)),  # by depth: the player to move, if a proven draw is among the children, else 0
    ],
)


def new_work(n: int = 1) -> np.ndarray:
    """``n`` zeroed records (without JIT as a recarray)."""
    from numba.core import config

    work = np.zeros(n, WORK)
    return work.view(np.recarray) if config.DISABLE_JIT else work
