"""What may be done, what it does, and how it is undone.

A ply is one piece: the cell; then, where something may be turned, the choice of directions; then the backs of unseen
pieces, one chance turn each; then judgement. Each of these is an action and has one entry in `history`:

    LAID      cell | slot << 9 | last cell before + 1 << 18
    CHOSEN    directions | directions turned back << 8
    REVEALED  direction | coloured << 3 | directions turned back << 4 | directions chosen << 12
    OTHER     0 a pass, 1 a deal, 2 an order of piles

with the kind above bit `KIND`.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.core import CHANCE
from narabe.envs.rules.gomocku.flips import (
    back_of,
    end_by_flips,
    first_of,
    kind_of_back,
    see_back,
    turn_all,
    unseen_among,
    unseen_backs,
)  # fmt: skip
from narabe.envs.rules.gomocku.pieces import kind_at, mask_word, neighbour, number_word, sandwiched, set_kind
from narabe.envs.rules.gomocku.record import (
    ASSIGN,
    CELL_DUE,
    CHANCE_DUE,
    CHOOSE,
    CHOSEN,
    COLOURED,
    DEAL,
    DEALT,
    FACE_DOWN,
    FIVE,
    FLIPS,
    FLIPS_DUE,
    IMPOSSIBLE,
    KIND,
    LAID,
    LEVEL,
    MAX_PIECES,
    MUST_FLIP,
    NO_ACTION,
    NO_PASS,
    NOT_SANDWICHED,
    NUMBER,
    OCCUPIED,
    OTHER,
    OVER,
    PASS,
    PILES,
    PILES_DUE,
    PLACE,
    RED,
    REDS,
    REVEAL,
    REVEALED,
    SETS,
    TURNED,
    UNSEEN,
    Z_HANDED,
    Z_PIECE,
    Z_PLY,
)  # fmt: skip
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.bans import classes_at, shape_ban
from narabe.envs.rules.line.record import MAX_CELLS, OVERLINE
from narabe.envs.rules.line.stones import add_empty, drop_empty, flip_stone, wins_at
from narabe.envs.rules.lines import OVERLONG, WIN
from narabe.envs.rules.random import below

PASSED, DEALING, ORDERING = 0, 1, 2


@kernel
def num_players(s):
    return 2


@kernel
def num_actions(s):
    return np.int64(s.cells) + (PILES + s.n_orders if s.physical != 0 else PILES)


@kernel
def to_move(s):
    if s.stage == PLACE or s.stage == CHOOSE:
        return np.int64(s.mover)
    if s.stage == ASSIGN:
        return np.int64(1) if s.order[1] < 0 else np.int64(2)
    return np.int64(CHANCE)


@kernel
def is_over(s):
    return s.result != 0


@kernel
def result(s):
    """FIVE, FLIPS (more pieces turned), REDS (as many, fewer of them red) or LEVEL; 0 while the game goes on."""
    return np.int64(s.result)


@kernel
def payoff(s, player):
    return 0.0 if s.winner == 0 else (1.0 if s.winner == player else -1.0)


@kernel
def score(s, player):
    """Pieces that the player turned and that stand; each red one takes a 64th off, so it counts only between equals."""
    return s.flips[player - 1] - s.reds[player - 1] / 64.0


# ---- playing --------------------------------------------------------------------------------------------------------


@kernel
def calm_plies(s):
    """Plies of the first phase still to come, in which nothing is turned over: a piece laid stays as it is."""
    return max(np.int64(s.first) - s.ply, np.int64(0)) if s.stage == PLACE else np.int64(0)


@kernel
def hand_over(s):
    """Let the other side lay a piece instead, as if a turn had been passed; calling it twice changes nothing.

    For searches in the first phase only (`calm_plies`), where nothing asks whose piece is the how-manieth. The ply, and so
    what is left of the phase, stays.
    """
    s.mover = 3 - s.mover
    s.pieces_key ^= Z_HANDED
    s.stuck = 0 if has_cell(s) else 1


@kernel
def apply(s, a):
    """Do the legal action ``a``, or let the outcome ``a`` of a chance turn happen."""
    if s.stage == PLACE:
        if a < s.cells:
            _lay(s, np.int64(a))
        else:
            _note(s, OTHER, PASSED)
            _end_ply(s)
    elif s.stage == CHOOSE:
        _choose(s, np.int64(a) - s.cells)
    elif s.stage == REVEAL:
        _reveal(s, a == num_actions(s) + COLOURED)
    elif s.stage == DEAL:
        _deal(s, np.int64(a))
    else:
        _order(s, np.int64(a) - s.cells - PILES)


@kernel
def _note(s, kind, entry):
    s.history[s.n_moves] = entry | kind << KIND
    s.n_moves += 1


@kernel
def _lay(s, a):
    i = np.int64(s.mover) - 1
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    k = np.int64(s.slot[a])
    _note(s, LAID, a | k << 9 | np.int64(s.last + 1) << 18)
    drop_empty(s, a, k)
    flip_stone(s, i, r, c)
    code = i + 1 + 2 * UNSEEN
    s.piece[a] = code | (np.int64(s.ply) >> 1) << NUMBER
    s.pieces_key ^= Z_PIECE[code * MAX_CELLS + a]
    if s.dealt != 0:
        s.hidden_key ^= number_word(np.int64(s.piece[a]), a)
    s.last = a
    if wins_at(s, i, a):
        s.result, s.winner = FIVE, i + 1
    elif s.ply >= s.first:
        able = sandwiched(s, i, a)
        if able != 0:
            s.able, s.stage = able, CHOOSE
            return
    _end_ply(s)


@kernel
def _choose(s, chosen):
    i, a = np.int64(s.mover) - 1, np.int64(s.last)
    left = unseen_among(s, a, chosen)
    _note(s, CHOSEN, chosen)
    s.able = 0
    turn_all(s, i, a, chosen & ~left)
    if left != 0:
        s.stage, s.chosen, s.left = REVEAL, chosen, left
    else:
        s.history[s.n_moves - 1] |= end_by_flips(s, i, a, chosen) << 8
        _end_ply(s)


@kernel
def _reveal(s, coloured):
    i, a, left = np.int64(s.mover) - 1, np.int64(s.last), np.int64(s.left)
    d = first_of(left)
    q = neighbour(s, a, d)
    chosen = np.int64(s.chosen)
    _note(s, REVEALED, d | (1 if coloured else 0) << 3 | chosen << 12)
    see_back(s, 1 - i, coloured, 1)
    set_kind(s, q, kind_of_back(coloured))
    turn_all(s, i, a, 1 << d)
    s.left = left & (left - 1)
    if s.left == 0:
        s.history[s.n_moves - 1] |= end_by_flips(s, i, a, chosen) << 4
        _end_ply(s)


@kernel
def _deal(s, a):
    _note(s, OTHER, DEALING)
    if a >> DEALT & 1:
        mask = (1 << MAX_PIECES) - 1
        s.dealt, s.hidden[0], s.hidden[1] = 1, a & mask, a >> MAX_PIECES & mask
        s.hidden_key = mask_word(s)
    s.stage = ASSIGN


@kernel
def _order(s, order):
    """Lay out the opponent's piles: Black lays White's first."""
    j = 1 if s.order[1] < 0 else 0
    _note(s, OTHER, ORDERING)
    s.hidden_key ^= mask_word(s)
    s.order[j] = order
    s.hidden_key ^= mask_word(s)
    if j == 0:
        s.stage = PLACE


@kernel
def _end_ply(s):
    s.pieces_key ^= Z_PLY[s.ply] ^ Z_PLY[s.ply + 1]
    s.ply += 1
    s.mover = 3 - s.mover
    s.stage, s.able, s.chosen, s.left, s.stuck = PLACE, 0, 0, 0, 0
    if s.result == 0:
        if s.ply == s.plies:
            count_out(s)
        else:
            s.stuck = 0 if has_cell(s) else 1


@kernel
def count_out(s):
    """The score at the end: more pieces turned, then fewer of them red."""
    ahead = np.int64(s.flips[0]) - s.flips[1]
    s.result = FLIPS
    if ahead == 0:
        ahead = np.int64(s.reds[1]) - s.reds[0]
        s.result = REDS if ahead != 0 else LEVEL
    s.winner = 0 if ahead == 0 else (1 if ahead > 0 else 2)


@kernel
def has_cell(s):
    """Does the side to move have a legal cell?"""
    for j in range(s.n_empty - 1, -1, -1):
        if ban(s, np.int64(s.empties[j])) == 0:
            return True
    return False


# ---- taking back ----------------------------------------------------------------------------------------------------


@kernel
def undo(s):
    """Take back the last action or outcome; at the start or at a set-up position there is none (check `n_moves` first)."""
    s.n_moves -= 1
    entry = np.int64(s.history[s.n_moves])
    s.history[s.n_moves] = 0
    kind = entry >> KIND
    entry -= kind << KIND
    if kind == OTHER and entry != PASSED:
        _undo_piles(s, entry)
        return
    if s.stage == PLACE:  # the entry ended a ply
        s.pieces_key ^= Z_PLY[s.ply] ^ Z_PLY[s.ply - 1]
        s.ply -= 1
        s.mover = 3 - s.mover
        s.result, s.winner = 0, 0
    s.stuck = 1 if kind == OTHER else 0
    i = np.int64(s.mover) - 1
    if kind == LAID:
        _lift(s, i, entry)
    elif kind == CHOSEN:
        a, chosen = np.int64(s.last), entry & 255
        turn_all(s, i, a, entry >> 8)
        for d in range(8):
            if chosen >> d & 1 and kind_at(s, neighbour(s, a, d)) >= TURNED:
                turn_all(s, i, a, 1 << d)
        s.stage, s.chosen, s.left, s.able = CHOOSE, 0, 0, sandwiched(s, i, a)
    elif kind == REVEALED:
        a, d = np.int64(s.last), entry & 7
        q = neighbour(s, a, d)
        turn_all(s, i, a, entry >> 4 & 255)
        turn_all(s, i, a, 1 << d)
        set_kind(s, q, UNSEEN)
        see_back(s, 1 - i, entry >> 3 & 1 != 0, -1)
        s.stage, s.chosen, s.left = REVEAL, entry >> 12, np.int64(s.left) | 1 << d


@kernel
def _lift(s, i, entry):
    a, k = entry & 511, entry >> 9 & 511
    r = (a * s.inverse) >> 16
    c = a - r * s.width
    if s.dealt != 0:
        s.hidden_key ^= number_word(np.int64(s.piece[a]), a)
    s.pieces_key ^= Z_PIECE[(i + 1 + 2 * UNSEEN) * MAX_CELLS + a]
    s.piece[a] = 0
    flip_stone(s, i, r, c)
    s.stage, s.able, s.last = PLACE, 0, (entry >> 18) - 1
    if k == s.n_empty:
        add_empty(s, a)
    else:
        add_empty(s, np.int64(s.empties[k]))
        s.empties[k], s.slot[a] = a, k


@kernel
def _undo_piles(s, what):
    if what == DEALING:
        s.stage, s.dealt, s.hidden[0], s.hidden[1], s.hidden_key = DEAL, 0, 0, 0, 0
        return
    s.stage = ASSIGN
    s.hidden_key ^= mask_word(s)
    s.order[1 if s.order[0] < 0 else 0] = -1
    s.hidden_key ^= mask_word(s)


# ---- what is legal --------------------------------------------------------------------------------------------------


@kernel
def ban(s, a):
    """Why the bans forbid the side to move the empty cell ``a``: 0 if they do not. In phase 2 only for a long row."""
    if s.bound[s.mover - 1] == 0:
        return 0
    c0, c1, c2, c3 = classes_at(s, np.int64(s.mover) - 1, a)
    if s.ply < s.first or s.phase2_all != 0:
        return shape_ban(s, c0, c1, c2, c3)
    any_of = c0 | c1 | c2 | c3
    return OVERLINE if any_of & OVERLONG and not any_of & WIN else 0


@kernel
def fault(s, a):
    """0 if ``a`` is legal (on a chance turn: can happen), else the reason as one of the constants of `record`."""
    a = np.int64(a)
    if s.result != 0:
        return OVER
    if s.stage == REVEAL or s.stage == DEAL:
        return _chance_fault(s, a - num_actions(s), a)
    if a < 0 or a >= num_actions(s):
        return NO_ACTION
    if s.stage == PLACE:
        if a == s.cells + PASS:
            return 0 if s.stuck != 0 else NO_PASS
        if a >= s.cells:
            return CELL_DUE
        return OCCUPIED if s.slot[a] < 0 else ban(s, a)
    if s.stage == ASSIGN:
        return 0 if a >= s.cells + PILES else PILES_DUE
    chosen = a - s.cells
    if chosen < 0 or chosen >= SETS:
        return FLIPS_DUE
    if chosen & ~np.int64(s.able) != 0:
        return NOT_SANDWICHED
    return MUST_FLIP if chosen == 0 and s.must_flip != 0 else 0


@kernel
def _chance_fault(s, outcome, a):
    if s.stage == DEAL:
        if outcome == FACE_DOWN:
            return 0
        black, white = a & (1 << MAX_PIECES) - 1, (a >> MAX_PIECES) & (1 << MAX_PIECES) - 1
        good = a >> DEALT == 1 and _is_share(s, black) and _is_share(s, white)
        return 0 if good else CHANCE_DUE
    if outcome != RED and outcome != COLOURED:
        return CHANCE_DUE
    return 0 if chance_weight(s, outcome) > 0 and (s.dealt == 0 or _hidden_outcome(s) == outcome) else IMPOSSIBLE


@kernel
def _is_share(s, mask):
    """Does a mask name as many pieces of one side as have coloured backs?"""
    n = 0
    for k in range(MAX_PIECES):
        n += mask >> k & 1
    return n == s.coloured and mask >> (s.plies // 2) == 0


@kernel
def is_legal(s, a):
    if s.stage == PLACE and 0 <= a < s.cells:
        return s.slot[a] >= 0 and s.result == 0 and ban(s, np.int64(a)) == 0
    return fault(s, a) == 0


@kernel
def legal_mask(s, out):
    """Write 1 for legal and 0 for illegal actions into ``out`` (int8); no action is legal on a chance turn."""
    out[: num_actions(s)] = 0
    if s.result != 0 or to_move(s) == CHANCE:
        return
    for j in range(num_candidates(s)):
        a = candidate_at(s, j)
        if s.stage != PLACE or is_legal(s, a):
            out[a] = 1


@kernel
def num_candidates(s):
    if s.result != 0:
        return np.int64(0)
    if s.stage == PLACE:
        return np.int64(1) if s.stuck != 0 else np.int64(s.n_empty)
    if s.stage == CHOOSE:
        n, able = 0, np.int64(s.able)
        while able != 0:
            able &= able - 1
            n += 1
        return np.int64((1 << n) - (1 if s.must_flip != 0 else 0))
    if s.stage == REVEAL:
        return np.int64(2)
    return np.int64(0) if s.stage == DEAL else np.int64(s.n_orders)


@kernel
def candidate_at(s, j):
    """Cells, or a pass; sets of the directions that may be chosen; on a chance turn RED and COLOURED; orders of piles."""
    if s.stage == PLACE:
        return np.int64(s.cells) + PASS if s.stuck != 0 else np.int64(s.empties[j])
    if s.stage == CHOOSE:
        return np.int64(s.cells) + _spread(j + (1 if s.must_flip != 0 else 0), np.int64(s.able))
    if s.stage == REVEAL:
        return num_actions(s) + j
    return np.int64(s.cells) + PILES + j


@kernel
def _spread(bits, mask):
    """The low bits of a number laid out on the set bits of a mask."""
    out = 0
    while mask != 0:
        low = mask & -mask
        if bits & 1:
            out |= low
        bits >>= 1
        mask ^= low
    return out


# ---- chance ---------------------------------------------------------------------------------------------------------


@kernel
def chance_weight(s, j):
    """The probability that the back about to be seen is coloured (``j`` = COLOURED) or red, by all that has been seen.

    Backs are exchangeable, so each unseen one is coloured with (coloured unseen) / (unseen), whatever pile it came from.
    """
    coloured, unseen = unseen_backs(s, np.int64(2 - s.mover))
    if unseen == 0:
        return 0.0 if j == COLOURED else 1.0
    return (coloured if j == COLOURED else unseen - coloured) / unseen


@kernel
def _hidden_outcome(s):
    """What the deal says of the back about to be seen."""
    q = neighbour(s, np.int64(s.last), first_of(np.int64(s.left)))
    return COLOURED if back_of(s, np.int64(2 - s.mover), np.int64(s.piece[q]) >> NUMBER) else RED


@kernel
def chance_draw(s, rng):
    """An outcome: of a reveal by its weights, or as dealt; of the deal itself by shuffling each side's pieces."""
    if s.stage == DEAL:
        black = _shuffled(s, rng)
        return np.int64(1) << DEALT | black | _shuffled(s, rng) << MAX_PIECES
    if s.dealt != 0:
        return num_actions(s) + _hidden_outcome(s)
    coloured, unseen = unseen_backs(s, np.int64(2 - s.mover))
    return num_actions(s) + (COLOURED if below(rng, max(unseen, 1)) < coloured else RED)


@kernel
def _shuffled(s, rng):
    """A random mask of the coloured backs of one side's pieces."""
    mask, due, n = np.int64(0), np.int64(s.coloured), np.int64(s.plies) // 2
    for k in range(n):
        if below(rng, n - k) < due:
            mask |= np.int64(1) << k
            due -= 1
    return mask


@kernel
def seen_action(s, a, player):
    """What a player sees of an action: a deal only face down."""
    return num_actions(s) + FACE_DOWN if s.stage == DEAL else np.int64(a)


@kernel
def redeal(s, player, rng):
    """Forget the backs that nobody has seen: they are drawn when they show, which is the same law (backs are exchangeable).

    Nobody knows more than what was seen, so it does not depend on the player, and nothing is left to be looked at.
    """
    s.dealt, s.hidden[0], s.hidden[1] = 0, 0, 0
    s.hidden_key = np.uint64(0)
