"""The search kernel: is the score of a position above a threshold? Alpha-beta with a null window, on a stack of its own.

The stack lies in arrays, so a search runs in slices: it stops after so many nodes and goes on where it was. Python
thereby stays in charge (progress, Ctrl-C, deadlines), and nothing is lost.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.search.gravity.bits import ONE, TWO, ZERO, canonical, completing, has_four, popcount
from narabe.search.gravity.table import (
    BUCKET, MISS, best_column, log2, look_up, lower_bound, packed, scramble, store, upper_bound,
)  # fmt: skip

HIGH, BITS, FULL, CELLS, FLOOR, FOLLOW, CYLINDER, HALF = range(8)
DEPTH, NODES, VALUE, DONE, THRESHOLD, PLIES = range(6)  # of the control array
NONE = np.int64(-64)


@kernel
def non_losing(own, taken, high, bits, full, cells, floor, cylinder):
    """Moves after which the opponent has no win at once, as a bitboard; the player to move has no win at once."""
    possible = (taken + floor) & cells
    theirs = completing(own ^ taken, high, bits, full, cylinder) & cells & ~taken
    forced = possible & theirs
    if forced != ZERO:
        if forced & (forced - ONE) != ZERO:
            return ZERO
        possible = forced
    return possible & ~(theirs >> ONE)


@kernel
def follower_holds(own, taken, high, bits, full, cells, floor, follow, cylinder):
    """Can the opponent keep the player to move from any four by always playing above them? (An even number is free.)"""
    free = cells & ~taken
    mine = own | (free & ~follow)
    if has_four(mine, high, bits, full, cylinder):
        return False
    shared = (taken + floor) & cells & follow
    if shared == ZERO or not has_four(mine | shared, high, bits, full, cylinder):
        return True
    one = shared & (~shared + ONE)
    other = shared ^ one
    if other & (other - ONE) != ZERO:
        return False
    return not has_four(mine | one, high, bits, full, cylinder) and not has_four(mine | other, high, bits, full, cylinder)


@kernel
def search(geometry, own, taken, bucket, rest, moves, worth, info, table, history, shift, symmetric, control, limit):
    """Go on with a search until it is done or ``limit`` nodes have been visited."""
    high, bits, full, cells = geometry[HIGH], geometry[BITS], geometry[FULL], geometry[CELLS]
    floor, follow, half = geometry[FLOOR], geometry[FOLLOW], geometry[HALF]
    cylinder = geometry[CYLINDER] != ZERO
    column = (ONE << high) - ONE
    width = np.int64(bits // high)
    total = popcount(cells)
    rest_mask = (ONE << shift) - ONE
    d, nodes = control[DEPTH], control[NODES]
    threshold, plies = control[THRESHOLD], control[PLIES]
    while nodes < limit:
        # ---- enter the position at depth d
        nodes += 1
        p, m = own[d], taken[d]
        k = plies + d
        alpha = threshold if d & 1 == 0 else -threshold - 1
        value = NONE
        possible = non_losing(p, m, high, bits, full, cells, floor, cylinder)
        top = (total - 1 - k) // 2
        if possible == ZERO:
            value = -((total - k) // 2)
        elif k >= total - 2:
            value = np.int64(0)
        elif top <= alpha:
            value = top
        elif -((total - 2 - k) // 2) > alpha:
            value = -((total - 2 - k) // 2)
        else:
            key = p + m
            if k < symmetric:
                key = canonical(key, width, high, bits, full, cylinder)
            key = scramble(key, half, full)
            b, r = np.int64(key >> shift) * BUCKET, key & rest_mask
            found = look_up(table, b, r)
            first = np.int64(-1)
            if found != MISS:
                low, up = lower_bound(found), upper_bound(found)
                if low > alpha:
                    value = low
                elif up <= alpha:
                    value = up
                first = best_column(found)
            if value == NONE and alpha >= 0 and (total - k) & 1 == 0:
                if follower_holds(p, m, high, bits, full, cells, floor, follow, cylinder):
                    value = np.int64(0)
            if value == NONE:
                n = 0
                bucket[d], rest[d] = b, r
                side = k & 1
                while possible != ZERO:
                    bit = possible & (~possible + ONE)
                    possible ^= bit
                    threats = completing(p | bit, high, bits, full, cylinder) & cells & ~(m | bit)
                    cell = popcount(bit - ONE)
                    score = (popcount(threats) << 32) + np.int64(history[side, cell])
                    moves[d, n] = bit
                    worth[d, n] = score
                    n += 1
                info[d, 0] = n
                info[d, 1] = 0
                info[d, 2] = NONE
                info[d, 3] = nodes
        # ---- go up while values are known, then down into the next move
        while True:
            if value != NONE:
                if d == 0:
                    control[DEPTH], control[NODES], control[VALUE], control[DONE] = 0, nodes, value, 1
                    return
                d -= 1
                value = -value
                k = plies + d
                alpha = threshold if d & 1 == 0 else -threshold - 1
                i = info[d, 1] - 1
                if value > info[d, 2]:
                    info[d, 2] = value
                    info[d, 4] = i
                if value > alpha or info[d, 1] == info[d, 0]:
                    value = info[d, 2]
                    _remember(table, history, moves[d], info[d], bucket[d], rest[d], value, alpha, high, k, total, nodes)
                    continue
            i = info[d, 1]
            n = info[d, 0]
            pick = i
            for j in range(i + 1, n):
                if worth[d, j] > worth[d, pick]:
                    pick = j
            bit = moves[d, pick]
            moves[d, pick] = moves[d, i]
            moves[d, i] = bit
            worth[d, pick] = worth[d, i]
            info[d, 1] = i + 1
            own[d + 1] = own[d] ^ taken[d]
            taken[d + 1] = taken[d] | bit
            d += 1
            break
    control[DEPTH], control[NODES] = d, nodes


@kernel
def _remember(table, history, moves, info, bucket, rest, value, alpha, high, k, total, nodes):
    low, up = -((total - 2 - k) // 2), (total - 1 - k) // 2
    old = look_up(table, bucket, rest)
    if old != MISS:
        low, up = max(low, lower_bound(old)), min(up, upper_bound(old))
    i = info[4]
    cell = popcount(moves[i] - ONE)
    if value > alpha:
        low = max(low, value)
        side = k & 1
        if i > 0:
            history[side, cell] += i
            for j in range(i):
                history[side, popcount(moves[j] - ONE)] -= 1
    else:
        up = min(up, value)
    store(table, bucket, rest, packed(low, up, cell // np.int64(high), log2(nodes - info[3] + 1)))
