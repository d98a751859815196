"""The table between deals, and how a deal begins: hands, and the 市民 that end or interrupt it before the first play."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.goita.deals import dealt_hand
from narabe.envs.rules.goita.hands import count, mixed, nth_kind
from narabe.envs.rules.goita.record import (
    ANNOUNCE,
    CHOICE,
    DEAL,
    DOUBLED,
    EIGHT,
    ENDED,
    FIVES,
    KINDS,
    LIMIT,
    LOG_DEAL,
    MATCH,
    MAX_DEALS,
    MAX_LOG,
    NOWHERE,
    OFF,
    PLAY,
    POINTS,
    ROOM,
    SEVEN,
    SIX,
    WHOLE_MATCH,
)  # fmt: skip
from narabe.envs.rules.jit import kernel


@kernel
def clear(s):
    """Take all cards from the table."""
    for seat in range(s.players):  # not a constant: unrolled, these loops would take long to compile
        s.hand[seat], s.start_hand[seat], s.played[seat] = 0, 0, 0
        s.private[seat] = np.uint64(0)
        for j in range(s.hand_size // 2):
            s.first[seat, j], s.second[seat, j], s.lies[seat, j] = 0, 0, 0
    for i in range(s.plays):
        s.order[i] = 0
    s.attack, s.attacker, s.kings_up, s.ply, s.plays = 0, 0, 0, 0, 0
    s.king_place, s.king_seat, s.king_play = NOWHERE, 0, 0
    s.asked, s.announced, s.opened, s.holder = 0, 0, 0, 0
    s.turn, s.dealer = 0, s.next_dealer
    s.public = mixed(mixed(s.base_key, np.int64(s.scores[0]) << 32 | s.scores[1]), np.int64(s.next_dealer))


@kernel
def await_deal(s):
    """Clear the table for another deal, or end a game that would outgrow its record."""
    clear(s)
    if s.log_length > MAX_LOG - ROOM or s.deals >= MAX_DEALS:
        s.phase, s.winner, s.result = ENDED, 0, LIMIT | s.scores[0] << 8 | s.scores[1] << 16


@kernel
def begin_deal(s, a):
    """Hand out the cards of the outcome ``a``."""
    s.deal_at = s.log_length
    s.deal[s.deals] = a
    s.deals += 1
    s.log[s.log_length] = LOG_DEAL
    s.log_length += 1
    s.scores_before[0], s.scores_before[1] = s.scores[0], s.scores[1]
    code = a & ((np.int64(1) << 60) - 1)
    for seat in range(s.players):
        hand = dealt_hand(s, code, np.int64(seat))
        s.hand[seat], s.start_hand[seat] = hand, hand
        s.private[seat] = mixed(np.uint64(seat + 1), hand)
    s.phase, s.turn = PLAY, s.dealer
    if s.specials != OFF:
        look_for_shi(s)


@kernel
def look_for_shi(s):
    """Judge the hands just dealt by their 市民."""
    fives = 0
    for seat in range(s.players):
        shi = count(np.int64(s.hand[seat]), 1)
        if shi == 5:
            fives |= 1 << seat
        elif shi > 5 and s.specials != CHOICE:
            declare_many(s, np.int64(seat))
            return
    for pair in range(2):
        if fives >> pair & 5 == 5 and s.specials != CHOICE:
            declare_fives(s, np.int64(pair))
            return
    if fives != 0 and s.auto_redeal != 0:
        ask_redeal(s)
    else:
        ask_next(s)


@kernel
def must_be_asked(s, seat):
    """Has the seat something to say about its 市民?"""
    shi = count(np.int64(s.start_hand[seat]), 1)
    return s.specials != OFF and (shi == 5 or (shi > 5 and s.specials == CHOICE))


@kernel
def ask_next(s):
    """Ask the next seat that has something to say, in order from the dealer; the dealer begins when all were asked."""
    for i in range(s.players):
        seat = (np.int64(s.dealer) + i) % np.int64(s.players)
        if s.asked >> seat & 1 == 0 and must_be_asked(s, seat):
            s.phase, s.turn = ANNOUNCE, seat
            return
    s.phase, s.turn = PLAY, s.dealer


@kernel
def ask_redeal(s):
    """The cards are dealt again, by the same dealer."""
    s.next_dealer, s.phase = s.dealer, DEAL


@kernel
def declare_many(s, seat):
    """A hand of six, seven or eight 市民 goes out at once, and is shown."""
    hand = np.int64(s.start_hand[seat])
    shi = count(hand, 1)
    rest = hand - shi
    s.opened |= 1 << seat
    if shi == 8:
        earn(s, seat, np.int64(10), np.int64(EIGHT))
    elif shi == 7:
        earn(s, seat, 2 * POINTS[nth_kind(rest, np.int64(0))], np.int64(SEVEN))
    else:
        best, pair = np.int64(0), False
        for kind in range(2, KINDS + 1):
            if count(rest, kind) > 0:
                best, pair = POINTS[kind], count(rest, kind) == 2  # later kinds are worth no less
        if pair and s.six_pair != 0:
            earn(s, seat, 2 * best, np.int64(SIX | DOUBLED))
        else:
            earn(s, seat, best, np.int64(SIX))


@kernel
def declare_fives(s, pair):
    """Five and five in one pair win the match."""
    s.opened |= 5 << pair
    s.winner = pair + 1
    s.scores[pair] = max(np.int64(s.scores[pair]), np.int64(s.match) if s.match > 0 else np.int64(WHOLE_MATCH))
    s.phase, s.result = ENDED, FIVES | s.scores[0] << 8 | s.scores[1] << 16


@kernel
def earn(s, seat, points, why):
    """The deal is over: the seat's pair has earned points; ``why`` is the result's bits. Of a match another deal is due."""
    pair = seat & 1
    s.scores[pair] += points
    if s.match == 0 or s.scores[pair] >= s.match:
        s.winner, s.phase = pair + 1, ENDED
        s.result = why | (MATCH if s.match > 0 else 0) | s.scores[0] << 8 | s.scores[1] << 16
    else:
        s.next_dealer = seat if s.winner_deals != 0 else (s.dealer + 1) % s.players
        s.phase = DEAL
