"""How pressing a point looks at first sight: an estimate for ordering moves and for simple players, no proof."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.bans import classes_at
from narabe.envs.rules.line.record import LINES, PAIRS_TO_WIN
from narabe.envs.rules.line.stones import captured_directions, pairs_at
from narabe.envs.rules.lines import FOUR_MASK, OPEN_FOUR, SPAN, SPAN_MASK, THREE_MASK, WIN

WINS, STOPS = 1e6, 1e5  # the move wins; the opponent's same move would win


@kernel
def line_worth(line_class):
    """What a stone makes of one line: the larger, the nearer to a row."""
    if line_class & OPEN_FOUR:
        return 1000.0
    if line_class & FOUR_MASK:
        return 110.0
    if line_class & THREE_MASK:
        return 100.0
    span = (line_class & SPAN_MASK) >> SPAN
    return float(span * span)


@kernel
def _worth(s, i, a):
    """(does colour ``i`` win by playing on ``a``, what else the stone makes)."""
    c0, c1, c2, c3 = classes_at(s, i, a)
    wins = (c0 | c1 | c2 | c3) & WIN != 0
    worth = line_worth(c0) + line_worth(c1) + line_worth(c2) + line_worth(c3)
    if s.captures != 0:
        r = (a * s.inverse) >> 16
        taken = captured_directions(s, i, r, a - r * s.width)
        pairs = 0
        for d in range(8):
            pairs += taken >> d & 1
        wins = wins or s.pairs[i] + pairs >= PAIRS_TO_WIN
        worth += 60.0 * pairs * (1 + s.pairs[i])
    return wins, worth


@kernel
def lacks_one(s, i):
    """Has colour ``i`` all stones of a row but one, whose cell is free?"""
    own_lines, other_lines, row = i * LINES, (1 - i) * LINES, np.int64(s.row)
    for line in range(LINES):
        own = np.int64(s.lines[own_lines + line])
        if own & (own - 1) == 0:
            continue
        free = ~(np.int64(s.lines[other_lines + line]) | np.int64(s.wall[line]))
        whole, but_one = (
            np.int64(-1),
            np.int64(-1),
        )  # windows, by their first bit, that lack nothing so far, or one cell
        for k in range(row):
            but_one = (but_one & (own >> k)) | whole
            whole &= own >> k
            but_one &= free >> k
            whole &= free >> k
        if but_one & ~whole:
            return True
    return False


@kernel
def may_win(s):
    """Is there a row that lacks one stone, or (with captures) a cell that takes the last pairs? Bans are not looked at."""
    i = np.int64(s.mover) - 1
    if lacks_one(s, i):
        return True
    due = PAIRS_TO_WIN - np.int64(s.pairs[i])
    if s.captures != 0 and 3 * due <= s.cells - s.n_empty:
        for k in range(s.n_empty):
            if pairs_at(s, i, np.int64(s.empties[k])) >= due:
                return True
    return False


@kernel
def urgency(s, a):
    """How pressing the empty cell ``a`` is for the side to move: winning, then stopping a win, then making lines."""
    i = np.int64(s.mover) - 1
    wins, own = _worth(s, i, a)
    stops, other = _worth(s, 1 - i, a)
    return (WINS if wins else 0.0) + (STOPS if stops else 0.0) + 2.0 * own + other
