"""Whose turn it is, what is legal, and playing."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.goita.deals import deal_probability, draw_deal, is_outcome
from narabe.envs.rules.goita.hands import card, cards, count, kinds, mixed, nth_kind
from narabe.envs.rules.goita.record import (
    ACTIONS,
    ANNOUNCE,
    ANSWER,
    ASKED,
    BURIED,
    DEAL,
    DEALER,
    DEALT,
    DECLARE,
    DOUBLED,
    ENDED,
    FACE_DOWN,
    FACE_UP,
    FIRST_DEALER,
    GO_ON,
    GON,
    HIDDEN,
    HOLDER,
    KEPT,
    KING,
    KING_ATTACK,
    KING_GUARD,
    LEAD,
    LIMIT,
    LOG_DEAL,
    LOG_DEALER,
    NO_ACTION,
    NO_GUARD,
    NO_OUTCOME,
    NOT_ASKED,
    NOT_HELD,
    NOWHERE,
    OFF,
    OPENED,
    OUT,
    OVER,
    PASS,
    PLAY,
    PLAYS,
    POINTS,
    REDEAL,
    SAY_FIVE,
    SEAT_BITS,
    SHOWN,
    SILENT,
    WHOLE_MATCH,
)  # fmt: skip
from narabe.envs.rules.goita.table import (
    ask_next,
    ask_redeal,
    await_deal,
    begin_deal,
    clear,
    declare_fives,
    declare_many,
    earn,
)  # fmt: skip
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import below


@kernel
def num_players(s):
    return np.int64(s.players)


@kernel
def num_actions(s):
    """65 (see `record`), and five words where special hands are played."""
    return np.int64(PLAYS + 1 if s.specials == OFF else ACTIONS)


@kernel
def team(s, player):
    """The pair of a player (from 1)."""
    return np.int64((player - 1) & 1)


@kernel
def to_move(s):
    """0 for chance, else the seat to play + 1."""
    return np.int64(0) if s.phase <= DEAL else np.int64(s.turn) + 1


@kernel
def is_over(s):
    return s.phase == ENDED


@kernel
def result(s):
    """Bits (`record`), and the points of the pairs in bytes 1 and 2; 0 while the game goes on."""
    return np.int64(s.result)


@kernel
def truncated(s):
    """Did the game end because its record is full?"""
    return s.result & LIMIT != 0


@kernel
def payoff(s, player):
    """One deal: its points / 15 (or 1), a match: 1; for the winning pair, and as much less for the other."""
    if s.winner == 0:
        return 0.0
    pair = np.int64(s.winner) - 1
    worth = 1.0 if s.match > 0 or s.by_win != 0 else s.scores[pair] / WHOLE_MATCH
    return worth if (player - 1) & 1 == pair else -worth


@kernel
def score(s, player):
    """The points of the player's pair, in the match or the deal."""
    return np.int64(s.scores[(player - 1) & 1]) * s.scale


# ---- legality ---------------------------------------------------------------------------------------------------------


@kernel
def buried_king(s, seat):
    """Did the seat lay a king face down?"""
    for j in range(s.played[seat]):
        if s.first[seat, j] == KING and s.lies[seat, j] != FACE_UP:
            return True
    return False


@kernel
def may_attack_with_king(s, hand, lay):
    """May the turn, that holds ``hand`` and lays or guards with ``lay``, attack with a king?"""
    return (
        s.kings_up > 0
        or lay == KING
        or count(hand, KING) > 1
        or cards(hand) == 2
        or (s.after_burying != 0 and buried_king(s, np.int64(s.turn)))
    )


@kernel
def play_fault(s, lay, attack):
    """What is wrong with a play of the turn, 0 if it is legal."""
    hand, standing = np.int64(s.hand[s.turn]), np.int64(s.attack)
    if count(hand, lay) == 0 or count(hand, attack) < (2 if lay == attack else 1):
        return NOT_HELD
    if standing != 0 and lay != standing:
        if lay != KING:
            return NO_GUARD
        if standing <= GON:
            return KING_GUARD
    if attack == KING and not may_attack_with_king(s, hand, lay):
        return KING_ATTACK
    return 0


@kernel
def holds_five_too(s):
    """Does the seat that is asked for its answer hold five 市民 as its partner does?"""
    return count(np.int64(s.start_hand[s.turn]), 1) == 5


