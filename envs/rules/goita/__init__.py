"""The law of Goita: four players in two pairs, hidden hands; also small games of two or four players.

A hand is a word with four bits for each kind of card, both kings being one kind. An action is a pass, one of 64 pairs
(card laid or guarding, card attacking), or a word about special hands. What is not known to a seat is drawn anew by
`redeal`; nothing else of the record may be shown to it. The rules, with every open point decided, stand in ``docs/rules.md``.

``record`` says what a state is, ``hands`` counts cards, ``deals`` deals, ``table`` begins and ends deals, ``moves`` plays,
``sight`` looks, ``redealing`` draws what a seat cannot know, ``start`` begins, ``advice`` plays
sensibly, with the scratch of ``pad``.
"""

from narabe.envs.rules.goita.advice import advise, plausibility
from narabe.envs.rules.goita.moves import (
    apply,
    candidate_at,
    chance_draw,
    chance_weight,
    fault,
    is_legal,
    is_over,
    legal_mask,
    num_actions,
    num_candidates,
    num_players,
    payoff,
    result,
    score,
    team,
    to_move,
    truncated,
    undo,
)  # fmt: skip
from narabe.envs.rules.goita.pad import new_pads
from narabe.envs.rules.goita.record import PARAMS, STATE
from narabe.envs.rules.goita.redealing import redeal
from narabe.envs.rules.goita.sight import info_key, key, observation_shape, observe, seen_action
from narabe.envs.rules.goita.start import init, set_up

__all__ = [
    "PARAMS", "STATE", "advise", "apply", "candidate_at", "chance_draw", "chance_weight", "fault", "info_key", "init",
    "is_legal", "is_over", "key", "legal_mask", "new_pads", "num_actions", "num_candidates", "num_players",
    "observation_shape", "observe", "payoff", "plausibility", "redeal", "result", "score", "seen_action", "set_up", "team", "to_move",
    "truncated", "undo",
]  # fmt: skip
