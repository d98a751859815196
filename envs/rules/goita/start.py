"""The table before the first deal, and set-up positions."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.goita.hands import mixed
from narabe.envs.rules.goita.moves import reset
from narabe.envs.rules.goita.record import DEAL, FIRST_DEALER, KINDS, MULTIPLIER
from narabe.envs.rules.goita.redealing import erase_log
from narabe.envs.rules.jit import kernel


@kernel
def init(s, params):
    """No deal yet, under the rules ``params`` (int64, in the order of `PARAMS`)."""
    s.players, s.hand_size, s.match, s.scale, s.by_win = params[0], params[1], params[2], params[3], params[4]
    s.winner_deals, s.specials, s.five_shi, s.six_pair = params[6], params[7], params[8], params[9]
    s.after_burying, s.auto_redeal, s.no_five = params[10], params[11], params[12]
    deck = 0
    for k in range(KINDS):
        deck |= params[13 + k] << (4 * k)
    s.deck = deck
    word = np.uint64(0x676F697461)
    for i in range(len(params)):
        word = (word ^ np.uint64(params[i] + 1)) * MULTIPLIER
        word = word ^ (word >> np.uint64(29))
    s.base_key = word
    s.phase = FIRST_DEALER if params[5] < 0 else DEAL
    s.next_dealer = max(params[5], 0)
    s.dealer, s.base_dealer, s.base_phase = s.next_dealer, s.next_dealer, s.phase
    s.public = mixed(np.uint64(mixed(word, np.int64(0))), np.int64(s.next_dealer))  # as `table.clear` leaves it


@kernel
def set_up(s, first, second, dealer):
    """Lay a score and a dealer (-1: to be drawn) on a freshly initialised record, before the deal; undo stops here."""
    erase_log(s)
    s.base_scores[0], s.base_scores[1] = first, second
    s.base_phase = FIRST_DEALER if dealer < 0 else DEAL
    s.base_dealer = max(dealer, 0)
    reset(s)