@kernel
def word_fault(s, a):
    """What is wrong with one of the words that go with special hands."""
    if s.phase == ANNOUNCE:
        many = count(np.int64(s.start_hand[s.turn]), 1) > 5
        if a == SILENT or a == (DECLARE if many else REDEAL if s.five_shi == HOLDER else SAY_FIVE):
            return 0
    elif s.phase == ANSWER:
        if a == GO_ON or a == REDEAL or (a == DECLARE and holds_five_too(s)):
            return 0
    return NOT_ASKED


@kernel
def fault(s, a):
    if s.phase == ENDED:
        return OVER
    if s.phase <= DEAL:
        return 0 if is_outcome(s, a) else NO_OUTCOME
    if a < 0 or a >= num_actions(s):
        return NO_ACTION
    if a > PLAYS:
        return word_fault(s, a)
    if s.phase != PLAY:
        return ASKED
    if a == PASS:
        return LEAD if s.attack == 0 else 0
    return play_fault(s, ((a - 1) >> 3) + 1, ((a - 1) & 7) + 1)


@kernel
def is_legal(s, a):
    return fault(s, a) == 0


@kernel
def num_candidates(s):
    """Of plays: all pairs of kinds held, the first one able to guard. Deals are counted for two players only."""
    if s.phase == PLAY:
        hand, standing = np.int64(s.hand[s.turn]), np.int64(s.attack)
        n = kinds(hand)
        return n * n if standing == 0 else 1 + n * guards(hand, standing)
    if s.phase == FIRST_DEALER:
        return np.int64(s.players)
    if s.phase == DEAL:
        return np.int64(1) << SEAT_BITS if s.players == 2 else np.int64(0)
    return np.int64(2 + (s.phase == ANSWER and holds_five_too(s)))


@kernel
def guards(hand, standing):
    """How many kinds of the hand may guard against an attack."""
    same = 1 if count(hand, standing) > 0 else 0
    return np.int64(same + (1 if standing > GON and standing != KING and count(hand, KING) > 0 else 0))


