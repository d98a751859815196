"""What may be played, what a move does, and how it is undone."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import NEVER
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.bans import ban
from narabe.envs.rules.line.record import (
    ANTIDIAGONALS,
    CENTRE,
    COLUMN_STEP,
    COLUMNS,
    DIAGONALS,
    FIVE,
    FULL,
    LINES,
    MAX_CELLS,
    NEAR_CENTRE,
    OCCUPIED,
    OFF_BOARD,
    OVER,
    PAIRS,
    PAIRS_TO_WIN,
    ROW_STEP,
    SHIFT,
    STUCK,
    Z_OPENING,
    Z_STONE,
    Z_WHITE,
)  # fmt: skip
from narabe.envs.rules.line.stones import capture, count_pair, drop_empty, flip_stone, row_starts


@kernel
def num_players(s):
    return 2


@kernel
def num_actions(s):
    return np.int64(s.cells)


@kernel
def to_move(s):
    return np.int64(s.mover)


@kernel
def is_over(s):
    return s.result != 0


@kernel
def result(s):
    """Bits of FIVE, PAIRS, FULL, STUCK; 0 while the game goes on."""
    return np.int64(s.result)


@kernel
def payoff(s, player):
    return 0.0 if s.winner == 0 else (1.0 if s.winner == player else -1.0)


@kernel
def apply(s, a):
    """Play the legal action ``a`` for the side to move."""
    i = np.int64(s.mover) - 1
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    b, up_b = c + SHIFT, r + SHIFT
    base = i * LINES
    across, up = base + r, base + COLUMNS + c
    rising, falling = base + DIAGONALS + r - c, base + ANTIDIAGONALS + r + c
    w0 = np.int64(s.lines[across]) | (1 << b)
    w1 = np.int64(s.lines[up]) | (1 << up_b)
    w2 = np.int64(s.lines[rising]) | (1 << b)
    w3 = np.int64(s.lines[falling]) | (1 << b)
    s.lines[across] = w0
    s.lines[up] = w1
    s.lines[rising] = w2
    s.lines[falling] = w3
    s.stones_key ^= Z_STONE[i * MAX_CELLS + a] ^ Z_WHITE
    k = np.int64(s.slot[a])
    drop_empty(s, a, k)
    s.history[s.n_moves] = a | k << 9
    s.n_moves += 1
    s.last = a
    s.ply += 1
    s.mover = 2 - i
    row, exact = np.int64(s.row), s.exact[i] != 0
    span = ((1 << row) - 1) << (b - row + 1)
    up_span = ((1 << row) - 1) << (up_b - row + 1)
    if (
        row_starts(w0 | w2 << 32, row, exact) & (span | span << 32)
        | row_starts(w3 | w1 << 32, row, exact) & (span | up_span << 32)
    ) != 0:
        s.result = FIVE
        s.winner = i + 1
    if s.plain == 0:
        _apply_more(s, i, r, c)
    elif s.n_empty == 0 and s.result == 0:
        s.result = FULL


@kernel
def _apply_more(s, i, r, c):
    """What a move does beyond laying a stone: captures, the opening, a side left without a legal point."""
    if s.opening != 0 and s.ply == 3:
        s.stones_key ^= Z_OPENING
    if s.captures != 0:
        s.history[s.n_moves - 1] |= capture(s, i, r, c) << 18
        if s.pairs[i] >= PAIRS_TO_WIN:
            s.result |= PAIRS
            s.winner = i + 1
    if s.result == 0:
        s.result = draw(s)


@kernel
def captured(s):
    """Bits of the directions (see `ROW_STEP`) in which the last move took a pair."""
    return np.int64(s.history[s.n_moves - 1]) >> 18 if s.n_moves > 0 else np.int64(0)


@kernel
def pairs_due(s, player):
    """How many pairs a player has yet to take for a win by pairs; NEVER where pairs are not taken."""
    return PAIRS_TO_WIN - np.int64(s.pairs[player - 1]) if s.captures != 0 else np.int64(NEVER)


@kernel
def hand_over(s):
    """Let the other side move instead, as if a move had been passed; calling it twice changes nothing.

    For searches that ask what a side would do if it were its turn. The ply and the opening are left alone, nothing is noted
    in the history, and the game does not end for want of a legal cell. The key is that of the same stones with the other side
    to move.
    """
    s.mover = 3 - s.mover
    s.stones_key ^= Z_WHITE


@kernel
def draw(s):
    """FULL or STUCK if the side to move has no legal cell, else 0.

    A ban on double threes alone never shuts every cell: an open three through P needs an empty cell on both sides of P,
    so the first empty cell (lowest row, then leftmost) is always allowed. The search for a legal cell is thus only
    made where double fours or overlines are banned.
    """
    if s.n_empty == 0:
        return FULL
    if s.bound[s.mover - 1] == 0 or (s.double_four == 0 and s.overline == 0):
        return 0
    for j in range(s.n_empty - 1, -1, -1):
        if ban(s, np.int64(s.mover) - 1, np.int64(s.empties[j])) == 0:
            return 0
    return STUCK


@kernel
def undo(s):
    """Take back the last move; at the start or at a set-up position there is none (check `n_moves` first)."""
    s.n_moves -= 1
    entry = np.int64(s.history[s.n_moves])
    s.history[s.n_moves] = 0
    a, k, taken = entry & 511, entry >> 9 & 511, entry >> 18
    s.ply -= 1
    s.stones_key ^= Z_WHITE
    if s.opening != 0 and s.ply == 2:
        s.stones_key ^= Z_OPENING
    s.mover = 3 - s.mover
    i = np.int64(s.mover) - 1
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    for d in range(7, -1, -1):
        if taken >> d & 1:
            dr, dc = ROW_STEP[d], COLUMN_STEP[d]
            for n in range(2, 0, -1):
                q = (r + n * dr) * s.width + c + n * dc
                s.n_empty -= 1
                s.empties[s.n_empty] = 0
                s.slot[q] = -1
                s.stones_key ^= Z_STONE[(1 - i) * MAX_CELLS + q]
                flip_stone(s, 1 - i, r + n * dr, c + n * dc)
            count_pair(s, i, -1)
    flip_stone(s, i, r, c)
    s.stones_key ^= Z_STONE[i * MAX_CELLS + a]
    moved = np.int64(s.empties[k]) if k < s.n_empty else a
    s.empties[s.n_empty] = moved
    s.slot[moved] = s.n_empty
    s.empties[k] = a
    s.slot[a] = k
    s.n_empty += 1
    s.winner, s.result = 0, 0
    s.last = np.int64(s.history[s.n_moves - 1]) & 511 if s.n_moves > 0 else np.int64(s.first_last)


@kernel
def fault(s, a):
    """0 if ``a`` is legal, else the reason as one of the constants OVER ... OVERLINE."""
    if a < 0 or a >= s.cells:
        return OFF_BOARD
    if s.result != 0:
        return OVER
    if s.slot[a] < 0:
        return OCCUPIED
    if s.opening != 0 and s.ply <= 2:
        why = _opening_fault(s, a)
        if why != 0 or s.ply == 0:  # the first stone has no choice, so no ban is asked
            return why
    return ban(s, np.int64(s.mover) - 1, np.int64(a))


@kernel
def _opening_fault(s, a):
    """Tournament opening: ply 0 on the centre, ply 2 at Chebyshev distance three or more from it."""
    up, across = a // s.width - s.height // 2, a % s.width - s.width // 2
    if s.ply == 0 and (up != 0 or across != 0):
        return CENTRE
    if s.ply == 2 and -3 < up < 3 and -3 < across < 3:
        return NEAR_CENTRE
    return 0


@kernel
def is_legal(s, a):
    if a < 0 or a >= s.cells or s.slot[a] < 0 or s.result != 0:
        return False
    if (s.opening == 0 or s.ply > 2) and s.bound[np.int64(s.mover) - 1] == 0:
        return True
    return fault(s, a) == 0


@kernel
def legal_mask(s, out):
    """Write 1 for legal and 0 for illegal actions into ``out`` (int8, at least num_actions long)."""
    cells = s.width * s.height
    for a in range(cells):
        out[a] = s.slot[a] >= 0
    if s.result != 0:
        out[:cells] = 0
    elif (s.opening != 0 and s.ply <= 2) or s.bound[s.mover - 1] != 0:
        for j in range(s.n_empty):
            a = np.int64(s.empties[j])
            if fault(s, a) != 0:
                out[a] = 0


@kernel
def num_candidates(s):
    if s.result != 0:
        return np.int64(0)
    return np.int64(1) if s.opening != 0 and s.ply == 0 else np.int64(s.n_empty)


@kernel
def candidate_at(s, j):
    if s.opening != 0 and s.ply == 0:
        return np.int64(s.cells // 2)
    return np.int64(s.empties[j])
