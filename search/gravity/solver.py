"""The solver in Python: scores of positions and of their columns, lines of best play, with progress and limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numba.core import config

from narabe.search.gravity import descent, table
from narabe.search.gravity.board import Board, BoardError, Position

SLICE = 100_000
"""Nodes between two calls of `Solver.tick`, by default: a few hundredths of a second."""
SYMMETRIC_PLIES = 12
"""Positions with fewer stones share a table entry with their mirror images and rotations."""
LINE = 64
"""Bytes of a cache line: a bucket must not lie on two."""


@dataclass(frozen=True)
class Bounds:
    """What is certain of a score: from ``low`` to ``high``."""

    low: int
    high: int

    @property
    def known(self) -> bool:
        return self.low == self.high


class Solver:
    """Exact scores for one board: 0 draw, k a win of the player to move with k - 1 own stones to spare, -k such a loss.

    ``mb``: size of the transposition table in MiB, rounded down to a power of two; it is kept from call to call, and so
    are later positions of the same game quick. ``weak``: scores are only 1, 0, -1, which is quicker. ``tick``, if set, is
    called before each search and every ``slice`` nodes, and may raise to stop; the table keeps what was found until then.

    >>> from narabe.search.gravity import Board, Solver, position_of
    >>> board = Board(7, 6)
    >>> Solver(board, mb=1).solve(position_of(board, [3, 3, 3, 3, 3, 3, 1, 1, 1, 1, 5, 4]))
    0
    """

    def __init__(self, board: Board, mb: float = 64, weak: bool = False) -> None:
        self.board, self.weak = board, weak
        self.nodes = 0
        self.tick: Callable[[], None] | None = None
        self.slice = SLICE
        index_bits = _index_bits(board, mb)
        self.table = _aligned(table.BUCKET << index_bits)
        self._geometry = _records(descent.GEOMETRY, 1)
        self._geometry[0] = _geometry(board, board.bits - index_bits)
        self._frames = _records(descent.FRAME, board.cells + 2)
        self._control = np.zeros(descent.CONTROLS, np.int64)

    def clear(self) -> None:
        """Forget everything, as if newly made."""
        self.table[:] = 0
        self.nodes = 0

    # ---- one question ----

    def bound(self, position: Position, threshold: int) -> int:
        """A bound of the score that tells whether it is above the threshold: a lower one then, else an upper one.

        The player to move must have a move and no win at once.
        """
        control = self._control
        control[:] = 0
        control[descent.THRESHOLD] = threshold
        control[descent.LEFT] = self.board.cells - position.plies
        self._frames[0]["gravity_own"], self._frames[0]["taken"] = position.own, position.taken
        start = self.nodes
        while not control[descent.DONE]:
            if self.tick is not None:
                self.tick()
            limit = int(control[descent.NODES]) + self.slice
            descent.search(self._geometry, self._frames, self.table, control, limit)
            self.nodes = start + int(control[descent.NODES])
        return int(control[descent.VALUE])

    # ---- scores ----

    def at_once(self, position: Position) -> int | None:
        """The score if it takes no search: a full board, or a win with the next stone."""
        left = self.board.cells - position.plies
        if left == 0:
            return 0
        if any(position.wins_with(self.board, c) for c in position.columns(self.board)):
            return 1 if self.weak else (left + 1) // 2
        return None

    def narrow(self, position: Position) -> Iterator[Bounds]:
        """Bounds of the score, closer and closer, until they meet."""
        score = self.at_once(position)
        if score is not None:
            yield Bounds(score, score)
            return
        left = self.board.cells - position.plies
        low, high = -(left // 2), (left - 1) // 2
        if self.weak:
            low, high = max(low, -1), min(high, 1)
        yield Bounds(low, high)
        while low < high:
            threshold = _threshold(low, high)
            value = self.bound(position, threshold)
            if value > threshold:
                low = min(value, high)
            else:
                high = max(value, low)
            yield Bounds(low, high)

    def solve(self, position: Position) -> int:
        """The exact score for the player to move (weak: its sign)."""
        *_, last = self.narrow(position)
        return last.low

    def at_least(self, position: Position, score: int) -> bool:
        """Is the position worth at least that much to the player to move?"""
        found = self.at_once(position)
        return found >= score if found is not None else self.bound(position, score - 1) >= score

    def score_of(self, position: Position, column: int) -> int:
        """The exact score of a move for the player who makes it; `BoardError` if there is no room."""
        if position.wins_with(self.board, column):
            return 1 if self.weak else (self.board.cells - position.plies + 1) // 2
        return -self.solve(position.after(self.board, column))

    def scores(self, position: Position) -> Iterator[tuple[int, int]]:
        """(column, score) of every column with room, those in the middle first, each as soon as it is known."""
        for column in self.by_centre(position):
            yield column, self.score_of(position, column)

    def best_column(self, position: Position, score: int) -> int:
        """A column that keeps the score, which must be the position's."""
        columns = self.by_centre(position)
        for column in columns:
            if position.wins_with(self.board, column):
                return column
        for column in columns[:-1]:  # one of them keeps it; the opponent gains after the others
            if not self.at_least(position.after(self.board, column), 1 - score):
                return column
        return columns[-1]

    def line(self, position: Position, score: int, longest: int = 99) -> list[int]:
        """Columns of best play by both sides from a position with this score (weak: play that keeps the result)."""
        columns: list[int] = []
        while len(columns) < longest and position.plies < self.board.cells:
            column = self.best_column(position, score)
            columns.append(column)
            if position.wins_with(self.board, column):
                break
            position, score = position.after(self.board, column), -score
        return columns

    def remembered(self, position: Position) -> Bounds:
        """What is certain without a search: from the table, or the number of free cells."""
        score = self.at_once(position)
        if score is not None:
            return Bounds(score, score)
        left = self.board.cells - position.plies
        own, taken = np.uint64(position.own), np.uint64(position.taken)
        found = np.uint64(descent.recall(self._geometry, self.table, own, taken, left))
        low, high = -(left // 2), (left - 1) // 2
        if found == table.MISS:
            return Bounds(low, high)
        return Bounds(max(low, int(table.lower_bound(found))), min(high, int(table.upper_bound(found))))

    def by_centre(self, position: Position) -> list[int]:
        """Columns with room, those in the middle first."""
        middle = (self.board.width - 1) / 2
        return sorted(position.columns(self.board), key=lambda c: (abs(c - middle), c))


def plies_to_end(board: Board, position: Position, score: int) -> int:
    """How many more stones a game with this (not weak) score takes, the winning one included.

    >>> plies_to_end(Board(7, 6), Position(), 1)
    41
    """
    plies, cells = position.plies, board.cells
    if score == 0:
        return cells - plies
    before = cells - 2 * abs(score)  # stones on the board when the winner is to make the last one, or one more
    if (before - plies) % 2 != (score < 0):
        before += 1
    return before - plies + 1


def _threshold(low: int, high: int) -> int:
    """Where to ask next, from low to high - 1: win, draw or loss first, then about the middle, but nearer to a draw."""
    if low < 0 < high:
        return 0
    middle = (low + high) // 2
    if low >= 0:
        return max(low, min(middle, high // 2))
    return min(high - 1, max(middle, -(-low // 2)))


def _index_bits(board: Board, mb: float) -> int:
    """log2 of the number of buckets; `BoardError` where an entry could not hold the rest of a key."""
    entries = int(mb * (1 << 20)) // 8
    bits = min(board.bits, max(0, (entries // table.BUCKET).bit_length() - 1))
    needed = board.bits - (64 - int(table.VALUE_BITS))
    if bits < needed:
        least = (table.BUCKET * 8 << needed) / (1 << 20)
        raise BoardError(
            f"mb={mb:g}: a {board.width}x{board.height} board needs a table of {max(least, 0.001):g} or more"
        )
    return bits


def _aligned(entries: int) -> np.ndarray:
    """Zeroed uint64 whose buckets each lie on one cache line."""
    room = np.zeros(entries + LINE // 8, np.uint64)
    offset = -room.ctypes.data % LINE // 8
    return room[offset : offset + entries]


def _records(dtype: np.dtype, n: int) -> np.ndarray:
    """Zeroed records (without JIT as a recarray, so that plain Python can read fields by name)."""
    records = np.zeros(n, dtype)
    return records.view(np.recarray) if config.DISABLE_JIT else records


def _geometry(board: Board, shift: int) -> tuple[object, ...]:
    """The fields of a GEOMETRY. A cylinder has no middle, so there the higher of two moves comes first; on a flat board
    the one nearer the middle does, then the higher one."""
    order = np.zeros(64, np.int64)
    for column in range(board.width):
        off_centre = 0 if board.cylinder else abs(2 * column - (board.width - 1))
        for row in range(board.height):
            order[column * (board.height + 1) + row] = row - 64 * off_centre
    even_below_top = board.rows(range((board.height - 1) % 2, board.height, 2))
    full, cells, floor = (1 << board.bits) - 1, board.rows(range(board.height)), board.rows([0])
    half, symmetric = (board.bits + 1) // 2, board.cells - SYMMETRIC_PLIES + 1
    high = board.height + 1
    return high, board.bits, full, cells, floor, even_below_top, half, shift, int(board.cylinder), symmetric, order
