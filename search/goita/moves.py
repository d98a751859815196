"""Moves of a frame, their order, and the frames that they lead to."""

from __future__ import annotations

from narabe.envs.rules.goita.hands import cards, count
from narabe.envs.rules.goita.record import KING, PASS
from narabe.envs.rules.jit import kernel
from narabe.search.goita.actions import action_of, attack_of, laid_of
from narabe.search.goita.hands import KINGS, can_guard


@kernel
def king_may_attack(hand, free):
    """May a king attack now, or with the card that stays after laying another?"""
    return free != 0 or (hand >> KINGS) >= 2 or cards(hand) == 2


@kernel
def add_attacks(frame, laid):
    """Write all attacks after laying one kind."""
    hand = frame.hands[frame.turn]
    rest = hand - (1 << (4 * (laid - 1)))
    n = frame.goita_count
    for kind in range(1, KING + 1):
        if count(rest, kind) == 0 or (kind == KING and not king_may_attack(hand, frame.free)):
            continue
        frame.moves[n] = action_of(laid, kind)
        n += 1
    frame.goita_count = n


@kernel
def write_moves(frame):
    """All legal moves of a frame whose turn leads or can guard."""
    hand, attack = frame.hands[frame.turn], frame.attack
    frame.goita_count = 0
    if attack == 0:
        for laid in range(1, KING + 1):
            if count(hand, laid) > 0:
                add_attacks(frame, laid)
        return
    if count(hand, attack) > 0:
        add_attacks(frame, attack)
    if 3 <= attack < KING and count(hand, KING) > 0:
        add_attacks(frame, KING)
    frame.moves[frame.goita_count] = PASS
    frame.goita_count += 1


@kernel
def copy_position(one, other):
    """From a box or frame to another."""
    for seat in range(4):
        other.hands[seat] = one.hands[seat]
    other.turn, other.attack, other.attacker, other.free = one.turn, one.attack, one.attacker, one.free


@kernel
def next_decision(frame, seat):
    """In a box or frame the turn comes to this seat: who is the first that can guard? If nobody can, the attacker leads."""
    for _ in range(4):
        if seat == frame.attacker:
            break
        if can_guard(frame.hands[seat], frame.attack):
            frame.turn = seat
            return
        seat = (seat + 1) & 3
    frame.turn = seat
    frame.attack = 0


@kernel
def make(frame, child, move, burying):
    """Write the frame after a move that does not go out."""
    for seat in range(4):
        child.hands[seat] = frame.hands[seat]
    turn = frame.turn
    child.free = frame.free
    if move == PASS:
        child.attack, child.attacker = frame.attack, frame.attacker
    else:
        laid, attack = laid_of(move), attack_of(move)
        hand = frame.hands[turn]
        child.hands[turn] = hand - (1 << (4 * (laid - 1))) - (1 << (4 * (attack - 1)))
        child.attack, child.attacker = attack, turn
        if attack == KING or (laid == KING and (frame.attack != 0 or (burying != 0 and hand >> KINGS == 2))):
            child.free = 1
    next_decision(child, (turn + 1) & 3)
