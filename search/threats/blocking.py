"""Can all rows of the opponent be blocked? For the checker of proofs: a naive reading of the board, cell by cell.

A board is an int8 array by cell: 0 empty, else 1 + seat. See `narabe.search.threats.proof.Proof` for the theorem.
"""

from __future__ import annotations

import numpy as np

from narabe.envs.game import Game
from narabe.envs.rules.jit import kernel

NOWHERE, SAFELY, ANYWHERE = 0, 1, 2


def where_to_block(game: Game, seat: int) -> int:
    """On which empty cells may the seat lay a stone whatever happens: NOWHERE (known), SAFELY (see `is_safe`), ANYWHERE."""
    options = game.options
    if options["captures"]:
        return NOWHERE
    if options["bans"] == "black" and seat != 0:
        return ANYWHERE
    if options["double_four"] or options["overline"] or (options["double_three"] and options["same_line"]):
        return NOWHERE
    return SAFELY if options["double_three"] else ANYWHERE


@kernel
def on_line(a, d, n, width, height):
    """The cell ``n`` steps from ``a`` in direction ``d`` (0 to the right, 1 up, 2 and 3 the diagonals), -1 off the board."""
    r = a // width + (n if d > 0 else 0)
    c = a % width + (n if d == 0 or d == 2 else -n if d == 3 else 0)
    return r * width + c if r >= 0 and r < height and c >= 0 and c < width else -1


@kernel
def is_safe(board, width, row, seat, a):
    """Can no double three ever forbid ``seat`` the empty cell ``a``? So if at most one line can hold an open three there.

    An open three is one stone short of a run of row - 1 whose two end cells are empty: it needs row + 1 cells without a
    stone of the other, of which ``a`` is none of the ends.
    """
    height, lines = len(board) // width, 0
    for d in range(4):
        possible = False
        for start in range(1 - row, 0):
            free = True
            for n in range(row + 1):
                q = on_line(a, d, start + n, width, height)
                if q < 0 or board[q] == 2 - seat:
                    free = False
                    break
            possible = possible or free
        lines += 1 if possible else 0
    return lines < 2


@kernel
def weight_of_row(board, width, row, seat, a, d, partner, everywhere):
    """What the row of ``row`` cells from ``a`` in direction ``d`` weighs for the opponent of ``seat``: 2**(cells that are his).

    0 if it leaves the board, or holds a stone of ``seat`` or both cells of a pair (``partner``: by cell the other cell of its
    pair, -1 for none). His are his stones, the paired cells, and unless ``everywhere`` the cells that are not safe.
    """
    height, weight = len(board) // width, 1
    if on_line(a, d, row - 1, width, height) < 0:
        return 0
    for n in range(row):
        q = on_line(a, d, n, width, height)
        if board[q] == seat + 1:
            return 0
        if partner[q] >= 0:
            for m in range(row):
                if on_line(a, d, m, width, height) == partner[q]:
                    return 0
            weight *= 2
        elif board[q] != 0 or not (everywhere or is_safe(board, width, row, seat, q)):
            weight *= 2
    return weight


@kernel
def weight_of_rows(board, width, row, seat, partner, everywhere, through):
    """The sum of `weight_of_row` over all rows, or over those that run through the cell ``through`` (-1: over all)."""
    height, total = len(board) // width, 0
    for a in range(len(board)):
        for d in range(4):
            hit = through < 0
            for n in range(row):
                hit = hit or on_line(a, d, n, width, height) == through
            if hit:
                total += weight_of_row(board, width, row, seat, a, d, partner, everywhere)
    return total


@kernel
def can_block(board, width, row, seat, cells, everywhere):
    """With ``seat`` to move: can it block every row by the pairs ``cells`` (two cells each; may be none) and by weight?

    A pair must be of two empty cells on which ``seat`` may always lay a stone. One that holds a stone of ``seat`` has done its
    work, and one that holds two of the other is lost; if the other has taken one cell of a pair, ``seat`` answers there
    at once, so the rest must then stay light enough through one more stone of the other.
    """
    partner, whole, to_answer = np.full(len(board), -1, np.int64), 1 << row, 0
    for j in range(0, len(cells), 2):
        x, y = np.int64(cells[j]), np.int64(cells[j + 1])
        if x == y or partner[x] >= 0 or partner[y] >= 0:
            return False
        if board[x] == seat + 1 or board[y] == seat + 1 or (board[x] != 0 and board[y] != 0):
            continue
        for q in (x, y):
            if board[q] == 0 and not (everywhere or is_safe(board, width, row, seat, q)):
                return False
        partner[x], partner[y] = y, x
        to_answer += 1 if board[x] != 0 or board[y] != 0 else 0
    weight = weight_of_rows(board, width, row, seat, partner, everywhere, -1)
    if to_answer == 0:
        return weight < whole
    if to_answer > 1:
        return False
    for a in range(len(board)):
        if board[a] == 0 and partner[a] < 0 and (everywhere or is_safe(board, width, row, seat, a)):
            if weight + weight_of_rows(board, width, row, seat, partner, everywhere, a) >= whole:
                return False
    return True
