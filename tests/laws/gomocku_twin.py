"""Gomocku played twice at once: by the compiled law and by the naive oracle, which must agree at every step.

What a test then asserts of a `Twin` holds for both. Diagrams are drawn in the signs of the oracle (`SIGNS`): top row
first, ``B W`` as placed, ``b`` a white piece that shows black, ``w`` a black one that shows white, ``R r`` a white, a
black piece that shows red, ``C c D d`` pieces that were put back (coloured, red); digits and ``*`` mark empty cells.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from narabe.envs import Game, State, game
from narabe.envs.rules.gomocku.pieces import CODE
from narabe.tests.oracles import gomocku as oracle
from narabe.tests.oracles.gomocku import BLACK, COLOURED, RED, SIGNS, STEPS, WHITE, Position

FOUND = {"coloured": COLOURED, "red": RED, "c": COLOURED, "r": RED}
PASS_OFFSET, LEAST = 256, 5  # the pass after the cells; the shortest side of a board
PAYOFFS = {BLACK: (1.0, -1.0), WHITE: (-1.0, 1.0), None: (0.0, 0.0)}
SETUP = {  # the argument of `Game.position` that takes a sign's cells
    "B": ["black"], "W": ["white"], "b": ["turned_black"], "w": ["turned_white"], "R": ["red_white"],
    "r": ["red_black"], "C": ["white", "known_coloured"], "c": ["black", "known_coloured"],
    "D": ["white", "known_red"], "d": ["black", "known_red"],
}  # fmt: skip


def mask_of(directions: Iterable[str]) -> int:
    """The number of a set of directions."""
    return sum(1 << list(STEPS).index(d) for d in directions)


def names_of(directions: str) -> frozenset[str]:
    """``"E+NW"`` as a set; ``"none"`` is empty."""
    return frozenset(directions.split("+")) - {"none"}


def text_of(directions: Iterable[str]) -> str:
    """The text of a set of directions, in the order of their bits."""
    return "+".join(d for d in STEPS if d in directions) or "none"


class Twin:
    """One game, held by the law (``state``) and by the oracle (``naive``)."""

    def __init__(self, state: State, naive: Position, cells: int | None = None) -> None:
        self.state, self.naive, self.cells = state, naive, cells
        self.check()

    @classmethod
    def start(cls, seed: int = 0, **options: Any) -> Twin:
        """The empty board; in a physical deal the backs are dealt by ``seed`` and the piles lie in their own order."""
        made = game("gomocku", **options)
        chosen = {name: value for name, value in made.options.items() if name != "deal"}
        physical = made.options["deal"] == "physical"
        state = made.start(seed, "auto" if physical else "manual")
        if physical:
            state.play(int(state.legal_actions()[0])).play(int(state.legal_actions()[0]))
            state.chance = "manual"
        return cls(state, Position.start(oracle.Options(**chosen)))

    @classmethod
    def board(cls, diagram: str, mover: str = BLACK, phase: int = 2, ply: int | None = None, **options: Any) -> Twin:
        """The position of a diagram: by default the first turn of a side in a phase."""
        if ply is None:
            ply = (2 * options.get("stones", 15) if phase == 2 else 0) + (mover == WHITE)
            pieces = sum(sign in SIGNS for sign in diagram)
            ply = ply if phase == 2 else ply + pieces + pieces % 2
        naive = oracle.from_diagram(padded(diagram), ply, **{k: v for k, v in options.items() if k != "deal"})
        made = game("gomocku", width=naive.options.width, height=naive.options.height, **options)
        return cls(set_up(made, naive), naive)

    # ---- playing ----

    def number(self, cell: str | int | tuple[int, int]) -> int:
        column, row = self.naive.cell(cell)
        return row * self.naive.options.width + column

    def place(self, cell: str | int | tuple[int, int]) -> Twin:
        """Place a piece."""
        self.state.play(self.number(cell))
        self.naive = self.naive.place(self.naive.cell(cell))
        return self.check()

    def flip(self, directions: str, backs: str = "") -> Twin:
        """Turn pieces over: ``flip("E+N", "cr")``; the backs, coloured or red, are those that nobody knew."""
        drawn = [FOUND[letter] for letter in backs]
        self.state.play(directions)
        for colour in drawn:
            self.state.play(colour)
        self.naive = self.naive.flip(names_of(directions), drawn)
        return self.check()

    def flip_as_dealt(self, directions: str) -> Twin:
        """Turn pieces over; the backs are what the deal of the state says (each must leave one outcome only)."""
        self.state.play(directions)
        drawn = []
        while self.state.to_play == -1:
            (colour,) = (word for word in (COLOURED, RED) if self.state.why_illegal(word) is None)
            drawn.append(colour)
            self.state.play(colour)
        self.naive = self.naive.flip(names_of(directions), drawn)
        return self.check()

    def pass_piece(self) -> Twin:
        """Pass."""
        self.state.play("pass")
        self.naive = self.naive.pass_piece()
        return self.check()

    # ---- asking ----

    @property
    def winner(self) -> str | None:
        return self.naive.winner

    @property
    def reason(self) -> str | None:
        return self.naive.reason

    @property
    def flippable(self) -> str:
        """The directions that may be turned, as ``"E+N"``, or ``"none"``."""
        return text_of(self.naive.flippable())

    def shows(self, cell: str | tuple[int, int]) -> str | None:
        return self.naive.shown(self.naive.cell(cell))

    def sign(self, cell: str | tuple[int, int]) -> str:
        """How diagrams show a cell."""
        return oracle.sign(self.naive.board[self.naive.cell(cell)])

    def score(self) -> tuple[int, int, int, int]:
        """Pieces turned and the red ones among them: Black's two numbers, then White's."""
        return (*self.naive.score(BLACK), *self.naive.score(WHITE))

    def faults(self, cell: str | tuple[int, int]) -> set[str]:
        """Why a piece may not be placed on a cell; empty if it may."""
        return self.naive.faults(cell)

    def copy(self) -> Twin:
        return Twin(self.state.copy(), self.naive, self.cells)

    # ---- agreeing ----

    def legal(self) -> list[int]:
        """The oracle's legal actions in the numbers of the law."""
        cells = self.naive.options.width * self.naive.options.height
        if self.naive.is_over:
            return []
        if self.naive.placed is not None:
            return sorted(cells + mask_of(chosen) for chosen in self.naive.flip_sets())
        if self.naive.must_pass:
            return [cells + PASS_OFFSET]
        return [self.number(cell) for cell in self.naive.legal_points()]

    def check(self) -> Twin:
        """Compare all that law and oracle say about the position."""
        state, naive = self.state, self.naive
        found = {
            "over": (state.is_over, naive.is_over),
            "reason": (state.reason, naive.reason),
            "payoffs": (state.payoffs, PAYOFFS[naive.winner]),
            "ply": (state.ply, naive.ply),
            "seat": (state.to_play, -2 if naive.is_over else naive.ply % 2),
            "board": (signs(state), str(naive)),
            "score": (scores(state), self.score()),
            "backs unseen": (unseen(state), tuple(naive.unseen(side) for side in (BLACK, WHITE))),
        }
        for what, (law, told) in found.items():
            assert law == told, f"{what}: law {law}, oracle {told}\n{self}"
        self._check_legal()
        return self

    def _check_legal(self) -> None:
        legal = self.state.legal_actions().tolist()
        if self.cells is None or self.naive.placed is not None:
            assert legal == self.legal(), f"legal: law {legal}, oracle {self.legal()}\n{self}"

    def check_fault(self, cell: tuple[int, int]) -> set[str]:
        """Compare what forbids a cell, in words; returns the oracle's faults."""
        told, why = self.naive.faults(cell), self.state.why_illegal(self.number(cell))
        assert (why is None) == (not told), f"{cell}: law {why}, oracle {told}\n{self}"
        assert why is None or any(word in why for word in told), f"{cell}: law {why}, oracle {told}\n{self}"
        return told

    def __str__(self) -> str:
        return f"{self.state.to_text()} of {self.state.game.spec}, {self.naive.mover} to move, ply {self.naive.ply}" + (
            f", placed {self.naive.placed}" if self.naive.placed else ""
        )


