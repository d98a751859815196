"""What a search works on: frames of a stack of its own, the lists they draw from, counters, and the table's entries.

The stack is an array and not the machine's, so that a search can be stopped after any number of nodes and gone on with.
"""

from __future__ import annotations

import numpy as np
from numba.core import config

# methods
EXPECTIMAX, BASELINE, STAR1, STAR2 = 0, 1, 2, 3
# kinds of frames, and what they are about
PLAYER, CHANCE_TURN = 0, 1
PROBING, SEARCHING = 0, 1
ONWARD, STAY, BACK = 0, 1, 2  # where a walk over leaves goes on: the next leaf, the present one, the first one
# what a step of a frame comes to
DONE, CHILD = 0, 1  # CHILD: the position of a child stands on the board, and its value is wanted

LEAST, MOST = -1.0, 1.0  # no payoff lies outside
TIE = (
    1e-14  # values of chance turns this close to a bound count as equal to it: sums of products differ in the last bits
)
NONE = -1

MAX_FRAMES = 512
MAX_MOVES = 1 << 15  # listed moves of all open player frames
MAX_LEAVES = 1 << 14  # probed leaves of all open chance frames
MAX_WALK = 1 << 10  # chance turns in a row, of all open chance frames
MAX_CLASSES = 512

FRAME = np.dtype(
    [
        ("frame_of_star", np.int64),  # PLAYER or CHANCE_TURN
        ("key", np.uint64),
        ("alpha", np.float64),  # the window it was opened with
        ("beta", np.float64),
        ("low", np.float64),  # the window as it stands
        ("high", np.float64),
        ("value", np.float64),
        ("worth", np.float64),  # value of `known` (player); of the first move of the leaf at work (chance)
        ("action", np.int64),  # the child at work (player); the first move of the leaf at work (chance)
        ("best", np.int64),  # action that gave `value`
        ("plies", np.int64),  # turns left below this position
        ("last", np.int64),  # the player who decided last before the children of this frame
        ("mover", np.int64),
        ("guesses", np.int64),  # counter at the opening
        ("fresh", np.int64),  # the window and the rest of the question are set, but the frame is not begun
        ("known", np.int64),  # a move whose value in this window is known to be `worth`, or NONE
        ("done", np.int64),
        ("only_first", np.int64),  # a probe: the value after the first move is asked for
        ("moves", np.int64),  # heap of moves left: first entry and number
        ("left", np.int64),
        ("phase", np.int64),  # chance: PROBING or SEARCHING
        ("walk", np.int64),  # first entry of the walk over the outcomes
        ("leaves", np.int64),  # first entry and number of the probed leaves
        ("probed", np.int64),
        ("leaf", np.int64),  # index of the leaf at work
        ("turn", np.int64),  # STAY or BACK where the next leaf is not the next one of the walk
        ("open", np.int64),  # probed leaves whose value is not known
        ("spent", np.int64),  # nodes of the last probe
        ("share", np.float64),  # probability of the leaf at work
        ("seen", np.float64),  # probability of the leaves before it
        ("total", np.float64),  # share * value over the leaves searched
        ("lower", np.float64),  # PROBING: share * bound over the leaves probed; SEARCHING: over the leaves to come
        ("upper", np.float64),
        ("leaf_low", np.float64),  # bounds of the leaf at work
        ("leaf_high", np.float64),
        ("cut_low", np.float64),  # a leaf value up to this (from this on) settles the frame
        ("cut_high", np.float64),
        ("smallest", np.float64),  # of the leaf values, between which their mean must lie
        ("largest", np.float64),
    ],
    align=True,
)

DESK = np.dtype(
    [
        ("desk_of_star", np.int64),
        ("method", np.int64),
        ("merge", np.int64),
        ("tabled", np.int64),
        ("depth", np.int64),  # index of the frame at work, -1 when there is none
        ("nodes", np.int64),
        ("probes", np.int64),
        ("guesses", np.int64),  # positions valued at the horizon, or by an entry that rests on such
        ("hits", np.int64),  # entries that settled a frame
        ("overflow", np.int64),
        ("value", np.float64),  # of the root, when it is done
        ("reply", np.int64),  # the first move of the frame that closed last
        ("n_moves", np.int64),
        ("n_leaves", np.int64),
        ("n_walk", np.int64),
        ("move", np.int32, (MAX_MOVES,)),
        ("order", np.int32, (MAX_MOVES,)),
        ("urge", np.float64, (MAX_MOVES,)),
        ("leaf_move", np.int32, (MAX_LEAVES,)),  # the probed move, NONE where there was no probe
        ("leaf_worth", np.float64, (MAX_LEAVES,)),  # its value
        ("leaf_low", np.float64, (MAX_LEAVES,)),  # bounds of the leaf
        ("leaf_high", np.float64, (MAX_LEAVES,)),
        ("walk_at", np.int32, (MAX_WALK,)),  # index of the outcome at work
        ("walk_share", np.float64, (MAX_WALK + 1,)),  # probability of the way to this chance turn
        ("classes", np.int64, (MAX_CLASSES,)),
    ],
    align=True,
)

ENTRY = np.dtype(
    [
        ("entry_of_star", np.uint64),  # key; 0 is an empty entry
        ("lower", np.float64),
        ("upper", np.float64),
        ("best", np.int32),
        ("plies", np.int32),  # turns looked ahead, SOLVED where no guess went into the bounds
    ],
    align=True,
)
SOLVED = 1 << 20
MAX_PLIES = SOLVED - 1


def new_records(n: int, dtype: np.dtype) -> np.ndarray:
    """``n`` zeroed records (as a recarray without compilation, so that plain Python can read fields by name)."""
    records = np.zeros(n, dtype)
    return records.view(np.recarray) if config.DISABLE_JIT else records
