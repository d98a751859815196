"""The search kernel: alpha-beta with null windows, on a stack of its own, until the value is known or a limit is reached.

Only decisions are nodes: seats that cannot guard are passed over, and every deal ends above the last node, since two cards
left are one play. The stack lies in arrays, so a search stops after so many nodes and goes on where it was.
"""

from __future__ import annotations

from narabe.envs.rules.goita.hands import cards, count
from narabe.envs.rules.goita.record import KING, PASS
from narabe.envs.rules.jit import kernel
from narabe.search.goita.actions import ACTIONS, attack_of
from narabe.search.goita.bounds import NONE, TOP, WIN, reach, run
from narabe.search.goita.hands import KINGS, guarded_by
from narabe.search.goita.keys import head_of, squeezed, swap_action, swap_hands, swap_kind, swaps_of, two_hands
from narabe.search.goita.moves import copy_position, make, next_decision, write_moves
from narabe.search.goita.table import (
    BUCKET,
    MISS,
    TAIL_BITS,
    UNKNOWN,
    best_move,
    bucket_of,
    log2,
    look_up,
    lower_bound,
    packed,
    rest_of,
    scramble,
    store,
    upper_bound,
)

DEAR = 1 << 40


@kernel
def at_once(frame):
    """A rank that the turn can force at once, by going out or by attacks that come back; NONE if there is none.

    With two cards left and the lead it is the value.
    """
    turn, attack, hands = frame.turn, frame.attack, frame.hands
    hand = hands[turn]
    guarded = guarded_by(hands[(turn + 1) & 3]) | guarded_by(hands[(turn + 3) & 3])
    if attack == 0:
        return run(hand, guarded, frame.free != 0)
    found = NONE
    if count(hand, attack) > 0:
        free = frame.free != 0 or (hand >> KINGS) >= 2
        found = run(hand - (1 << (4 * (attack - 1))), guarded, free)
    if 3 <= attack < KING and hand >> KINGS != 0:
        found = max(found, run(hand - (1 << KINGS), guarded, True))
    return found


@kernel
def find_key(frame, mode, shift):
    """Write where the table holds the frame's position."""
    turn, hands = frame.turn, frame.hands
    one = two_hands(hands[turn], hands[(turn + 1) & 3])
    two = two_hands(hands[(turn + 2) & 3], hands[(turn + 3) & 3])
    swaps = swaps_of(one, two, frame.attack)
    one, two = swap_hands(one, swaps), swap_hands(two, swaps)
    behind = (frame.attacker - turn) & 3 if frame.attack != 0 else 0
    head = head_of(one, swap_kind(frame.attack, swaps), behind, frame.free, mode)
    code = scramble(head, squeezed(two))
    frame.swaps, frame.head = swaps, head
    frame.bucket, frame.rest = bucket_of(code, shift), rest_of(code, shift)


@kernel
def rank_moves(box, frame, hint):
    """How much each move promises: the table's best move first, then what has been good enough before."""
    turn = frame.turn
    hands = frame.hands
    guarded = guarded_by(hands[(turn + 1) & 3]) | guarded_by(hands[(turn + 3) & 3])
    for j in range(frame.goita_count):
        move = frame.moves[j]
        worth = box.history[turn * ACTIONS + move]
        if move == hint:
            worth += DEAR
        if move == PASS:
            if (frame.attacker ^ turn) & 1 == 0:
                worth += 1 << 30
        elif (guarded >> (4 * (attack_of(move) - 1))) & 1 == 0:
            worth += 1 << 20
        frame.worth[j] = worth


@kernel
def enter(box, frame, table, goal, shift):
    """A rank that settles the question without a search, or NONE with the moves written."""
    found = at_once(frame)
    hands, turn = frame.hands, frame.turn
    held = cards(hands[turn])
    if found >= goal or (held == 2 and frame.attack == 0):
        return found
    if not box.win:
        top = max(reach(hands[turn]), reach(hands[(turn + 2) & 3]))
        if top < goal:
            return top
        bottom = TOP - max(reach(hands[(turn + 1) & 3]), reach(hands[(turn + 3) & 3]))
        if bottom >= goal:
            return bottom
    find_key(frame, 2 * box.burying + box.win, shift)
    known = look_up(table, frame.bucket, frame.head, frame.rest)
    hint = UNKNOWN
    if known != MISS:
        if lower_bound(known) >= goal:
            return lower_bound(known)
        if upper_bound(known) < goal:
            return upper_bound(known)
        hint = swap_action(best_move(known), frame.swaps)
    frame.best, frame.choice, frame.next, frame.since = found, UNKNOWN, 0, box.nodes
    if held == 2:
        frame.moves[0], frame.worth[0], frame.goita_count = PASS, 0, 1
    else:
        write_moves(frame)
        rank_moves(box, frame, hint)
    return NONE


