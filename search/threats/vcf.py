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
from narabe.envs.rules.line.patterns import FOURS_SET, ROWS_SET, first_in, kind_of, next_in
from narabe.envs.rules.line.record import MAX_CELLS, Z_STONE
from narabe.envs.rules.line.stones import flip_stone, line_of, stone_at
from narabe.envs.rules.lines import FOUR
from narabe.search.threats.desk import NONE, UNKNOWN, UNLIMITED, WON
from narabe.search.threats.fours import (
    HALF,
    LOW,
    MANY,
    NO_CELL,
    cell_on,
    completions,
    fours_on,
    low_bit,
    two_completions,
)
from narabe.search.threats.taking import descend
from narabe.search.threats.tries import AT_ONCE, CELL, DEPTH, entry_of, failed, order

ONE = np.uint64(1)
FAILS, WINS, GOES_ON = 0, 1, 2  # what comes of an attack


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
    desk.attack[0] = NO_CELL
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
            desk.hot[half * 64 + low_bit(word)] = 0
            word &= word - ONE
        desk.active[half] = 0


# ---- the search -----------------------------------------------------------------------------------------------------


@kernel
def _search(s, desk, table, i, max_nodes, plies):
    """Depth first, by levels; a level is an attack and its reply."""
    mask = np.uint64(len(table) - 1)
    level = np.int64(0)
    expand(s, desk, level, i)
    desk.cut[0] = 0
    while True:
        k = np.int64(desk.next[level])
        if k == desk.first[level + 1]:  # nothing more to try
            left = plies - 2 * level
            entry = entry_of(np.uint64(desk.hash[level]), left if desk.cut[level] != 0 else np.int64(UNLIMITED))
            at = np.int64((entry >> np.uint64(8)) & mask)
            known = table[at]
            if known & ~DEPTH != entry & ~DEPTH or known & DEPTH < entry & DEPTH:
                table[at] = entry
            if level == 0:
                return NONE
            level -= 1
            take_back(s, desk, level, i)
            desk.cut[level] |= desk.cut[level + 1]
            continue
        if desk.nodes >= max_nodes:
            while level > 0:
                level -= 1
                take_back(s, desk, level, i)
            return UNKNOWN
        desk.next[level] = k + 1
        left = plies - 2 * level
        outcome = attack(s, desk, level, i, np.int64(desk.tries[k]) & CELL, left)
        if outcome == WINS:
            while level > 0:
                level -= 1
                take_back(s, desk, level, i)
            return WON
        if outcome == GOES_ON:
            entry = entry_of(np.uint64(desk.hash[level + 1]), left - 2)
            known = table[np.int64((entry >> np.uint64(8)) & mask)]
            if failed(known, entry):
                if known & DEPTH != DEPTH:
                    desk.cut[level] = 1
                lift(s, i, np.int64(desk.attack[level]))
                continue
            if answer(s, desk, level, i):
                level += 1
                desk.cut[level] = 0
                expand(s, desk, level, i)


@kernel
def flip(s, i, a):
    r = (a * s.inverse) >> 16
    flip_stone(s, i, r, a - r * s.width)


@kernel
def lift(s, i, a):
    flip(s, i, a)


@kernel
def attack(s, desk, level, i, a, left):
    """Lay the attack on ``a``. FAILS and WINS lift the stone again; GOES_ON: the reply is known, and the new key."""
    if not core.is_legal(s, a):
        return FAILS
    flip(s, i, a)
    reply = completions(s, i, a)
    if reply == NO_CELL:
        flip(s, i, a)
        return FAILS
    desk.nodes += 1
    desk.attack[level] = a
    s.ply += 1
    s.mover = 2 - i
    parried = reply >= 0 and core.is_legal(s, reply)
    outcome = GOES_ON
    if not parried:
        outcome = WINS if conclude(s, desk, level, i, a) else FAILS
    elif left < 5:
        desk.cut[level] = 1
        outcome = FAILS
    s.mover = i + 1
    s.ply -= 1
    if outcome != GOES_ON:
        flip(s, i, a)
        return outcome
    desk.reply[level] = reply
    desk.hash[level + 1] = (
        np.uint64(desk.hash[level]) ^ Z_STONE[i * MAX_CELLS + a] ^ Z_STONE[(1 - i) * MAX_CELLS + reply]
    )
    return GOES_ON


@kernel
def conclude(s, desk, level, i, a):
    """The four on ``a`` cannot be parried: write the line and the rest of it. False if the game is drawn."""
    first, second = two_completions(s, i, a)
    reply = first
    if second < 0 or not core.is_legal(s, reply):
        reply, second = np.int64(NO_CELL), first
        for j in range(s.n_empty):
            q = np.int64(s.empties[j])
            if stone_at(s, q) == 0 and core.is_legal(s, q):
                reply = q
                break
        if reply == first:
            first, second = two_completions(s, i, a)
    for k in range(level):
        desk.line[2 * k], desk.line[2 * k + 1] = desk.attack[k], desk.reply[k]
    desk.line[2 * level], desk.line[2 * level + 1], desk.line[2 * level + 2] = a, reply, second
    desk.length = 2 * level + 3
    return reply >= 0


@kernel
def answer(s, desk, level, i):
    """Lay the reply to the attack just laid, and bring the lines up to date; False (both lifted) if it makes two fours."""
    a, b = np.int64(desk.attack[level]), np.int64(desk.reply[level])
    flip(s, 1 - i, b)
    threat = completions(s, 1 - i, b)
    if threat == MANY:
        flip(s, 1 - i, b)
        flip(s, i, a)
        return False
    s.ply += 2
    desk.forced[level + 1] = threat
    desk.old_active[2 * level], desk.old_active[2 * level + 1] = desk.active[0], desk.active[1]
    for stone in range(2):
        q = a if stone == 0 else b
        r = (q * s.inverse) >> 16
        for d in range(4):
            line, bit = line_of(d, r, q - r * s.width)
            old = np.uint64(desk.hot[line])
            desk.old_hot[8 * level + 4 * stone + d] = old
            if stone == 0 or old != 0:
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
def expand(s, desk, level, i):
    """List what the attacker may try at a level, the best first."""
    start = np.int64(desk.first[level])
    end = start
    desk.next[level] = start
    forced = np.int64(desk.forced[level])
    if forced >= 0:
        r = (forced * s.inverse) >> 16
        for d in range(4):
            line, b = line_of(d, r, forced - r * s.width)
            if np.uint64(desk.hot[line]) >> np.uint64(b) & ONE:
                desk.tries[end] = forced
                end += 1
                break
        desk.first[level + 1] = end
        return
    desk.stamp += 1
    stamp = np.int64(desk.stamp)
    for half in range(2):
        lines = np.uint64(desk.active[half])
        while lines != 0:
            line = half * 64 + low_bit(lines)
            lines &= lines - ONE
            word = np.uint64(desk.hot[line])
            cells, twins = word & LOW, word >> HALF
            while cells != 0:
                b = low_bit(cells)
                a = cell_on(s, line, b)
                again = desk.stamps[a] == stamp
                if again or twins >> np.uint64(b) & ONE:
                    if again:  # it stands in the list already, maybe behind its mark
                        k = start
                        while np.int64(desk.tries[k]) & CELL != a:
                            k += 1
                        desk.tries[k] = a | AT_ONCE << 9
                    else:
                        desk.tries[end] = a | AT_ONCE << 9
                        end += 1
                elif not again:
                    desk.tries[end] = a
                    end += 1
                desk.stamps[a] = stamp
                cells &= cells - ONE
    desk.first[level + 1] = end
    if end > start + 1:
        order(s, desk, i, start, end)
