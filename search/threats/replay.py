"""The quick check of a victory by continuous fours without captures: its line replayed by the law, without patterns.

Lemma. Let no side have a winning cell but those found so far, and let a stone be laid. A row needs its last stone, so a cell
that wins for that stone's side now and did not before lies with the stone in one row: on a line through it, at most
row - 1 cells away. A stone of one side makes no cell win for the other, and takes a winning cell away only by standing on
it. So after the whole board was searched once for the defender, looking around each stone keeps his winning cells known; and
the attacker's, of which it is enough to know some.

After a four, if the defender has no winning cell and the attacker has the winning cell *w*, every legal reply but *w* loses,
and every one does if there is another such cell: the win on *w* stands, and by the law a row beats every ban.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.record import COLUMN_STEP, LINES, ROW_STEP
from narabe.envs.rules.line.stones import line_of, row_starts, stone_at

HOLDS = 0
ILLEGAL, OVER, NO_FOUR, DEFENDER_WINS, WRONG_REPLY, GOES_ON, NO_WIN, NO_LINE = 1, 2, 3, 4, 5, 6, 7, 8
FAULTS = {
    ILLEGAL: "a move is not legal",
    OVER: "the game ends before the win",
    NO_FOUR: "an attack is no four",
    DEFENDER_WINS: "the defender can win",
    WRONG_REPLY: "the reply does not parry",
    GOES_ON: "the line goes on after a four that nothing parries",
    NO_WIN: "the last move does not win",
    NO_LINE: "the number of moves is not odd",
}
NO_CELL, MANY = -1, -2


@kernel
def joined(one, other):
    """One answer from two: no cell, one cell, or MANY."""
    if one == NO_CELL or one == other:
        return other
    return one if other == NO_CELL else np.int64(MANY)


@kernel
def wins_around(s, i, a):
    """The cells near ``a`` on which a stone of colour ``i`` would complete a row on a line through ``a``: none, one or MANY."""
    r = (a * s.inverse) >> 16
    row, exact = np.int64(s.row), s.exact[i] != 0
    found = np.int64(NO_CELL)
    for d in range(4):
        line, b = line_of(d, r, a - r * s.width)
        own = np.int64(s.lines[i * LINES + line])
        near = own & ((1 << 2 * row - 1) - 1) << (b - row + 1)
        for _ in range(row - 2):  # without its lowest stones
            near &= near - 1
        if near == 0:  # fewer than row - 1 of them
            continue
        taken = own | np.int64(s.lines[(1 - i) * LINES + line]) | np.int64(s.wall[line])
        step = np.int64(ROW_STEP[d]) * s.width + np.int64(COLUMN_STEP[d])
        if d == 3:  # the bits of a falling diagonal run towards the lower right
            step = -step
        for j in range(1 - row, row):
            e = b + j
            if taken >> e & 1 == 0:
                word = own | np.int64(1) << e
                if row_starts(word, row, exact) & ((1 << row) - 1) << (e - row + 1) != 0:
                    found = joined(a + j * step, found)
    return found


@kernel
def wins_anywhere(s, i):
    """The cells of the whole board on which colour ``i`` would complete a row: none, one or MANY."""
    found = np.int64(NO_CELL)
    for a in range(s.width * s.height):
        if stone_at(s, a) == i + 1:
            found = joined(wins_around(s, i, np.int64(a)), found)
    return found


@kernel
def fault_of_line(s, line, length):
    """Is ``line[:length]`` a victory by continuous fours for the side to move? HOLDS or a fault; ``s`` is as before then.

    ``line``: attack, reply, attack, ..., the winning move, each a cell (after a four that nothing parries any legal reply).
    Only for rules without captures.
    """
    if length % 2 == 0:
        return NO_LINE
    i = core.to_move(s) - 1
    fault, played = HOLDS, 0
    threat = wins_anywhere(s, 1 - i) if length > 1 else np.int64(NO_CELL)
    for k in range(length):
        a = np.int64(line[k])
        if not core.is_legal(s, a):
            fault = ILLEGAL
            break
        core.apply(s, a)
        played += 1
        if k == length - 1:
            fault = HOLDS if core.is_over(s) and core.payoff(s, i + 1) > 0 else NO_WIN
            break
        if core.is_over(s):
            fault = OVER
            break
        if k % 2 == 1:
            threat = wins_around(s, 1 - i, a) if k < length - 2 else np.int64(NO_CELL)
            continue
        if threat != NO_CELL and threat != a:
            fault = DEFENDER_WINS
            break
        wins = wins_around(s, i, a)
        if wins == NO_CELL:
            fault = NO_FOUR
            break
        parried = wins >= 0 and core.is_legal(s, wins)
        if parried and line[k + 1] != wins:
            fault = WRONG_REPLY
            break
        if not parried and k != length - 3:
            fault = GOES_ON
            break
    for _ in range(played):
        core.undo(s)
    return fault
