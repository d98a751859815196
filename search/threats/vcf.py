"""Victory by continuous fours: the attacker threatens to win with every move, so the defender's replies are few.

Source: Allis, van den Herik, Huntjens, "Go-Moku and threat-space search" (1993); Thomsen, "Lambda-search in game
trees" (2000), order 1. A *winning move* ends the game at once with its player's win; a *four* is a legal move after which
its player would win at once if he could move again. A four counts only if the defender then has no winning move himself.

Without captures a four has one parry or none, so a win is a line of moves, and the search goes down and up one path. It
lays stones on the lines of the state only (and keeps side to move and ply right, so that the law can be asked what is
legal), which is several times quicker than playing moves. It relies on this: before an attack the attacker has no winning
cell, and the defender at most one, on which the attack then stands; so new winning cells lie on lines through the
stones just laid.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.bans import codes_at
from narabe.envs.rules.line.patterns import FOURS_SET, ROWS_SET, first_in, kind_of, next_in
from narabe.envs.rules.line.record import MAX_CELLS, Z_STONE
from narabe.envs.rules.line.stones import cell_on, flip_stone, line_of, stone_at
from narabe.envs.rules.line.words import lowest_bit
from narabe.envs.rules.lines import FOUR
from narabe.search.threats.desk import NONE, UNKNOWN, UNLIMITED, WON
from narabe.search.threats.fours import (
    MANY,
    NO_CELL,
    completion,
    completions,
    fours_on,
    two_completions,
    worth_of,
)
from narabe.search.threats.taking import descend
from narabe.search.threats.tries import CELL, DEPTH, MARK, REPLY, entry_of, failed, put

ONE = np.uint64(1)
EIGHT = np.uint64(8)
NEAR = np.uint64((1 << 13) - 1)
"""A search begins with the first entries of the table, which stay in the nearest caches,"""
TWO, GROW = np.uint64(2), np.uint64(4)
"""and takes 16 times as many when it has stored a quarter as many."""


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
    if plies < 1:
        return NONE
    if core.pairs_due(s, 1) != core.NEVER:
        found = descend(s, p, desk, table, np.int64(max_nodes), plies, np.int64(0), np.int64(0))
        if found == WON:
            desk.move = desk.line[0]
        else:
            desk.length = 0
        return found
    i = core.to_move(s) - 1
    row = first_in(p, i, ROWS_SET)
    if row >= 0:
        desk.line[0], desk.move, desk.length = row, row, 1
        return WON
    if plies < 3 or not begin(s, p, desk, i):
        return NONE
    found = _search(s, desk, table, i, np.int64(max_nodes), plies)
    sweep(desk)
    if found == WON:
        desk.move = desk.line[0]
    return found


@kernel
def begin(s, p, desk, i):
    """Set up level 0; False if there is nothing to try."""
    a = first_in(p, i, FOURS_SET)
    if a < 0:
        return False
    threat = first_in(p, 1 - i, ROWS_SET)
    if threat >= 0 and next_in(p, 1 - i, ROWS_SET, threat) >= 0:
        return False
    while a >= 0:
        r = (a * s.inverse) >> 16
        for d in range(4):
            if kind_of(p, i, a, d) >= FOUR:
                line, b = line_of(d, r, a - r * s.width)
                if desk.hot[line] == 0:
                    heat(desk, line, fours_on(s, i, line))
        a = next_in(p, i, FOURS_SET, a)
    desk.forced[0], desk.hash[0], desk.first[0] = threat, core.key(s), 0
    return True


@kernel
def heat(desk, line, word):
    """Set a line's word of fours."""
    desk.hot[line] = word
    bit = ONE << np.uint64(line & 63)
    if word != 0:
        desk.active[line >> 6] |= bit
    else:
        desk.active[line >> 6] &= ~bit


