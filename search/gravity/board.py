"""The geometry of a board for the solver, and positions on it, in plain Python."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


class BoardError(ValueError):
    """A board that the solver cannot hold, or a position that is none."""


@dataclass(frozen=True)
class Board:
    """Width and height in cells; ``cylinder``: left and right edges joined, which takes a width of four.

    >>> Board(7, 6).bits
    49
    """

    width: int
    height: int
    cylinder: bool = False

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise BoardError(f"{self.width}x{self.height}: both must be 1 or more")
        if self.bits > 64:
            raise BoardError(
                f"{self.width}x{self.height}: too large to solve, width * (height + 1) is {self.bits}, at most 64"
            )
        if self.cylinder and self.width < 4:
            raise BoardError(f"{self.width}x{self.height}: a cylinder takes a width of 4 or more")

    @property
    def bits(self) -> int:
        return self.width * (self.height + 1)

    @property
    def cells(self) -> int:
        return self.width * self.height

    def column(self, c: int) -> int:
        """The cells of a column as a bitboard."""
        return ((1 << self.height) - 1) << (c * (self.height + 1))

    def rows(self, wanted: Iterable[int]) -> int:
        """The cells of some rows, counted from the floor."""
        row = sum(1 << (c * (self.height + 1)) for c in range(self.width))
        return sum(row << r for r in wanted)


@dataclass(frozen=True)
class Position:
    """Stones of the player to move, and all stones, as bitboards."""

    own: int = 0
    taken: int = 0

    @property
    def plies(self) -> int:
        return self.taken.bit_count()

    def playable(self, board: Board, column: int) -> bool:
        """Is there room in the column?"""
        return 0 <= column < board.width and self.taken & board.column(column) != board.column(column)

    def columns(self, board: Board) -> list[int]:
        """The columns with room."""
        return [c for c in range(board.width) if self.playable(board, c)]

    def after(self, board: Board, column: int) -> Position:
        """The position once the player to move has dropped a stone; `BoardError` where there is no room."""
        if not self.playable(board, column):
            raise BoardError(f"column {column}: no room there")
        floor = 1 << (column * (board.height + 1))
        return Position(self.own ^ self.taken, self.taken | (self.taken + floor))

    def wins_with(self, board: Board, column: int) -> bool:
        """Does a stone in the column, which must have room, make four in line?"""
        after = self.after(board, column)
        return has_line(board, after.own ^ after.taken)


def has_line(board: Board, stones: int) -> bool:
    """Four in line, by rotations or shifts of Python's own integers."""
    high, bits = board.height + 1, board.bits
    full = (1 << bits) - 1
    for step in (1, high - 1, high, high + 1):
        run = stones
        moved = stones
        for _ in range(3):
            if board.cylinder and step != 1:
                moved = ((moved << step) | (moved >> (bits - step))) & full
            else:
                moved >>= step
            run &= moved
        if run:
            return True
    return False


def position_of(board: Board, columns: Iterable[int]) -> Position:
    """The position after these columns (from 0); `BoardError` if a column is full or the game was won before the end."""
    position = Position()
    won = False
    for n, c in enumerate(columns):
        if won:
            raise BoardError(f"move {n + 1}: the game is over")
        if not position.playable(board, c):
            raise BoardError(f"move {n + 1}: no room in column {c}")
        won = position.wins_with(board, c)
        position = position.after(board, c)
    return position