@kernel
def candidate_at(s, i):
    if s.phase == PLAY:
        hand, standing = np.int64(s.hand[s.turn]), np.int64(s.attack)
        n = kinds(hand)
        if standing == 0:
            lay = nth_kind(hand, i // n)
            return 8 * (lay - 1) + nth_kind(hand, i % n)
        if i == 0:
            return np.int64(PASS)
        first = i <= n and count(hand, standing) > 0
        lay = standing if first else np.int64(KING)
        return 8 * (lay - 1) + nth_kind(hand, (i - 1) % n)
    if s.phase == FIRST_DEALER:
        return DEALER + np.int64(i)
    if s.phase == DEAL:
        return DEALT + np.int64(i)
    if s.phase == ANSWER:
        return np.int64(GO_ON + i)
    if i == 0:
        return np.int64(SILENT)
    many = count(np.int64(s.start_hand[s.turn]), 1) > 5
    return np.int64(DECLARE if many else REDEAL if s.five_shi == HOLDER else SAY_FIVE)


@kernel
def legal_mask(s, out):
    for a in range(num_actions(s)):
        out[a] = 0
    if s.phase <= DEAL or s.phase == ENDED:
        return
    for i in range(num_candidates(s)):
        a = candidate_at(s, np.int64(i))
        out[a] = fault(s, a) == 0


@kernel
def chance_draw(s, rng):
    if s.phase == FIRST_DEALER:
        return DEALER + below(rng, np.int64(s.players))
    return draw_deal(s, rng)


@kernel
def chance_weight(s, i):
    """The probability of candidate ``i``."""
    if s.phase == FIRST_DEALER:
        return 1.0 / s.players
    return deal_probability(s, np.int64(i))


# ---- playing ----------------------------------------------------------------------------------------------------------


@kernel
def apply(s, a):
    """Play an action or an outcome of chance; where the cards are then to be dealt (again), the table is cleared."""
    if s.phase == PLAY:
        s.log[s.log_length] = a
        s.log_length += 1
        if a == PASS:
            _pass(s)
        else:
            _play(s, ((a - 1) >> 3) + 1, ((a - 1) & 7) + 1)
    elif s.phase == DEAL:
        begin_deal(s, np.int64(a))
    elif s.phase == FIRST_DEALER:
        s.log[s.log_length] = LOG_DEALER + (a - DEALER)
        s.log_length += 1
        s.next_dealer, s.phase = a - DEALER, DEAL
    else:
        s.log[s.log_length] = a
        s.log_length += 1
        _say(s, np.int64(a))
    if s.phase == DEAL:
        await_deal(s)


@kernel
def _pass(s):
    s.turn = s.turn + 1 if s.turn + 1 < s.players else 0
    s.ply += 1
    s.public = mixed(s.public, np.int64(PASS))
    if s.turn == s.attacker:
        s.attack = 0


@kernel
def _play(s, lay, attack):
    seat = np.int64(s.turn)
    hand, j, leads = np.int64(s.hand[seat]), np.int64(s.played[seat]), s.attack == 0
    seen = seen_play(s, lay, attack)
    s.public = mixed(s.public, seen)
    if HIDDEN <= seen <= SHOWN:
        s.private[seat] = mixed(np.uint64(s.private[seat]), lay)
    s.first[seat, j], s.second[seat, j] = lay, attack
    s.lies[seat, j] = FACE_UP if not leads else FACE_DOWN if HIDDEN <= seen <= SHOWN else OPENED
    if attack == KING:
        _place_king(s, hand, lay, j)
    s.kings_up += (1 if attack == KING else 0) + (1 if lay == KING and not leads else 0)
    if s.kings_up == 2 or (lay == KING and s.lies[seat, j] == OPENED):
        s.king_place, s.king_seat, s.king_play = NOWHERE, 0, 0
    s.hand[seat] = hand - card(lay) - card(attack)
    s.played[seat] = j + 1
    s.order[s.plays] = seat
    s.plays += 1
    s.ply += 1
    s.attack, s.attacker = attack, seat
    s.turn = seat + 1 if seat + 1 < s.players else 0
    if s.hand[seat] == 0:
        s.turn = seat
        double = leads and lay == attack
        earn(s, seat, POINTS[attack] * (2 if double else 1), np.int64(OUT | DOUBLED if double else OUT))


@kernel
def _place_king(s, hand, lay, j):
    """Put down what an attack with a king tells of the other one. Only the first such attack tells anything."""
    if s.kings_up > 0 or lay == KING:
        return
    if count(hand, KING) > 1:
        s.king_place, s.king_seat, s.king_play = KEPT, s.turn, j + 1
    elif cards(hand) > 2:
        s.king_place, s.king_seat, s.king_play = BURIED, s.turn, j


@kernel
def seen_play(s, lay, attack):
    """What the other seats see of a play of the turn."""
    if s.attack == 0:
        hand = np.int64(s.hand[s.turn])
        if cards(hand) > 2 and not (lay == KING and attack == KING):
            return np.int64(SHOWN if attack == KING and count(hand, KING) > 1 else HIDDEN + attack)
    elif attack == KING and lay != KING and count(np.int64(s.hand[s.turn]), KING) > 1:
        return SHOWN + lay
    return 8 * (lay - 1) + attack


@kernel
def _say(s, a):
    """A word about special hands by the turn."""
    seat = np.int64(s.turn)
    if a != SILENT:
        s.public = mixed(s.public, a << 3 | seat)
    if s.phase == ANNOUNCE:
        s.asked |= 1 << seat
        if a == SILENT:
            s.private[seat] = mixed(np.uint64(s.private[seat]), np.int64(SILENT))
            ask_next(s)
        elif a == SAY_FIVE:
            s.announced |= 1 << seat
            s.holder, s.phase, s.turn = seat, ANSWER, (seat + 2) % np.int64(s.players)
        elif a == REDEAL:
            ask_redeal(s)
        else:
            declare_many(s, seat)
    elif a == GO_ON:
        ask_next(s)
    elif a == REDEAL:
        ask_redeal(s)
    else:
        declare_fives(s, seat & 1)


@kernel
def reset(s):
    """Back to the start of the log, whose entries and deals stay where they are."""
    s.scores[0], s.scores[1] = s.base_scores[0], s.base_scores[1]
    s.scores_before[0], s.scores_before[1] = s.base_scores[0], s.base_scores[1]
    s.next_dealer, s.phase = s.base_dealer, s.base_phase
    s.result, s.winner, s.log_length, s.deals, s.deal_at = 0, 0, 0, 0, 0
    clear(s)


@kernel
def undo(s):
    """Play the log again but for its last entry: deals are short, and nothing else need be kept."""
    n, deals = np.int64(s.log_length) - 1, np.int64(s.deals)
    dealt = s.log[n] == LOG_DEAL
    reset(s)
    for i in range(n):
        a = np.int64(s.log[i])
        if a == LOG_DEAL:
            a = np.int64(s.deal[s.deals])
        elif a >= LOG_DEALER:
            a += DEALER - LOG_DEALER
        apply(s, a)
    s.log[n] = 0
    if dealt:
        s.deal[deals - 1] = 0
