"""The law of Gomocku: five in a row with bans, then sandwiched pieces are turned over and may show a third colour.

Source: the rule sheet of ゴーモック (Gomocku); every open point, decided, stands in ``docs/rules.md``.

``record`` says what a state is, ``pieces`` lays and turns, ``flips`` judges, ``moves`` plays, ``start`` begins, ``sight``
looks, ``advice`` guesses what is pressing and says which moves act alike.
"""

from narabe.envs.rules.gomocku.advice import alike, may_win, urgency
from narabe.envs.rules.gomocku.moves import (
    apply,
    calm_plies,
    candidate_at,
    chance_draw,
    chance_weight,
    fault,
    hand_over,
    is_legal,
    is_over,
    legal_mask,
    num_actions,
    num_candidates,
    num_players,
    payoff,
    redeal,
    result,
    score,
    seen_action,
    to_move,
    undo,
)  # fmt: skip
from narabe.envs.rules.gomocku.record import PARAMS, STATE
from narabe.envs.rules.gomocku.sight import (
    canonical_key,
    info_key,
    key,
    key_from_scratch,
    num_symmetries,
    observation_shape,
    observe,
    symmetry,
)  # fmt: skip
from narabe.envs.rules.gomocku.start import init, setup

UNDRAWN = True  # `redeal` leaves nothing hidden in the record, so a search without information sets may look at it

__all__ = [
    "PARAMS", "STATE", "UNDRAWN", "alike", "apply", "calm_plies", "candidate_at", "canonical_key", "chance_draw",
    "chance_weight", "fault", "hand_over", "info_key", "init", "is_legal", "is_over", "key", "key_from_scratch",
    "legal_mask", "may_win", "num_actions", "num_candidates", "num_players", "num_symmetries", "observation_shape", "observe",
    "payoff", "redeal", "result", "score", "seen_action", "setup", "symmetry", "to_move", "undo", "urgency",
]  # fmt: skip
