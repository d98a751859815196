"""The search kernel: is the score of a position above a threshold? Alpha-beta with a null window, on a stack of its own.

The stack lies in arrays, so a search runs in slices: it stops after so many nodes and goes on where it was. Python
thereby stays in charge (progress, Ctrl-C, deadlines), and nothing is lost.

Every position entered is one where the player to move has no win at once; `left` is the number of free cells. A score is
0 for a draw, k for a win with k - 1 own stones to spare, -k for such a loss.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.search.gravity.bits import ONE, ZERO, canonical, completing, has_four, popcount
from narabe.search.gravity.table import (
    BUCKET,
    MISS,
    log2,
    look_up,
    lower_bound,
    packed,
    scramble,
    store,
    upper_bound,
)

MOST_COLUMNS = 32
GEOMETRY = np.dtype(
    [
        ("gravity_high", np.uint64),  # bits a column
        ("bits", np.uint64),  # of the board
        ("full", np.uint64),  # a mask of so many bits
        ("cells", np.uint64),  # all cells
        ("floor", np.uint64),  # the bottom row
        ("follow", np.uint64),  # the cells an even number of rows below the top
        ("half", np.uint64),  # half the bits, rounded up
        ("shift", np.uint64),  # bits of a key that an entry of the table holds
        ("cylinder", np.int64),
        ("symmetric", np.int64),  # a position with as many free cells is looked up by its canonical key
        ("order", np.int64, (64,)),  # by cell: which of two moves with as many threats comes first
    ]
)
DEPTH, NODES, VALUE, DONE, THRESHOLD, LEFT = range(6)
"""Of the control array, all int64: depth now, nodes so far, the answer, 1 when there is one, the question, and the free
cells of the position asked about."""
CONTROLS = 6
NONE = np.int64(-64)
FEW = np.int64(9)
"""With so few free cells a position is searched without the table: looking it up would take longer, and push out others."""

FRAME = np.dtype(
    [
        ("gravity_own", np.uint64),  # stones of the player to move
        ("taken", np.uint64),  # all stones
        ("bucket", np.int64),  # where the table holds the position
        ("rest", np.uint64),
        ("count", np.int64),  # moves
        ("next", np.int64),  # the next one to enter
        ("best", np.int64),  # the best value so far
        ("since", np.int64),  # nodes when the position was entered
        ("moves", np.uint64, (MOST_COLUMNS,)),
        ("worth", np.int64, (MOST_COLUMNS,)),
    ]
)


@kernel
def non_losing(g, own, taken):
    """Moves after which the opponent has no win at once, as a bitboard; the player to move has no win at once."""
    possible = (taken + g.floor) & g.cells
    theirs = completing(own ^ taken, g.gravity_high, g.bits, g.full, g.cylinder != 0) & g.cells & ~taken
    forced = possible & theirs
    if forced != ZERO:
        if forced & (forced - ONE) != ZERO:
            return ZERO
        possible = forced
    return possible & ~(theirs >> ONE)


@kernel
def four(g, stones):
    return has_four(stones, g.gravity_high, g.bits, g.full, g.cylinder != 0)


@kernel
def follower_holds(g, own, taken):
    """With an even number of free cells: can the opponent, playing always above the last stone, keep off every four?

    He answers in the same column, or, if that is full or the stone took the lowest cell of a column with an odd number
    of free cells, in another such column. So he gets every free cell an even number of rows below the top, except that
    the *shared* ones, the lowest of those columns, are divided; we look at up to two of them.
    """
    mine = own | (g.cells & ~taken & ~g.follow)
    if four(g, mine):
        return False
    shared = (taken + g.floor) & g.cells & g.follow
    if shared == ZERO or not four(g, mine | shared):
        return True
    one = shared & (~shared + ONE)
    other = shared ^ one
    return other & (other - ONE) == ZERO and not four(g, mine | one) and not four(g, mine | other)


@kernel
def follower_wins(g, own, taken):
    """As `follower_holds`: will the opponent besides have a four once the board is full? (Shared cells: all to us.)"""
    free = g.cells & ~taken
    shared = (taken + g.floor) & free & g.follow
    theirs = (own ^ taken) | (free & g.follow & ~shared)
    return four(g, theirs) and not four(g, own | (free & ~g.follow) | shared)


@kernel
def at_a_glance(left, alpha, possible):
    """The value of a position, or a bound that answers the question, from the free cells alone; else NONE."""
    if possible == ZERO:
        return -(left // 2)
    if left <= 2:
        return np.int64(0)
    if (left - 1) // 2 <= alpha:
        return (left - 1) // 2
    if -((left - 2) // 2) > alpha:
        return -((left - 2) // 2)
    return NONE


@kernel
def by_parity(g, own, taken, left, alpha):
    """A bound that answers the question because the opponent can play above every stone; else NONE."""
    if left & 1 == 0:
        if alpha >= 0 and follower_holds(g, own, taken):
            return np.int64(0)
        if alpha == -1 and follower_wins(g, own, taken):
            return np.int64(-1)
    return NONE


@kernel
def code_of(g, own, taken, left):
    """The scrambled key of a position: its upper part names the bucket, its lower part is the rest."""
    key = own + taken
    if left >= g.symmetric:
        key = canonical(key, np.int64(g.bits // g.gravity_high), g.gravity_high, g.bits, g.full, g.cylinder != 0)
    return scramble(key, g.half, g.full)


@kernel
def bucket_of(g, code):
    return np.int64(code >> g.shift) * BUCKET


@kernel
def rest_of(g, code):
    return code & ((ONE << g.shift) - ONE)


@kernel
def recall(geometry, table, own, taken, left):
    """What the table holds of a position (see `table`), or MISS."""
    g = geometry[0]
    code = code_of(g, own, taken, left)
    return look_up(table, bucket_of(g, code), rest_of(g, code))


@kernel
def rank_moves(g, frame, possible):
    """Write the moves, each worth the winning cells that its owner then has, ties by order."""
    n = 0
    own, taken = frame.gravity_own, frame.taken
    high, bits, full, cylinder = g.gravity_high, g.bits, g.full, g.cylinder != 0
    while possible != ZERO:
        bit = possible & (~possible + ONE)
        possible ^= bit
        wins = completing(own | bit, high, bits, full, cylinder) & g.cells & ~(taken | bit)
        frame.moves[n] = bit
        frame.worth[n] = (popcount(wins) << 32) + g.order[popcount(bit - ONE)]
        n += 1
    frame.count, frame.next, frame.best = n, 0, NONE


@kernel
def known_child(g, table, frame, left, alpha):
    """A bound above alpha that the table holds for one of the moves; else NONE."""
    own, taken = frame.gravity_own ^ frame.taken, frame.taken
    for j in range(frame.count):
        code = code_of(g, own, taken | frame.moves[j], left - 1)
        found = look_up(table, bucket_of(g, code), rest_of(g, code))
        if found != MISS and -upper_bound(found) > alpha:
            return -upper_bound(found)
    return NONE


@kernel
def remember(g, table, frame, value, alpha, left, nodes):
    """Store what a finished position's search has shown, together with what the table knew of it."""
    low, up = -((left - 2) // 2), (left - 1) // 2
    old = look_up(table, frame.bucket, frame.rest)
    if old != MISS:
        low, up = max(low, lower_bound(old)), min(up, upper_bound(old))
    if value > alpha:
        low = max(low, value)
    else:
        up = min(up, value)
    store(table, frame.bucket, frame.rest, packed(low, up, log2(nodes - frame.since + 1)))


@kernel
def enter(g, table, frame, left, alpha, nodes):
    """A value that settles the position without a search, or NONE with its moves written."""
    own, taken = frame.gravity_own, frame.taken
    possible = non_losing(g, own, taken)
    value = at_a_glance(left, alpha, possible)
    if value != NONE:
        return value
    if left <= FEW:
        value = by_parity(g, own, taken, left, alpha)
        if value == NONE:
            rank_moves(g, frame, possible)
        return value
    code = code_of(g, own, taken, left)
    frame.bucket, frame.rest = bucket_of(g, code), rest_of(g, code)
    found = look_up(table, frame.bucket, frame.rest)
    if found != MISS:
        low, up = lower_bound(found), upper_bound(found)
        if low > alpha:
            return low
        if up <= alpha:
            return up
    value = by_parity(g, own, taken, left, alpha)
    if value != NONE:
        return value
    rank_moves(g, frame, possible)
    frame.since = nodes
    if left - 1 > FEW:
        value = known_child(g, table, frame, left, alpha)
        if value != NONE:
            remember(g, table, frame, value, alpha, left, nodes)
    return value


@kernel
def pick_best(frame):
    """The worthiest of the moves not entered yet; it changes places with the next one."""
    moves, worth, i = frame.moves, frame.worth, frame.next
    pick = i
    for j in range(i + 1, frame.count):
        if worth[j] > worth[pick]:
            pick = j
    bit = moves[pick]
    moves[pick], worth[pick] = moves[i], worth[i]
    moves[i] = bit
    frame.next += 1
    return bit


@kernel
def search(geometry, frames, table, control, limit):
    """Go on with a search until it is done or has visited ``limit`` nodes in all.

    ``geometry``: one GEOMETRY; ``frames``: FRAME by depth, of which the first holds the position; ``table``: uint64;
    ``control``: see above. A node is a position that is entered.
    """
    d, nodes = control[DEPTH], control[NODES]
    threshold, g = control[THRESHOLD], geometry[0]
    while nodes < limit:
        nodes += 1
        left = control[LEFT] - d
        alpha = threshold if d & 1 == 0 else -threshold - 1
        value = enter(g, table, frames[d], left, alpha, nodes)
        while value != NONE:  # go up
            if d == 0:
                control[DEPTH], control[NODES], control[VALUE], control[DONE] = 0, nodes, value, 1
                return
            d -= 1
            value = -value
            left, alpha, frame = control[LEFT] - d, -alpha - 1, frames[d]
            if value > frame.best:
                frame.best = value
            if value <= alpha and frame.next < frame.count:
                break
            value = frame.best
            if left > FEW:
                remember(g, table, frame, value, alpha, left, nodes)
        frame = frames[d]
        bit = pick_best(frame)
        d += 1
        frames[d].gravity_own, frames[d].taken = frame.gravity_own ^ frame.taken, frame.taken | bit
    control[DEPTH], control[NODES] = d, nodes
