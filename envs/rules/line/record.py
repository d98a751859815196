"""The record of a line game: its fields, its constants, and the random words of its key."""

from __future__ import annotations

import pathlib

import numpy as np

from narabe.envs.rules import lines
from narabe.envs.rules.core import law_dtype

MAX_SIDE = 20
MAX_CELLS = MAX_SIDE * MAX_SIDE
SHIFT = 5  # bit of a line's first cell: a window of five cells to the left stays inside the word
COLUMNS, DIAGONALS, ANTIDIAGONALS, LINES = 20, 59, 79, 118  # first line of each kind (diagonal 0 is row = column)
# steps of the eight directions; d and d + 4 are opposite
ROW_STEP = np.array([0, 1, 1, 1, 0, -1, -1, -1])
COLUMN_STEP = np.array([1, 0, 1, -1, -1, 0, -1, 1])
PAIRS_TO_WIN = 5
MAX_PAIRS = 12
MAX_MOVES = MAX_CELLS + 16  # at most eight pairs are taken before the one that ends the game

# the order of `params`
PARAMS = (
    "width", "height", "row", "exact", "double_three", "double_four", "overline", "black_only", "recursive",
    "five_spoils_three", "same_line", "captures", "tournament_opening",
)  # fmt: skip

# results (several may hold at once)
FIVE, PAIRS, FULL, STUCK = 1, 2, 4, 8
# faults
OVER, OFF_BOARD, OCCUPIED, CENTRE, NEAR_CENTRE, DOUBLE_THREE, DOUBLE_FOUR, OVERLINE = 1, 2, 3, 4, 5, 6, 7, 8

_FIELDS = [
    ("base_key", np.uint64),  # of the empty board under these rules
    ("stones_key", np.uint64),
    ("lines", np.int32, (2 * LINES,)),  # Black's lines, then White's
    ("wall", np.int32, (LINES,)),  # bits that are no cell of the line
    ("empties", np.int16, (MAX_CELLS,)),  # the first n_empty entries are the empty cells, the rest zero
    ("slot", np.int16, (MAX_CELLS,)),  # where a cell sits in empties, -1 if it is occupied
    ("history", np.int32, (MAX_MOVES,)),  # cell | slot << 9 | captured directions << 18, the rest zero
    ("width", np.int32),
    ("height", np.int32),
    ("cells", np.int32),  # width * height
    ("inverse", np.int32),  # row of a cell = cell * inverse >> 16
    ("row", np.int32),
    ("exact", np.int32, (2,)),  # a longer run does not win, for Black and for White
    ("rule", np.int32, (2,)),  # first entry of each colour's plane of the line tables
    ("bound", np.int32, (2,)),  # do the bans bind this colour?
    ("double_three", np.int32),
    ("double_four", np.int32),
    ("overline", np.int32),
    ("recursive", np.int32),
    ("five_spoils_three", np.int32),
    ("same_line", np.int32),
    ("captures", np.int32),
    ("opening", np.int32),  # the tournament opening is in force (never after a set-up)
    ("plain", np.int32),  # a move only lays a stone: no captures, no opening, nobody can be left without a legal point
    ("n_empty", np.int32),
    ("n_moves", np.int32),  # entries of history
    ("ply", np.int32),
    ("last", np.int32),  # cell of the last move, -1 if none is known
    ("first_last", np.int32),  # what `last` was at the start or set-up
    ("pairs", np.int32, (2,)),
    ("mover", np.int32),  # whose turn it is: 1 Black, 2 White
    ("winner", np.int32),  # 0 none, 1, 2
    ("result", np.int32),
]
SOURCES = [*sorted(str(f) for f in pathlib.Path(__file__).parent.glob("*.py")), lines.__file__]
STATE = law_dtype("line", SOURCES, _FIELDS)

_Z = np.random.SeedSequence(0x6E617261).generate_state(2 * MAX_CELLS + 2 * (MAX_PAIRS + 1) + 2, np.uint64)
Z_STONE, Z_PAIRS, Z_WHITE, Z_OPENING = _Z[: 2 * MAX_CELLS], _Z[2 * MAX_CELLS : -2], _Z[-2], _Z[-1]
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
