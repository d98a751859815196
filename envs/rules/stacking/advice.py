"""How pressing an action looks at first sight: an estimate for ordering moves and for simple players, no proof."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.stacking.blocks import makes_row
from narabe.envs.rules.stacking.ends import next_after
from narabe.envs.rules.stacking.reaches import wins_above
from narabe.envs.rules.stacking.record import PAD, PLAY, SHIFT, STRIDE

WINS, STOPS, GIVES = 1e6, 1e5, 1e4  # the block wins; it stops a row; it lets an opponent have the cell above


@kernel
def chances(s, i, c, r):
    """What a block on the cell is worth to player ``i``: over the rows through it that no other player spoils, squares of
    the own blocks in them, counted as 1 + 2 * blocks ** 2."""
    row, worth, base = np.int64(s.row), 0.0, i * STRIDE + PAD
    for kind in range(4):
        dc = 0 if kind == 3 else 1
        dr = (0, 1, -1, 1)[kind]
        for back in range(row):
            own, open_cells = 0, True
            for d in range(-back, row - back):
                q, y = c + d * dc, r + d * dr
                if y < 0 or y >= s.ceiling or (s.cylinder == 0 and (q < 0 or q >= s.columns)):
                    open_cells = False
                    break
                if (np.int64(s.words[base + q]) >> (y + SHIFT)) & 1:
                    own += 1
                elif y < s.heights[q % s.columns]:
                    open_cells = False
                    break
            if open_cells:
                worth += 1.0 + 2.0 * own * own
    return worth


@kernel
def urgency(s, a):
    """How pressing the legal action ``a`` is for the side to move: winning, stopping a win, then making lines.

    Not giving an opponent the cell above comes before lines. A four that is claimed beats one that is not, a claim in
    vain is worth less than the block alone; asking for a takeback beats accepting, refusing beats granting.
    """
    i = np.int64(s.mover) - 1
    if s.stage != PLAY:
        return 1.0 if a == s.ask_action or a == s.ask_action + 3 else 0.0
    if a >= s.drops:
        return WINS if a == s.claim_action and s.rank[i] != 0 else -WINS
    c = np.int64(a if a < s.columns else a - s.columns)
    r = np.int64(s.heights[c])
    makes, worth = makes_row(s, i, c, r), chances(s, i, c, r)
    if s.claim != 0 and a >= s.columns:
        if s.rank[i] == 0 and not makes:
            return -GIVES * 10.0
        worth += 2.0 * WINS
    if makes:
        worth += WINS
    j = next_after(s, i) - 1
    while j != i:
        if makes_row(s, j, c, r):
            worth += STOPS
        else:
            worth += 0.5 * chances(s, j, c, r)
        if wins_above(s, j, c):
            worth -= GIVES
        j = next_after(s, j) - 1
    return worth
