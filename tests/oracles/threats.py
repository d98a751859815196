"""Brute force for wins by fours and by threats: AND/OR search with the law's own calls alone.

No patterns, no tables, no ordering, no memory: at every node all legal moves of the side in turn are tried, those of the
attacker that the definition admits, and all of the defender's. Lengths are in plies and count the winning move.

*Winning move*: ends the game with its player's win. *Four*: a move after which its player, were it his turn again, would
have a winning move. *Threat*: a move after which he would have a VCF. The attacker of a VCF plays winning moves and fours;
the attacker of a VCT also what is `Admitted`:

``THREES``  moves that make a line of KIND THREE or WIDE_THREE (read from the cells), and any legal move that leaves the
            defender without a winning move if he had one (a parry)
``STRICT``  the same, but after either of them a VCF of at most `LONG` plies must stand if the defender passed
``ALL``     any move after which such a VCF stands

So what `STRICT` wins the other two win as well. A reply that ends the game, be it as a draw, refutes the attacker.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from narabe.envs import State
from narabe.envs.rules import core
from narabe.envs.rules.jit import kernel
from narabe.envs.rules.line.stones import stone_at

LONG = 9  # plies of the VCF that makes a move a threat
REACH = 5  # cells looked at on each side of a stone
CELLS = 2 * REACH + 1
FREE, OWN, CLOSED = 0, 1, 2  # what a cell of a line holds


class Admitted(IntEnum):
    """What the attacker of a VCT may play beside winning moves and fours."""

    THREES, STRICT, ALL = 0, 1, 2


THREES, STRICT, ALL = (int(admitted) for admitted in Admitted)


# ---- moves by what they do -------------------------------------------------------------------------------------------


@kernel
def wins(s, a):
    """Does the legal move ``a`` end the game with its player's win?"""
    player = core.to_move(s)
    core.apply(s, a)
    won = core.is_over(s) and core.payoff(s, player) > 0
    core.undo(s)
    return won


@kernel
def has_win(s):
    """Has the side to move a winning move?"""
    for j in range(core.num_candidates(s)):
        a = np.int64(core.candidate_at(s, j))
        if core.is_legal(s, a) and wins(s, a):
            return True
    return False


@kernel
def pass_turn(s):
    """Let the other side move; called twice it changes nothing. The key is left as it is."""
    s.mover = 3 - s.mover


@kernel
def other_has_win(s):
    """Would the side not in turn have a winning move if it were its turn?"""
    pass_turn(s)
    found = has_win(s)
    pass_turn(s)
    return found


# ---- threes, read from the cells -------------------------------------------------------------------------------------


@kernel
def run_of(line, i):
    """Length of the run of own stones through cell ``i`` of a line, which holds one."""
    low, high = i, i
    while low > 0 and line[low - 1] == OWN:
        low -= 1
    while high < CELLS - 1 and line[high + 1] == OWN:
        high += 1
    return high - low + 1


@kernel
def completions(line, row, exact):
    """How many free cells of a line complete a winning row in which the stone in the middle stands."""
    n = 0
    for i in range(CELLS):
        if line[i] == FREE:
            line[i] = OWN
            together = True
            for k in range(min(i, REACH), max(i, REACH)):
                together = together and line[k] == OWN
            length = run_of(line, i)
            if together and (length == row if exact else length >= row):
                n += 1
            line[i] = FREE
    return n


@kernel
def is_three(line, row, exact):
    """Is a line a KIND of THREE or WIDE_THREE: no row and no cell to complete one, but a stone may make two such cells?"""
    stones = 0
    for i in range(CELLS):
        stones += 1 if line[i] == OWN else 0
    if stones < row - 2:  # a row and its last two stones
        return False
    length = run_of(line, REACH)
    if (length == row if exact else length >= row) or completions(line, row, exact) > 0:
        return False
    for i in range(CELLS):
        if line[i] == FREE:
            line[i] = OWN
            length = run_of(line, REACH)
            won = length == row if exact else length >= row
            found = not won and completions(line, row, exact) > 1
            line[i] = FREE
            if found:
                return True
    return False


@kernel
def read_line(s, a, dr, dc, line):
    """Write what the side to move sees along a line through the empty cell ``a``, with its stone on it."""
    mover, w, h = np.int64(s.mover), np.int64(s.width), np.int64(s.height)
    line[REACH] = OWN
    for sign in range(-1, 2, 2):
        closed = False
        for k in range(1, REACH + 1):
            r, c = a // w + sign * k * dr, a % w + sign * k * dc
            closed = closed or r < 0 or r >= h or c < 0 or c >= w
            content = 0 if closed else np.int64(stone_at(s, r * w + c))
            closed = closed or content == 3 - mover
            line[REACH + sign * k] = CLOSED if closed else (OWN if content == mover else FREE)


@kernel
def makes_three(s, a, line):
    """Would the side to move make a three on the empty cell ``a``? ``line``: int8 scratch of `CELLS`."""
    exact = s.exact[np.int64(s.mover) - 1] != 0
    for d in range(4):
        read_line(s, a, 0 if d == 0 else 1, 1 if d == 0 else d - 1 if d < 3 else -1, line)
        if is_three(line, np.int64(s.row), exact):
            return True
    return False


