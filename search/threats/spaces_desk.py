"""What a threat-space search works on: the threats found so far, each with what it rests on, and the sequences that win."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import law_dtype
from narabe.envs.rules.line.patterns import WORDS
from narabe.envs.rules.line.record import MAX_CELLS, SOURCES

NODES = 1 << 13
SEEN = 1 << 15  # keys of nodes, so many that the table never fills
LENGTH = 20  # most threats of a sequence
COSTS = 6  # most parries of a threat
FOUND = 8  # sequences that are kept
NO_NODE = -1

DESK = law_dtype(
    "spaces_desk",
    [*SOURCES, __file__],
    [
        ("attacker", np.int64),  # colour, 0 or 1
        ("work", np.int64),  # stones laid, and pairs of nodes looked at
        ("most_work", np.int64),
        ("cut", np.int64),  # times that room or work did not suffice
        # ---- nodes: a threat, after the threats that it rests on ----
        ("n_nodes", np.int64),
        ("gain", np.int16, (NODES,)),  # where the attacker plays; -1 at a root that is no threat
        ("direction", np.int8, (NODES,)),  # of the line of the threat
        ("n_costs", np.int8, (NODES,)),
        ("costs", np.int16, (NODES * COSTS,)),  # where the defender may reply: all of them are laid
        ("length", np.int16, (NODES,)),
        ("sequence", np.int16, (NODES * LENGTH,)),  # the threats in order, as nodes, the node itself last
        ("gains_of", np.uint64, (NODES * WORDS,)),  # all gains and all costs of the sequence, as sets of cells
        ("costs_of", np.uint64, (NODES * WORDS,)),
        ("newest", np.int16, (MAX_CELLS,)),  # by cell: the latest node that gains it
        ("older", np.int16, (NODES,)),  # the one before with the same gain
        ("seen", np.uint64, (SEEN,)),
        # ---- the threats whose stones lie on the board now ----
        ("n_path", np.int64),
        ("path", np.int16, (2 * LENGTH,)),
        ("cost", np.int16, (COSTS,)),  # of the threat laid last
        # ---- sequences that win ----
        ("n_found", np.int64),
        ("most_found", np.int64),
        ("found_length", np.int64, (FOUND,)),
        ("found", np.int16, (FOUND * LENGTH,)),  # nodes
        ("found_gain", np.int16, (FOUND,)),  # the last gain, after which the attacker wins against any reply
    ],
)


def new_desk() -> np.ndarray:
    """One zeroed record (without JIT as a recarray)."""
    from numba.core import config

    desk = np.zeros(1, DESK)
    return desk.view(np.recarray) if config.DISABLE_JIT else desk
