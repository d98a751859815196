"""A naive oracle for Gomocku: five in a row with bans, then sandwiched pieces that are turned over.

It is written straight from the rules, for reading and not for speed. A board is a dict from ``(column, row)`` to
`Piece`, with row 0 at the bottom; an absent cell is empty. Threes and fours are those of `narabe.tests.oracles.lines`
under exact five. A position is never changed: each step gives a new one.

A *coloured* back shows the colour of the side that turns the piece, that is the other colour than its owner's; the
rest are red. Nobody has seen a back before it is turned, so a back is drawn when it is turned: among the backs of its
owner that nobody has seen yet, each is as likely as any other.

>>> position = Position.start(Options(width=5, height=5, stones=1, chance=1, coloured=1))
>>> for cell in "A1", "B1", "C1":
...     position = position.place(cell)
>>> position.flippable(), position.odds({"W"})
(('W',), {('coloured',): Fraction(1, 2), ('red',): Fraction(1, 2)})
>>> position.flip({"W"}, ["red"]).score("black")
(1, 1)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, permutations

from narabe.tests.oracles import lines

BLACK, WHITE = "black", "white"
COLOURED, RED = "coloured", "red"
STEPS = {  # in the order of their bits
    "E": (1, 0), "N": (0, 1), "NE": (1, 1), "NW": (-1, 1), "W": (-1, 0), "S": (0, -1), "SW": (-1, -1), "SE": (1, -1),
}  # fmt: skip
FOUR_LINES = ("E", "N", "NE", "NW")
FIVE = 5

Cell = tuple[int, int]


def other(side: str) -> str:
    """The opponent."""
    return WHITE if side == BLACK else BLACK


@dataclass(frozen=True)
class Options:
    """The parameters of the game."""

    width: int = 15
    height: int = 15
    bans: str = "both"  # whom the bans bind: "both" or "black"
    phase2_bans: str = "placement"  # what a placement of phase 2 is tested for: "placement" (overline) or "all"
    must_flip: bool = False  # turn at least one where one may be turned
    foul_restores: str = "long_row"  # what a foul turns back: the flips in a "long_row", or "all" of the move
    stones: int = 15  # pieces a side in phase 1
    chance: int = 5  # pieces a side in phase 2
    coloured: int = 8  # coloured backs among the pieces of a side

    @property
    def pieces(self) -> int:
        """Pieces a side."""
        return self.stones + self.chance

    def bound(self, side: str) -> bool:
        """Do the bans bind this side?"""
        return self.bans == "both" or side == BLACK


@dataclass(frozen=True)
class Piece:
    """A piece on the board: whose, what is known of its back (None: nobody saw it), whether it lies turned over."""

    owner: str
    back: str | None = None
    turned: bool = False
    number: int = -1  # the how-manieth of its owner's, from 0; only a physical deal asks

    @property
    def shows(self) -> str:
        """BLACK, WHITE or RED."""
        if not self.turned:
            return self.owner
        return other(self.owner) if self.back == COLOURED else RED


class IllegalMove(ValueError):
    """A move that the rules do not allow, or that is not asked for now."""


@dataclass(frozen=True)
class Position:
    """A position: the pieces, the plies played or passed, and, between the two decisions of a turn, the piece placed.

    ``seen`` tells whose backs were seen so far and how they were, put back or not: {owner: [COLOURED, RED, ...]}.
    """

    options: Options
    board: dict[Cell, Piece] = field(default_factory=dict)
    ply: int = 0
    placed: Cell | None = None  # phase 2: a piece stands here and the choice of flips is asked for
    winner: str | None = None
    reason: str | None = None  # "five in a row", "more pieces flipped", "fewer reds" or "equal score"
    last: str | None = None  # what became of the last turn: "win", "foul" or "nothing"
    put_back: tuple[str, ...] = ()  # the directions whose pieces the last turn's foul turned back

    @classmethod
    def start(cls, options: Options) -> Position:
        """The empty board."""
        return cls(options)

    # ---- cells -------------------------------------------------------------------------------------------------------

    def cell(self, name: str | int | Cell) -> Cell:
        """``"C1"``, or its number, as ``(2, 0)``."""
        if isinstance(name, str):
            name = (ord(name[0].upper()) - ord("A"), int(name[1:]) - 1)
        elif not isinstance(name, tuple):
            name = (name % self.options.width, name // self.options.width)
        if not self.on_board(name):
            raise ValueError(f"{name} is not on the board")
        return name

    def on_board(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.options.width and 0 <= cell[1] < self.options.height

    def cells(self) -> list[Cell]:
        """All cells in the order of their numbers."""
        return [(column, row) for row in range(self.options.height) for column in range(self.options.width)]

    def shown(self, cell: Cell) -> str | None:
        """What a cell shows: BLACK, WHITE, RED or None; None as well beyond the edge."""
        return self.board[cell].shows if cell in self.board else None

    def toward(self, cell: Cell, direction: str, distance: int = 1) -> Cell:
        """The cell so many steps away (it may lie beyond the edge)."""
        step = STEPS[direction]
        return cell[0] + distance * step[0], cell[1] + distance * step[1]

    # ---- whose turn --------------------------------------------------------------------------------------------------

    @property
    def mover(self) -> str:
        return WHITE if self.ply % 2 else BLACK

    @property
    def second_phase(self) -> bool:
        return self.ply >= 2 * self.options.stones

    @property
    def is_over(self) -> bool:
        return self.reason is not None

    # ---- rows --------------------------------------------------------------------------------------------------------

    def run(self, cell: Cell, direction: str) -> set[Cell]:
        """The unbroken row of the colour that ``cell`` shows, along the line of a direction, both ways."""
        colour = self.shown(cell)
        found = {cell}
        for sign in (1, -1):
            distance = sign
            while self.shown(self.toward(cell, direction, distance)) == colour:
                found.add(self.toward(cell, direction, distance))
                distance += sign
        return found

    def makes_five(self, cell: Cell) -> bool:
        """Does the piece lie in a row of exactly five on some line?"""
        return any(len(self.run(cell, direction)) == FIVE for direction in FOUR_LINES)

    def in_long_row(self, cell: Cell) -> bool:
        """Does the piece lie in a row of six or more on some line?"""
        return any(len(self.run(cell, direction)) > FIVE for direction in FOUR_LINES)

    # ---- placing -----------------------------------------------------------------------------------------------------

    def with_piece(self, cell: Cell) -> Position:
        """The board with the mover's next piece on an empty cell, nothing else changed."""
        return replace(self, board={**self.board, cell: Piece(self.mover, number=self.ply // 2)})

    def faults(self, move: str | int | Cell) -> set[str]:
        """All that forbids the mover to place a piece there: "occupied", "overline", "double three", "double four"."""
        cell = self.cell(move)
        if cell in self.board:
            return {"occupied"}
        after = self.with_piece(cell)
        if after.makes_five(cell) or not self.options.bound(self.mover):
            return set()
        found = set()
        if after.in_long_row(cell):
            found.add("overline")
        if not self.second_phase or self.options.phase2_bans == "all":
            found |= after._double_shapes(cell)
        return found

    def _double_shapes(self, cell: Cell) -> set[str]:
        """The double three and double four that the piece on a cell makes, asked of the oracle of line games.

        Either needs four more pieces of the mover within four cells; without them the question is not asked.
        """
        near = [self.toward(cell, direction, distance) for direction in STEPS for distance in range(1, FIVE)]
        if sum(self.shown(each) == self.mover for each in near) < 4:
            return set()
        values = {None: lines.EMPTY, self.mover: 1, other(self.mover): 2, RED: 3}
        board = [values[self.shown(each)] for each in self.cells()]
        rules = lines.Rules(width=self.options.width, height=self.options.height, exact=True)
        number = cell[1] * self.options.width + cell[0]
        found = set()
        if lines.is_double_three(rules, board, number):
            found.add("double three")
        if lines.is_double_four(rules, board, number):
            found.add("double four")
        return found

    def legal_points(self) -> list[Cell]:
        """Where the mover may place a piece; none after the end, and none while flips are asked for."""
        return list(self._legal_points)

    @cached_property
    def _legal_points(self) -> tuple[Cell, ...]:
        if self.is_over or self.placed is not None:
            return ()
        return tuple(cell for cell in self.cells() if not self.faults(cell))

    @property
    def must_pass(self) -> bool:
        """No legal point: the piece is passed."""
        return not self.is_over and self.placed is None and not self.legal_points()

    def pass_piece(self) -> Position:
        """The turn goes over without a piece."""
        if not self.must_pass:
            raise IllegalMove("a piece is passed only where no point is legal")
        return self._turn_ends()

    def place(self, move: str | int | Cell) -> Position:
        """Place a piece: a five ends the game; else, in phase 2, flips are asked for where there is one to be had."""
        cell = self.cell(move)
        if self.is_over or self.placed is not None:
            raise IllegalMove("no piece is to be placed now")
        if faults := self.faults(cell):
            raise IllegalMove(f"{move}: {faults}")
        after = self.with_piece(cell)
        if after.makes_five(cell):
            return after._wins()
        if self.second_phase:
            asked = replace(after, placed=cell)
            if asked.flippable():
                return asked
        return after._turn_ends()

    # ---- turning over ------------------------------------------------------------------------------------------------

    def flippable(self) -> tuple[str, ...]:
        """The directions, in the order of their bits, in which the piece just placed sandwiches one piece.

        The neighbour is an opponent's piece that does not lie turned, the cell behind it shows the mover's colour.
        """
        if self.placed is None:
            return ()
        found = []
        for direction in STEPS:
            neighbour = self.board.get(self.toward(self.placed, direction))
            behind = self.shown(self.toward(self.placed, direction, 2))
            if neighbour and neighbour.owner != self.mover and not neighbour.turned and behind == self.mover:
                found.append(direction)
        return tuple(found)

    def flip_sets(self) -> list[frozenset[str]]:
        """Every set of directions that may be chosen."""
        possible = self.flippable()
        least = 1 if self.options.must_flip else 0
        return [frozenset(s) for n in range(least, len(possible) + 1) for s in combinations(possible, n)]

    def unknown(self, directions: Collection[str]) -> list[str]:
        """The chosen directions, in the order of their bits, whose pieces have a back that nobody has seen."""
        assert self.placed is not None
        return [d for d in STEPS if d in directions and self.board[self.toward(self.placed, d)].back is None]

    def unseen(self, owner: str) -> tuple[int, int]:
        """(coloured, red) backs of a side that nobody has seen, those of pieces not yet on the board included."""
        seen = [piece.back for piece in self.board.values() if piece.owner == owner and piece.back is not None]
        coloured = self.options.coloured - seen.count(COLOURED)
        red = self.options.pieces - self.options.coloured - seen.count(RED)
        return coloured, red

    def odds(self, directions: Collection[str]) -> dict[tuple[str, ...], Fraction]:
        """What the unknown backs of the chosen pieces may be, in the order of their bits, with its probability."""
        coloured, red = self.unseen(other(self.mover))
        found = {(): (Fraction(1), coloured, red)}
        for _ in self.unknown(directions):
            longer = {}
            for backs, (chance, c, r) in found.items():
                if c > 0:
                    longer[(*backs, COLOURED)] = (chance * Fraction(c, c + r), c - 1, r)
                if r > 0:
                    longer[(*backs, RED)] = (chance * Fraction(r, c + r), c, r - 1)
            found = longer
        return {backs: chance for backs, (chance, _, _) in found.items()}

    def flip(self, directions: Collection[str], backs: Sequence[str] = ()) -> Position:
        """Turn the chosen pieces over; ``backs`` are those that nobody knew, in the order of their bits."""
        if frozenset(directions) not in self.flip_sets():
            raise IllegalMove(f"{set(directions)} may not be turned")
        return self._reveal(directions, backs)._judge(directions)

    def _reveal(self, directions: Collection[str], backs: Sequence[str]) -> Position:
        """The board with the chosen pieces turned over."""
        unknown = self.unknown(directions)
        if len(unknown) != len(backs) or tuple(backs) not in self.odds(directions):
            raise ValueError(f"{backs} cannot be the backs at {unknown}")
        drawn, board = dict(zip(unknown, backs)), dict(self.board)
        for direction in directions:
            cell = self.toward(self.placed, direction)
            board[cell] = replace(board[cell], turned=True, back=drawn.get(direction, board[cell].back))
        return replace(self, board=board)

    def _judge(self, directions: Collection[str]) -> Position:
        """After the flips: a five wins; else a longer row through a piece of this move is a foul."""
        new = {d: self.toward(self.placed, d) for d in STEPS if d in directions}
        fresh = [self.placed, *(cell for cell in new.values() if self.shown(cell) == self.mover)]
        if any(self.makes_five(cell) for cell in fresh):
            return self._wins()
        if not self.options.bound(self.mover) or not any(self.in_long_row(cell) for cell in fresh):
            return self._turn_ends()
        if self.options.foul_restores == "all":
            restored = tuple(new)
        else:
            restored = tuple(d for d, cell in new.items() if cell in fresh and self.in_long_row(cell))
        board = dict(self.board)
        for direction in restored:
            board[new[direction]] = replace(board[new[direction]], turned=False)
        return replace(replace(self, board=board)._turn_ends(), last="foul", put_back=restored)

    # ---- the end -----------------------------------------------------------------------------------------------------

    def _wins(self) -> Position:
        return replace(
            self, ply=self.ply + 1, placed=None, winner=self.mover, reason="five in a row", last="win", put_back=()
        )

    def _turn_ends(self) -> Position:
        after = replace(self, ply=self.ply + 1, placed=None, last="nothing", put_back=())
        return after._count() if after.ply == 2 * self.options.pieces else after

    def score(self, side: str) -> tuple[int, int]:
        """(pieces that a side has turned and that lie turned, the red ones among them)."""
        turned = [piece for piece in self.board.values() if piece.owner != side and piece.turned]
        return len(turned), sum(piece.back == RED for piece in turned)

    def _count(self) -> Position:
        """After the last ply: more pieces flipped win; if equal, fewer reds; else a draw."""
        (black, black_reds), (white, white_reds) = self.score(BLACK), self.score(WHITE)
        if black != white:
            return replace(self, winner=BLACK if black > white else WHITE, reason="more pieces flipped")
        if black_reds != white_reds:
            return replace(self, winner=BLACK if black_reds < white_reds else WHITE, reason="fewer reds")
        return replace(self, reason="equal score")

    # ---- texts -------------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        """Rows from the top, in the signs of `SIGNS`."""
        rows = []
        for row in reversed(range(self.options.height)):
            cells = [self.board.get((column, row)) for column in range(self.options.width)]
            rows.append(" ".join("." if piece is None else sign(piece) for piece in cells))
        return "\n".join(rows)


# How diagrams show a piece. Capitals lie as they were placed or are White's; the rest is in the table.
SIGNS = {
    "B": Piece(BLACK), "W": Piece(WHITE),  # as they were placed
    "b": Piece(WHITE, COLOURED, True), "w": Piece(BLACK, COLOURED, True),  # a white piece turned black, and the reverse
    "R": Piece(WHITE, RED, True), "r": Piece(BLACK, RED, True),  # a white, a black piece showing red
    "C": Piece(WHITE, COLOURED), "c": Piece(BLACK, COLOURED),  # put back: a coloured back that both know
    "D": Piece(WHITE, RED), "d": Piece(BLACK, RED),  # put back: a red back that both know
}  # fmt: skip


def sign(piece: Piece) -> str:
    """The letter of a piece in diagrams."""
    return next(letter for letter, other_piece in SIGNS.items() if replace(piece, number=-1) == other_piece)


def rows_of(diagram: str) -> list[str]:
    """The rows of a diagram from the bottom up, without blanks."""
    rows = ["".join(line.split()) for line in diagram.strip().splitlines()]
    if len({len(row) for row in rows}) != 1:
        raise ValueError(f"rows of different lengths in {rows}")
    return rows[::-1]


def from_diagram(diagram: str, ply: int, **options: object) -> Position:
    """The position of a diagram (top row first, the signs of `SIGNS`; all other signs are empty cells)."""
    rows = rows_of(diagram)
    made = Options(width=len(rows[0]), height=len(rows), **options)  # type: ignore[arg-type]
    board = {(c, r): SIGNS[letter] for r, row in enumerate(rows) for c, letter in enumerate(row) if letter in SIGNS}
    return Position(made, board, ply)


def marks(diagram: str) -> dict[str, Cell]:
    """The cells of the signs that are no pieces (digits, ``*``), each found once."""
    rows = rows_of(diagram)
    found = {(c, r): letter for r, row in enumerate(rows) for c, letter in enumerate(row)}
    return {letter: cell for cell, letter in found.items() if letter not in SIGNS and letter != "."}


# ---- the physical deal -----------------------------------------------------------------------------------------------


def dealt_backs(options: Options, mask: int, piles: Sequence[int]) -> list[str]:
    """The backs of a side's pieces in the order of their use.

    Bit ``pile * chance + position`` of ``mask`` tells a coloured back, position 0 being the top of a pile; ``piles``
    names the pile (from 0) in slot 1, slot 2 and so on, the last being the Chance slot.
    """
    size = options.chance
    bits = [pile * size + position for pile in piles for position in range(size)]
    return [COLOURED if mask >> bit & 1 else RED for bit in bits]


def all_deals(options: Options) -> Iterator[tuple[list[str], int]]:
    """Every distinct order in which the backs of a side may come out, and how many coloured lie in the Chance slot."""
    for coloured in combinations(range(options.pieces), options.coloured):
        yield (
            [COLOURED if i in coloured else RED for i in range(options.pieces)],
            sum(i >= options.stones for i in coloured),
        )


def pile_orders(options: Options) -> list[tuple[int, ...]]:
    """Every way to assign the piles to the slots."""
    return list(permutations(range(options.pieces // options.chance)))
