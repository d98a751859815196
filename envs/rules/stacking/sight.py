"""What is seen: planes, keys, symmetries."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.stacking.record import (
    CLAIM_FLAG,
    GRANT,
    INVERSE,
    MAX_HEIGHT,
    MULTIPLIER,
    PAD,
    PLAY,
    POWER,
    SHIFT,
    SPECIAL,
    STRIDE,
    Z,
)

LOW_BITS = 0x0101010101010101  # of the eight bytes of a word


@kernel
def observation_shape(s):
    """(planes, rows, columns); see `observe` for the planes."""
    n = np.int64(s.players)
    planes = n + 2 + s.open_sides
    if s.claim != 0:
        planes += n + 1
    if s.takeback != 0:
        planes += 3
    if n > 2 and (s.resign_action >= 0 or s.false_loses != 0):
        planes += n
    return (np.int64(planes), np.int64(s.ceiling), np.int64(s.columns))


@kernel
def shown_shift(s):
    """How far columns move to the right in what is seen: on an open floor the middle of the blocks comes to the centre."""
    if s.open_sides == 0 or s.hi < s.lo:
        return np.int64(0)
    return np.int64(s.columns // 2 - (s.lo + s.hi) // 2)


@kernel
def eight_columns(s, p, q, shift, b):
    """Eight rows of player ``p`` (from 0), from bit ``b`` of the words on: byte k holds the column shown at q + k."""
    base, x = p * STRIDE + PAD, np.int64(0)
    for k in range(8):
        c = q + k - shift
        if s.lo <= c <= s.hi:
            x |= ((np.int64(s.words[np.uint64(base + c)]) >> b) & 255) << (8 * k)
    return x


@kernel
def observe(s, player, out):
    """Write the planes as ``player`` (from 1) sees them into ``out`` (int8, `observation_shape`); row 0 is the floor.

    For n players: 0 own blocks; 1 to n-1 the others' in turn order; n the last block; n+1 the cells where a block of this
    player may come to lie now (empty for one who is not on move). Then, each only where the game has it:

    - open sides: the column of the first block (action ``columns // 2``), all ones. What is seen is moved sideways so
      that the blocks lie in the middle; this plane tells by how far. Cells that thereby leave the frame are not shown.
    - claim: n constant planes, own first, then in turn order: 0 no four, 1 the oldest four, 2 the next and so on; one
      constant plane: 1 if the player on move has claimed in vain this turn.
    - takeback: constant: 0, or 1 if the beaten side is asked, 2 if the winner is; the barred column, all ones; constant:
      0 before the first takeback, then 1 for the first winner, -1 for the other.
    - three or four players who can drop out: n constant planes, own first: 1 if that player is out.
    """
    n, w, h = np.int64(s.players), np.int64(s.columns), np.int64(s.ceiling)
    shift, cells, flat = shown_shift(s), w * h, out.flat
    for j in range(n):
        p = player - 1 + j
        p = p if p < n else p - n
        for r in range(0, h, 8):
            for group in range(0, w, 8):
                q = min(np.int64(group), max(w - 8, 0))
                square = eight_columns(s, p, q, shift, r + SHIFT)
                k = j * cells + r * w + q
                for _ in range(min(h - r, 8)):
                    line = square & LOW_BITS
                    if cells > 3:  # one store; what it writes beyond its row is written again later
                        for b in range(8):
                            flat[k + b] = (line >> (8 * b)) & 255
                    else:
                        for b in range(w):
                            flat[k + b] = (line >> (8 * b)) & 255
                    square >>= 1
                    k += w
    for k in range(n * cells, (n + 2) * cells):
        flat[k] = 0
    if s.last >= 0:
        flat[n * cells + (np.int64(s.heights[np.uint64(s.last)]) - 1) * w + s.last + shift] = 1
    if s.mover == player and s.result == 0 and s.stage == PLAY:
        for c in range(max(s.first, -shift), min(np.int64(s.first + s.n_columns), w - shift)):
            r = np.int64(s.heights[np.uint64(c)])
            if r < h and c != s.barred:
                flat[(n + 1) * cells + r * w + c + shift] = 1
    if s.open_sides != 0:
        for k in range((n + 2) * cells, (n + 3) * cells):
            flat[k] = 0
        for r in range(h):
            out[n + 2, r, s.columns // 2 + shift] = 1
    if s.plain == 0:
        _observe_more(s, player, out, shift)


@kernel
def _observe_more(s, player, out, shift):
    """The planes of claims, takebacks and players who are out."""
    n, z = np.int64(s.players), np.int64(s.players) + 2 + s.open_sides
    if s.claim != 0:
        for j in range(n):
            out[z + j, :, :] = s.rank[(player - 1 + j) % n]
        out[z + n, :, :] = s.claimed
        z += n + 1
    if s.takeback != 0:
        out[z, :, :] = s.stage
        out[z + 1 :, :, :] = 0
        if s.barred >= 0 and 0 <= s.barred + shift < s.columns:
            out[z + 1, :, s.barred + shift] = 1
        if s.first_winner != 0:
            out[z + 2, :, :] = 1 if s.first_winner == player else -1
        z += 3
    if n > 2 and (s.resign_action >= 0 or s.false_loses != 0):
        for j in range(n):
            out[z + j, :, :] = s.dropped >> ((player - 1 + j) % n) & 1


@kernel
def mixed(x):
    """A one-to-one scramble of 64 bits: the sum over the blocks alone has poor low bits."""
    x = (x ^ (x >> np.uint64(32))) * MULTIPLIER
    x = (x ^ (x >> np.uint64(29))) * MULTIPLIER
    return x ^ (x >> np.uint64(32))


@kernel
def finished_key(s, total, lo, k):
    """The key from the sum over the blocks of symmetry ``k``'s image, whose leftmost column is ``lo``."""
    x = mixed(total * INVERSE[lo] + s.base_key) ^ (np.uint64(s.mover) * MULTIPLIER)
    if s.plain == 0:
        facts = np.int64(s.stage) | s.claimed << 2 | s.dropped << 3 | s.first_winner << 7
        for i in range(s.players):
            facts = facts << 3 | s.rank[i]
        x = mixed(x + np.uint64(facts))
        if s.barred >= 0:
            x = mixed(x + np.uint64(column_image(s, np.int64(s.barred), k) - lo + 1))
        if s.takeback != 0:
            x = _with_order(s, x, lo, k)
    return x


@kernel
def _with_order(s, x, lo, k):
    """Takebacks go back step by step, so there the order of the blocks belongs to the position."""
    skip = 0
    for j in range(s.ply - s.skipped - 1, -1, -1):
        code = np.int64(s.history[j]) & (CLAIM_FLAG - 1)
        if code == GRANT:
            skip += 2
        elif code < SPECIAL:
            if skip > 0:
                skip -= 1
            else:
                x = mixed(x + np.uint64(column_image(s, code, k) - lo + 1))
    return x


@kernel
def key(s):
    """64 bits that name the rules, the blocks, the side to move, and what claims and takebacks left open.

    On an open floor two positions that differ by a shift have the same key (their distance from the limits of the frame
    and the plies left do not count).
    """
    lo = np.int64(s.lo)
    return finished_key(s, np.uint64(s.blocks_key), lo, np.int64(0))


@kernel
def key_from_scratch(s):
    """What `key` must be, counted anew from the blocks."""
    return key_of_image(s, np.int64(0))


@kernel
def key_of_image(s, k):
    """The key of the position that symmetry ``k`` makes of this one."""
    total, lo = np.uint64(0), np.int64(s.columns)
    for c in range(s.columns):
        q = column_image(s, np.int64(c), k)
        for i in range(s.players):
            x = np.int64(s.words[i * STRIDE + PAD + c]) >> SHIFT
            for r in range(s.heights[c]):
                if (x >> r) & 1:
                    total += Z[i * MAX_HEIGHT + r] * POWER[q]
        if s.heights[c] > 0:
            lo = min(lo, q)
    if s.open_sides == 0:
        lo = np.int64(0)
    elif lo == s.columns:
        lo = np.int64(s.columns // 2)
    return finished_key(s, total, lo, k)


@kernel
def num_symmetries(s):
    """The mirror; on a cylinder also every rotation."""
    return np.int64(2 * s.columns if s.cylinder != 0 else 2)


@kernel
def column_image(s, c, k):
    """Where symmetry ``k`` takes a column: bit 0 mirrors, the rest rotates to the right."""
    w = np.int64(s.columns)
    if k & 1:
        c = w - 1 - c
    c += k >> 1
    return c if c < w else c - w


@kernel
def symmetry(s, a, k):
    """Where symmetry ``k`` takes an action; claims alone and words stay what they are."""
    if a >= s.drops:
        return np.int64(a)
    if a >= s.columns:
        return s.columns + column_image(s, np.int64(a - s.columns), k)
    return column_image(s, np.int64(a), k)


@kernel
def canonical_key(s):
    """(smallest key over all symmetries, the symmetry that gives it)."""
    best, best_k = key(s), np.int64(0)
    for k in range(1, num_symmetries(s)):
        x = key_of_image(s, np.int64(k))
        if x < best:
            best, best_k = x, np.int64(k)
    return best, best_k
