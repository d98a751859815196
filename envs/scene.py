"""What a picture of a grid game shows: pieces on a grid, a few marks and overlays, some words.

A scene knows no rule and no record. A game's face fills one in; `drawing/` turns it into text, SVG or pixels.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal


def letters(count: int) -> tuple[str, ...]:
    """Names of `count` columns from the left: A to Z with no letter skipped, then AA, AB and so on.

    >>> letters(3), letters(28)[-2:]
    (('A', 'B', 'C'), ('AA', 'AB'))
    """
    names = []
    for number in range(1, count + 1):
        name = ""
        while number:
            number, digit = divmod(number - 1, 26)
            name = chr(ord("A") + digit) + name
        names.append(name)
    return tuple(names)


def numerals(count: int) -> tuple[str, ...]:
    """Names of `count` rows from the bottom: 1, 2, 3 and so on.

    >>> numerals(3)
    ('1', '2', '3')
    """
    return tuple(str(number) for number in range(1, count + 1))


@dataclasses.dataclass(frozen=True)
class Scene:
    """One picture of a board. Cells are numbered row * width + column; row 0 is the bottom row, column 0 the left.

    Whatever sequences and mappings it is given, a scene keeps tuples and dicts of plain values.

    >>> scene = Scene(3, 3, cells=["black", "", "", "", "white", "", "", "", ""], last=[4])
    >>> scene.column_labels, scene.cells[4]
    (('A', 'B', 'C'), 'white')
    >>> scene.with_(heat={0: 1.0}, captions=["Black to play"]).captions
    ('Black to play',)
    """

    width: int
    height: int

    cells: Sequence[str] = ()
    """width * height names of pieces, '' for an empty cell; left out, the board is empty."""

    style: Literal["points", "squares"] = "points"
    """'points': pieces on line crossings, as in gomoku; 'squares': pieces inside cells, as on a gravity board."""

    column_labels: Sequence[str] = ()
    """Names of the columns from the left; left out, they are letters from A."""

    row_labels: Sequence[str] = ()
    """Names of the rows from the bottom; left out, they are numbers from 1."""

    last: Sequence[int] = ()
    """Cells of the last move."""

    forbidden: Sequence[int] = ()
    """Empty cells that the side to move may not play."""

    winning: Sequence[int] = ()
    """Cells that won the game, such as a row of five."""

    heat: Mapping[int, float] = dataclasses.field(default_factory=dict, hash=False)
    """An overlay: cell -> non-negative amount in any unit; pictures show it relative to the highest amount."""

    numbers: Mapping[int, str] = dataclasses.field(default_factory=dict, hash=False)
    """Short texts over cells, empty or not: move numbers, visits, values."""

    marks: Mapping[int, str] = dataclasses.field(default_factory=dict, hash=False)
    """Small signs on cells: 'win', 'danger', 'four', 'three', 'capture', as a threat search tells them."""

    legend: Mapping[str, str] = dataclasses.field(default_factory=dict, hash=False)
    """What signs mean, each in a few words; they stand below the board in this order."""

    title: str = ""
    captions: Sequence[str] = ()
    """Lines below the board, such as 'Black to play'."""

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise ValueError(f"a board needs at least one cell, not {self.width} x {self.height}")
        if self.style not in ("points", "squares"):
            raise ValueError(f"style is 'points' or 'squares', not {self.style!r}")
        area = self.width * self.height
        self._fix("cells", _texts(self.cells) or ("",) * area, area)
        self._fix("column_labels", _texts(self.column_labels) or letters(self.width), self.width)
        self._fix("row_labels", _texts(self.row_labels) or numerals(self.height), self.height)
        self._fix("captions", _texts(self.captions))
        for name in ("last", "forbidden", "winning"):
            self._fix(name, tuple(self._cell(name, cell) for cell in getattr(self, name)))
        self._fix("heat", {self._cell("heat", cell): _amount(value) for cell, value in self.heat.items()})
        self._fix("numbers", {self._cell("numbers", cell): str(text) for cell, text in self.numbers.items()})
        self._fix("marks", {self._cell("marks", cell): str(sign) for cell, sign in self.marks.items()})
        self._fix("legend", {str(sign): str(words) for sign, words in self.legend.items()})

    def with_(self, **changes: Any) -> Scene:
        """A copy with some fields changed: how an overlay is laid on a game's own scene.

        >>> Scene(3, 3).with_(numbers={4: "12"}).numbers
        {4: '12'}
        """
        return dataclasses.replace(self, **changes)

    def with_line(self, moves: Sequence[tuple[int, str] | None]) -> Scene:
        """A copy with moves (cell, piece) laid on it as numbered pieces, as books show a variation.

        A cell that is played on again, after a capture, keeps its first number; a line below the board tells the other.
        A move that lays nothing, None, counts and is not shown.

        >>> scene = Scene(3, 3).with_line([(4, "black"), (0, "white"), (4, "black")])
        >>> scene.numbers, scene.cells[0], scene.captions
        ({4: '1', 0: '2'}, 'white', ('3 at B2',))
        """
        cells, numbers, again = list(self.cells), dict(self.numbers), []
        laid: set[int] = set()
        for number, move in enumerate(moves, 1):
            if move is None:
                continue
            cell, piece = move
            if cell in laid:
                name = f"{self.column_labels[cell % self.width]}{self.row_labels[cell // self.width]}"
                again.append(f"{number} at {name}")
            else:
                cells[self._cell("line", cell)], numbers[cell] = piece, str(number)
                laid.add(cell)
        return self.with_(
            cells=cells,
            numbers=numbers,
            last=[cell for cell in self.last if cell not in laid],
            forbidden=[cell for cell in self.forbidden if cell not in laid],
            marks={cell: sign for cell, sign in self.marks.items() if cell not in laid},
            captions=[*self.captions, *([", ".join(again)] if again else [])],
        )

    def relative_heat(self) -> dict[int, float]:
        """The heat overlay scaled so that its highest amount is 1; cells without heat are left out.

        >>> Scene(3, 3).with_(heat={0: 30, 1: 60, 2: 0}).relative_heat()
        {0: 0.5, 1: 1.0}
        """
        highest = max(self.heat.values(), default=0.0)
        return {cell: value / highest for cell, value in self.heat.items() if value > 0}

    def _cell(self, name: str, cell: int) -> int:
        if not 0 <= cell < self.width * self.height:
            raise ValueError(f"{name}: no cell {cell} on a {self.width} x {self.height} board")
        return int(cell)

    def _fix(self, name: str, value: object, length: int | None = None) -> None:
        """Set a field of this frozen object to its checked form; only `__post_init__` calls this."""
        if length is not None and isinstance(value, tuple) and len(value) != length:
            raise ValueError(f"{name}: {length} needed on a {self.width} x {self.height} board, not {len(value)}")
        object.__setattr__(self, name, value)


def _texts(values: Sequence[str]) -> tuple[str, ...]:
    if isinstance(values, str):
        # A string is a sequence too, and would silently become one entry per character.
        raise TypeError(f"a sequence of texts is needed, not the one text {values!r}")
    return tuple(str(value) for value in values)


def _amount(value: float) -> float:
    value = float(value)
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"heat: amounts are finite and not negative, not {value}")
    return value