@kernel
def sweep(desk):
    for half in range(2):
        word = np.uint64(desk.active[half])
        while word != 0:
            desk.hot[half * 64 + lowest_bit(word)] = 0
            word &= word - ONE
        desk.active[half] = 0


# ---- the search -----------------------------------------------------------------------------------------------------


@kernel
def _search(s, desk, table, i, max_nodes, plies):
    """Depth first, by levels; a level is an attack and its reply."""
    whole = np.uint64(len(table) - 1)
    root = np.int64((np.uint64(desk.hash[0]) >> EIGHT) & whole)
    if failed(table[root], entry_of(np.uint64(desk.hash[0]), plies)):
        return NONE
    mask, stored = min(whole, NEAR), 0
    level, fresh = np.int64(0), True
    while True:
        left = plies - 2 * level
        start = np.int64(desk.first[level])
        key = np.uint64(desk.hash[level])
        if fresh:  # list what may be tried
            end, kept, cut = list_fours(s, desk, level, i), start, 0
            for k in range(start, end):
                a = np.int64(desk.tries[k])
                k0, k1, k2, k3 = codes_at(s, i, a)
                reply = completion(s, i, a, k0, k1, k2, k3)
                if reply == MANY or not may_reply(s, i, a, reply):
                    if core.is_legal(s, a) and conclude(s, desk, level, i, a):
                        unwind(s, desk, level, i)
                        return WON
                    continue
                if left < 5:
                    cut = 1
                    continue
                entry = entry_of(key_after(key, i, a, reply), left - 2)
                known = table[np.int64((entry >> EIGHT) & mask)]
                if failed(known, entry):
                    cut |= 0 if known & DEPTH == DEPTH else 1
                elif core.is_legal(s, a):
                    worth = worth_of(s, i, k0, k1, k2, k3)
                    put(desk, start, kept, a | reply << REPLY | worth << MARK)
                    kept += 1
            desk.first[level + 1], desk.next[level], desk.cut[level] = kept, start, cut
            fresh = False
        k = np.int64(desk.next[level])
        if k == desk.first[level + 1]:  # nothing more to try
            entry = entry_of(key, left if desk.cut[level] != 0 else np.int64(UNLIMITED))
            at = np.int64((entry >> EIGHT) & mask)
            if not failed(table[at], entry):
                table[at] = entry
                stored += 1
                if stored > mask >> TWO:
                    mask = min(mask << GROW | np.uint64(15), whole)
            if level == 0:
                if not failed(table[root], entry):
                    table[root] = entry
                return NONE
            level -= 1
            take_back(s, desk, level, i)
            desk.cut[level] |= desk.cut[level + 1]
            continue
        if desk.nodes >= max_nodes:
            unwind(s, desk, level, i)
            return UNKNOWN
        desk.next[level] = k + 1
        a, reply = np.int64(desk.tries[k]) & CELL, np.int64(desk.tries[k]) >> REPLY & CELL
        if advance(s, desk, level, i, a, reply):
            level += 1
            desk.hash[level] = key_after(key, i, a, reply)
            fresh = True


@kernel
def key_after(key, i, a, reply):
    """The key after an attack on ``a`` and its reply."""
    return key ^ Z_STONE[i * MAX_CELLS + a] ^ Z_STONE[(1 - i) * MAX_CELLS + reply]


@kernel
def flip(s, i, a):
    """Lay a stone on the lines, or lift it."""
    r = (a * s.inverse) >> 16
    flip_stone(s, i, r, a - r * s.width)


@kernel
def list_fours(s, desk, level, i):
    """Write the cells on which the attacker may make a four to ``desk.tries``; returns their end."""
    end = np.int64(desk.first[level])
    forced = np.int64(desk.forced[level])
    if forced >= 0:
        desk.tries[end] = forced
        return end + 1 if completions(s, i, forced) != NO_CELL else end
    desk.stamp += 1
    for half in range(2):
        lines = np.uint64(desk.active[half])
        while lines != 0:
            line = half * 64 + lowest_bit(lines)
            lines &= lines - ONE
            cells = np.uint64(desk.hot[line])
            while cells != 0:
                a = cell_on(s, line, lowest_bit(cells))
                cells &= cells - ONE
                if desk.stamps[a] != desk.stamp:
                    desk.stamps[a] = desk.stamp
                    desk.tries[end] = a
                    end += 1
    return end


