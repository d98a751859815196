"""The rule policy of Goita as a kernel: one action from what the seat in turn knows; `narabe.agents.goita_rules` has its rules.

Only the own cards, those that lie open, and who passed on what are read; of a record that was dealt anew nothing else.
All that a decision is worth is counted in one unit: going out is worth 1 and a little for its points, the other pair's
going out as much below zero.
"""

from __future__ import annotations

import math

import numpy as np

from narabe.envs.rules.goita.hands import bottoms, card, cards, count
from narabe.envs.rules.goita.moves import apply, candidate_at, is_legal, num_candidates, reset
from narabe.envs.rules.goita.pad import (
    AGAIN,
    FOE,
    FOE_LEADS,
    GUARD,
    KINGS,
    LAST_CHANCE,
    LOST,
    MATE,
    MATE_GUARDS,
    MATE_HOLDS,
    MATE_LEADS,
    MATE_STOPPED,
    PAIRS,
    PASSED,
    PASSED_KING,
    POINT,
    REPEAT,
    SHIS,
    SPREAD,
    SURE,
    WILLING,
)  # fmt: skip
from narabe.envs.rules.goita.record import (
    ANNOUNCE,
    ANSWER,
    BURIED,
    DECLARE,
    FACE_DOWN,
    GON,
    HOLDER,
    KINDS,
    KING,
    LOG_DEAL,
    NOWHERE,
    PASS,
    PLAY,
    PLAYS,
    POINTS,
    REDEAL,
    SAY_FIVE,
    SHI,
)  # fmt: skip
from narabe.envs.rules.jit import kernel

# ---- what the seat makes of the table ------------------------------------------------------------------------------------


@kernel
def look(s, pad):
    """Fill the pad for the seat in turn."""
    me, n = np.int64(s.turn), np.int64(s.players)
    pad.me, pad.free, pad.burying = me, s.kings_up, s.after_burying
    word = np.int64(s.deck) - s.start_hand[me]
    for seat in range(n):
        if seat != me:
            for j in range(s.played[seat]):
                word -= card(np.int64(s.second[seat, j]))
                if s.lies[seat, j] != FACE_DOWN:
                    word -= card(np.int64(s.first[seat, j]))
    for kind in range(1, KINDS + 1):
        pad.unseen[kind] = count(word, kind)
    pad.total = cards(word)
    read_passes(s, pad)
    read_kings(s, pad)
    pad.mate, pad.foe = 0, 16
    for seat in range(n):
        left = np.int64(s.hand_size) - 2 * np.int64(s.played[seat])
        if (seat ^ me) & 1:
            pad.foe = min(np.int64(pad.foe), left)
        elif seat != me:
            pad.mate = left
    foresee(s, pad)


@kernel
def read_passes(s, pad):
    """Who passed on which kinds of the other pair: they may well lack it."""
    for seat in range(4):
        pad.passed[seat] = 0
    for kind in range(KINDS + 1):
        pad.came[kind], pad.mates[kind] = 0, 0
    turn, attacker, attack, n = np.int64(s.dealer), np.int64(-1), 0, np.int64(s.players)
    for i in range(s.deal_at + 1, s.log_length):
        a = np.int64(s.log[i])
        if a > PLAYS:
            continue
        if a != PASS:
            attacker, attack = turn, ((a - 1) & 7) + 1
            if (turn ^ pad.me) & 1:
                pad.came[attack] += 1
            elif turn != pad.me:
                pad.mates[attack] += 1
        elif (turn ^ attacker) & 1:
            pad.passed[turn] |= 1 << attack
        turn = turn + 1 if turn + 1 < n else 0


@kernel
def read_kings(s, pad):
    """What is known of the kings: one that was shown sits where it was shown, or lies face down out of play."""
    for seat in range(4):
        beyond = pad.passed[seat] & 0b011111000 != 0
        pad.king_place[seat] = pad.weights[PASSED_KING] if beyond else 1.0
    if s.king_place != NOWHERE and s.king_seat != pad.me:
        if s.king_place == BURIED:
            pad.unseen[KING] = 0
            pad.total -= 1
        else:
            for seat in range(4):
                pad.king_place[seat] = 8.0 if seat == s.king_seat else 0.0


