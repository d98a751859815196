"""Which defences matter against a victory by fours: its cells, and what spoils it from elsewhere.

The attacker would win by a line of fours if the defender did nothing. A defender's stone can change that only

- on a cell of the line: an attack, a reply, a cell that would complete a row;
- where it makes a row or a four together with a reply that the line forces on him;
- where it makes a parry legal that the line takes for forbidden;
- in games with captures, where it takes stones of the line, or could take them after a forced reply.

Everything else loses to the same line. With bans that look at what may be played later this is a rule of thumb: the check of
the whole proof has the last word, and its objections become defences that matter.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.patterns import ROWS_SET, first_in, follow, kind_of, next_in, step_back
from narabe.envs.rules.line.record import COLUMN_STEP, ROW_STEP
from narabe.envs.rules.line.stones import flip_stone, stone_at
from narabe.envs.rules.lines import FOUR
from narabe.search.threats.vct_cells import put


@kernel
def trace(s, p, zone, line, length):
    """Add to the zone what matters against a line of fours; the attacker is to move. Both records are restored.

    ``line``: cells, attack, reply, ..., the winning move. Returns whether the line relies on a forbidden parry.
    """
    i = core.to_move(s) - 1
    played, relies = 0, False
    for k in range(length - 1):
        a = np.int64(line[k])
        if core.is_over(s) or not core.is_legal(s, a):
            break
        put(zone, a)
        core.apply(s, a)
        follow(s, p, a)
        played += 1
        if k & 1 == 0:
            w = first_in(p, i, ROWS_SET)
            only = w
            n = 0
            while w >= 0:
                put(zone, w)
                n += 1
                w = next_in(p, i, ROWS_SET, w)
            if n == 1 and not core.is_legal(s, only):
                relies = True
                _freeing(s, zone, only)
        else:
            _answers(s, p, zone, 1 - i, a)
    put(zone, np.int64(line[length - 1]))
    for _ in range(played):
        core.undo(s)
        step_back(p)
    return relies


@kernel
def _answers(s, p, zone, i, a):
    """The cells on which one more stone of colour ``i`` makes a four or a row with the stone just laid on ``a``."""
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    for d in range(4):
        dr, dc = np.int64(ROW_STEP[d]), np.int64(COLUMN_STEP[d])
        for side in range(2):
            for j in range(1, 5):
                y, x = (r + j * dr, c + j * dc) if side == 0 else (r - j * dr, c - j * dc)
                if y < 0 or y >= s.height or x < 0 or x >= s.width:
                    break
                q = y * s.width + x
                if s.slot[q] < 0:
                    if stone_at(s, q) != i + 1:
                        break
                elif kind_of(p, i, q, d) >= FOUR:
                    put(zone, q)


@kernel
def _freeing(s, zone, a):
    """The cells on which a stone of the side to move makes the forbidden cell ``a`` legal."""
    i = core.to_move(s) - 1
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    for d in range(8):
        for j in range(1, 6):
            y, x = r + j * np.int64(ROW_STEP[d]), c + j * np.int64(COLUMN_STEP[d])
            if y < 0 or y >= s.height or x < 0 or x >= s.width:
                break
            q = y * s.width + x
            if s.slot[q] >= 0:
                flip_stone(s, i, y, x)
                if core.is_legal(s, a):
                    put(zone, q)
                flip_stone(s, i, y, x)
