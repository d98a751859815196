"""Threat-space search: sequences of threats in which each rests on the one before, whatever the order of replies.

Source: Allis, van den Herik, Huntjens, "Go-Moku and threat-space search" (1993); dependency-based search: Allis, "Searching for
solutions in games and artificial intelligence" (1994), chapter 6. A threat lays its gain and all its costs, as if the
defender could give every reply at once. The *dependency stage* goes on from a threat only with threats that rest on its
gain. The *combination stage* joins two sequences where a threat rests on the last gain of each. So sequences that have
nothing to do with each other are never mixed, and the search stays small where a tree of moves would explode.

The price: fours of the defender are not looked at, nor threats that rest on three sequences at once. What is found is a
*candidate*, to be confirmed by a search that knows the defender's freedom; what is not found may be there all the same.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import (
    ONE_WORD,
    ROWS_SET,
    THREES_SET,
    WORDS,
    first_in,
    kind_of,
    next_in,
    read,
)
from narabe.envs.rules.line.record import LINES, MAX_CELLS, Z_STONE
from narabe.envs.rules.line.stones import line_of
from narabe.envs.rules.lines import CLASS, FOUR, KIND, ROW, THREE, TWIN_FOUR, line_code
from narabe.search.threats.desk import NONE, UNKNOWN, WON
from narabe.search.threats.spaces_desk import COSTS, LENGTH, NO_NODE, NODES, SEEN
from narabe.search.threats.spaces_stones import NO_THREAT, lay, lift, step_of


@kernel
def search(states, patterns, desks, most_found, most_work):
    """Sequences of threats of the side to move that win unless the defender has something of his own, at most ``most_found``.

    WON (they are in the desk), NONE (all was looked at), or UNKNOWN (room or work did not suffice). States: arrays of one
    record, as before afterwards; patterns are read anew.
    """
    s, p, desk = states[0], patterns[0], desks[0]
    desk.attacker = core.to_move(s) - 1
    desk.work, desk.most_work, desk.cut, desk.n_nodes = 0, most_work, 0, 0
    desk.n_path, desk.n_found, desk.most_found = 0, 0, most_found
    if core.is_over(s):
        return NONE
    read(s, p)
    for k in range(SEEN):
        desk.seen[k] = 0
    for a in range(MAX_CELLS):
        desk.newest[a] = NO_NODE
    if _plant(s, p, desk):
        _grow(s, p, desk)
    return WON if desk.n_found > 0 else UNKNOWN if desk.cut > 0 else NONE


@kernel
def _full(desk):
    if desk.work > desk.most_work or desk.n_nodes >= NODES:
        desk.cut += 1
        return True
    return desk.n_found >= desk.most_found


@kernel
def _plant(s, p, desk):
    """The root: nothing, or the threat that also parries what the defender threatens; False if the search is over."""
    i = np.int64(desk.attacker)
    forced = np.int64(-1)
    if first_in(p, i, ROWS_SET) < 0:
        forced = first_in(p, 1 - i, ROWS_SET)
    if forced < 0:
        _keep(s, desk, np.int64(-1), np.int64(0), np.int64(0))
        return True
    if next_in(p, 1 - i, ROWS_SET, forced) >= 0:
        return False
    if _is_goal(s, p, i, forced):
        _report(desk, forced)
        return False
    best = 0
    for d in range(1, 4):
        if kind_of(p, i, forced, d) > kind_of(p, i, forced, best):
            best = d
    n = lay(s, p, desk, forced, best)
    if n == NO_THREAT:
        return False
    if n == 0:
        _report(desk, forced)
    else:
        _keep(s, desk, forced, best, n)
    lift(s, p, n)
    return n > 0


@kernel
def _grow(s, p, desk):
    """Dependency stages and combination stages in turn, until nothing new comes."""
    done, joined = np.int64(0), np.int64(1)
    while True:
        while done < desk.n_nodes:
            if _full(desk):
                return
            _depend(s, p, desk, done)
            done += 1
        while joined < done:
            if _full(desk):
                return
            _combine(s, p, desk, joined)
            joined += 1
        if done == desk.n_nodes:
            return


@kernel
def _depend(s, p, desk, node):
    """Everything that rests on the last gain of a node; at the root, every threat there is."""
    _lay_all(s, p, desk, node)
    i = np.int64(desk.attacker)
    if node == 0:
        for level in range(ROWS_SET, THREES_SET - 1, -1):
            a = first_in(p, i, level)
            while a >= 0:
                for d in range(4):
                    if kind_of(p, i, a, d) >= THREE:
                        _try(s, p, desk, a, d)
                a = next_in(p, i, level, a)
    else:
        g = np.int64(desk.gain[node])
        for d in range(4):
            _along(s, p, desk, g, g, d)
    _lift_all(s, p, desk, np.int64(0))


@kernel
def _along(s, p, desk, g, h, d):
    """Try the threats on one line that rest both on ``g`` and on ``h``."""
    i = np.int64(desk.attacker)
    r = (g * s.inverse) >> 16
    line, b = line_of(d, r, g - r * s.width)
    step, plane = step_of(s, d), np.int64(s.rule[i])
    other = b + (h - g) // step
    for side in range(2):
        for j in range(1, s.row):
            e = b + j if side == 0 else b - j
            own = np.int64(s.lines[i * LINES + line])
            block = np.int64(s.lines[(1 - i) * LINES + line]) | np.int64(s.wall[line])
            if block >> e & 1:
                break
            if own >> e & 1:
                continue
            a = g + (e - b) * step
            kind = kind_of(p, i, a, d)
            if kind < THREE or np.int64(CLASS[plane + line_code(own & ~(np.int64(1) << b), block, e)]) >> KIND >= kind:
                continue
            if h != g:
                if np.int64(CLASS[plane + line_code(own & ~(np.int64(1) << other), block, e)]) >> KIND >= kind:
                    continue
            _try(s, p, desk, a, d)


@kernel
def _is_goal(s, p, i, a):
    """Does a stone on ``a`` win, or make fours that no single stone parries?"""
    fours, best = 0, 0
    for d in range(4):
        kind = kind_of(p, i, a, d)
        best = max(best, kind)
        fours += kind >= FOUR
    return (best == ROW or best == TWIN_FOUR or fours > 1) and core.is_legal(s, a)


@kernel
def _try(s, p, desk, a, d):
    """A threat after those on the board: a goal, a new node, or nothing."""
    if desk.n_found >= desk.most_found or desk.n_path >= LENGTH:
        return
    if _is_goal(s, p, np.int64(desk.attacker), a):
        _report(desk, a)
        return
    n = lay(s, p, desk, a, d)
    if n == NO_THREAT:
        return
    if n == 0:
        _report(desk, a)
    else:
        _keep(s, desk, a, d, n)
    lift(s, p, n)


@kernel
def _report(desk, a):
    """A sequence that wins: what lies on the board, and a last gain. One of those that differ in that gain only is enough."""
    n = np.int64(desk.n_path)
    for k in range(desk.n_found):
        same = desk.found_length[k] == n
        for j in range(n):
            same = same and desk.found[k * LENGTH + j] == desk.path[j]
        if same:
            return
    k = np.int64(desk.n_found)
    for j in range(n):
        desk.found[k * LENGTH + j] = desk.path[j]
    desk.found_length[k], desk.found_gain[k] = n, a
    desk.n_found = k + 1


@kernel
def _keep(s, desk, a, d, n):
    """Make a node of what lies on the board and the threat just laid, unless there is one like it."""
    node = np.int64(desk.n_nodes)
    if node >= NODES:
        desk.cut += 1
        return
    if desk.n_path >= LENGTH:
        return
    at = node * WORDS
    for k in range(WORDS):
        gains, costs = np.uint64(0), np.uint64(0)
        for j in range(desk.n_path):
            before = np.int64(desk.path[j])
            gains |= desk.gains_of[before * WORDS + k]
            costs |= desk.costs_of[before * WORDS + k]
        desk.gains_of[at + k], desk.costs_of[at + k] = gains, costs
    if a >= 0:
        desk.gains_of[at + (a >> 6)] |= ONE_WORD << np.uint64(a & 63)
        for k in range(n):
            cell = np.int64(desk.cost[k])
            desk.costs_of[at + (cell >> 6)] |= ONE_WORD << np.uint64(cell & 63)
        if not _is_new(s, desk, a):
            return
    desk.gain[node], desk.direction[node], desk.n_costs[node] = a, d, n
    for k in range(n):
        desk.costs[node * COSTS + k] = desk.cost[k]
    length = np.int64(desk.n_path)
    for j in range(length):
        desk.sequence[node * LENGTH + j] = desk.path[j]
    if a >= 0:
        desk.sequence[node * LENGTH + length] = node
        length += 1
        desk.older[node] = desk.newest[a]
        desk.newest[a] = node
    desk.length[node] = length
    desk.n_nodes = node + 1


@kernel
def _is_new(s, desk, a):
    """Has the position with this last gain not been seen? From now on it has. Its stones are on the board."""
    key = np.uint64(core.key(s)) ^ Z_STONE[(1 - np.int64(desk.attacker)) * MAX_CELLS + a]  # on the gain, both colours
    at = np.int64((key >> np.uint64(20)) & np.uint64(SEEN - 1))
    while desk.seen[at] != 0:
        if desk.seen[at] == key:
            return False
        at = (at + 1) & (SEEN - 1)
    desk.seen[at] = key
    return True


# ---- the combination stage ------------------------------------------------------------------------------------------


@kernel
def _combine(s, p, desk, node):
    """Join a node with the older ones whose last gain lies on a line with its own."""
    _lay_all(s, p, desk, node)
    n = np.int64(desk.n_path)
    g = np.int64(desk.gain[node])
    r = (g * s.inverse) >> 16
    for d in range(4):
        line, b = line_of(d, r, g - r * s.width)
        step, wall = step_of(s, d), np.int64(s.wall[line])
        for side in range(2):
            for j in range(1, s.row):
                e = b + j if side == 0 else b - j
                if wall >> e & 1:
                    break
                h = g + (e - b) * step
                other = np.int64(desk.newest[h])
                while other >= 0:
                    if other < node:
                        if _full(desk):
                            _lift_all(s, p, desk, np.int64(0))
                            return
                        desk.work += 1
                        if not _conflict(desk, node, other):
                            if _lay_more(s, p, desk, other) and desk.n_path > n:
                                _along(s, p, desk, g, h, d)
                            _lift_all(s, p, desk, n)
                    other = np.int64(desk.older[other])
    _lift_all(s, p, desk, np.int64(0))


@kernel
def _conflict(desk, x, y):
    """Does one sequence cost what the other gains?"""
    for k in range(WORDS):
        if desk.gains_of[x * WORDS + k] & desk.costs_of[y * WORDS + k]:
            return True
        if desk.costs_of[x * WORDS + k] & desk.gains_of[y * WORDS + k]:
            return True
    return False


@kernel
def _lay_all(s, p, desk, node):
    """Lay the sequence of a node on the empty path: it was laid before, so it can be."""
    for k in range(desk.length[node]):
        threat = np.int64(desk.sequence[node * LENGTH + k])
        lay(s, p, desk, np.int64(desk.gain[threat]), np.int64(desk.direction[threat]))
        desk.path[desk.n_path] = threat
        desk.n_path += 1


@kernel
def _lay_more(s, p, desk, node):
    """Lay what the sequence of a node has beyond the path; False if a threat of it is not what it was."""
    for k in range(desk.length[node]):
        threat = np.int64(desk.sequence[node * LENGTH + k])
        if _has(desk, threat):
            continue
        if desk.n_path >= LENGTH:
            return False
        n = lay(s, p, desk, np.int64(desk.gain[threat]), np.int64(desk.direction[threat]))
        if n == NO_THREAT:
            return False
        same = n == desk.n_costs[threat]
        for j in range(n):
            same = same and desk.cost[j] == desk.costs[threat * COSTS + j]
        if not same:
            lift(s, p, n)
            return False
        desk.path[desk.n_path] = threat
        desk.n_path += 1
    return True


@kernel
def _has(desk, threat):
    """Is the same threat on the path already, be it as another node?"""
    for k in range(desk.n_path):
        other = np.int64(desk.path[k])
        if other == threat:
            return True
        if desk.gain[other] == desk.gain[threat] and desk.n_costs[other] == desk.n_costs[threat]:
            same = True
            for j in range(desk.n_costs[threat]):
                same = same and desk.costs[other * COSTS + j] == desk.costs[threat * COSTS + j]
            if same:
                return True
    return False


@kernel
def _lift_all(s, p, desk, n):
    """Take threats off the board until ``n`` are left."""
    while desk.n_path > n:
        desk.n_path -= 1
        lift(s, p, np.int64(desk.n_costs[desk.path[desk.n_path]]))
