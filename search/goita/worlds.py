"""Every action of a position at once, for searches in compiled code that look at many deals."""

from __future__ import annotations

from narabe.envs.rules.goita.hands import cards
from narabe.envs.rules.goita.record import PASS
from narabe.envs.rules.jit import kernel
from narabe.search.goita.actions import ACTIONS, attack_of, laid_of
from narabe.search.goita.bounds import NONE, TOP, rank_of_double, rank_of_last
from narabe.search.goita.descent import solve
from narabe.search.goita.moves import copy_position, make, write_moves
from narabe.search.goita.records import FRAMES


@kernel
def solve_actions(boxes, frames, table, limit, lows, highs):
    """Bounds of every action's value, as ranks for the turn's pair; whether all were settled within ``limit`` nodes.

    ``boxes``: a position as `descent.ask` has put it, left as it was but for its bounds and nodes; its turn must lead or be
    able to guard. ``lows``, ``highs``: int64[ACTIONS], filled; NONE where an action is not legal.
    """
    box, root = boxes[0], frames[FRAMES]
    copy_position(box, root)
    write_moves(root)
    for action in range(ACTIONS):
        lows[action] = highs[action] = NONE
    last = cards(root.hands[root.turn]) == 2
    settled = True
    box.nodes = 0
    for j in range(root.goita_count):
        action = root.moves[j]
        if last and action != PASS:
            lows[action] = highs[action] = rank_of_going_out(root, action)
            continue
        make(root, frames[0], action, box.burying)
        copy_position(frames[0], box)
        box.low, box.high, box.goita_depth = 0, TOP, -1
        settled = solve(boxes, frames, table, limit) and settled
        lows[action], highs[action] = box.low, box.high
        if (box.turn ^ root.turn) & 1:
            lows[action], highs[action] = TOP - box.high, TOP - box.low
    copy_position(root, box)
    box.low, box.high, box.goita_depth = 0, TOP, -1
    return settled


@kernel
def rank_of_going_out(frame, action):
    kind = 1 << (4 * (attack_of(action) - 1))
    if frame.attack == 0 and laid_of(action) == attack_of(action):
        return rank_of_double(kind)
    return rank_of_last(kind)