# ---- the searches ----------------------------------------------------------------------------------------------------


@kernel
def vcf(s, plies):
    """Does the side to move win by a VCF within so many plies?"""
    if plies < 1 or core.is_over(s):
        return False
    if has_win(s):
        return True
    if plies < 3:
        return False
    for j in range(core.num_candidates(s)):
        a = np.int64(core.candidate_at(s, j))
        if not core.is_legal(s, a):
            continue
        core.apply(s, a)
        good = not core.is_over(s) and other_has_win(s)
        if good:
            for k in range(core.num_candidates(s)):
                b = np.int64(core.candidate_at(s, k))
                if core.is_legal(s, b):
                    core.apply(s, b)
                    good = vcf(s, plies - 2)  # False where the reply ended the game
                    core.undo(s)
                    if not good:
                        break
        core.undo(s)
        if good:
            return True
    return False


@kernel
def is_vcf_move(s, a, plies):
    """Is ``a`` the first move of a VCF within so many plies?"""
    if plies < 1 or not core.is_legal(s, a):
        return False
    if wins(s, a):
        return True
    core.apply(s, a)
    good = plies >= 3 and not core.is_over(s) and other_has_win(s)
    if good:
        for k in range(core.num_candidates(s)):
            b = np.int64(core.candidate_at(s, k))
            if core.is_legal(s, b):
                core.apply(s, b)
                good = vcf(s, plies - 2)
                core.undo(s)
                if not good:
                    break
    core.undo(s)
    return good


@kernel
def stands(s):
    """Would the side that has just moved have a VCF if the other passed? (So the move was a threat.)"""
    pass_turn(s)
    found = vcf(s, np.int64(LONG))
    pass_turn(s)
    return found


@kernel
def vct(s, plies, admitted, line):
    """Does the side to move win by a VCT within so many plies? ``line``: int8 scratch of `CELLS`."""
    if plies < 1 or core.is_over(s):
        return False
    if has_win(s):
        return True
    if plies < 3:
        return False
    pressed = other_has_win(s)
    for j in range(core.num_candidates(s)):
        a = np.int64(core.candidate_at(s, j))
        if not core.is_legal(s, a):
            continue
        three = admitted != ALL and not pressed and makes_three(s, a, line)
        core.apply(s, a)
        good = False
        if not core.is_over(s) and not (pressed and has_win(s)):
            good = other_has_win(s) or three or (pressed and admitted != ALL)
            if admitted == ALL or (admitted == STRICT and good):
                good = stands(s)
        if good:
            for k in range(core.num_candidates(s)):
                b = np.int64(core.candidate_at(s, k))
                if core.is_legal(s, b):
                    core.apply(s, b)
                    good = vct(s, plies - 2, admitted, line)
                    core.undo(s)
                    if not good:
                        break
        core.undo(s)
        if good:
            return True
    return False


@kernel
def length_of(s, max_plies, admitted, line):
    """Plies of the shortest VCF (``admitted`` -1) or VCT of the side to move, 0 if there is none within ``max_plies``."""
    most = min(np.int64(max_plies), core.calm_plies(s))
    for plies in range(1, most + 1, 2):
        if vcf(s, plies) if admitted < 0 else vct(s, plies, admitted, line):
            return plies
    return 0


@kernel
def lengths_of(states, max_plies, admitted, passed, out):
    """`length_of` each state into ``out`` (int64); with ``passed`` of the side not in turn, as if the other passed."""
    line = np.zeros(CELLS, np.int8)
    for i in range(len(out)):
        s = states[i]
        if passed:
            pass_turn(s)
        out[i] = length_of(s, max_plies, admitted, line)
        if passed:
            pass_turn(s)


def vcf_lengths(states: np.ndarray, max_plies: int, *, passed: bool = False) -> np.ndarray:
    """int64 by state of a batch of records: the length of the shortest VCF of the side to move, 0 if none is so short.

    ``passed``: of the side that is not in turn, as if the other passed.
    """
    out = np.zeros(len(states), np.int64)
    lengths_of(states, max_plies, -1, passed, out)
    return out


def vct_lengths(
    states: np.ndarray, max_plies: int, admitted: Admitted = Admitted.THREES, *, passed: bool = False
) -> np.ndarray:
    """The same for the shortest VCT."""
    out = np.zeros(len(states), np.int64)
    lengths_of(states, max_plies, int(admitted), passed, out)
    return out


def vcf_within(state: State, plies: int) -> bool:
    """Does the side to move win by a VCF within so many plies?

    >>> from narabe.envs import game
    >>> state = game("gomoku", size=7).position(black="B2 C2 D2", white="B6 C6", to_move="black")
    >>> vcf_within(state, 1), vcf_within(state, 3)
    (False, True)
    """
    return bool(vcf_lengths(state.record.copy(), plies)[0])


def vct_within(state: State, plies: int, threes: bool = True) -> bool:
    """Does it by a VCT, the attacker trying fours, threes and parries, or else every threat?

    >>> from narabe.envs import game
    >>> state = game("freestyle", size=7).position(black="C4 D4 E5 E6", white="A1 A7 G1 G7")
    >>> vct_within(state, 5)
    True
    """
    return bool(vct_lengths(state.record.copy(), plies, Admitted.THREES if threes else Admitted.ALL)[0])
