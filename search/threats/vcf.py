"""Victory by continuous fours: the attacker threatens to win with every move, so the defender's replies are few.

Source: Allis, van den Herik, Huntjens, "Go-Moku and threat-space search" (1993); Thomsen, "Lambda-search in game
trees" (2000), order 1. A *winning move* ends the game at once with its player's win; a *four* is a legal move after which
its player would win at once if he could move again. A four counts only if the defender then has no winning move himself.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import FOURS_SET, ROWS_SET, first_in, follow, next_in, step_back
from narabe.envs.rules.line.stones import captured_directions
from narabe.search.threats.desk import NONE, UNKNOWN, UNLIMITED, WON

DEPTH = np.uint64(255)  # low bits of an entry: plies within which the position has no win, 255 if it has none at all
NO_CELL = -1


@kernel
def find(s, p, desk, table, max_nodes, max_plies):
    """Has the side to move a victory by continuous fours? WON, NONE (there is none) or UNKNOWN (nodes spent).

    ``p``: patterns of ``s``; both are as before afterwards. ``desk`` (see `desk`) holds the line. ``table``: uint64, a power
    of two, of failures that is kept from call to call, also from game to game. ``max_nodes`` bounds the fours played,
    ``max_plies`` the length of the win, its last move included (`UNLIMITED`).
    """
    desk.nodes, desk.move, desk.length = 0, NO_CELL, 0
    if core.is_over(s):
        return NONE
    plies = min(np.int64(max_plies), np.int64(core.calm_plies(s)))
    found = _attack(s, p, desk, table, np.int64(max_nodes), plies, np.int64(0))
    if found == WON:
        desk.move = desk.line[0]
    return found


@kernel
def _entry(s, plies):
    depth = np.uint64(255) if plies >= UNLIMITED >> 1 else np.uint64(min(max(plies, 0), 254))
    return np.uint64(core.key(s)) & ~DEPTH | depth


@kernel
def _failed(table, entry):
    known = table[np.int64(entry >> np.uint64(8)) & (len(table) - 1)]
    return known & ~DEPTH == entry & ~DEPTH and known & DEPTH >= entry & DEPTH


@kernel
def _store(table, entry):
    at = np.int64(entry >> np.uint64(8)) & (len(table) - 1)
    if table[at] & ~DEPTH != entry & ~DEPTH or table[at] & DEPTH < entry & DEPTH:
        table[at] = entry


@kernel
def winning_cell(s, p, i, after):
    """The first cell above ``after`` on which colour ``i`` would win at once if it moved, else NO_CELL."""
    row = next_in(p, i, ROWS_SET, after)
    due = core.pairs_due(s, i + 1)
    if due == core.NEVER:
        return row
    turn = core.to_move(s) != i + 1
    if turn:
        core.hand_over(s)
    found = row
    for a in range(after + 1, core.num_actions(s) if row < 0 else row):
        if s.slot[a] >= 0:
            r = a // s.width
            taken, pairs = captured_directions(s, i, r, a - r * s.width), 0
            while taken != 0:
                taken &= taken - 1
                pairs += 1
            if pairs >= due and core.is_legal(s, a):
                found = np.int64(a)
                break
    if turn:
        core.hand_over(s)
    return found


@kernel
def parry(s, p, i, a, threat, pairs):
    """The first cell above ``a`` that may parry the attacker ``i``, who threatens to win on ``threat``; NO_CELL: no more.

    Without captures the one threatened cell, if it is alone; with captures every legal cell is tried.
    """
    if not pairs:
        if a >= threat or winning_cell(s, p, i, threat) >= 0 or not core.is_legal(s, threat):
            return np.int64(NO_CELL)
        return threat
    for q in range(a + 1, core.num_actions(s)):
        if core.is_legal(s, q):
            return np.int64(q)
    return np.int64(NO_CELL)


@kernel
def any_legal(s):
    for j in range(core.num_candidates(s)):
        if core.is_legal(s, core.candidate_at(s, j)):
            return np.int64(core.candidate_at(s, j))
    return np.int64(NO_CELL)


@kernel
def attempt(s, p, i, a, pairs):
    """The next cell above ``a`` that may be a four of colour ``i``; NO_CELL: no more."""
    if not pairs:
        return next_in(p, i, FOURS_SET, a)
    return np.int64(a + 1) if a + 1 < core.num_actions(s) else np.int64(NO_CELL)


@kernel
def _attack(s, p, desk, table, max_nodes, plies, depth):
    """The attacker is to move at ``depth`` plies from the root, and may use ``plies`` more."""
    if plies < 1:
        return NONE
    i = core.to_move(s) - 1
    wins = winning_cell(s, p, i, np.int64(-1))
    if wins >= 0:
        desk.line[depth] = wins
        desk.length = depth + 1
        return WON
    if plies < 3:
        return NONE
    entry = _entry(s, plies)
    if _failed(table, entry):
        return NONE
    pairs = core.pairs_due(s, 1) != core.NEVER
    result = NONE
    a = attempt(s, p, i, np.int64(-1), pairs)
    while a >= 0:
        if core.is_legal(s, a):
            core.apply(s, a)
            follow(s, p, a)
            answer = NONE
            threat = np.int64(NO_CELL)
            if not core.is_over(s) and winning_cell(s, p, 1 - i, np.int64(-1)) < 0:
                threat = winning_cell(s, p, i, np.int64(-1))
            if threat >= 0:
                desk.nodes += 1
                answer = WON if desk.nodes <= max_nodes else UNKNOWN
                desk.line[depth] = a
                desk.line[depth + 1], desk.line[depth + 2], desk.length = any_legal(s), threat, depth + 3
                reply = parry(s, p, i, np.int64(-1), threat, pairs)
                while reply >= 0 and answer == WON:
                    core.apply(s, reply)
                    follow(s, p, reply)
                    if core.is_over(s):
                        answer = NONE
                    elif winning_cell(s, p, i, np.int64(-1)) < 0:
                        desk.line[depth + 1] = reply
                        answer = _attack(s, p, desk, table, max_nodes, plies - 2, depth + 2)
                    elif desk.line[depth + 1] == reply:
                        desk.line[depth + 2] = winning_cell(s, p, i, np.int64(-1))
                    core.undo(s)
                    step_back(p)
                    if answer == WON:
                        reply = parry(s, p, i, reply, threat, pairs)
            core.undo(s)
            step_back(p)
            if answer == WON:
                return WON
            if answer == UNKNOWN:
                result = UNKNOWN
                if desk.nodes > max_nodes:
                    return UNKNOWN
        a = attempt(s, p, i, a, pairs)
    if result == NONE:
        _store(table, entry)
    return result
