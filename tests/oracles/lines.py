"""A naive oracle for every line game: gomoku, freestyle, omok, capture gomoku, renju and what lies between them.

It is written straight from the rules, for reading and not for speed: cells are scanned one by one along direction
vectors, and a question of the form "what if a stone stood here" is answered by a copy of the board with the stone on
it. The compiled law has to agree with it on every position.

Cells are numbered ``row * width + column`` with row 0 at the bottom, so cell 0 is ``A1``. A board is a list with one
entry a cell: ``EMPTY``, ``BLACK`` or ``WHITE``. Black moves first.

>>> position = Position.replay(OMOK, "J10 A1 K10 A2".split())
>>> position.fault("J10"), position.fault("L10"), len(position.legal())
('occupied', None, 357)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

EMPTY, BLACK, WHITE = 0, 1, 2
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
PAIRS_TO_WIN = 5

Board = list[int]
Direction = tuple[int, int]


@dataclass(frozen=True)
class Rules:
    """The parameters of a line game; each rule below names the ones it depends on."""

    width: int = 15
    height: int = 15
    row: int = 5
    exact: bool = False  # a run longer than `row` does not win
    double_three: bool = False  # the three bans
    double_four: bool = False
    overline: bool = False
    bans: str = "both"  # whom the bans bind: "both" or "black"
    recursive: bool = False  # a three counts only if the point that extends it may be played
    same_line: bool = False  # two open threes on one line count as two
    captures: bool = False
    opening: str = "none"  # or "tournament"

    def resized(self, width: int, height: int | None = None) -> Rules:
        """The same rules on a board of another size (square if only one size is given)."""
        return replace(self, width=width, height=width if height is None else height)

    def cell(self, name: str | int) -> int:
        """The number of the cell called `name` (letter = column from the left, none skipped; number = row)."""
        if not isinstance(name, str):
            return name
        column, row = ord(name[0].upper()) - ord("A"), int(name[1:]) - 1
        if not (0 <= column < self.width and 0 <= row < self.height):
            raise ValueError(f"{name} is not on a board of {self.width}x{self.height}")
        return row * self.width + column

    def name(self, cell: int) -> str:
        """The name of a cell: ``A1`` is cell 0."""
        return f"{chr(ord('A') + cell % self.width)}{cell // self.width + 1}"

    @property
    def has_bans(self) -> bool:
        """Whether there is any ban at all."""
        return self.double_three or self.double_four or self.overline

    def bound(self, side: int) -> bool:
        """Whether the bans bind this side."""
        return self.bans == "both" or side == BLACK

    def wins(self, side: int, length: int) -> bool:
        """Whether a maximal run of this length is a winning row.

        Exactly `row` if `exact`, or if an overline ban binds this side (so in renju Black wins with exactly five and
        White with five or more); else `row` or more.
        """
        if self.exact or (self.overline and self.bound(side)):
            return length == self.row
        return length >= self.row

    @property
    def five_spoils_three(self) -> bool:
        """Whether a point that makes a five does not count as the point that extends a three.

        RIF, for renju: a three can be made a straight four "without at the same time a five in a row is made". The
        overline ban marks renju here. In omok's recursive reading the point only has to be legal, and a five is legal.
        """
        return self.overline


GOMOKU = Rules(exact=True)
FREESTYLE = Rules()
OMOK = Rules(width=19, height=19, double_three=True)
CAPTURE_GOMOKU = Rules(width=19, height=19, captures=True, opening="tournament")
RENJU = Rules(double_three=True, double_four=True, overline=True, bans="black", recursive=True)
RULE_SETS = {
    "gomoku": GOMOKU,
    "freestyle": FREESTYLE,
    "omok": OMOK,
    "capture_gomoku": CAPTURE_GOMOKU,
    "renju": RENJU,
}


def rules_from(options: dict[str, Any]) -> Rules:
    """The rules that a data file describes: the name of a rule set as `base`, then the options that differ from it."""
    changes = {name: value for name, value in options.items() if name != "base"}
    return replace(RULE_SETS[options["base"]], **changes)


def cells_beyond(rules: Rules, cell: int, direction: Direction) -> tuple[int, ...]:
    """The cells from a cell to the edge in a direction, nearest first, without the cell itself."""
    return _cells_beyond(rules.width, rules.height, cell, direction)


@cache  # a third of the time of all comparisons otherwise, and a board stays as it is
def _cells_beyond(width: int, height: int, cell: int, direction: Direction) -> tuple[int, ...]:
    column, row = cell % width + direction[0], cell // width + direction[1]
    found = []
    while 0 <= column < width and 0 <= row < height:
        found.append(row * width + column)
        column, row = column + direction[0], row + direction[1]
    return tuple(found)


def opposite(direction: Direction) -> Direction:
    """The same line, read the other way."""
    return -direction[0], -direction[1]


def empty_cells_of_line(rules: Rules, board: Board, cell: int, direction: Direction) -> list[int]:
    """Every empty cell of the whole line through a cell, from edge to edge."""
    others = cells_beyond(rules, cell, direction) + cells_beyond(rules, cell, opposite(direction))
    return [other for other in others if board[other] == EMPTY]


def run_through(rules: Rules, board: Board, cell: int, direction: Direction) -> list[int]:
    """The maximal run of one colour through the stone on `cell`, in order along the direction."""
    run = [cell]
    for other in cells_beyond(rules, cell, direction):
        if board[other] != board[cell]:
            break
        run.append(other)
    for other in cells_beyond(rules, cell, opposite(direction)):
        if board[other] != board[cell]:
            break
        run.insert(0, other)
    return run


def with_stone(board: Board, cell: int, side: int) -> Board:
    """A copy of the board with one more stone."""
    copy = list(board)
    copy[cell] = side
    return copy


def makes_winning_row(rules: Rules, board: Board, cell: int) -> bool:
    """Whether the stone on `cell` lies in a winning row of its colour on at least one line."""
    runs = (run_through(rules, board, cell, direction) for direction in DIRECTIONS)
    return any(rules.wins(board[cell], len(run)) for run in runs)


def makes_overline(rules: Rules, board: Board, cell: int) -> bool:
    """Whether the stone on `cell` lies in a run longer than `row`."""
    return any(len(run_through(rules, board, cell, direction)) > rules.row for direction in DIRECTIONS)


def fours(rules: Rules, board: Board, cell: int, direction: Direction) -> set[frozenset[int]]:
    """The fours of one line through the stone on `cell`.

    A four is a set of ``row - 1`` own stones, the one on `cell` among them, that one empty cell completes into a
    winning row. Different sets count separately: ``X.XPX.X`` holds two. ``.XXPX.`` holds one, since either end
    completes the same stones.
    """
    side = board[cell]
    found = set()
    for filled in empty_cells_of_line(rules, board, cell, direction):
        run = run_through(rules, with_stone(board, filled, side), filled, direction)
        if cell in run and rules.wins(side, len(run)):
            for start in range(len(run) - rules.row + 1):
                window = frozenset(run[start : start + rules.row])
                if cell in window and filled in window:
                    found.add(window - {filled})
    return found


def open_threes(rules: Rules, board: Board, cell: int, direction: Direction) -> set[frozenset[int]]:
    """The open threes of one line through the stone on `cell`, each as its set of ``row - 2`` stones.

    A line that holds a four holds no three. Otherwise one further stone on an empty point must make an open straight
    four with `cell` in it. ``XX.P.XX`` holds two; ``..XPX..`` holds one, though two points extend it. With
    `recursive` the extending point itself has to count (`may_extend`).
    """
    if fours(rules, board, cell, direction):
        return set()
    side = board[cell]
    found = set()
    for point in empty_cells_of_line(rules, board, cell, direction):
        extended = with_stone(board, point, side)
        run = run_through(rules, extended, point, direction)
        if cell not in run or not is_open_straight_four(rules, extended, run, direction):
            continue
        if not rules.recursive or may_extend(rules, board, point, side):
            found.add(frozenset(run) - {point})
    return found


def is_open_straight_four(rules: Rules, board: Board, run: list[int], direction: Direction) -> bool:
    """Whether a maximal run is exactly ``row - 1`` long, with an empty cell at either end that makes a winning row."""
    if len(run) != rules.row - 1:
        return False
    side = board[run[0]]
    ends = cells_beyond(rules, run[0], opposite(direction))[:1] + cells_beyond(rules, run[-1], direction)[:1]
    return len(ends) == 2 and all(
        board[end] == EMPTY and rules.wins(side, len(run_through(rules, with_stone(board, end, side), end, direction)))
        for end in ends
    )


def may_extend(rules: Rules, board: Board, point: int, side: int) -> bool:
    """The recursive reading: whether `side` may play `point` while the stone under test stands on the board.

    The whole test is applied again to that point. Each step puts one more stone on the board, so it ends even where
    two points refer to each other.
    """
    if rules.five_spoils_three and makes_winning_row(rules, with_stone(board, point, side), point):
        return False
    return ban_fault(rules, board, point, side) is None


def is_double_three(rules: Rules, board: Board, cell: int) -> bool:
    """Open threes on two or more lines; with `same_line` two or more in all, be they on one line."""
    threes = [len(open_threes(rules, board, cell, direction)) for direction in DIRECTIONS]
    return sum(threes) >= 2 if rules.same_line else sum(count > 0 for count in threes) >= 2


def is_double_four(rules: Rules, board: Board, cell: int) -> bool:
    """Two or more fours through the stone on `cell`, on one line or on several."""
    return sum(len(fours(rules, board, cell, direction)) for direction in DIRECTIONS) >= 2


def ban_fault(rules: Rules, board: Board, cell: int, side: int) -> str | None:
    """The ban that forbids `side` to play the empty `cell`, or None.

    A winning row frees the stone from every ban. Otherwise the bans are tested in the order overline, double four,
    double three, and the first that applies is named. Where a rule set has bans *and* captures, the shapes are judged
    with the stone placed and nothing removed yet (a move removes only stones of the other side, so whether the stone
    makes a winning row is the same before and after).
    """
    if not rules.has_bans or not rules.bound(side):
        return None
    placed = with_stone(board, cell, side)
    if makes_winning_row(rules, placed, cell):
        return None
    if rules.overline and makes_overline(rules, placed, cell):
        return "overline"
    if rules.double_four and is_double_four(rules, placed, cell):
        return "double four"
    if rules.double_three and is_double_three(rules, placed, cell):
        return "double three"
    return None


def captured_cells(rules: Rules, board: Board, cell: int) -> list[int]:
    """The stones that the stone on `cell` takes: in each of 8 directions exactly two enemies before an own stone."""
    side = board[cell]
    enemy = BLACK + WHITE - side
    taken = []
    for direction in [*DIRECTIONS, *map(opposite, DIRECTIONS)]:
        next_three = cells_beyond(rules, cell, direction)[:3]
        if [board[other] for other in next_three] == [enemy, enemy, side]:
            taken += next_three[:2]
    return taken


class IllegalMove(ValueError):
    """A move that the rules do not allow, or any move after the end."""


class Position:
    """A position, never changed once made: `play` gives a new one.

    board       one entry a cell: EMPTY, BLACK or WHITE
    to_move     BLACK or WHITE; after the end, the side that would move next
    ply         how many moves led here
    pairs       pairs captured so far by (Black, White)
    from_start  whether the game began on the empty board; the opening rule applies only then
    winner      BLACK or WHITE, or 0 for none
    reasons     why the game is over: a set of "five" and "pairs", or {"full board"} or {"no legal move"}; else empty
    """

    def __init__(self, rules: Rules, board: Board, to_move: int, ply: int, pairs: tuple[int, int], from_start: bool):
        self.rules = rules
        self.board = board
        self.to_move = to_move
        self.ply = ply
        self.pairs = pairs
        self.from_start = from_start
        self.winner = 0
        self.reasons: set[str] = set()

    @classmethod
    def start(cls, rules: Rules) -> Position:
        """The empty board, Black to move."""
        return cls(rules, [EMPTY] * (rules.width * rules.height), BLACK, 0, (0, 0), from_start=True)

    @classmethod
    def set_up(
        cls,
        rules: Rules,
        black: Iterable[str | int] = (),
        white: Iterable[str | int] = (),
        to_move: int = BLACK,
        pairs: tuple[int, int] = (0, 0),
        ply: int | None = None,
    ) -> Position:
        """A position with given stones. Draws are recognised; rows that already stand on it are not looked for."""
        board = [EMPTY] * (rules.width * rules.height)
        for side, names in ((BLACK, black), (WHITE, white)):
            for name in names:
                if board[rules.cell(name)] != EMPTY:
                    raise ValueError(f"two stones on {name}")
                board[rules.cell(name)] = side
        if ply is None:
            ply = sum(content != EMPTY for content in board) + 2 * sum(pairs)
        position = cls(rules, board, to_move, ply, (pairs[0], pairs[1]), from_start=False)
        position._recognise_draw()
        return position

    @classmethod
    def replay(cls, rules: Rules, moves: Iterable[str | int]) -> Position:
        """The position after these moves from the empty board."""
        position = cls.start(rules)
        for move in moves:
            position = position.play(move)
        return position

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.reasons)

    def empty_cells(self) -> list[int]:
        """Every empty cell, in order."""
        return [cell for cell, content in enumerate(self.board) if content == EMPTY]

    def fault(self, move: str | int) -> str | None:
        """None if the move is legal, else "occupied", "opening", "double three", "double four" or "overline"."""
        cell = self.rules.cell(move)
        if self.board[cell] != EMPTY:
            return "occupied"
        if self._breaks_opening(cell):
            return "opening"
        return ban_fault(self.rules, self.board, cell, self.to_move)

    def _breaks_opening(self, cell: int) -> bool:
        """Tournament: the first stone on the centre, Black's second 3 or more away from it in column or in row."""
        if self.rules.opening != "tournament" or not self.from_start or self.ply not in (0, 2):
            return False
        columns = abs(cell % self.rules.width - self.rules.width // 2)
        rows = abs(cell // self.rules.width - self.rules.height // 2)
        distance = max(columns, rows)
        return distance != 0 if self.ply == 0 else distance < 3

    def legal(self) -> list[int]:
        """Every legal move, in order; none after the end."""
        return [] if self.is_over else [cell for cell in self.empty_cells() if self.fault(cell) is None]

    def forbidden(self, side: int | None = None) -> list[int]:
        """Every empty cell that a ban forbids to a side (to the side to move unless told otherwise)."""
        side = self.to_move if side is None else side
        return [cell for cell in self.empty_cells() if ban_fault(self.rules, self.board, cell, side)]

    def play(self, move: str | int) -> Position:
        """The position after a move: place the stone, take what it captures, then look for the end."""
        cell = self.rules.cell(move)
        if self.is_over:
            raise IllegalMove("the game is over")
        if fault := self.fault(cell):
            raise IllegalMove(f"{self.rules.name(cell)}: {fault}")
        side = self.to_move
        board = with_stone(self.board, cell, side)
        taken = captured_cells(self.rules, board, cell) if self.rules.captures else []
        for prisoner in taken:
            board[prisoner] = EMPTY
        pairs = list(self.pairs)
        pairs[side - 1] += len(taken) // 2
        after = Position(self.rules, board, BLACK + WHITE - side, self.ply + 1, (pairs[0], pairs[1]), self.from_start)
        if makes_winning_row(self.rules, board, cell):
            after.reasons.add("five")
        if self.rules.captures and pairs[side - 1] >= PAIRS_TO_WIN:
            after.reasons.add("pairs")
        if after.reasons:
            after.winner = side
        else:
            after._recognise_draw()
        return after

    def _recognise_draw(self) -> None:
        """A draw if the board is full, or if a ban forbids every empty cell to the side to move."""
        empty = self.empty_cells()
        if not empty:
            self.reasons = {"full board"}
        elif all(ban_fault(self.rules, self.board, cell, self.to_move) for cell in empty):
            self.reasons = {"no legal move"}

    def __str__(self) -> str:
        rows = [self.board[start : start + self.rules.width] for start in range(0, len(self.board), self.rules.width)]
        return "\n".join("".join(".XO"[content] for content in row) for row in reversed(rows))