@kernel
def none_of(s, pad, kind, seats):
    """The chance that none of the seats (bits) holds a card of the kind.

    As if the unseen cards were dealt at random, but that a seat which passed on the kind has only a part of its places
    for it.
    """
    held, places = 0.0, np.float64(pad.total)
    for seat in range(s.players):
        if seat == pad.me:
            continue
        left = np.float64(s.hand_size - 2 * s.played[seat])
        part = 1.0
        if kind == KING:
            part = pad.king_place[seat]
        elif pad.passed[seat] >> kind & 1:
            part = pad.weights[PASSED]
        places -= left * (1.0 - part)
        if seats >> seat & 1:
            held += left * part
    chance, cards_out = 1.0, np.int64(pad.unseen[kind])
    if cards_out > 0 and pad.mates[kind] > 0 and kind != KING:
        with_mate = min(pad.weights[MATE_HOLDS], 1.0)
        first = max(0.0, (places - held) / places) if places > 0.0 else 0.0
        chance = with_mate + (1.0 - with_mate) * first
        cards_out -= 1
    for i in range(cards_out):
        if places - held - i <= 0.0:
            return 0.0
        chance *= (places - held - i) / (places - i)
    return chance


@kernel
def nobody_guards(s, pad, kind, seats):
    """The chance that none of the seats (bits) can guard the kind."""
    chance = none_of(s, pad, kind, seats)
    if GON < kind < KING:
        chance *= none_of(s, pad, np.int64(KING), seats)
    return chance


@kernel
def foresee(s, pad):
    """The chances of each kind: that it comes back as an attack, and that it is the next attack."""
    foes = np.int64(0b1010 if pad.me & 1 == 0 else 0b0101)
    for kind in range(1, KINDS + 1):
        pad.back[kind] = nobody_guards(s, pad, np.int64(kind), foes)
        pad.comes[kind] = pad.unseen[kind] / max(1.0, np.float64(pad.total))
        pad.comes[kind] *= 1.0 + pad.weights[REPEAT] * min(np.int64(pad.came[kind]), np.int64(2))
    if pad.free == 0:
        pad.comes[KING] *= 0.3


# ---- what hands are worth ------------------------------------------------------------------------------------------------


@kernel
def worth_out(pad, points):
    return 1.0 + pad.weights[POINT] * points


@kernel
def lowest(m):
    """The kind of the lowest bit of a set of kinds (as `bottoms` gives it)."""
    below = ((m & -m) - 1) & 0x11111111
    return (((below * 0x11111111) >> 28) & 15) + 1


@kernel
def guard_chance(pad, hand):
    """The chance that the hand can guard the next attack."""
    chance, m = 0.0, bottoms(hand)
    king = hand >> 28 != 0
    while m != 0:
        chance += pad.comes[lowest(m)]
        m &= m - 1
    if king:
        for kind in range(GON + 1, KING):
            if count(hand, kind) == 0:
                chance += pad.comes[kind]
    return chance


@kernel
def sureness(pad, hand):
    """How likely the cards of the hand come back as attacks, on average."""
    found = 0.0
    for kind in range(1, KINDS + 1):
        found += count(hand, kind) * pad.back[kind]
    return found / max(1, cards(hand))


@kernel
def two_left(pad, hand):
    """What two cards are worth while others play: if one guards, the other goes out."""
    first = lowest(bottoms(hand))
    second = lowest(bottoms(hand - card(first)))
    found = pad.comes[first] * worth_out(pad, POINTS[second])
    if first != second:
        found += pad.comes[second] * worth_out(pad, POINTS[first])
    if second == KING and first != KING:
        for kind in range(GON + 1, KING):
            if kind != first:
                found += pad.comes[kind] * worth_out(pad, POINTS[first])
    return found


