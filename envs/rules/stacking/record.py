"""The record of a stacking game: its fields, its constants, and the random words of its key."""

from __future__ import annotations

import pathlib

import numpy as np

from narabe.envs.rules.core import law_dtype

MAX_SPAN = 32  # an unbounded floor reaches so far to each side of the first block
MAX_COLUMNS = 2 * MAX_SPAN + 1
MAX_HEIGHT = 32
MAX_ROW = 6
MAX_PLAYERS = 4
MAX_PLIES = 1024
PAD = MAX_ROW - 1  # columns without blocks on both sides (on a cylinder: copies of the real ones): no test for the edge
STRIDE = MAX_COLUMNS + 2 * PAD
SHIFT = MAX_ROW - 1  # bit of the bottom row: a diagonal to below the floor finds zeros there
ENDLESS = 1 << 20  # empty cells of a board that cannot be full

# the order of `params`
PARAMS = (
    "width", "height", "row", "cylinder", "players", "reach", "span", "max_height", "plies", "claim",
    "unclaimed_four", "false_claim", "resign", "takeback", "after_takeback",
)  # fmt: skip
STANDS, DRAWN, REVERSED = 0, 1, 2  # unclaimed_four
AS_PLAYED, AS_DRAW, AS_FIRST = 0, 1, 2  # after_takeback
PLAY, BEATEN_ASKED, WINNER_ASKED = 0, 1, 2  # stage: may the beaten side ask? does the winner grant it?

# results (several may hold at once)
ROW, CLAIMED, RESIGNED, FALSE_CLAIM, OLDER, RETAKEN, FULL, LIMIT = 1, 2, 4, 8, 16, 32, 64, 128
# faults
OVER, NO_ACTION, FULL_COLUMN, FAR, FIRST, BARRED, TWICE, ANSWER, NOT_ASKED = 1, 2, 3, 4, 5, 6, 7, 8, 9

# entries of the history: a column, with CLAIM_FLAG if it was claimed; else one of these (RESIGN and LOST plus the
# player, from 0)
CLAIM_FLAG = 128
CLAIM, ASK, ACCEPT, GRANT, REFUSE, RESIGN, LOST = 70, 71, 72, 73, 74, 75, 79
SPECIAL = CLAIM

_FIELDS = [
    ("base_key", np.uint64),  # of these rules
    ("blocks_key", np.uint64),  # of z[player, row] * B ** column over the blocks
    ("columns", np.int32),  # of the board, or of the frame of an unbounded floor
    ("ceiling", np.int32),  # rows of the board, or of the frame
    ("row", np.int32),
    ("players", np.int32),
    ("cylinder", np.int32),
    ("reach", np.int32),
    ("open_sides", np.int32),  # no walls: columns count from the first block, which is at column columns // 2
    ("open_top", np.int32),  # no ceiling: a block in the top row ends the game
    ("plies", np.int32),
    ("plain", np.int32),  # two players, each turn is one block: no claims, no resigning, no takeback
    ("claim", np.int32),
    ("unclaimed_four", np.int32),
    ("false_loses", np.int32),
    ("takeback", np.int32),
    ("after_takeback", np.int32),
    ("drops", np.int32),  # actions below this are blocks: columns, then in claim mode columns with a claim
    ("claim_action", np.int32),  # -1 where there is none
    ("resign_action", np.int32),
    ("ask_action", np.int32),  # then accept, grant, refuse
    ("actions", np.int32),
    ("n_base", np.int32),  # entries of the history that a set-up brought along
    ("base_barred", np.int32),
    ("base_claimed", np.int32),
    ("skipped", np.int32),  # plies that the history does not hold
    ("ply", np.int32),  # actions so far
    ("left", np.int32),  # empty cells
    ("lo", np.int32),  # leftmost and rightmost column with a block, if the sides are open; else first and last column
    ("hi", np.int32),
    ("first", np.int32),  # first column that may be played, and how many follow
    ("n_columns", np.int32),
    ("last", np.int32),  # column of the last block, -1 if none is known
    ("mover", np.int32),  # whose turn it is, from 1
    ("winner", np.int32),  # 0 none
    ("result", np.int32),
    ("truncated", np.int32),  # a limit of the program, not of the game, was reached
    ("stage", np.int32),
    ("barred", np.int32),  # column that may not be played now, -1 none
    ("claimed", np.int32),  # the mover has claimed in vain this turn
    ("dropped", np.int32),  # bits of players who are out
    ("takebacks", np.int32),
    ("first_winner", np.int32),  # who won before the first takeback, 0 none
    ("rank", np.int32, (MAX_PLAYERS,)),  # claim mode: 1 for the owner of the oldest four, 2 for the next one; 0 no four
    ("heights", np.int8, (MAX_COLUMNS,)),  # blocks in each column
    ("words", np.int64, (MAX_PLAYERS * STRIDE,)),  # by player and column: the rows of the blocks, row 0 at bit SHIFT
    ("history", np.uint8, (MAX_PLIES + 4,)),  # entry `ply - skipped` comes next, the rest is zero
]
SOURCES = sorted(str(f) for f in pathlib.Path(__file__).parent.glob("*.py"))
STATE = law_dtype("stacking", SOURCES, _FIELDS)

Z = np.random.SeedSequence(0x7473756D69).generate_state(MAX_PLAYERS * MAX_HEIGHT, np.uint64)
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_B, _WORD = 0xD1342543DE82EF95, 1 << 64  # 5 modulo 8, so that its powers differ modulo 2 ** 64 as much as they can
POWER = np.array([pow(_B, c, _WORD) for c in range(MAX_COLUMNS)], np.uint64)
INVERSE = np.array([pow(_B, -c, _WORD) for c in range(MAX_COLUMNS)], np.uint64)
