"""Dealing anew what a seat cannot know.

All arrangements of the unseen cards (told apart, also those of one kind) that agree with what the seat has seen are
equally likely. Cards whose place is partly known are laid first, each in a random one of its places; the rest is drawn.
The deal is then played again, so that nothing in the record can tell of the true one.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.goita.deals import drawn_kind, packed, pool_of, without
from narabe.envs.rules.goita.hands import card, cards, count
from narabe.envs.rules.goita.moves import apply, reset
from narabe.envs.rules.goita.record import (
    ANNOUNCE,
    ANSWER,
    AUTO,
    DEAL,
    DEALT,
    DECLARE,
    FACE_DOWN,
    GO_ON,
    KEPT,
    KING,
    NOWHERE,
    OFF,
    PASS,
    PLAYS,
    ROOM,
    SAY_FIVE,
    SEAT_BITS,
    SHI,
    SILENT,
)  # fmt: skip
from narabe.envs.rules.goita.sight import is_waiting
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.random import below


@kernel
def redeal(s, player, rng):
    """Redraw what ``player`` (from 1) cannot know; the record then depends on what it has seen and on ``rng`` alone."""
    me = player - 1
    if s.start_hand[me] == 0:
        forget(s)
        return
    while True:
        lay_out(s, me, rng)
        if agrees(s):
            break
    play_again(s, me)


@kernel
def forget(s):
    """With no cards on the table only the log of earlier deals holds what may not be known."""
    s.base_scores[0], s.base_scores[1] = s.scores[0], s.scores[1]
    s.scores_before[0], s.scores_before[1] = s.scores[0], s.scores[1]
    s.base_dealer, s.base_phase = s.next_dealer, s.phase
    erase_log(s)


@kernel
def erase_log(s):
    for i in range(s.log_length):
        s.log[i] = 0
    for i in range(s.deals):
        s.deal[i] = 0
    s.log_length, s.deals, s.deal_at = 0, 0, 0


@kernel
def is_hidden(s, seat, me):
    """Is the hand of the seat unknown to the seat ``me``?"""
    return seat != me and s.opened >> seat & 1 == 0


@kernel
def lay_out(s, me, rng):
    """Draw the hidden cards of all seats, by the places that are known to hold a king or 市民 first."""
    left = np.int64(s.deck) - s.start_hand[me]
    for seat in range(s.players):
        if seat != me:
            left -= s.start_hand[seat] if s.opened >> seat & 1 else take_up(s, np.int64(seat))
    if s.king_place != NOWHERE and s.king_seat != me:
        lay_king(s, np.int64(s.king_seat), rng)
        left -= card(np.int64(KING))
    for seat in range(s.players):
        if is_hidden(s, np.int64(seat), me) and s.announced >> seat & 1:
            left -= lay_shi(s, np.int64(seat), rng)
    for seat in range(s.players):  # holders of five have all their 市民 by now
        if is_hidden(s, np.int64(seat), me) and s.announced >> seat & 1:
            left -= fill(s, np.int64(seat), left - (left & 15), rng)
    for seat in range(s.players):
        if is_hidden(s, np.int64(seat), me) and not s.announced >> seat & 1:
            left -= fill(s, np.int64(seat), left, rng)


@kernel
def take_up(s, seat):
    """Take all unknown cards from a seat; returns its known ones (a word)."""
    known = np.int64(0)
    for j in range(s.played[seat]):
        known += card(np.int64(s.second[seat, j]))
        if s.lies[seat, j] == FACE_DOWN:
            s.first[seat, j] = 0
        else:
            known += card(np.int64(s.first[seat, j]))
    s.hand[seat], s.start_hand[seat] = 0, known
    return known


@kernel
def lay(s, seat, j, kind):
    """Give a seat an unknown card: as the first of its play ``j``, or with ``j`` -1 into its hand."""
    if j >= 0:
        s.first[seat, j] = kind
    else:
        s.hand[seat] += card(kind)
    s.start_hand[seat] += card(kind)


@kernel
def hand_places(s, seat):
    """How many cards are in the hand of a seat."""
    return np.int64(s.hand_size) - 2 * np.int64(s.played[seat])


@kernel
def lay_king(s, seat, rng):
    """Put the king whose owner is known into one of the places where it may be."""
    kept = s.king_place == KEPT
    low = np.int64(s.king_play) if kept else np.int64(0)
    high = np.int64(s.played[seat]) if kept else np.int64(s.king_play)
    places = hand_places(s, seat) if kept else np.int64(0)
    for j in range(low, high):
        places += 1 if s.lies[seat, j] == FACE_DOWN else 0
    r = below(rng, places)
    for j in range(low, high):
        if s.lies[seat, j] == FACE_DOWN:
            if r == 0:
                lay(s, seat, np.int64(j), np.int64(KING))
                return
            r -= 1
    lay(s, seat, np.int64(-1), np.int64(KING))


@kernel
def lay_shi(s, seat, rng):
    """Give a seat that announced five the 市民 that it lacks; returns them."""
    need = 5 - count(np.int64(s.start_hand[seat]), np.int64(SHI))
    places = hand_places(s, seat) - cards(np.int64(s.hand[seat]))
    for j in range(s.played[seat]):
        places += 1 if s.first[seat, j] == 0 else 0
    missing = need
    for j in range(s.played[seat]):
        if s.first[seat, j] == 0:
            if below(rng, places) < missing:
                lay(s, seat, np.int64(j), np.int64(SHI))
                missing -= 1
            places -= 1
    for _ in range(missing):
        lay(s, seat, np.int64(-1), np.int64(SHI))
    return need


@kernel
def fill(s, seat, word, rng):
    """Fill the places of a seat from the cards ``word``; returns the cards taken."""
    pool, left, taken = pool_of(word), cards(word), np.int64(0)
    for j in range(s.played[seat]):
        if s.first[seat, j] == 0:
            k = drawn_kind(pool, below(rng, left))
            pool, left = without(pool, k), left - 1
            lay(s, seat, np.int64(j), np.int64(k) + 1)
            taken += card(np.int64(k) + 1)
    for _ in range(hand_places(s, seat) - cards(np.int64(s.hand[seat]))):
        k = drawn_kind(pool, below(rng, left))
        pool, left = without(pool, k), left - 1
        lay(s, seat, np.int64(-1), np.int64(k) + 1)
        taken += card(np.int64(k) + 1)
    return taken


@kernel
def agrees(s):
    """Would a deal with these hands have come so far, for all that was said or declared by itself?"""
    if s.specials == OFF:
        return True
    fives, many = 0, 0
    for seat in range(s.players):
        shi = count(np.int64(s.start_hand[seat]), np.int64(SHI))
        fives |= (1 if shi == 5 else 0) << seat
        many |= (1 if shi > 5 else 0) << seat
    if s.no_five != 0 and (fives | many) != 0:
        return False
    if s.specials != AUTO:
        return s.auto_redeal == 0 or fives == 0
    pair = s.opened == 5 or s.opened == 10
    if s.opened != 0 and not pair:  # a hand of six or more ended the deal: the first such hand
        return many & (s.opened - 1) == 0
    if many != 0 or (fives & 5 == 5 and s.opened != 5) or (fives & 10 == 10 and s.opened == 0):
        return False
    return pair or s.auto_redeal == 0 or fives == 0


@kernel
def play_again(s, me):
    """Play the deal again with the cards as they lie now, up to where the seat ``me`` knows it to be."""
    plies = np.empty(ROOM, np.int64)
    n = gather(s, plies)
    code = np.int64(0)
    for seat in range(s.players - 1):
        code |= packed(np.int64(s.start_hand[seat])) << (SEAT_BITS * seat)
    announced, opened, answers = np.int64(s.announced), np.int64(s.opened), answers_given(s)
    waiting = is_waiting(s, me) and s.phase == ANNOUNCE
    s.base_scores[0], s.base_scores[1] = s.scores_before[0], s.scores_before[1]
    s.base_dealer, s.base_phase = s.dealer, DEAL
    erase_log(s)
    reset(s)
    i, a = np.int64(0), DEALT + code
    while True:
        apply(s, a)  # the one call: each takes its time to compile
        if s.phase == ANSWER:
            if answers == 0:
                break
            answers -= 1
            a = np.int64(DECLARE if answers == 0 and opened != 0 else GO_ON)
        elif s.phase == ANNOUNCE:
            if waiting and s.turn == me:
                break
            a = said(np.int64(s.turn), announced, opened)
        elif i < n:
            a = plies[i]
            i += 1
        else:
            break


@kernel
def said(seat, announced, opened):
    """What a seat said when it was asked."""
    if announced >> seat & 1:
        return np.int64(SAY_FIVE)
    return np.int64(DECLARE if opened >> seat & 1 else SILENT)


@kernel
def gather(s, plies):
    """Write the passes and plays of the deal into ``plies``, by the cards as they lie now; returns how many."""
    n, done, plays = 0, np.int64(0), 0
    for i in range(s.deal_at + 1, s.log_length):
        a = np.int64(s.log[i])
        if a > PLAYS:
            continue
        if a != PASS:
            seat = np.int64(s.order[plays])
            j = (done >> (8 * seat)) & 255
            done += np.int64(1) << (8 * seat)
            plays += 1
            a = 8 * (np.int64(s.first[seat, j]) - 1) + s.second[seat, j]
        plies[n] = a
        n += 1
    return n


@kernel
def answers_given(s):
    """How many announcements were answered."""
    n = np.int64(0)
    for seat in range(s.players):
        n += s.announced >> seat & 1
    return n - 1 if s.phase == ANSWER else n