def padded(diagram: str) -> str:
    """The diagram with empty rows above and empty columns on the right, if it is smaller than the smallest board."""
    rows = ["".join(line.split()) for line in diagram.strip().splitlines()]
    width = max(LEAST, len(rows[0]))
    return "\n".join(["." * width] * (LEAST - len(rows)) + [row.ljust(width, ".") for row in rows])


# ---- the law's record ------------------------------------------------------------------------------------------------

CODES = ".BWcCdDwbrR"  # the oracle's sign for what the record holds of a cell


def set_up(made: Game, naive: Position) -> State:
    """The law's state of an oracle's position (between turns), with chance turns left to the caller."""
    cells: dict[str, list[int]] = {}
    for (column, row), piece in naive.board.items():
        for argument in SETUP[oracle.sign(piece)]:
            cells.setdefault(argument, []).append(row * naive.options.width + column)
    state = made.position(**cells, ply=naive.ply)
    state.chance = "manual"
    return state


def signs(state: State) -> str:
    """The board of a state as the oracle prints it."""
    width, height = state.game.options["width"], state.game.options["height"]
    codes = np.asarray(state.record["piece"][0])[: width * height] & CODE
    rows = [" ".join(CODES[code] for code in row) for row in codes.reshape(height, width)]
    return "\n".join(reversed(rows))


def scores(state: State) -> tuple[int, ...]:
    """Pieces turned and the red ones among them: Black's two numbers, then White's."""
    flips, reds = state.record["flips"][0], state.record["reds"][0]
    return tuple(int(x) for pair in zip(flips, reds) for x in pair)


def unseen(state: State) -> tuple[tuple[int, int], ...]:
    """(coloured, red) backs that nobody has seen, of Black's pieces and of White's."""
    options, s = state.game.options, state.record[0]
    red = options["stones"] + options["chance"] - options["coloured"]
    return tuple((options["coloured"] - int(s["seen_coloured"][i]), red - int(s["seen_red"][i])) for i in range(2))