@kernel
def hand_worth(pad, hand):
    """What a hand is worth while others play, beside the number of its cards."""
    n = cards(hand)
    kings = pad.weights[KINGS] * count(hand, KING)
    if n == 2:
        return pad.weights[GUARD] * two_left(pad, hand) + kings
    size = (n >> 1) - 1
    m, many = bottoms(hand), 0
    while m != 0:
        m &= m - 1
        many += 1
    pairs = 0
    for kind in range(2, KINDS):
        pairs += count(hand, kind) >> 1
    found = kings + pad.weights[PAIRS] * pairs + pad.weights[SHIS] * max(count(hand, SHI) - 1, 0)
    found += pad.weights[SPREAD] * many
    return (
        found + pad.weights[GUARD + size] * guard_chance(pad, hand) + pad.weights[SURE + size - 1] * sureness(pad, hand)
    )


@kernel
def lost_turn(pad, hand):
    """What the hand is worth when an opponent guarded its attack."""
    found = pad.weights[LOST + (cards(hand) >> 1) - 1] + hand_worth(pad, hand)
    if pad.foe <= 6:
        found += pad.weights[FOE + max((np.int64(pad.foe) >> 1) - 1, 0)]
    if 2 <= pad.mate <= 6:
        found += pad.weights[MATE + (np.int64(pad.mate) >> 1) - 1]
    return found


@kernel
def comes_back(pad, kind, again):
    """The chance that an attack comes back; ``again``: bits of kinds that have come back before it."""
    chance = pad.back[kind]
    if again >> kind & 1:
        chance += pad.weights[AGAIN] * (1.0 - chance)
    return min(1.0, chance)


@kernel
def lead_two(pad, hand):
    """The last two cards, with the turn: they go out."""
    first = lowest(bottoms(hand))
    second = lowest(bottoms(hand - card(first)))
    return worth_out(pad, POINTS[second] * (2 if first == second else 1))


@kernel
def may_king(pad, hand):
    return pad.free != 0 or hand >> 28 != 1


@kernel
def lead_four(pad, hand, again):
    """The best plan with four cards and the turn."""
    best, n = -9.0, bottoms(hand)
    while n != 0:
        attack = lowest(n)
        n &= n - 1
        if attack == KING and not may_king(pad, hand):
            continue
        chance = comes_back(pad, attack, again)
        rest = hand - card(attack)
        m = bottoms(rest)
        while m != 0:
            left = rest - card(lowest(m))
            m &= m - 1
            worth = chance * lead_two(pad, left) + (1.0 - chance) * lost_turn(pad, left)
            best = max(best, worth)
    return best


@kernel
def lead_six(pad, hand, again):
    """The best plan with six cards and the turn."""
    best, n = -9.0, bottoms(hand)
    while n != 0:
        attack = lowest(n)
        n &= n - 1
        if attack == KING and not may_king(pad, hand):
            continue
        chance = comes_back(pad, attack, again)
        rest = hand - card(attack)
        m = bottoms(rest)
        while m != 0:
            left = rest - card(lowest(m))
            m &= m - 1
            worth = (1.0 - chance) * lost_turn(pad, left)
            if chance > 0.05:
                worth += chance * lead_four(pad, left, again | 1 << attack)
            best = max(best, worth)
    return best


@kernel
def lead(pad, hand, again):
    n = cards(hand)
    if n == 2:
        return lead_two(pad, hand)
    if n == 4:
        return lead_four(pad, hand, again)
    return lead_six(pad, hand, again)


# ---- decisions -----------------------------------------------------------------------------------------------------------


@kernel
def play_worth(s, pad, a):
    """What a play is worth."""
    laid, attack = ((a - 1) >> 3) + 1, ((a - 1) & 7) + 1
    left = np.int64(s.hand[s.turn]) - card(laid) - card(attack)
    if left == 0:
        return worth_out(pad, POINTS[attack] * (2 if s.attack == 0 and laid == attack else 1))
    free = np.int64(pad.free)
    if attack == KING or (laid == KING and s.attack != 0):
        pad.free = 1
    chance = pad.back[attack]
    worth = (1.0 - chance) * lost_turn(pad, left)
    if chance > 0.0:
        worth += chance * lead(pad, left, 1 << attack)
    pad.free = free
    return worth


