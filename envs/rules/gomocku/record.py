"""The record of Gomocku: its fields, its constants, and the random words of its key.

Its lines, empties and rule fields have the names that the line games give them, so the kernels of `line.stones` and
`line.bans` work on it as they are: a piece counts on the lines of the colour that it *shows*, a red one is a wall.
"""

from __future__ import annotations

import itertools
import pathlib

import numpy as np

from narabe.envs.rules import lines
from narabe.envs.rules.core import law_dtype
from narabe.envs.rules.line import record as line_record
from narabe.envs.rules.line.record import LINES, MAX_CELLS

MIN_SIDE, MAX_SIDE = 3, line_record.MAX_SIDE
MAX_PIECES = 20  # a side
MAX_MOVES = 3 + 6 * MAX_PIECES  # a deal, two assignments; no more than one cell, choice and reveal for each piece

# the order of `params`
PARAMS = (
    "width", "height", "stones", "chance", "coloured", "black_only", "phase2_all", "must_flip", "restore_all", "physical",
)  # fmt: skip

# stages of a turn
PLACE, CHOOSE, REVEAL, DEAL, ASSIGN = 0, 1, 2, 3, 4
# results
FIVE, FLIPS, REDS, LEVEL = 1, 2, 4, 8
# faults; those from 7 to 9 are the line games' own
OVER, NO_ACTION, OCCUPIED, CELL_DUE, FLIPS_DUE, NOT_SANDWICHED, MUST_FLIP = 1, 2, 3, 4, 5, 10, 11
NO_PASS, CHANCE_DUE, IMPOSSIBLE, PILES_DUE = 12, 13, 14, 15

# What lies on a cell: 0 nothing, else owner (1 Black, 2 White) + 2 * kind.
UNSEEN, KNOWN_COLOURED, KNOWN_RED, TURNED, TURNED_RED = 0, 1, 2, 3, 4
CODES = 11
NUMBER = 4  # shift of the number of the piece (in its owner's order of play) in an entry of `piece`

# Actions: the cells, then cells + mask of directions, then
SETS = 256
PASS = SETS  # cells + PASS
PILES = SETS + 1  # cells + PILES + number of the permutation, in physical deals
PERMUTATIONS = np.array(list(itertools.permutations(range(4))), np.int8)
# Outcomes of chance: from num_actions on
RED, COLOURED, FACE_DOWN = 0, 1, 2
DEALT = 40  # a deal is 1 << 40 | Black's mask | White's mask << 20

# kinds of entries of `history`
LAID, CHOSEN, REVEALED, OTHER = 0, 1, 2, 3
KIND = 29

_FIELDS = [
    ("base_key", np.uint64),  # of these rules
    ("pieces_key", np.uint64),  # of the pieces and the ply
    ("hidden_key", np.uint64),  # of what nobody has seen; 0 where nothing is drawn yet
    ("lines", np.int32, (2 * LINES,)),  # cells that show Black, then White
    ("wall", np.int32, (LINES,)),  # bits that are no cell of the line, and red pieces
    ("empties", np.int16, (MAX_CELLS,)),
    ("slot", np.int16, (MAX_CELLS,)),
    ("piece", np.int16, (MAX_CELLS,)),  # owner + 2 * kind | number << NUMBER, 0 for none
    ("history", np.int32, (MAX_MOVES,)),
    ("width", np.int32),
    ("height", np.int32),
    ("cells", np.int32),
    ("inverse", np.int32),
    ("row", np.int32),  # 5
    ("exact", np.int32, (2,)),
    ("rule", np.int32, (2,)),
    ("bound", np.int32, (2,)),  # do the bans, and the foul of flips, bind this colour?
    ("double_three", np.int32),
    ("double_four", np.int32),
    ("overline", np.int32),
    ("same_line", np.int32),
    ("phase2_all", np.int32),
    ("must_flip", np.int32),
    ("restore_all", np.int32),
    ("physical", np.int32),
    ("first", np.int32),  # plies of the first phase
    ("plies", np.int32),  # plies of the game
    ("coloured", np.int32),  # coloured backs a side
    ("pile", np.int32),  # pieces in a pile
    ("n_orders", np.int32),  # ways to lay out the piles
    ("n_empty", np.int32),
    ("n_moves", np.int32),
    ("ply", np.int32),
    ("last", np.int32),  # cell of the last piece laid, -1 if none is known
    ("mover", np.int32),
    ("stage", np.int32),
    ("stuck", np.int32),  # the side to move has no legal cell
    ("able", np.int32),  # while choosing: the directions that may be chosen
    ("chosen", np.int32),  # while revealing: the directions chosen
    ("left", np.int32),  # while revealing: those of them whose backs are still to be seen
    ("flips", np.int32, (2,)),  # pieces turned by Black, by White, that stand
    ("reds", np.int32, (2,)),  # the red ones among them
    ("seen_coloured", np.int32, (2,)),  # backs of Black's, of White's pieces seen so far
    ("seen_red", np.int32, (2,)),
    ("dealt", np.int32),  # the backs are drawn and lie in `hidden`
    ("hidden", np.int32, (2,)),  # coloured backs of Black's, of White's pieces by pile and place in the pile
    ("order", np.int32, (2,)),  # permutation by which the piles of Black, of White lie, -1 before that
    ("winner", np.int32),
    ("result", np.int32),
]
SOURCES = [
    *sorted(str(f) for f in pathlib.Path(__file__).parent.glob("*.py")),
    *(f for f in line_record.SOURCES if not f.endswith(("masks.py", "moves.py", "start.py"))),
]
STATE = law_dtype("gomocku", SOURCES, _FIELDS)
assert lines.__file__ in SOURCES

_Z = np.random.SeedSequence(0x676F6D6F).generate_state(CODES * MAX_CELLS + 2 * MAX_PIECES + 2, np.uint64)
Z_PIECE, Z_PLY, Z_HANDED = _Z[: CODES * MAX_CELLS], _Z[CODES * MAX_CELLS : -1], _Z[-1]
