"""The law of all line games: Gomoku, freestyle, Omok, capture Gomoku, renju, on boards of 3x3 to 20x20.

Stones are kept as bits of the lines they stand on: one int32 word for each colour and each of up to 118 lines (rows,
columns, two kinds of diagonals), the first cell at bit `SHIFT`. A cell is row * width + column, row 0 at the bottom.
The rules themselves, with every open point decided, stand in ``docs/rules.md``.

``record`` says what a state is, ``stones`` lays and lifts, ``bans`` reads the line tables, ``moves`` plays, ``start``
begins, ``sight`` looks, ``masks`` keeps the legal moves up to date, ``advice`` guesses what is pressing.
"""

from narabe.envs.rules.line.advice import may_win, urgency
from narabe.envs.rules.line.bans import ban, classes_at, codes_at
from narabe.envs.rules.line.masks import MASK, mask_init, mask_update, mask_write
from narabe.envs.rules.line.moves import (
    apply,
    candidate_at,
    captured,
    fault,
    hand_over,
    is_legal,
    is_over,
    legal_mask,
    num_actions,
    num_candidates,
    num_players,
    pairs_due,
    payoff,
    result,
    to_move,
    undo,
)  # fmt: skip
from narabe.envs.rules.line.record import PARAMS, STATE
from narabe.envs.rules.line.sight import (
    canonical_key,
    key,
    key_from_scratch,
    num_symmetries,
    observation_shape,
    observe,
    symmetry,
)  # fmt: skip
from narabe.envs.rules.line.start import init, setup
from narabe.envs.rules.line.stones import stone_at

__all__ = [
    "MASK", "PARAMS", "STATE", "apply", "ban", "candidate_at", "canonical_key", "captured", "classes_at", "codes_at", "fault",
    "hand_over", "init", "is_legal", "is_over", "key", "key_from_scratch", "legal_mask", "mask_init", "mask_update",
    "mask_write", "may_win", "num_actions", "num_candidates", "num_players", "num_symmetries", "observation_shape", "observe",
    "pairs_due", "payoff", "result", "setup", "stone_at", "symmetry", "to_move", "undo", "urgency",
]  # fmt: skip