@kernel
def may_reply(s, i, a, reply):
    """May the defender parry the four on ``a``? That stone is not laid yet."""
    bound = s.bound[1 - i] != 0
    if bound:
        flip(s, i, a)
    s.ply += 1
    s.mover = 2 - i
    may = core.is_legal(s, reply)
    s.mover = i + 1
    s.ply -= 1
    if bound:
        flip(s, i, a)
    return may


@kernel
def advance(s, desk, level, i, a, b):
    """Lay an attack and its reply; False (both lifted) if the reply makes a four that no four of the attacker's parries."""
    desk.nodes += 1
    flip(s, i, a)
    flip(s, 1 - i, b)
    threat = completions(s, 1 - i, b)
    if threat == MANY or threat >= 0 and completions(s, i, threat) == NO_CELL:
        flip(s, 1 - i, b)
        flip(s, i, a)
        return False
    s.ply += 2
    desk.attack[level], desk.reply[level], desk.forced[level + 1] = a, b, threat
    desk.old_active[2 * level], desk.old_active[2 * level + 1] = desk.active[0], desk.active[1]
    for stone in range(2):
        q = a if stone == 0 else b
        r = (q * s.inverse) >> 16
        for d in range(4):
            line, bit = line_of(d, r, q - r * s.width)
            old = np.int64(desk.hot[line])
            desk.old_hot[8 * level + 4 * stone + d] = old
            if stone == 0 or old != 0:  # a stone of the defender's makes no four of the attacker's
                new = fours_on(s, i, line)
                if new != old:
                    heat(desk, line, new)
    return True


@kernel
def take_back(s, desk, level, i):
    """Lift the attack and the reply of a level."""
    a, b = np.int64(desk.attack[level]), np.int64(desk.reply[level])
    flip(s, 1 - i, b)
    flip(s, i, a)
    s.ply -= 2
    for stone in range(1, -1, -1):
        q = a if stone == 0 else b
        r = (q * s.inverse) >> 16
        for d in range(4):
            line, bit = line_of(d, r, q - r * s.width)
            desk.hot[line] = desk.old_hot[8 * level + 4 * stone + d]
    desk.active[0], desk.active[1] = desk.old_active[2 * level], desk.old_active[2 * level + 1]


@kernel
def unwind(s, desk, level, i):
    """Lift all that the search has laid."""
    for k in range(level - 1, -1, -1):
        take_back(s, desk, k, i)


@kernel
def conclude(s, desk, level, i, a):
    """The four on ``a`` cannot be parried: write the line up to the win. False if no legal move is left, which draws."""
    desk.nodes += 1
    flip(s, i, a)
    s.ply += 1
    s.mover = 2 - i
    win, other = two_completions(s, i, a)
    reply = np.int64(NO_CELL)
    if other >= 0 and core.is_legal(s, other):
        reply = other
    else:
        for j in range(s.n_empty):
            q = np.int64(s.empties[j])
            if q != win and stone_at(s, q) == 0 and core.is_legal(s, q):
                reply = q
                break
    if reply < 0 and other >= 0 and core.is_legal(s, win):
        reply, win = win, other
    s.mover = i + 1
    s.ply -= 1
    flip(s, i, a)
    for k in range(level):
        desk.line[2 * k], desk.line[2 * k + 1] = desk.attack[k], desk.reply[k]
    desk.line[2 * level], desk.line[2 * level + 1], desk.line[2 * level + 2] = a, reply, win
    desk.length = 2 * level + 3
    return reply >= 0