@kernel
def remember(box, frame, table, value, goal):
    """Store what a finished position's search has shown, together with what the table knew of it."""
    low, high = 0, TOP
    old = look_up(table, frame.bucket, frame.head, frame.rest)
    if old != MISS:
        low, high = lower_bound(old), upper_bound(old)
    if value >= goal:
        low = max(low, value)
    else:
        high = min(high, value)
    work = log2(box.nodes - frame.since + 1)
    store(table, frame.bucket, frame.head, frame.rest, packed(low, high, swap_action(frame.choice, frame.swaps), work))


@kernel
def praise(box, frame):
    """A move was good enough: others that are like it come earlier from now on."""
    turn = frame.turn
    held = cards(frame.hands[turn])
    at = turn * ACTIONS + frame.now
    box.history[at] += held * held
    if box.history[at] > 1 << 19:
        for j in range(4 * ACTIONS):
            box.history[j] >>= 1


@kernel
def pick_best(frame):
    """The most promising of the moves not entered yet; it changes places with the next one."""
    moves, worth, i = frame.moves, frame.worth, frame.next
    pick = i
    for j in range(i + 1, frame.goita_count):
        if worth[j] > worth[pick]:
            pick = j
    move = moves[pick]
    moves[pick], worth[pick] = moves[i], worth[i]
    moves[i] = move
    frame.next = i + 1
    frame.now = move
    return move


@kernel
def bound(box, frames, table, shift, limit):
    """Go on with one question, "is the value ``box.threshold`` or more?"; the answer as a bound, or NONE at the limit."""
    d, pair = box.goita_depth, box.turn & 1
    while box.nodes < limit:
        box.nodes += 1
        frame = frames[d]
        goal = box.threshold if frame.turn & 1 == pair else TOP + 1 - box.threshold
        value = enter(box, frame, table, goal, shift)
        while value != NONE:  # go up
            if d == 0:
                box.goita_depth = -1
                return value
            below = frame.turn
            d -= 1
            frame = frames[d]
            goal = box.threshold if frame.turn & 1 == pair else TOP + 1 - box.threshold
            if (below ^ frame.turn) & 1:
                value = TOP - value
            if value > frame.best:
                frame.best, frame.choice = value, frame.now
            if value >= goal:
                praise(box, frame)
            elif frame.next < frame.goita_count:
                break
            value = frame.best
            remember(box, frame, table, value, goal)
        move = pick_best(frame)
        make(frame, frames[d + 1], move, box.burying)
        d += 1
    box.goita_depth = d
    return NONE


@kernel
def next_threshold(low, high):
    """Where to ask next, from low + 1 to high: who wins first, then about the middle."""
    if low < WIN <= high:
        return WIN
    return (low + high + 1) >> 1


@kernel
def shift_of(table):
    """Bits of the rest of a tail, for a table of so many entries."""
    return TAIL_BITS - log2(table.shape[0] // (2 * BUCKET))


@kernel
def settled(box):
    return box.low >= box.high or (box.win != 0 and (box.low >= WIN or box.high < WIN))


@kernel
def solve(boxes, frames, table, limit):
    """Narrow the bounds of the position in the first box until they meet (or tell who wins) or it has ``limit`` nodes.

    ``boxes``: one BOX; ``frames``: FRAMES of FRAME; ``table``: uint64. Returns whether the question is settled.
    """
    box = boxes[0]
    shift = shift_of(table)
    while not settled(box):
        if box.goita_depth < 0:
            box.threshold = next_threshold(box.low, box.high)
            box.goita_depth = 0
            copy_position(box, frames[0])
        value = bound(box, frames, table, shift, limit)
        if value == NONE:
            return False
        if value >= box.threshold:
            box.low = max(box.low, value)
        else:
            box.high = min(box.high, value)
    return True


@kernel
def ask(boxes, hand0, hand1, hand2, hand3, turn, attack, attacker, free, burying, win):
    """Put a position in the first box; whether its next decision is one of the other pair, whose value is then sought.

    Hands as in `hands`; ``attack``: kind to be guarded, 0: the turn leads; ``free``, ``burying``, ``win``: as in BOX.
    """
    box = boxes[0]
    box.hands[0], box.hands[1], box.hands[2], box.hands[3] = hand0, hand1, hand2, hand3
    box.turn, box.attack, box.attacker = turn, attack, attacker
    box.free, box.burying, box.win = free, burying, win
    box.low, box.high, box.goita_depth, box.nodes = 0, TOP, -1, 0
    if attack != 0:
        next_decision(box, turn)
    return (box.turn ^ turn) & 1
