"""What a seat may know: planes, what it sees of an action, its key."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.goita.deals import dealt_hand
from narabe.envs.rules.goita.hands import cards, count, mixed
from narabe.envs.rules.goita.moves import seen_play
from narabe.envs.rules.goita.record import (
    ANNOUNCE,
    ANSWER,
    BURIED,
    DEALT,
    ENDED,
    FACE_DOWN,
    FACE_UP,
    FIRST_DEALER,
    KEPT,
    KINDS,
    KING,
    MULTIPLIER,
    OWN_HAND,
    PASS,
    PLAY,
    PLAYS,
    SILENT,
    UNSEEN,
)  # fmt: skip
from narabe.envs.rules.goita.table import must_be_asked
from narabe.envs.rules.jit import kernel

FACTS, STANDING, FIRST_PLAY = 3, 4, 5  # planes
A_CARD, A_GUARD, A_KNOWN_BACK = 1, 2, 4  # of the plane of a play


@kernel
def observation_shape(s):
    """(planes, seats, kinds); see `observe` for the planes."""
    plays = (s.hand_size // 2 - 1) * s.players + 1
    return np.int64(FIRST_PLAY + plays), np.int64(s.players), np.int64(KINDS)


@kernel
def is_waiting(s, seat):
    """Has the seat still to speak about its 市民, now or in its turn?"""
    return (s.phase == ANNOUNCE or s.phase == ANSWER) and s.asked >> seat & 1 == 0 and must_be_asked(s, seat)


@kernel
def observe(s, player, out):
    """Write the planes as ``player`` (from 1) sees them into ``out`` (int8, `observation_shape`).

    A row is a seat, the own one first, then in turn order; a column is a kind of card. Planes, in numbers of cards:
    0 hands, as far as known (a king that was shown stays here until it shows up on the table); 1 cards that lie face up;
    2 cards that lie face down and are known. Plane 3, facts by seat: cards in hand; cards face down and unknown; dealer;
    to speak or play; its attack stands; announced five; showed its hand; points of its pair. Plane 4: in row 0 the
    standing attack; in row 1 whether the player is asked about its 市民, whether an answer is awaited, kings face up, plies.
    From plane 5 on the plays in their order: in the row of the seat 1 for the attack, 2 for a guard, 4 for a card laid
    face down that is known (they add up where both cards are of one kind).
    """
    flat, n, me = out.flat, np.int64(s.players), player - 1
    for k in range(out.shape[0] * out.shape[1] * out.shape[2]):
        flat[k] = 0
    upcoming = next_seat(s, me)
    for row in range(n):
        seat = me + row if me + row < n else me + row - n
        _observe_seat(s, np.int64(seat), row == 0, np.int64(row), upcoming, out)
    if s.attack > 0:
        out[STANDING, 0, s.attack - 1] = 1
    out[STANDING, 1, 0] = is_waiting(s, me)
    out[STANDING, 1, 1] = s.phase == ANSWER
    out[STANDING, 1, 2] = s.kings_up
    out[STANDING, 1, 3] = s.ply
    _observe_plays(s, me, out)


@kernel
def _observe_seat(s, seat, own, row, upcoming, out):
    hand, known, unknown = np.int64(s.hand[seat]), own or s.opened >> seat & 1 != 0, 0
    for kind in range(1, KINDS + 1):
        if known:
            out[0, row, kind - 1] = count(hand, kind)
    for j in range(s.played[seat]):
        out[1, row, s.second[seat, j] - 1] += 1
        first = np.int64(s.first[seat, j]) - 1
        if s.lies[seat, j] == FACE_UP:
            out[1, row, first] += 1
        elif own or s.lies[seat, j] != FACE_DOWN:
            out[2, row, first] += 1
        else:
            unknown += 1
    if not known and s.king_seat == seat:
        if s.king_place == KEPT:
            out[0, row, KING - 1] = 1
        elif s.king_place == BURIED:
            out[2, row, KING - 1] = 1
    out[FACTS, row, 0] = cards(hand)
    out[FACTS, row, 1] = unknown
    out[FACTS, row, 2] = s.phase != FIRST_DEALER and s.dealer == seat
    out[FACTS, row, 3] = seat == upcoming
    out[FACTS, row, 4] = s.attack > 0 and s.attacker == seat
    out[FACTS, row, 5] = s.announced >> seat & 1
    out[FACTS, row, 6] = s.opened >> seat & 1
    out[FACTS, row, 7] = min(np.int64(s.scores[seat & 1]), 127)


@kernel
def next_seat(s, me):
    """Who is to speak or play, as far as the seat ``me`` knows: that another one is asked about its 市民 is not seen."""
    if s.phase != ANNOUNCE:
        return np.int64(s.turn) if s.phase == PLAY or s.phase == ANSWER else np.int64(-1)
    return np.int64(me if is_waiting(s, me) else s.dealer)


@kernel
def _observe_plays(s, me, out):
    n = np.int64(s.players)
    done = np.int64(0)  # plays of each seat so far, a byte each
    for t in range(s.plays):
        seat = np.int64(s.order[t])
        j = (done >> (8 * seat)) & 255
        done += np.int64(1) << (8 * seat)
        row = seat - me if seat >= me else seat - me + n
        out[FIRST_PLAY + t, row, s.second[seat, j] - 1] += A_CARD
        if s.lies[seat, j] == FACE_UP:
            out[FIRST_PLAY + t, row, s.first[seat, j] - 1] += A_GUARD
        elif seat == me or s.lies[seat, j] != FACE_DOWN:
            out[FIRST_PLAY + t, row, s.first[seat, j] - 1] += A_KNOWN_BACK


@kernel
def seen_action(s, a, player):
    """What ``player`` (from 1) sees of an action before it is played: the action, or one of the codes in `record`."""
    a, seat = np.int64(a), player - 1
    if s.phase == PLAY and a != PASS and a <= PLAYS:
        return a if seat == s.turn else np.int64(seen_play(s, ((a - 1) >> 3) + 1, ((a - 1) & 7) + 1))
    if s.phase == ANNOUNCE and a == SILENT and seat != s.turn:
        return np.int64(UNSEEN)
    if DEALT <= a < 2 * DEALT:
        return OWN_HAND + dealt_hand(s, a - DEALT, np.int64(seat))
    return a


@kernel
def both(a, b):
    """One hash of two (uint64)."""
    x = (a ^ (a >> np.uint64(32))) * MULTIPLIER + b
    x = (x ^ (x >> np.uint64(29))) * MULTIPLIER
    return x ^ (x >> np.uint64(32))


@kernel
def info_key(s, player):
    """64 bits that name all that ``player`` (from 1) has seen of this deal, its own cards included, and the score."""
    return both(np.uint64(s.public), np.uint64(s.private[player - 1]))


@kernel
def key(s):
    """64 bits that name the rules, the score, the deal and all that was done in it."""
    word = mixed(np.uint64(s.public), np.int64(s.phase) << 8 | s.asked << 4 | s.turn)
    for seat in range(s.players):
        word = both(word, np.uint64(s.private[seat]))
    if s.phase == ENDED:
        word = mixed(word, np.int64(s.result))
    return word
