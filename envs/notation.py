"""Coordinates and the text of a board.

A cell is written as a column letter, from A on the left without skipping any, and a row number from 1 at the bottom:
A1 is the lower left corner, H8 the centre of 15x15, J10 that of 19x19.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CELL = re.compile(r"([A-Za-z])([0-9]{1,2})")


def cell_text(cell: int, width: int) -> str:
    """The coordinates of a cell (row * width + column).

    >>> cell_text(112, 15)
    'H8'
    """
    return f"{LETTERS[cell % width]}{cell // width + 1}"


def cell_of(text: str, width: int, height: int) -> int:
    """The cell that a text names; `ValueError` says what is wrong with it.

    >>> cell_of("h8", 15, 15)
    112
    """
    match = _CELL.fullmatch(text.strip())
    corner = cell_text(width * height - 1, width)
    if match is None:
        raise ValueError(f"cannot read {text!r} as a point: write a letter and a number, A1 to {corner}")
    column, row = LETTERS.index(match[1].upper()), int(match[2]) - 1
    if column >= width or not 0 <= row < height:
        raise ValueError(f"{text.strip().upper()} is off the {width}x{height} board (A1 to {corner})")
    return row * width + column


def board_text(board: Sequence[int] | np.ndarray, width: int, symbols: str) -> str:
    """Rows from the top, parted by ``/``; a number stands for so many empty cells.

    >>> board_text([0, 1, 0, 0, 2, 0], 3, ".xo")
    '1o1/1x1'
    """
    rows = []
    for start in range(len(board) - width, -1, -width):
        row, gap = "", 0
        for value in board[start : start + width]:
            if value == 0:
                gap += 1
                continue
            row += (str(gap) if gap else "") + symbols[value]
            gap = 0
        rows.append(row + (str(gap) if gap else ""))
    return "/".join(rows)


def board_of(text: str, width: int, height: int, symbols: str) -> np.ndarray:
    """The inverse of `board_text`: int8 by cell; `ValueError` names the row that is wrong.

    >>> board_of("1o1/1x1", 3, 2, ".xo").tolist()
    [0, 1, 0, 0, 2, 0]
    """
    rows = text.split("/")
    if len(rows) != height:
        raise ValueError(f"the board has {len(rows)} rows, not {height}")
    board = np.zeros(width * height, np.int8)
    for i, row in enumerate(rows):
        column, start = 0, (height - 1 - i) * width
        if not re.fullmatch(rf"(\d+|[{re.escape(symbols[1:])}])*", row):
            raise ValueError(
                f"row {height - i} of the board is {row!r}: only numbers and {', '.join(symbols[1:])} may stand there"
            )
        for token in re.findall(r"\d+|\D", row):
            if token.isdigit():
                column += int(token)
            else:
                if column < width:
                    board[start + column] = symbols.index(token)
                column += 1
        if column != width:
            raise ValueError(f"row {height - i} of the board is {row!r}: it has {column} cells, not {width}")
    return board
