"""How games end: rows and claims, older fours, dropping out, limits; and what a win counts for."""

from __future__ import annotations

import numpy as np

from narabe.envs.rules.jit import kernel
from narabe.envs.rules.stacking.blocks import any_row, makes_row
from narabe.envs.rules.stacking.reaches import can_win
from narabe.envs.rules.stacking.record import (
    AS_DRAW,
    AS_PLAYED,
    CLAIMED,
    DRAWN,
    FULL,
    LIMIT,
    OLDER,
    RESIGNED,
    RETAKEN,
    REVERSED,
    ROW,
    STANDS,
)


@kernel
def stopped(s, c, r):
    """FULL or LIMIT if the game cannot go on after a block on row ``r`` of column ``c`` that did not win, else 0."""
    if s.left == 0:
        return FULL
    at_side = s.open_sides != 0 and (c == 0 or c == s.columns - 1)
    at_top = s.open_top != 0 and r == s.ceiling - 1
    if at_side or at_top or s.ply >= s.plies:
        return LIMIT
    return 0


@kernel
def stop(s, why):
    """End the game without a winner if ``why`` is FULL or LIMIT."""
    if why != 0:
        s.result = why
        s.truncated = 1 if why == LIMIT else 0


@kernel
def settle(s, winner, why):
    """End the game: ``winner`` (from 1, 0 none) won, but after a takeback the agreement may say something else.

    The agreement is about wins by a row: who resigns or claims in vain has lost, the first winner too.
    """
    once_beaten = winner != 0 and s.first_winner != 0 and winner != s.first_winner
    if once_beaten and why & ROW != 0 and s.after_takeback != AS_PLAYED:
        winner = np.int64(0) if s.after_takeback == AS_DRAW else np.int64(s.first_winner)
        why |= RETAKEN
    s.winner, s.result = winner, why


@kernel
def note_row(s, i, c, r):
    """Claim mode: if the block just laid gave player ``i`` his first four, note the order."""
    if s.claim != 0 and s.rank[i] == 0 and makes_row(s, i, c, r):
        rank = 1
        for j in range(s.players):
            rank += 1 if s.rank[j] != 0 else 0
        s.rank[i] = rank


@kernel
def forget_row(s, i):
    """Claim mode: if player ``i`` has no four any more, there is no order to note."""
    if s.rank[i] != 0 and not any_row(s, i):
        s.rank[i] = 0


@kernel
def verdict(s, i):
    """(winner from 1, why) when player ``i`` has a four, and in claim mode has claimed it."""
    if s.claim == 0:
        return i + 1, np.int64(ROW)
    older = i
    for j in range(s.players):
        if s.dropped >> j & 1 == 0 and 0 < s.rank[j] < s.rank[older]:
            older = np.int64(j)
    why = np.int64(ROW | CLAIMED)
    if older == i or s.unclaimed_four == STANDS:
        return i + 1, why
    return (older + 1 if s.unclaimed_four == REVERSED else np.int64(0)), why | OLDER


@kernel
def next_after(s, i):
    """The next player, from 1, after player ``i`` (from 0) who is not out."""
    n = np.int64(s.players)
    j = i
    for _ in range(n):
        j = j + 1 if j + 1 < n else np.int64(0)
        if s.dropped >> j & 1 == 0:
            break
    return j + 1


@kernel
def drop_out(s, i, why):
    """Player ``i`` has lost. With two players the other has won; else he is out, and if one remains, that one has won."""
    if s.players == 2:
        settle(s, 2 - i, np.int64(why))
        return
    s.dropped |= 1 << i
    remaining, who = 0, np.int64(0)
    for j in range(s.players):
        if s.dropped >> j & 1 == 0:
            remaining += 1
            who = np.int64(j + 1)
    if remaining == 1:
        settle(s, who, np.int64(why))


@kernel
def resign(s, i):
    """Player ``i`` gives up. With two players, a four that he had or could have completed first may undo it."""
    if s.players == 2 and s.unclaimed_four != STANDS and was_first(s, i):
        winner = np.int64(0) if s.unclaimed_four == DRAWN else i + 1
        settle(s, winner, np.int64(RESIGNED | OLDER))
    else:
        drop_out(s, i, RESIGNED)


@kernel
def was_first(s, i):
    """Two players: has player ``i`` the older four, or, if nobody has one, could he complete one now?"""
    own, other = np.int64(s.rank[i]), np.int64(s.rank[1 - i])
    if own != 0:
        return other == 0 or own < other
    return other == 0 and can_win(s, i)


@kernel
def payoff(s, player):
    """+1 for the winner, -1/(n-1) for each other; in a draw 0, but those who dropped out pay -1/(n-1) to the rest."""
    others = np.int64(s.players) - 1
    if s.winner != 0:
        return 1.0 if s.winner == player else -1.0 / others
    if s.dropped == 0:
        return 0.0
    out = 0
    for j in range(s.players):
        out += s.dropped >> j & 1
    if s.dropped >> (player - 1) & 1:
        return -1.0 / others
    return out / (others * (s.players - out) * 1.0)
