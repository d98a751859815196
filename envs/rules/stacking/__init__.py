"""The law of block stacking: rows of four (or three to six) on a floor, with or without walls, for two to four players.

Blocks are kept as bits of the columns they lie in: one int64 word for each player and column, the bottom row at bit
`SHIFT`, with empty columns on both sides (on a cylinder: copies of the columns beyond the seam). A column is an action;
on an open floor action ``columns // 2`` is the column of the first block. The rules themselves, with every open point
decided, stand in ``docs/rules.md``.

``record`` says what a state is, ``blocks`` places, lifts and finds rows, ``reaches`` finds winning cells, ``ends`` ends
games, ``takeback`` undoes by agreement, ``turns`` and ``moves`` play, ``start`` begins, ``sight`` looks, ``advice``
guesses what is pressing, ``tactics`` names patterns.
"""

from narabe.envs.rules.stacking.advice import urgency
from narabe.envs.rules.stacking.blocks import block_at
from narabe.envs.rules.stacking.moves import (
    apply,
    candidate_at,
    fault,
    is_legal,
    is_over,
    legal_mask,
    num_actions,
    num_candidates,
    num_players,
    payoff,
    result,
    to_move,
    undo,
)  # fmt: skip
from narabe.envs.rules.stacking.record import PARAMS, STATE
from narabe.envs.rules.stacking.sight import (
    canonical_key,
    key,
    key_from_scratch,
    num_symmetries,
    observation_shape,
    observe,
    symmetry,
)  # fmt: skip
from narabe.envs.rules.stacking.start import init, known_blocks, setup

__all__ = [
    "PARAMS", "STATE", "apply", "block_at", "candidate_at", "canonical_key", "fault", "init", "is_legal", "is_over",
    "key", "key_from_scratch", "known_blocks", "legal_mask", "num_actions", "num_candidates", "num_players",
    "num_symmetries", "observation_shape", "observe", "payoff", "result", "setup", "symmetry", "to_move", "undo",
    "urgency",
]  # fmt: skip