@kernel
def pass_worth(s, pad):
    """What it is worth to pass."""
    me, attacker, attack = np.int64(s.turn), np.int64(s.attacker), np.int64(s.attack)
    n = np.int64(s.players)
    left = np.int64(s.hand_size) - 2 * np.int64(s.played[attacker])
    size = (left >> 1) - 1
    own = hand_worth(pad, np.int64(s.hand[me]))
    behind, seat = np.int64(0), (me + 1) % n
    while seat != attacker:
        if (seat ^ attacker) & 1:
            behind |= 1 << seat
        seat = (seat + 1) % n
    chance = nobody_guards(s, pad, attack, behind)
    if (attacker ^ me) & 1 == 0:
        leads = pad.weights[MATE_LEADS + size]
        return chance * leads + (1.0 - chance) * pad.weights[MATE_STOPPED] + own
    chance = 1.0 - pad.weights[WILLING] * (1.0 - chance)
    if behind == 0:
        own += pad.weights[LAST_CHANCE]
    leads = -1.0 - 2.5 * pad.weights[POINT] - own if size == 0 else pad.weights[FOE_LEADS + size - 1]
    guards = pad.weights[MATE_GUARDS + max((np.int64(pad.mate) >> 1) - 2, 0)]
    return chance * leads + (1.0 - chance) * guards + own


@kernel
def word(s):
    """What to say about 市民."""
    hand = np.int64(s.start_hand[s.turn])
    if s.phase == ANNOUNCE:
        if count(hand, SHI) > 5:
            return np.int64(DECLARE)
        return np.int64(REDEAL if s.five_shi == HOLDER else SAY_FIVE)
    if count(hand, SHI) == 5:
        return np.int64(DECLARE)
    return np.int64(REDEAL)


@kernel
def worth_of(s, pad, a):
    """What an action is worth; the pad is filled."""
    return pass_worth(s, pad) if a == PASS else play_worth(s, pad, a)


@kernel
def advise(s, pad):
    """The action of the seat in turn; of equal ones the first in the law's order."""
    if s.phase == ANNOUNCE or s.phase == ANSWER:
        return word(s)
    n = np.int64(num_candidates(s))
    if n == 1:
        return np.int64(candidate_at(s, 0))
    look(s, pad)
    best, worth = np.int64(-1), -99.0
    for i in range(n):
        a = np.int64(candidate_at(s, i))
        if is_legal(s, a):
            w = worth_of(s, pad, a)
            if w > worth:
                best, worth = a, w
    return best


# ---- what others may be thought to hold ---------------------------------------------------------------------------------


@kernel
def log_chance(s, pad, a, sharpness):
    """The logarithm of the chance that this policy, softened, plays ``a``: as exp(sharpness * worth)."""
    look(s, pad)
    own, best, total = 0.0, -1e9, 0.0
    for i in range(num_candidates(s)):
        b = np.int64(candidate_at(s, i))
        if not is_legal(s, b):
            continue
        w = sharpness * worth_of(s, pad, b)
        if w > best:
            total *= math.exp(best - w)
            best = w
        total += math.exp(w - best)
        if b == a:
            own = w
    return own - best - math.log(total)


@kernel
def plausibility(s, t, player, pad, sharpness):
    """How likely the softened policy finds what the others played in the deal of ``s`` (a logarithm).

    ``s`` must be a record dealt anew for ``player`` (from 1): then its log holds this deal alone. ``t`` is a copy of it, on
    which the deal is played again.
    """
    reset(t)
    found = 0.0
    for i in range(s.log_length):
        a = np.int64(s.log[i])
        if a == LOG_DEAL:
            a = np.int64(s.deal[0])
        elif t.phase == PLAY and t.turn != player - 1 and num_candidates(t) > 1:
            found += log_chance(t, pad, a, sharpness)
        apply(t, a)
    return found
