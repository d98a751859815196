"""What a search for victory by continuous threats works on: the frames of its stack, the lists of moves, its table.

The stack is an array and not the machine's. A search is cut into slices by the clock of the caller: after so many nodes every
open frame writes down what it knows into the table and closes, and the next slice finds its way back from the root.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import law_dtype
from narabe.envs.rules.line.patterns import WORDS
from narabe.envs.rules.line.record import MAX_CELLS, SOURCES

INFINITE = np.int64(1 << 30)  # a proof or disproof number of what is settled
MAX_DEPTH = 300  # open frames
CHILDREN = 1 << 15  # moves of all open frames
REFUTED = MAX_CELLS + 16  # defences at one node that lose to fours
LINE_CELLS = 1 << 14  # cells of the lines by which they lose
EXTRA = 256  # defences that a check asked for

OPEN, PROVEN, DISPROVEN = 0, 1, -1

DESK = law_dtype(
    "vct_desk",
    [*SOURCES, __file__],
    [
        # the question
        ("attacker", np.int64),  # colour, 0 or 1
        ("plies", np.int64),  # most plies of the win, counted from the root; UNLIMITED
        ("every", np.int64),  # 1: what makes a two may be a threat too; 2: every move may
        ("salt", np.uint64),  # goes into the keys: who attacks, and with what moves
        ("masked", np.int64),  # 1: the attacker keeps to the cells of `mask`, but for parries
        ("mask", np.uint64, (WORDS,)),
        ("four_nodes", np.int64),  # nodes of a search for fours by the attacker, and by the defender
        ("counter_nodes", np.int64),
        ("slack", np.int64),  # a child is left when its number exceeds the second best by this many 16ths
        # the search
        ("nodes", np.int64),  # positions looked at, and nodes of the searches for fours
        ("expanded", np.int64),  # positions looked at
        ("cut", np.int64),  # times that a limit stood in for a proof that there is no win
        ("depth", np.int64),
        ("key", np.uint64, (MAX_DEPTH,)),
        ("first", np.int64, (MAX_DEPTH,)),  # of the frame's children
        ("count", np.int64, (MAX_DEPTH,)),
        ("at", np.int64, (MAX_DEPTH,)),  # of the list of children in the ring
        ("most_proof", np.int64, (MAX_DEPTH,)),  # thresholds
        ("most_disproof", np.int64, (MAX_DEPTH,)),
        ("began", np.int64, (MAX_DEPTH,)),  # nodes at the opening
        ("left", np.int64, (MAX_DEPTH,)),  # plies left
        ("child_move", np.int16, (CHILDREN,)),
        ("child_key", np.uint64, (CHILDREN,)),
        ("child_proof", np.int32, (CHILDREN,)),  # numbers of children that the table does not know
        ("child_disproof", np.int32, (CHILDREN,)),
        # the node looked at last
        ("n_list", np.int64),
        ("moves", np.int16, (MAX_CELLS,)),
        ("parries", np.int16, (MAX_CELLS,)),
        ("proof_guess", np.int16, (MAX_CELLS,)),
        ("disproof_guess", np.int16, (MAX_CELLS,)),
        ("zone", np.uint64, (WORDS,)),  # defences that matter against the line traced last
        ("alive", np.uint64, (WORDS,)),  # defences that no line found so far refutes
        ("n_refuted", np.int64),
        ("n_cells", np.int64),
        ("refuted", np.int16, (REFUTED,)),  # the defence, -1: none (the turn handed over)
        ("line_first", np.int32, (REFUTED + 1,)),  # the line that refutes it, in line_cells
        ("line_relies", np.uint8, (REFUTED,)),  # does it rely on a parry that is forbidden?
        ("line_zone", np.uint64, (REFUTED * WORDS,)),  # defences that matter against the line
        ("line_cells", np.int16, (LINE_CELLS,)),
        # defences found to matter although no zone holds them
        ("n_extra", np.int64),
        ("extra_key", np.uint64, (EXTRA,)),
        ("extra_cell", np.int16, (EXTRA,)),
        # the ring of lists
        ("head", np.int64),  # where the next list goes, counted from the beginning of time
        ("generation", np.int64),
    ],
)

ENTRY = np.dtype(
    [
        ("vct_key", np.uint64),  # 0: free
        ("at", np.int64),  # of the list of moves in the ring; -1: none
        ("proof", np.int32),
        ("disproof", np.int32),
        ("work", np.int32),  # nodes spent below, up to a limit
        ("best", np.int16),  # where proven and the attacker is to move: the move; -1
        ("generation", np.int16),
    ],
    align=True,
)
BUCKET = 4


def new_desk() -> np.ndarray:
    """One zeroed record (without JIT as a recarray)."""
    return _records(DESK, 1)


def new_entries(mb: float) -> np.ndarray:
    """A table of about ``mb`` MiB: a power of two of entries."""
    n = max(BUCKET, int(mb * (1 << 20)) // ENTRY.itemsize)
    return _records(ENTRY, 1 << (n.bit_length() - 1))


def new_ring(mb: float) -> np.ndarray:
    """Room for lists of moves: int16, a power of two."""
    n = max(1 << 12, int(mb * (1 << 20)) // 2)
    return np.zeros(1 << (n.bit_length() - 1), np.int16)


def _records(dtype: np.dtype, n: int) -> np.ndarray:
    from numba.core import config

    records = np.zeros(n, dtype)
    return records.view(np.recarray) if config.DISABLE_JIT else records
