"""Moves of a frame, their order, and the frames that they lead to."""

from __future__ import annotations

from narabe.envs.rules.jit import kernel
from narabe.search.goita.hands import KING, KINGS, can_guard, cards_in, count_of
from narabe.search.goita.records import PASS


@kernel
def king_may_attack(hand, free):
    """May a king attack now, or with the card that stays after laying another?"""
    return free != 0 or (hand >> KINGS) >= 2 or cards_in(hand) == 2


@kernel
def add_attacks(frame, laid):
    """Write all attacks after laying one kind."""
    hand = frame.goita_frame[frame.turn]
    rest = hand - (1 << (4 * (laid - 1)))
    n = frame.count
    for kind in range(1, KING + 1):
        if count_of(rest, kind) == 0 or (kind == KING and not king_may_attack(hand, frame.free)):
            continue
        frame.moves[n] = 8 * (laid - 1) + kind - 1
        n += 1
    frame.count = n


@kernel
def write_moves(frame):
    """All legal moves of a frame whose turn leads or can guard."""
    hand, attack = frame.goita_frame[frame.turn], frame.attack
    frame.count = 0
    if attack == 0:
        for laid in range(1, KING + 1):
            if count_of(hand, laid) > 0:
                add_attacks(frame, laid)
        return
    if count_of(hand, attack) > 0:
        add_attacks(frame, attack)
    if 3 <= attack < KING and count_of(hand, KING) > 0:
        add_attacks(frame, KING)
    frame.moves[frame.count] = PASS
    frame.count += 1


@kernel
def next_decision(frame, seat):
    """The turn comes to this seat: who is the first that can guard? If nobody can, the attacker leads."""
    for _ in range(4):
        if seat == frame.attacker:
            break
        if can_guard(frame.goita_frame[seat], frame.attack):
            frame.turn = seat
            return
        seat = (seat + 1) & 3
    frame.turn = seat
    frame.attack = 0


@kernel
def make(frame, child, move, burying):
    """Write the frame after a move that does not go out."""
    for seat in range(4):
        child.goita_frame[seat] = frame.goita_frame[seat]
    turn = frame.turn
    child.free = frame.free
    if move == PASS:
        child.attack, child.attacker = frame.attack, frame.attacker
    else:
        laid, attack = (move >> 3) + 1, (move & 7) + 1
        hand = frame.goita_frame[turn]
        child.goita_frame[turn] = hand - (1 << (4 * (laid - 1))) - (1 << (4 * (attack - 1)))
        child.attack, child.attacker = attack, turn
        if attack == KING or (laid == KING and (frame.attack != 0 or (burying != 0 and hand >> KINGS == 2))):
            child.free = 1
    next_decision(child, (turn + 1) & 3)
