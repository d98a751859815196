"""What a search for victory by continuous fours works on beside the state: budget, result, the line found; and its table."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import law_dtype
from narabe.envs.rules.line.record import LINES, MAX_CELLS, MAX_MOVES, SOURCES

WON, UNKNOWN, NONE = 1, 0, -1
UNLIMITED = 1 << 20  # plies, as `max_plies`
LEVELS = MAX_CELLS // 2 + 2  # a level of the search is an attack and its reply
TRIES = MAX_CELLS * (MAX_CELLS // 2 + 300)  # two lists of cells a level, which shrink by two cells a level, and lines

DESK = law_dtype(
    "threats_desk",
    [*SOURCES, __file__],
    [
        ("nodes", np.int64),  # attacking moves made and answered by the last search
        ("move", np.int32),  # the attacker's first move, -1 if he does not win
        ("length", np.int32),  # plies of the line, the winning move included
        ("line", np.int32, (MAX_MOVES + 2,)),  # attack, reply, attack, ..., the winning move
        # ---- the search's own: all zero between two searches ----
        ("active", np.uint64, (2,)),  # lines whose word in `hot` is not 0
        ("hot", np.int32, (LINES,)),  # the cells of a line on which the attacker makes a four, as bits
        # ---- by level ----
        ("attack", np.int32, (LEVELS,)),
        ("reply", np.int32, (LEVELS,)),
        ("forced", np.int32, (LEVELS,)),  # the defender's winning cell, -1 if he has none
        ("first", np.int32, (LEVELS + 1,)),  # the level's stretch of `tries`
        ("next", np.int32, (LEVELS,)),
        ("cut", np.int32, (LEVELS,)),  # did the limit of plies stop anything below?
        ("hash", np.uint64, (LEVELS,)),
        ("old_active", np.uint64, (2 * LEVELS,)),
        ("old_hot", np.int32, (8 * LEVELS,)),  # of the four lines through the attack, then those through the reply
        ("tries", np.int32, (TRIES,)),  # attacks, with their replies and with marks for ordering
        ("stamp", np.int64),  # counts lists of cells; ``stamps``: the last list in which a cell stood
        ("stamps", np.int64, (MAX_CELLS,)),
    ],
)


def new_desk(n: int = 1) -> np.ndarray:
    """``n`` zeroed records (without JIT as a recarray)."""
    from numba.core import config

    desk = np.zeros(n, DESK)
    return desk.view(np.recarray) if config.DISABLE_JIT else desk


def new_table(mb: float = 16) -> np.ndarray:
    """A table of failures of ``mb`` MiB, rounded down to a power of two: uint64, zeroed.

    >>> len(new_table(1))
    131072
    """
    entries = max(2, int(mb * (1 << 20)) // 8)
    return np.zeros(1 << (entries.bit_length() - 1), np.uint64)
